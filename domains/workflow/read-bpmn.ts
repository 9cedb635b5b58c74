import { SaxesParser } from 'saxes'
import { Refused } from '#kit/server/refused.ts'
import { BadExpression, checkExpression } from './expression.ts'
import { elementOf, reaches, type Graph, type Line, type Many, type Node, type NodeType } from './graph.ts'
import { isTimeText } from './time-text.ts'

const XML_MAX = 1_000_000
const NODES_MAX = 500
const DEPTH_MAX = 30
const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL'

/**
 * Reads a BPMN 2.0 file (as bpmn-js, Flowable and Activiti write it) and answers the graph that the machine runs.
 * Refuses what cannot run with the name of the element, so that it is heard when a process is saved and not when
 * somebody waits for it.
 */
export function readBpmn(xml: string): Graph {
  const processes = childrenOf(treeOf(xml), 'process').filter((one) => one.attributes.isExecutable !== 'false')
  const [process] = processes
  if (!process) throw new Refused('flow_no_process')
  if (processes.length > 1) throw new Refused('flow_many_processes')
  const key = process.attributes.id
  if (!key) throw new Refused('flow_no_key')
  const graph: Graph = { key, name: process.attributes.name || key, start: '', nodes: {}, lines: {} }
  for (const element of process.children) readElement(graph, element)
  if (Object.keys(graph.nodes).length > NODES_MAX) throw new Refused('flow_too_big', { max: NODES_MAX })
  join(graph)
  check(graph)
  return graph
}

type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] }

/** The elements of the BPMN namespace with their attributes by local name; those of diagrams are left out. */
function treeOf(xml: string): Element {
  if (xml.length > XML_MAX) throw new Refused('flow_too_big', { max: XML_MAX })
  const root: Element = { name: '', attributes: {}, text: '', children: [] }
  const open: Element[] = [root]
  const parser = new SaxesParser({ xmlns: true })
  const unreadable = (reason: string) => new Refused('flow_no_xml', { reason })
  parser.on('doctype', () => {
    throw unreadable('DTD')
  })
  parser.on('error', (error) => {
    throw unreadable(error.message)
  })
  parser.on('opentag', (tag) => {
    const attributes: Record<string, string> = {}
    for (const one of Object.values(tag.attributes)) if (one.prefix !== 'xmlns') attributes[one.local] = one.value
    const name = tag.uri === BPMN || LISTENERS.has(tag.local) ? tag.local : ''
    const element: Element = { name, attributes, text: '', children: [] }
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

const LISTENERS = new Set(['executionListener', 'taskListener'])

const childrenOf = (element: Element, name: string) => element.children.filter((one) => one.name === name)
const textIn = (element: Element | undefined, name: string): string | undefined =>
  (element && childrenOf(element, name)[0]?.text.trim()) || undefined

const TYPES: Record<string, NodeType> = Object.fromEntries(
  Object.entries(elementOf).map(([type, element]) => [element, type as NodeType]),
)
/** Says something to people only. */
const SILENT = new Set(['', 'documentation', 'textAnnotation', 'association', 'dataObject', 'laneSet'])

function readElement(graph: Graph, element: Element): void {
  if (SILENT.has(element.name)) return
  const { id = '', name } = element.attributes
  if (element.name === 'extensionElements') return refuseListeners(element, graph.name)
  for (const one of childrenOf(element, 'extensionElements')) refuseListeners(one, name || id)
  if (graph.nodes[id] || graph.lines[id]) throw new Refused('flow_double', { node: id })
  if (element.name === 'sequenceFlow') graph.lines[id] = lineOf(element, id)
  else {
    const type = Object.hasOwn(TYPES, element.name) ? TYPES[element.name]! : undefined
    if (!type) throw cannot(name || id, element.name)
    const node: Node = { id, name: name || id, type, ins: [], outs: [] }
    readings[type]?.(node, element, graph)
    if (!timed.has(type)) refuseInner(element, node.name)
    graph.nodes[id] = node
  }
}

const cannot = (node: string, what: string) => new Refused('flow_cannot', { node, what })

function refuseListeners(element: Element, node: string): void {
  const found = element.children.find((one) => LISTENERS.has(one.name))
  if (found) throw cannot(node, found.name)
}

/** An event with a message, a signal or an error waits for what never comes here. */
function refuseInner(element: Element, node: string): void {
  const found = element.children.find((one) => one.name.endsWith('EventDefinition'))
  if (found) throw cannot(node, found.name)
}

function lineOf(element: Element, id: string): Line {
  const { name, sourceRef, targetRef } = element.attributes
  if (!sourceRef || !targetRef) throw new Refused('flow_loose_line', { node: name || id })
  const [asked] = childrenOf(element, 'conditionExpression')
  if (asked?.attributes.language) throw cannot(name || id, asked.attributes.language)
  const condition = asked?.text.trim() || undefined
  return { id, name: name || id, from: sourceRef, to: targetRef, ...(condition && { condition }) }
}

const ON_DUE = new Set(['remind', 'escalate', 'agree', 'refuse'])
const timed = new Set<NodeType>(['timer', 'boundary'])

const readings: Partial<Record<NodeType, (node: Node, element: Element, graph: Graph) => void>> = {
  start: (node, { attributes }, graph) => {
    if (graph.start) throw new Refused('flow_start_once')
    graph.start = node.id
    if (attributes.initiator) graph.initiator = attributes.initiator
    if (attributes.formKey) graph.form = attributes.formKey
  },
  user: (node, element) => {
    const { assignee, candidateUsers, candidateGroups, formKey, dueDate, skipExpression } = element.attributes
    if (skipExpression) throw cannot(node.name, 'skipExpression')
    if (element.attributes.default) throw cannot(node.name, 'default')
    const { onDue, escalateTo, escalateGroups, copyTo, onRefuse } = element.attributes
    if (onDue && !ON_DUE.has(onDue)) throw cannot(node.name, `onDue=${onDue}`)
    if (onDue === 'escalate' && !escalateTo && !escalateGroups)
      throw new Refused('flow_escalates_to_nobody', { node: node.name })
    if (onRefuse && onRefuse !== 'end') throw cannot(node.name, `onRefuse=${onRefuse}`)
    const said = { assignee, users: candidateUsers, groups: candidateGroups, form: formKey, due: dueDate }
    const more = { onDue, escalateTo, escalateGroups, copyTo, onRefuse }
    for (const [key, text] of Object.entries({ ...said, ...more })) if (text) Object.assign(node, { [key]: text })
    const [many] = childrenOf(element, 'multiInstanceLoopCharacteristics')
    if (many) node.many = manyOf(many, node.name)
    const [loop] = childrenOf(element, 'standardLoopCharacteristics')
    if (loop) throw cannot(node.name, loop.name)
  },
  exclusive: (node, { attributes }) => void (attributes.default && (node.otherwise = attributes.default)),
  inclusive: (node, { attributes }) => void (attributes.default && (node.otherwise = attributes.default)),
  timer: (node, element) => void (node.timer = timerOf(node, element)),
  boundary: (node, element) => {
    node.timer = timerOf(node, element)
    node.host = element.attributes.attachedToRef
    node.interrupts = element.attributes.cancelActivity !== 'false'
  },
}

function manyOf(element: Element, node: string): Many {
  const { isSequential, collection, elementVariable } = element.attributes
  const count = textIn(element, 'loopCardinality')
  const enough = textIn(element, 'completionCondition')
  if (!collection && !count) throw new Refused('flow_no_list', { node })
  return {
    inOrder: isSequential === 'true',
    // A bare name is the variable of that name.
    ...(collection && { collection: /[{]/.test(collection) ? collection : `\${${collection}}` }),
    ...(elementVariable && { variable: elementVariable }),
    ...(count && { count }),
    ...(enough && { enough }),
  }
}

function timerOf(node: Node, element: Element): Node['timer'] {
  const stranger = element.children.find(
    (one) => one.name.endsWith('EventDefinition') && one.name !== 'timerEventDefinition',
  )
  if (stranger) throw cannot(node.name, stranger.name)
  const [said] = childrenOf(element, 'timerEventDefinition')
  if (said && textIn(said, 'timeCycle')) throw cannot(node.name, 'timeCycle')
  const [duration, date] = [textIn(said, 'timeDuration'), textIn(said, 'timeDate')]
  const text = duration ?? date
  if (!text || (!text.includes('{') && !isTimeText(text))) throw new Refused('flow_no_time', { node: node.name })
  return duration ? { duration } : { date }
}

function join(graph: Graph): void {
  for (const line of Object.values(graph.lines)) {
    const [from, to] = [graph.nodes[line.from], graph.nodes[line.to]]
    if (!from || !to) throw new Refused('flow_loose_line', { node: line.name })
    from.outs.push(line.id)
    to.ins.push(line.id)
  }
}

function check(graph: Graph): void {
  if (!graph.start) throw new Refused('flow_start_once')
  for (const node of Object.values(graph.nodes)) {
    checkEnds(graph, node)
    for (const text of [node.assignee, node.users, node.groups, node.due, node.timer?.date, node.timer?.duration])
      checkText(node.name, text)
    for (const text of [node.escalateTo, node.escalateGroups, node.copyTo]) checkText(node.name, text)
    for (const text of [node.many?.collection, node.many?.count, node.many?.enough]) checkText(node.name, text)
    if (chooses.has(node.type)) checkChoice(graph, node)
  }
  for (const line of Object.values(graph.lines)) {
    checkText(line.name, line.condition)
    if (line.condition && !chooses.has(graph.nodes[line.from]!.type))
      throw new Refused('flow_condition_stray', { node: line.name })
  }
}

const chooses = new Set<NodeType>(['exclusive', 'inclusive'])
const unentered = new Set<NodeType>(['start', 'boundary'])
const last = new Set<NodeType>(['end'])
const joins = new Set<NodeType>(['inclusive'])

function checkEnds(graph: Graph, node: Node): void {
  const told = { node: node.name }
  if (unentered.has(node.type) ? node.ins.length : 0) throw new Refused('flow_start_entered', told)
  if (!unentered.has(node.type) && !reaches(graph, graph.start, node.id)) throw new Refused('flow_from_nowhere', told)
  if (last.has(node.type) && node.outs.length) throw new Refused('flow_end_goes_on', told)
  if (!last.has(node.type) && !node.outs.length) throw new Refused('flow_to_nowhere', told)
  if (node.host !== undefined || node.interrupts !== undefined)
    if (graph.nodes[node.host ?? '']?.type !== HOST) throw new Refused('flow_no_host', told)
  if (joins.has(node.type) && node.ins.length > 1 && reaches(graph, node.id, node.id))
    throw new Refused('flow_inclusive_cycle', told)
}

const HOST: NodeType = 'user'

function checkChoice(graph: Graph, node: Node): void {
  if (node.otherwise && !node.outs.includes(node.otherwise))
    throw new Refused('flow_default_wrong', { node: node.name })
  if (node.outs.length < 2) return
  for (const id of node.outs) {
    const line = graph.lines[id]!
    if (!line.condition && id !== node.otherwise) throw new Refused('flow_no_condition', { node: line.name })
  }
}

function checkText(node: string, text: string | undefined): void {
  try {
    if (text) checkExpression(text)
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error
    throw new Refused('flow_bad_expression', { node, text: text!.slice(0, 100), why: error.why })
  }
}
