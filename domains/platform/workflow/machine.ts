import { Refused } from '#kit/server/base/refused.ts'
import {
  InvalidExpressionError,
  evaluateExpression,
  UndefinedVariableError,
  expressionValueToText,
  ExpressionTypeError,
  type ExpressionValue,
} from './expression.ts'
import {
  findBoundaryEvents,
  bpmnElementByNodeType,
  createReachabilityTest,
  canReachNode,
  type ProcessGraph,
  type ProcessNode,
  type ProcessNodeType,
} from './graph.ts'
import { parseDurationMs, parseDateTimeMs } from './time-text.ts'

/** Moves in one step before it counts as an endless loop. */
const MOVES_MAX = 1000
const SIGNERS_MAX = 200
const ADDED_MAX = 20
/** Timers beyond this count as a fault of the process file. */
const TIMER_MAX_MS = 5 * 366 * 86_400_000

/** A position of the process, one per parallel path. `via` is the flow it came by. */
type Token = {
  id: string
  at: string
  via: string
  /** At a task: the people to ask, and how many were asked, have finished and agreed. */
  many?: { values: ExpressionValue[]; opened: number; done: number; passed: number }
}

export type OpenTask = {
  id: string
  node: string
  token: string
  assignee: string
  users: string[]
  groups: string[]
  /** Due time in milliseconds since 1970. */
  due?: number
  /** Whose task it is when `assignee` is somebody else: a deputy, or (`isLent`) an adviser who gives it back. */
  owner?: string
  isLent?: true
  /** Index of its signer in a multi-instance task. */
  slot?: number
  /** For a task added by a signer: who added it. */
  addedBy?: string
  /** For an added task: the task it was added to. */
  parent?: string
  /** For an added task: whether it is signed before or after its parent. */
  place?: SignerPosition
  /** People who get tasks once this one is signed. */
  behind?: string[]
  /** For such a task: the decision of the task it follows. */
  verdict?: boolean
}

type SignerPosition = 'before' | 'after'

/** A timer of a token, due `at` (milliseconds since 1970). `task` is set when it is the due time of that task. */
type Timer = { id: string; node: string; token: string; at: number; task?: string }

/** State of a process instance, as JSON. The process has ended when no token is left. */
export type ProcessState = {
  variables: Record<string, ExpressionValue>
  next: number
  tokens: Token[]
  tasks: OpenTask[]
  timers: Timer[]
}

/** The acting user and the aliases of their roles. */
export type FlowActor = { id: string; groups: readonly string[] }

/** An action of a user on their task. */
type TaskAction = { who: FlowActor; task: string }

export type FlowEvent =
  | { do: 'start'; who: FlowActor; variables: Record<string, ExpressionValue> }
  | ({ do: 'claim' } & TaskAction)
  | ({ do: 'complete'; isPassed: boolean; variables: Record<string, ExpressionValue> } & TaskAction)
  /** Hands the task over to somebody else. */
  | ({ do: 'transfer'; to: string } & TaskAction)
  /** Asks somebody else for advice; then the task comes back. */
  | ({ do: 'lend'; to: string } & TaskAction)
  | ({ do: 'addSign'; to: readonly string[]; place: SignerPosition } & TaskAction)
  | ({ do: 'addSigner'; to: string } & TaskAction)
  /** `task` is the added task to remove. */
  | ({ do: 'dropSigner' } & TaskAction)
  /** Returns to an earlier task, from which the process repeats. */
  | ({ do: 'return'; node: string } & TaskAction)
  /** Ends the process and drops all open tasks. */
  | { do: 'stop' }
  | { do: 'timer'; timer: string }

/** What happened in a step, in order. `key` identifies an entry within the instance until it is left. */
export type FlowHistoryEntry =
  | { did: 'enter'; key: string; node: string; name: string; element: string }
  | { did: 'leave'; key: string }
  | { did: 'line'; key: string; node: string; name: string }
  /** A task became overdue; `what` was done about it. */
  | { did: 'due'; key: string; name: string; what: NonNullable<ProcessNode['onDue']> }
  /** These users get a copy. */
  | { did: 'copy'; node: string; name: string; users: string[] }

/** Deputy by absent user, at this moment. */
export type Deputies = Readonly<Record<string, string>>

type StepRun = {
  graph: ProcessGraph
  state: ProcessState
  now: number
  deputies: Deputies
  moves: number
  lines: string[]
  deeds: FlowHistoryEntry[]
}

/**
 * Computes the next state of a process after an event, and what happened on the way. Pure: the same graph, state, event
 * and time (milliseconds) give the same result, and `was` is not changed. Refuses, without effect, when a task is gone
 * or not the actor's, a variable was never set, no flow applies, a task has no assignee, or the process would loop
 * endlessly or be stuck.
 */
export function computeNextProcessState(
  graph: ProcessGraph,
  was: ProcessState | undefined,
  event: FlowEvent,
  now: number,
  deputies: Deputies = {},
): { state: ProcessState; deeds: FlowHistoryEntry[] } {
  const state = was ? structuredClone(was) : { variables: {}, next: 1, tokens: [], tasks: [], timers: [] }
  const run: StepRun = { graph, state, now, deputies, moves: 0, lines: [], deeds: [] }
  // TypeScript cannot relate the handler to the type of the event.
  ;(happenings[event.do] as (run: StepRun, event: FlowEvent) => void)(run, event)
  advanceTokens(run)
  return { state, deeds: run.deeds }
}

export const isProcessEnded = (state: ProcessState): boolean => !state.tokens.length

const happenings: { [K in FlowEvent['do']]: (run: StepRun, event: Extract<FlowEvent, { do: K }>) => void } = {
  start: (run, { who, variables }) => {
    setAll(run, variables)
    if (run.graph.initiator) setAll(run, { [run.graph.initiator]: who.id })
    const node = run.graph.nodes[run.graph.start]!
    passThrough(run, node, tokenAt(run, node, ''))
  },
  claim: (run, { who, task: id }) => {
    const task = taskOf(run, id)
    if (task.assignee) throw new Refused('flow_task_claimed')
    if (!isCandidate(task, who)) throw new Refused('flow_not_yours')
    task.assignee = who.id
  },
  complete: (run, { who, task: id, isPassed, variables }) => {
    const task = ownTask(run, id, who)
    if (run.state.tasks.some((one) => one.parent === id && one.place === 'before'))
      throw new Refused('flow_waits_for_added')
    setAll(run, variables)
    if (task.isLent) return returnDelegated(task)
    setAll(run, { pass: isPassed })
    complete(run, task, isPassed)
  },
  transfer: (run, { who, task: id, to }) => {
    const task = ownTask(run, id, who)
    if (to === who.id) throw new Refused('flow_to_oneself')
    hand(run, task, to)
  },
  lend: (run, { who, task: id, to }) => {
    const task = ownTask(run, id, who)
    if (to === who.id) throw new Refused('flow_to_oneself')
    if (task.isLent) throw new Refused('flow_lent_already')
    Object.assign(task, { owner: who.id, assignee: to, isLent: true })
  },
  addSign: (run, { who, task: id, to, place }) => {
    const task = ownWhole(run, id, who)
    if (!to.length || to.includes(who.id)) throw new Refused(to.length ? 'flow_to_oneself' : 'flow_no_person')
    if (to.length > ADDED_MAX) throw new Refused('flow_too_many_added', { max: ADDED_MAX })
    if (place === 'after') task.behind = [...new Set([...(task.behind ?? []), ...to])]
    else for (const one of to) openAdded(run, task, one, { addedBy: who.id, place })
  },
  addSigner: (run, { who, task: id, to }) => {
    const task = ownWhole(run, id, who)
    const node = run.graph.nodes[task.node]!
    const many = run.state.tokens.find((one) => one.id === task.token)!.many!
    if (!node.many?.collection) throw new Refused('flow_no_countersign', { node: node.name })
    if (many.values.some((one) => expressionValueToText(one) === to)) throw new Refused('flow_signs_already')
    if (many.values.length >= SIGNERS_MAX) throw new Refused('flow_too_many_added', { max: SIGNERS_MAX })
    many.values.push(to)
    if (!node.many.inOrder) openTask(run, node, tokenOf(run, task), who.id)
  },
  dropSigner: (run, { who, task: id }) => {
    const task = taskOf(run, id)
    if (task.addedBy !== who.id) throw new Refused('flow_not_added_by_you')
    closeTask(run, task)
    if (task.slot === undefined) return
    const token = tokenOf(run, task)
    const many = token.many!
    many.values.splice(task.slot, 1)
    many.opened--
    for (const other of run.state.tasks)
      if (other.token === token.id && other.slot !== undefined && other.slot > task.slot) other.slot--
    goOnIfEnough(run, run.graph.nodes[task.node]!, token)
  },
  return: (run, { who, task: id, node: to }) => {
    const task = ownWhole(run, id, who)
    const target = run.graph.nodes[to]
    if (!target || !canReturnToNode(run.graph, target, task.node)) throw new Refused('flow_no_return')
    setAll(run, { pass: false })
    closeTask(run, task)
    jump(run, tokenOf(run, task), target)
  },
  stop: (run) => {
    for (const token of run.state.tokens) dropToken(run, token)
  },
  timer: (run, { timer: id }) => {
    const timer = run.state.timers.find((one) => one.id === id)
    const token = run.state.tokens.find((one) => one.id === timer?.token)
    // Ignores a timer whose token is gone or whose time was moved.
    if (!timer || !token || timer.at > run.now) return
    run.state.timers = run.state.timers.filter((one) => one !== timer)
    const node = run.graph.nodes[timer.node]!
    if (timer.task !== undefined) return isDue(run, node, timer.task)
    if (node.host === undefined) return passThrough(run, node, token)
    if (node.interrupts) dropToken(run, token)
    const fresh = tokenAt(run, node, '')
    passThrough(run, node, fresh)
  },
}

const isCandidate = (task: Pick<OpenTask, 'users' | 'groups'>, who: FlowActor): boolean =>
  task.users.includes(who.id) || task.groups.some((group) => who.groups.includes(group))

function taskOf(run: StepRun, id: string): OpenTask {
  const task = run.state.tasks.find((one) => one.id === id)
  if (!task) throw new Refused('flow_task_gone')
  return task
}

/** Returns the actor's task. Refuses one that somebody else has or nobody has claimed. */
function ownTask(run: StepRun, id: string, who: FlowActor): OpenTask {
  const task = taskOf(run, id)
  if (task.assignee !== who.id) throw new Refused(task.assignee ? 'flow_not_yours' : 'flow_task_unclaimed')
  return task
}

const tokenOf = (run: StepRun, task: OpenTask): Token => run.state.tokens.find((one) => one.id === task.token)!

/** Returns the actor's task for a decision. Refuses one that is only lent for advice. */
function ownWhole(run: StepRun, id: string, who: FlowActor): OpenTask {
  const task = ownTask(run, id, who)
  if (task.isLent) throw new Refused('flow_lent_already')
  return task
}

/** Hands a task over for good, to the person or their deputy. */
function hand(run: StepRun, task: OpenTask, to: string): void {
  delete task.owner
  delete task.isLent
  task.assignee = to
  standIn(run, task)
}

function returnDelegated(task: OpenTask): void {
  task.assignee = task.owner!
  delete task.owner
  delete task.isLent
}

const STEPS_MAX = 10

/**
 * Returns the deputy of an absent person, following deputies who are absent too; the person themselves when all are
 * absent.
 */
function deputyFor(run: StepRun, id: string): string {
  let deputy = id
  for (let n = 0; n < STEPS_MAX && Object.hasOwn(run.deputies, deputy); n++) deputy = run.deputies[deputy]!
  return Object.hasOwn(run.deputies, deputy) ? id : deputy
}

function standIn(run: StepRun, task: OpenTask): void {
  const assignee = task.assignee && deputyFor(run, task.assignee)
  if (assignee !== task.assignee) Object.assign(task, { owner: task.assignee, assignee: assignee })
  task.users = [...new Set(task.users.flatMap((one) => [one, deputyFor(run, one)]))]
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

function setAll(run: StepRun, variables: Record<string, ExpressionValue>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!NAME.test(name) || name === '__proto__') throw new Refused('flow_bad_variable', { name: name.slice(0, 50) })
    run.state.variables[name] = value
  }
}

const numbered = (run: StepRun): string => String(run.state.next++)

function placed(run: StepRun, node: ProcessNode, via: string): Token {
  const token: Token = { id: numbered(run), at: node.id, via }
  run.state.tokens.push(token)
  return token
}

function tokenAt(run: StepRun, node: ProcessNode, via: string): Token {
  const token = placed(run, node, via)
  enter(run, node, token.id)
  return token
}

const enter = (run: StepRun, node: ProcessNode, key: string) =>
  run.deeds.push({ did: 'enter', key, node: node.id, name: node.name, element: bpmnElementByNodeType[node.type] })
const left = (run: StepRun, key: string) => run.deeds.push({ did: 'leave', key })

/** Moves a token along these flows; several split it into one token each. */
function goBy(run: StepRun, token: Token, lines: readonly string[]): void {
  run.state.tokens = run.state.tokens.filter((one) => one !== token)
  run.lines.push(...lines)
}

const passThrough = (run: StepRun, node: ProcessNode, token: Token): void => {
  left(run, token.id)
  goBy(run, token, outgoingFlows(run, node))
}

/** Returns all outgoing flows or, if any has a condition, those whose condition holds. */
const outgoingFlows = (run: StepRun, node: ProcessNode): readonly string[] =>
  node.outs.some((id) => run.graph.lines[id]!.condition !== undefined) ? chosen(run, node) : node.outs

/**
 * Moves all tokens as far as possible, including inclusive joins, until only people and timers can continue. Refuses a
 * process that is stuck.
 */
function advanceTokens(run: StepRun): void {
  do {
    for (let id = run.lines.shift(); id !== undefined; id = run.lines.shift()) followFlow(run, id)
  } while (joinInclusive(run))
  const { tokens, tasks, timers } = run.state
  const isAwaited = (token: Token) =>
    tasks.some((one) => one.token === token.id) || timers.some((one) => one.token === token.id)
  const waits = tokens.find((token) => !isAwaited(token))
  if (waits && !tokens.some(isAwaited)) throw new Refused('flow_stuck', { node: run.graph.nodes[waits.at]!.name })
}

function followFlow(run: StepRun, id: string): void {
  const line = run.graph.lines[id]!
  const node = run.graph.nodes[line.to]!
  if (++run.moves > MOVES_MAX) throw new Refused('flow_endless', { node: node.name })
  run.deeds.push({ did: 'line', key: numbered(run), node: line.id, name: line.name })
  arrivals[node.type](run, node, id)
}

const arrivals: Record<ProcessNodeType, (run: StepRun, node: ProcessNode, via: string) => void> = {
  start: passed,
  boundary: passed,
  end: (run, node, via) => {
    const token = tokenAt(run, node, via)
    left(run, token.id)
    goBy(run, token, [])
  },
  user: (run, node, via) => {
    // No history entry here: each of its tasks has one.
    const token = placed(run, node, via)
    token.many = { values: signersOf(run, node), opened: 0, done: 0, passed: 0 }
    const atOnce = node.many?.inOrder ? 1 : token.many.values.length
    for (let n = 0; n < atOnce; n++) openTask(run, node, token)
    for (const boundary of findBoundaryEvents(run.graph, node.id)) setTimer(run, boundary, token)
  },
  exclusive: (run, node, via) => {
    const token = tokenAt(run, node, via)
    left(run, token.id)
    goBy(run, token, chosen(run, node).slice(0, 1))
  },
  inclusive: (run, node, via) => {
    const token = tokenAt(run, node, via)
    if (node.ins.length < 2) branch(run, node, [token])
  },
  parallel: (run, node, via) => {
    tokenAt(run, node, via)
    // Takes one token of each incoming flow; a second one of the same flow waits for the next round.
    const waiting = run.state.tokens.filter((one) => one.at === node.id)
    const whole = node.ins.map((line) => waiting.find((one) => one.via === line))
    if (whole.some((one) => !one)) return
    for (const one of whole) left(run, one!.id)
    for (const one of whole) goBy(run, one!, [])
    run.lines.push(...node.outs)
  },
  timer: (run, node, via) => setTimer(run, node, tokenAt(run, node, via)),
}

function passed(run: StepRun, node: ProcessNode, via: string): void {
  passThrough(run, node, tokenAt(run, node, via))
}

/** Continues an inclusive join when no other token can reach it any more. Returns whether one did. */
function joinInclusive(run: StepRun): boolean {
  const { graph, state } = run
  const waiting = [...new Set(state.tokens.map(({ at }) => at))].filter(
    (at) => arrivals[graph.nodes[at]!.type] === arrivals.inclusive,
  )
  if (!waiting.length) return false
  const mayStillCome = createReachabilityTest(
    graph,
    state.tokens.map(({ at }) => at),
  )
  for (const at of waiting) {
    const node = graph.nodes[at]!
    if (mayStillCome(at)) continue
    branch(
      run,
      node,
      state.tokens.filter((one) => one.at === at),
    )
    return true
  }
  return false
}

function branch(run: StepRun, node: ProcessNode, tokens: readonly Token[]): void {
  const lines = chosen(run, node)
  for (const token of tokens) {
    left(run, token.id)
    goBy(run, token, [])
  }
  run.lines.push(...lines)
}

/** Returns the flows whose condition holds or that have none, else the default flow. Refuses when there is none. */
function chosen(run: StepRun, node: ProcessNode): string[] {
  const lines = node.outs.filter((id) => {
    if (id === node.otherwise) return false
    const { condition, name } = run.graph.lines[id]!
    return condition === undefined || isTrue(run, name, condition)
  })
  if (lines.length) return lines
  if (!node.otherwise) throw new Refused('flow_no_way', { node: node.name })
  return [node.otherwise]
}

function isTrue(run: StepRun, node: string, text: string, more: Record<string, ExpressionValue> = {}): boolean {
  const value = valueOf(run, node, text, more)
  if (value !== true && value !== false && value !== 'true' && value !== 'false')
    throw new Refused('flow_wrong_value', { node, text })
  return value === true || value === 'true'
}

function valueOf(
  run: StepRun,
  node: string,
  text: string,
  more: Record<string, ExpressionValue> = {},
): ExpressionValue {
  try {
    return evaluateExpression(text, { ...run.state.variables, ...more })
  } catch (error) {
    if (error instanceof UndefinedVariableError) throw new Refused('flow_never_set', { node, name: error.message })
    if (error instanceof ExpressionTypeError || error instanceof InvalidExpressionError)
      throw new Refused('flow_wrong_value', { node, text })
    throw error
  }
}

/**
 * Returns the signers of a task: one, or one per element of a collection. Refuses an empty collection instead of
 * skipping the task.
 */
function signersOf(run: StepRun, node: ProcessNode): ExpressionValue[] {
  const { many, name } = node
  if (!many) return [null]
  const given = valueOf(run, name, many.collection ?? many.count!)
  const values = many.collection
    ? listOf(given)
    : Array.from({ length: Math.min(Number(given) || 0, SIGNERS_MAX + 1) }, (_, n) => n)
  if (!values.length) throw new Refused('flow_for_nobody', { node: name })
  if (values.length > SIGNERS_MAX)
    throw new Refused('flow_wrong_value', { node: name, text: many.collection ?? many.count! })
  return [...values]
}

const listOf = (value: ExpressionValue): readonly ExpressionValue[] => {
  if (Array.isArray(value)) return value as readonly ExpressionValue[]
  if (value === null || typeof value === 'object') return []
  return expressionValueToText(value)
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

function openTask(run: StepRun, node: ProcessNode, token: Token, addedBy = ''): void {
  const many = token.many!
  const at = many.opened++
  const own: Record<string, ExpressionValue> = { loopCounter: at }
  if (node.many?.variable) own[node.many.variable] = many.values[at] ?? null
  const evaluate = (text: string | undefined) => (text === undefined ? null : valueOf(run, node.name, text, own))
  const task: OpenTask = {
    id: numbered(run),
    node: node.id,
    token: token.id,
    assignee: expressionValueToText(evaluate(node.assignee)).trim(),
    users: listOf(evaluate(node.users)).map(expressionValueToText),
    groups: listOf(evaluate(node.groups)).map(expressionValueToText),
    ...(node.many && { slot: at }),
    ...(addedBy && { addedBy }),
  }
  if (!task.assignee && !task.users.length && !task.groups.length)
    throw new Refused('flow_for_nobody', { node: node.name })
  beginTask(run, node, task)
}

function beginTask(run: StepRun, node: ProcessNode, task: OpenTask): void {
  standIn(run, task)
  run.state.tasks.push(task)
  enter(run, node, task.id)
  if (!node.due) return
  task.due = timeOf(run, node, node.due)
  run.state.timers.push({ id: numbered(run), node: node.id, token: task.token, at: task.due, task: task.id })
}

/** Opens an added task, to be signed before its parent or (with the parent's decision) after. */
function openAdded(
  run: StepRun,
  task: OpenTask,
  to: string,
  more: Pick<OpenTask, 'addedBy' | 'place' | 'verdict'>,
): void {
  const { node, token, id: parent } = task
  const added: OpenTask = { id: numbered(run), node, token, assignee: to, users: [], groups: [], parent, ...more }
  beginTask(run, run.graph.nodes[node]!, added)
}

function closeTask(run: StepRun, task: OpenTask): void {
  run.state.tasks = run.state.tasks.filter((one) => one !== task)
  run.state.timers = run.state.timers.filter((one) => one.task !== task.id)
  left(run, task.id)
}

/** Completes a task: advice before another decision, one of the added later ones, or a decision. */
function complete(run: StepRun, task: OpenTask, isPassed: boolean): void {
  closeTask(run, task)
  if (task.place === 'before') return
  const root = { ...task, id: task.parent ?? task.id }
  for (const to of task.behind ?? []) openAdded(run, root, to, { addedBy: task.assignee, place: 'after' })
  const verdict = isPassed && task.verdict !== false
  const rest = run.state.tasks.filter((one) => one.place === 'after' && one.parent === root.id)
  for (const one of rest) one.verdict = verdict && one.verdict !== false
  if (!rest.length) signed(run, task, verdict)
}

/** Handles an overdue task as its node says: reminds, hands over to others, or decides. */
function isDue(run: StepRun, node: ProcessNode, id: string): void {
  const task = run.state.tasks.find((one) => one.id === id)
  if (!task) return
  const what = node.onDue ?? 'remind'
  run.deeds.push({ did: 'due', key: id, name: node.name, what })
  if (what === 'remind') return
  if (what === 'escalate') {
    const idsOf = (text: string | undefined) =>
      text ? listOf(valueOf(run, node.name, text)).map(expressionValueToText) : []
    const users = idsOf(node.escalateTo)
    delete task.owner
    delete task.isLent
    Object.assign(task, { assignee: '', users, groups: idsOf(node.escalateGroups) })
    if (users.length === 1 && !task.groups.length) Object.assign(task, { assignee: users[0], users: [] })
    return standIn(run, task)
  }
  for (const before of run.state.tasks.filter((one) => one.parent === id)) closeTask(run, before)
  setAll(run, { pass: what === 'agree' })
  delete task.behind
  complete(run, task, what === 'agree')
}

/** Counts a decision, and continues when enough have signed, else asks the next signer. */
function signed(run: StepRun, task: OpenTask, isPassed: boolean): void {
  const token = tokenOf(run, task)
  token.many!.done++
  if (isPassed) token.many!.passed++
  goOnIfEnough(run, run.graph.nodes[task.node]!, token)
}

type Counts = { values: number; opened: number; done: number; passed: number }
const countsOf = ({ values, opened, done, passed }: Counts) => ({
  nrOfInstances: values,
  nrOfCompletedInstances: done,
  nrOfActiveInstances: opened - done,
  nrOfPassed: passed,
})

/**
 * Returns whether a multi-instance task is finished by its condition: true when met, false when it can no longer be met
 * even if all others agree, undefined when open.
 */
function isOver(run: StepRun, node: ProcessNode, counts: Counts): boolean | undefined {
  const enough = node.many?.enough
  if (!enough) return undefined
  if (isTrue(run, node.name, enough, countsOf(counts))) return true
  if (!/\bnrOfPassed\b/.test(enough)) return undefined
  const { values, done, passed } = counts
  const best = countsOf({ values, opened: values, done: values, passed: passed + values - done })
  return isTrue(run, node.name, enough, best) ? undefined : false
}

/**
 * Continues the token when its task is finished, else opens the next signer's. `pass` of a condition on agreements
 * (`nrOfPassed`) is whether it was met; otherwise whether all who signed agreed.
 */
function goOnIfEnough(run: StepRun, node: ProcessNode, token: Token): void {
  const many = token.many!
  const counts = { ...many, values: many.values.length }
  const isMet = isOver(run, node, counts)
  if (isMet === undefined && many.done < counts.values) {
    if (many.opened === many.done) openTask(run, node, token)
    return
  }
  if (node.many) {
    const asksAgreed = /\bnrOfPassed\b/.test(node.many.enough ?? '')
    setAll(run, { ...countsOf(counts), pass: asksAgreed ? isMet === true : many.passed === many.done })
  }
  for (const other of run.state.tasks.filter((one) => one.token === token.id)) closeTask(run, other)
  run.state.timers = run.state.timers.filter((one) => one.token !== token.id)
  if (node.copyTo) {
    const users = listOf(valueOf(run, node.name, node.copyTo)).map(expressionValueToText)
    run.deeds.push({ did: 'copy', node: node.id, name: node.name, users })
  }
  if (node.onRefuse === 'end' && run.state.variables.pass === false) return happenings.stop(run, { do: 'stop' })
  passThrough(run, node, token)
}

/** Whether a task can be returned to an earlier one: a user task that leads to it. */
export const canReturnToNode = (graph: ProcessGraph, target: ProcessNode, from: string): boolean =>
  bpmnElementByNodeType[target.type] === bpmnElementByNodeType.user &&
  target.id !== from &&
  canReachNode(graph, target.id, from)

/**
 * Moves a token back to an earlier element: drops all tokens that came out of it since. Parallel paths that split off
 * before it stay.
 */
function jump(run: StepRun, token: Token, target: ProcessNode): void {
  const from = token.at
  const cameFrom = ({ at, via }: Token): string => (via ? run.graph.lines[via]!.from : at)
  for (const other of run.state.tokens) {
    const isAfter =
      other === token ||
      other.at === target.id ||
      cameFrom(other) === target.id ||
      canReachNode(run.graph, target.id, cameFrom(other), from)
    if (isAfter) dropToken(run, other)
  }
  arrivals[target.type](run, target, '')
}

function dropToken(run: StepRun, token: Token): void {
  for (const task of run.state.tasks.filter((one) => one.token === token.id)) closeTask(run, task)
  run.state.timers = run.state.timers.filter((one) => one.token !== token.id)
  left(run, token.id)
  goBy(run, token, [])
}

function setTimer(run: StepRun, node: ProcessNode, token: Token): void {
  const { duration, date } = node.timer!
  const at = timeOf(run, node, (duration ?? date)!)
  run.state.timers.push({ id: numbered(run), node: node.id, token: token.id, at })
}

/**
 * Returns the time in milliseconds since 1970 of a duration from now or a date. Refuses others and times too far away.
 */
function timeOf(run: StepRun, node: ProcessNode, text: string): number {
  const evaluated = expressionValueToText(valueOf(run, node.name, text))
  const length = parseDurationMs(evaluated)
  const at = length === undefined ? parseDateTimeMs(evaluated) : run.now + length
  if (at === undefined || at > run.now + TIMER_MAX_MS) throw new Refused('flow_wrong_value', { node: node.name, text })
  return at
}
