import { SaxesParser, type SaxesTagNS } from 'saxes'
import { Refused } from '#kit/server/base/refused.ts'
import { InvalidExpressionError, checkExpression, isSingleExpression } from './expression.ts'
import { ProcessFaultCollector } from './faults.ts'
import {
  bpmnElementByNodeType,
  canReachNode,
  type ProcessGraph,
  type SequenceFlow,
  type MultiInstanceLoop,
  type ProcessNode,
  type ProcessNodeType,
} from './graph.ts'
import { isDurationOrDateTime } from './time-text.ts'

const XML_MAX = 500_000
const NODES_MAX = 500
/** Limit of XML elements, including those of the diagram. */
const ELEMENTS_MAX = 30_000
const DEPTH_MAX = 30
const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL'

/**
 * Parses a BPMN 2.0 file (from bpmn-js, Flowable or Activiti) into the graph the engine runs. Refuses what cannot run,
 * naming all faults with their elements at once: when the process is saved, not when somebody waits for it.
 */
export const readBpmn = (xml: string): ProcessGraph => readBpmnWithIds(xml).graph

/** Returns the graph, and the file with an id added to each element without one. */
export function readBpmnWithIds(xml: string): { graph: ProcessGraph; xml: string } {
  const process = processIn(treeOf(xml))
  const key = process.attributes.id
  if (!key) throw new Refused('flow_no_key')
  const graph: ProcessGraph = { key, name: process.attributes.name || key, start: '', nodes: {}, lines: {} }
  const reading: Reading = {
    graph,
    faults: new ProcessFaultCollector(),
    ids: idsIn(process),
    given: [],
    lastOf: new Map(),
    unread: new Set(),
  }
  for (const element of process.children) readElement(reading, element)
  if (Object.keys(graph.nodes).length > NODES_MAX) throw new Refused('flow_too_big', { max: NODES_MAX })
  nameInitiator(graph)
  join(reading)
  check(reading)
  reading.faults.refuse()
  return { graph, xml: withIds(xml, reading.given) }
}

/** State of parsing: collects faults; elements that cannot run are kept until all faults are known. */
type Reading = {
  graph: ProcessGraph
  faults: ProcessFaultCollector
  ids: Set<string>
  given: { at: number; id: string }[]
  /** Last number used for generated ids by element name: all lower ones are taken. */
  lastOf: Map<string, number>
  unread: Set<string>
}

/**
 * Returns the process to run: designers may draw several pools of which one is executable, or mark none. Refuses no or
 * several processes.
 */
function processIn(definitions: Element): Element {
  const all = childrenOf(definitions, 'process')
  const filled = all.filter((one) => one.children.some(({ name }) => !SILENT.has(name) && name !== 'extensionElements'))
  const executable = filled.filter((one) => one.attributes.isExecutable !== 'false')
  const [process, another] = executable.length ? executable : filled.length ? filled : all
  if (!process) throw new Refused('flow_no_process')
  if (another) throw new Refused('flow_many_processes')
  return process
}

function idsIn({ children }: Element, found = new Set<string>()): Set<string> {
  for (const one of children) {
    if (one.attributes.id) found.add(one.attributes.id)
    idsIn(one, found)
  }
  return found
}

/** Returns an element's id, or a generated unique one. */
function idOf({ ids, given, lastOf }: Reading, { name, attributes, at }: Element): string {
  if (attributes.id) return attributes.id
  let n = Math.max(given.length, lastOf.get(name) ?? 0) + 1
  while (ids.has(`${name}_${n}`)) n++
  lastOf.set(name, n)
  const id = `${name}_${n}`
  ids.add(id)
  given.push({ at, id })
  return id
}

function withIds(xml: string, given: Reading['given']): string {
  let whole = ''
  let from = 0
  for (const { at, id } of given) {
    whole += `${xml.slice(from, at)} id="${id}"`
    from = at
  }
  return whole + xml.slice(from)
}

/** An XML element; `at` is the position in the file where an attribute can be inserted. */
type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[]; at: number }

/**
 * Parses the elements of the BPMN namespace, attributes by local name, without the diagram. bpmn-moddle, by which the
 * browser draws, takes what is refused here (unknown entities, attributes without quotes, a second root, control
 * characters), drops what it does not know, counts nothing, and does not say where in the file an id is to be added.
 */
function treeOf(xml: string): Element {
  if (xml.length > XML_MAX) throw new Refused('flow_too_big', { max: XML_MAX })
  const root: Element = { name: '', attributes: {}, text: '', children: [], at: 0 }
  const open: Element[] = [root]
  let count = 0
  const parser = new SaxesParser({ xmlns: true })
  const unreadable = (reason: string) => new Refused('flow_no_xml', { reason })
  parser.on('doctype', () => {
    throw unreadable('DTD')
  })
  parser.on('error', (error) => {
    throw unreadable(error.message)
  })
  parser.on('opentag', (tag) => {
    if (++count > ELEMENTS_MAX) throw new Refused('flow_too_big', { max: ELEMENTS_MAX })
    const element = elementFrom(tag, parser.position - (tag.isSelfClosing ? 2 : 1))
    open.at(-1)!.children.push(element)
    if (open.push(element) > DEPTH_MAX) throw unreadable('depth')
  })
  parser.on('closetag', () => void open.pop())
  const take = (text: string) => void (open.at(-1)!.text += text)
  parser.on('text', take)
  parser.on('cdata', take)
  parser.write(xml).close()
  const [definitions] = childrenOf(root, 'definitions')
  if (!definitions) throw unreadable('definitions')
  return definitions
}

function elementFrom(tag: SaxesTagNS, at: number): Element {
  const attributes: Record<string, string> = {}
  for (const one of Object.values(tag.attributes)) if (one.prefix !== 'xmlns') attributes[one.local] = one.value
  const name = tag.uri === BPMN || LISTENERS.has(tag.local) ? tag.local : ''
  return { name, attributes, text: '', children: [], at }
}

const LISTENERS = new Set(['executionListener', 'taskListener'])

const childrenOf = (element: Element, name: string) => element.children.filter((one) => one.name === name)
const textIn = (element: Element | undefined, name: string): string | undefined =>
  (element && childrenOf(element, name)[0]?.text.trim()) || undefined

const TYPES: Record<string, ProcessNodeType> = Object.fromEntries(
  Object.entries(bpmnElementByNodeType).map(([type, element]) => [element, type as ProcessNodeType]),
)
/** Elements without effect on execution. */
const SILENT = new Set([
  '',
  'documentation',
  'textAnnotation',
  'association',
  'group',
  'laneSet',
  'dataObject',
  'dataObjectReference',
  'dataStoreReference',
  'property',
  'ioSpecification',
  'auditing',
  'monitoring',
])

function readElement(reading: Reading, element: Element): void {
  if (SILENT.has(element.name)) return
  const { graph, faults, unread } = reading
  if (element.name === 'extensionElements') return refuseListeners(faults, element, graph.name)
  const { name } = element.attributes
  const id = idOf(reading, element)
  for (const one of childrenOf(element, 'extensionElements')) refuseListeners(faults, one, name || id)
  if (graph.nodes[id] || graph.lines[id]) return faults.add('flow_double', { node: id })
  if (element.name === 'sequenceFlow') return void (graph.lines[id] = lineOf(faults, element, id))
  const type = Object.hasOwn(TYPES, element.name) ? TYPES[element.name]! : undefined
  const node: ProcessNode = { id, name: name || id, type: type ?? HOST, ins: [], outs: [] }
  graph.nodes[id] = node
  if (!type) {
    unread.add(id)
    return cannot(faults, node.name, element.name)
  }
  readings[type]?.(node, element, reading)
  if (!timed.has(type)) refuseInner(faults, element, node.name)
}

const cannot = (faults: ProcessFaultCollector, node: string, what: string) => faults.add('flow_cannot', { node, what })

function refuseListeners(faults: ProcessFaultCollector, element: Element, node: string): void {
  const found = element.children.find((one) => LISTENERS.has(one.name))
  if (found) cannot(faults, node, found.name)
}

/** Refuses events triggered by a message, signal or error, which never arrive here. */
function refuseInner(faults: ProcessFaultCollector, element: Element, node: string): void {
  const found = element.children.find((one) => one.name.endsWith('EventDefinition'))
  if (found) cannot(faults, node, found.name)
}

function lineOf(faults: ProcessFaultCollector, element: Element, id: string): SequenceFlow {
  const { name, sourceRef = '', targetRef = '' } = element.attributes
  const line: SequenceFlow = { id, name: name || id, from: sourceRef, to: targetRef }
  const [conditionElement] = childrenOf(element, 'conditionExpression')
  if (conditionElement?.attributes.language) cannot(faults, line.name, conditionElement.attributes.language)
  const condition = conditionElement?.text.trim()
  if (condition) line.condition = condition
  return line
}

const ON_DUE = new Set(['remind', 'escalate', 'agree', 'refuse'])
const timed = new Set<ProcessNodeType>(['timer', 'boundary'])
const chosenLast = (node: ProcessNode, { attributes }: Element) =>
  void (attributes.default && (node.otherwise = attributes.default))

const readings: Partial<Record<ProcessNodeType, (node: ProcessNode, element: Element, reading: Reading) => void>> = {
  start: (node, { attributes }, { graph, faults }) => {
    if (graph.start) return faults.add('flow_start_once')
    graph.start = node.id
    if (attributes.initiator) graph.initiator = attributes.initiator
    if (attributes.formKey) graph.form = attributes.formKey
  },
  user: (node, element, { faults }) => {
    const { assignee, candidateUsers, candidateGroups, formKey, dueDate, skipExpression } = element.attributes
    if (skipExpression) cannot(faults, node.name, 'skipExpression')
    const { onDue, escalateTo, escalateGroups, copyTo, onRefuse } = element.attributes
    if (onDue && !ON_DUE.has(onDue)) cannot(faults, node.name, `onDue=${onDue}`)
    if (onDue === 'escalate' && !escalateTo && !escalateGroups)
      faults.add('flow_escalates_to_nobody', { node: node.name })
    if (onRefuse && onRefuse !== 'end') cannot(faults, node.name, `onRefuse=${onRefuse}`)
    const taskAttributes = { assignee, users: candidateUsers, groups: candidateGroups, form: formKey, due: dueDate }
    const more = { onDue, escalateTo, escalateGroups, copyTo, onRefuse }
    for (const [key, text] of Object.entries({ ...taskAttributes, ...more }))
      if (text) Object.assign(node, { [key]: text })
    chosenLast(node, element)
    if (dueDate && !saysTime(dueDate)) faults.add('flow_no_time', { node: node.name })
    const [many] = childrenOf(element, 'multiInstanceLoopCharacteristics')
    if (many) node.many = manyOf(faults, many, node.name)
    const [loop] = childrenOf(element, 'standardLoopCharacteristics')
    if (loop) cannot(faults, node.name, loop.name)
  },
  exclusive: chosenLast,
  inclusive: chosenLast,
  timer: (node, element, { faults }) => void (node.timer = timerOf(faults, node, element)),
  boundary: (node, element, { faults }) => {
    node.timer = timerOf(faults, node, element)
    node.host = element.attributes.attachedToRef
    node.interrupts = element.attributes.cancelActivity !== 'false'
  },
}

const hasExpression = (text: string): boolean => /[$#][{]/.test(text)
const saysTime = (text: string): boolean => hasExpression(text) || isDurationOrDateTime(text)
const COUNT = /^[1-9]\d{0,2}$/

function manyOf(faults: ProcessFaultCollector, element: Element, node: string): MultiInstanceLoop {
  const { isSequential, collection, elementVariable } = element.attributes
  const count = textIn(element, 'loopCardinality')
  const enough = textIn(element, 'completionCondition')
  const isCounted = count && (hasExpression(count) || COUNT.test(count))
  if (!collection && !isCounted) faults.add('flow_no_list', { node })
  return {
    inOrder: isSequential === 'true',
    // A name without `${…}` is a variable.
    ...(collection && { collection: /[{]/.test(collection) ? collection : `\${${collection}}` }),
    ...(elementVariable && { variable: elementVariable }),
    ...(count && { count }),
    ...(enough && { enough }),
  }
}

function timerOf(faults: ProcessFaultCollector, node: ProcessNode, element: Element): ProcessNode['timer'] {
  const stranger = element.children.find(
    (one) => one.name.endsWith('EventDefinition') && one.name !== 'timerEventDefinition',
  )
  if (stranger) cannot(faults, node.name, stranger.name)
  const [definition] = childrenOf(element, 'timerEventDefinition')
  const isRepeated = definition && textIn(definition, 'timeCycle')
  if (isRepeated) cannot(faults, node.name, 'timeCycle')
  const [duration, date] = [textIn(definition, 'timeDuration'), textIn(definition, 'timeDate')]
  const text = duration ?? date ?? ''
  if (!stranger && !isRepeated && !saysTime(text)) faults.add('flow_no_time', { node: node.name })
  return duration ? { duration } : { date: text }
}

/** Flowable's notation for the person who started the process. */
const STARTER = '$INITIATOR'

function nameInitiator(graph: ProcessGraph): void {
  const isStarter = (text: string | undefined) => !!text?.split(',').some((one) => one.trim() === STARTER)
  for (const node of Object.values(graph.nodes))
    for (const key of ['assignee', 'users', 'escalateTo', 'copyTo'] as const) {
      if (!isStarter(node[key])) continue
      graph.initiator ??= 'initiator'
      const name = graph.initiator
      node[key] = node[key]!.split(',')
        .map((one) => (one.trim() === STARTER ? `\${${name}}` : one))
        .join(',')
    }
}

function join({ graph, faults, given }: Reading): void {
  const unnamed = new Set(given.map(({ id }) => id))
  for (const line of Object.values(graph.lines)) {
    const [from, to] = [graph.nodes[line.from], graph.nodes[line.to]]
    if (line.name === line.id && unnamed.has(line.id)) line.name = `${from?.name ?? line.from} → ${to?.name ?? line.to}`
    if (!from || !to) {
      faults.add('flow_loose_line', { node: line.name })
      delete graph.lines[line.id]
      continue
    }
    from.outs.push(line.id)
    to.ins.push(line.id)
  }
}

function check(reading: Reading): void {
  const { graph, faults, unread } = reading
  if (!graph.start && !faults.has('flow_start_once')) faults.add('flow_start_once')
  for (const node of Object.values(graph.nodes)) {
    if (unread.has(node.id)) continue
    checkEnds(reading, node)
    for (const text of [node.assignee, node.users, node.groups, node.due, node.timer?.date, node.timer?.duration])
      checkText(faults, node.name, text)
    for (const text of [node.escalateTo, node.escalateGroups, node.copyTo]) checkText(faults, node.name, text)
    for (const text of [node.many?.collection, node.many?.count]) checkText(faults, node.name, text)
    checkYesNo(faults, node.name, node.many?.enough)
    checkChoice(reading, node)
  }
  for (const line of Object.values(graph.lines)) checkYesNo(faults, line.name, line.condition)
}

const chooses = new Set<ProcessNodeType>(['exclusive', 'inclusive'])
/** Node types that take all outgoing flows, whatever their conditions. */
const forks = new Set<ProcessNodeType>(['parallel'])
const unentered = new Set<ProcessNodeType>(['start', 'boundary'])
const last = new Set<ProcessNodeType>(['end'])
const joins = new Set<ProcessNodeType>(['inclusive'])

function checkEnds(reading: Reading, node: ProcessNode): void {
  checkEntry(reading, node)
  checkExit(reading, node)
  checkHost(reading, node)
  checkCycle(reading, node)
}

function checkEntry({ graph, faults }: Reading, { id, type, name, ins }: ProcessNode): void {
  if (!unentered.has(type)) {
    if (graph.start && !canReachNode(graph, graph.start, id)) faults.add('flow_from_nowhere', { node: name })
  } else if (ins.length) faults.add('flow_start_entered', { node: name })
}

function checkExit({ faults }: Reading, { type, name, outs }: ProcessNode): void {
  if (last.has(type) && outs.length) faults.add('flow_end_goes_on', { node: name })
  if (!last.has(type) && !outs.length) faults.add('flow_to_nowhere', { node: name })
}

/** Refuses a boundary event that is not attached to a task. */
function checkHost({ graph, faults }: Reading, { name, host, interrupts }: ProcessNode): void {
  const isBoundary = host !== undefined || interrupts !== undefined
  if (isBoundary && graph.nodes[host ?? '']?.type !== HOST) faults.add('flow_no_host', { node: name })
}

/** Refuses an inclusive join inside a loop, which would wait for itself. */
function checkCycle({ graph, faults }: Reading, { id, type, name, ins }: ProcessNode): void {
  if (joins.has(type) && ins.length > 1 && canReachNode(graph, id, id))
    faults.add('flow_inclusive_cycle', { node: name })
}

const HOST: ProcessNodeType = 'user'

/**
 * Refuses flows without a condition where others of the same node have one (except the default), conditions after a
 * parallel gateway, and a wrong default.
 */
function checkChoice({ graph, faults }: Reading, node: ProcessNode): void {
  const lines = node.outs.map((id) => graph.lines[id]!)
  const conditional = lines.filter((line) => line.condition)
  if (forks.has(node.type)) for (const line of conditional) faults.add('flow_condition_stray', { node: line.name })
  if (node.otherwise && !node.outs.includes(node.otherwise)) faults.add('flow_default_wrong', { node: node.name })
  const isChoice = chooses.has(node.type) ? lines.length > 1 : conditional.length && !forks.has(node.type)
  if (!isChoice) return
  for (const line of lines)
    if (!line.condition && line.id !== node.otherwise) faults.add('flow_no_condition', { node: line.name })
}

function checkText(faults: ProcessFaultCollector, node: string, text: string | undefined): boolean {
  try {
    if (text) checkExpression(text)
    return true
  } catch (error) {
    if (!(error instanceof InvalidExpressionError)) throw error
    faults.add('flow_bad_expression', { node, text: text!.slice(0, 100), why: error.why })
    return false
  }
}

const NO_EXPRESSION = { zh: '条件须写成 ${…}', en: 'conditions must be written as ${…}' }

/** Refuses a condition that is not a single expression, `true` or `false`: its value would be a text. */
function checkYesNo(faults: ProcessFaultCollector, node: string, text: string | undefined): void {
  if (!text || !checkText(faults, node, text) || isSingleExpression(text) || text === 'true' || text === 'false') return
  faults.add('flow_bad_expression', { node, text: text.slice(0, 100), why: NO_EXPRESSION })
}
