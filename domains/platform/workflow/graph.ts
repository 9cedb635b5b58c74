/** A process as the engine runs it: parsed and checked once, stored as JSON beside the file. Expressions stay text. */
export type ProcessGraph = {
  key: string
  name: string
  start: string
  /** Variable set to the id of the person who starts it. */
  initiator?: string
  /** Key of the form filled in at the start. */
  form?: string
  nodes: Record<string, ProcessNode>
  lines: Record<string, SequenceFlow>
}

export type SequenceFlow = { id: string; name: string; from: string; to: string; condition?: string }

export type ProcessNodeType = 'start' | 'end' | 'user' | 'exclusive' | 'parallel' | 'inclusive' | 'timer' | 'boundary'

export type ProcessNode = {
  id: string
  /** Displayed name; the id when the file gives none. */
  name: string
  type: ProcessNodeType
  /** Ids of incoming flows, in file order. */
  ins: string[]
  /** Ids of outgoing flows, in file order. */
  outs: string[]
  /** Flow taken when no condition holds. */
  otherwise?: string
  assignee?: string
  users?: string
  groups?: string
  form?: string
  due?: string
  /** What happens to an overdue task: reminded (default), given to others, or decided automatically. */
  onDue?: 'remind' | 'escalate' | 'agree' | 'refuse'
  escalateTo?: string
  escalateGroups?: string
  /** People who get a copy when it is done. */
  copyTo?: string
  /** Set when a refusal ends the process. */
  onRefuse?: 'end'
  many?: MultiInstanceLoop
  timer?: { duration?: string; date?: string }
  /** Boundary timer: the task it is attached to. */
  host?: string
  /** Boundary timer: whether it ends that task. */
  interrupts?: boolean
}

/** A multi-instance task: several people, in order or at once, until all or enough have signed. */
export type MultiInstanceLoop = {
  inOrder: boolean
  collection?: string
  variable?: string
  count?: string
  enough?: string
}

/** BPMN element names by node type. */
export const bpmnElementByNodeType: Record<ProcessNodeType, string> = {
  start: 'startEvent',
  end: 'endEvent',
  user: 'userTask',
  exclusive: 'exclusiveGateway',
  parallel: 'parallelGateway',
  inclusive: 'inclusiveGateway',
  timer: 'intermediateCatchEvent',
  boundary: 'boundaryEvent',
}

/** A set of nodes as a bitmap of their indexes. */
type Bits = Uint32Array
const has = (bits: Bits, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1
const add = (bits: Bits, at: number): void => void (bits[at >>> 5]! |= 1 << (at & 31))

/** Index of a graph, built once: the next nodes of each, and, on demand, all nodes reachable from it. */
type GraphIndex = {
  places: ReadonlyMap<string, number>
  next: readonly Bits[]
  boundaries: ReadonlyMap<string, readonly ProcessNode[]>
  reached: (Bits | undefined)[]
}

const known = new WeakMap<ProcessGraph, GraphIndex>()

function graphIndexOf(graph: ProcessGraph): GraphIndex {
  const before = known.get(graph)
  if (before) return before
  const nodes = Object.values(graph.nodes)
  const places = new Map(nodes.map(({ id }, at) => [id, at]))
  const boundaries = Map.groupBy(
    nodes.filter(({ host }) => host !== undefined),
    ({ host }) => host!,
  )
  const next = nodes.map(({ id, outs }) => {
    const bits = emptyOf(nodes.length)
    for (const line of outs) add(bits, places.get(graph.lines[line]!.to)!)
    for (const boundary of boundaries.get(id) ?? []) add(bits, places.get(boundary.id)!)
    return bits
  })
  const index: GraphIndex = { places, next, boundaries, reached: [] }
  known.set(graph, index)
  return index
}

const emptyOf = (count: number): Bits => new Uint32Array((count + 31) >>> 5)

/** Returns all nodes reachable from a node, not walking on from `past`. Visits each node once. */
function reachedFrom({ next }: GraphIndex, from: number, past?: number): Bits {
  const seen = emptyOf(next.length)
  const todo = [from]
  for (let at = todo.pop(); at !== undefined; at = todo.pop())
    for (let word = 0; word < seen.length; word++) {
      const bits = next[at]![word]!
      let fresh = (bits & ~seen[word]!) >>> 0
      seen[word]! |= bits
      for (; fresh; fresh = (fresh & (fresh - 1)) >>> 0) {
        const to = word * 32 + 31 - Math.clz32(fresh & -fresh)
        if (to !== past) todo.push(to)
      }
    }
  return seen
}

const reachedOf = (index: GraphIndex, from: number): Bits => (index.reached[from] ??= reachedFrom(index, from))

/** Whether a node is reachable from another along flows and boundary timers, not through `past`. */
export function canReachNode(graph: ProcessGraph, from: string, to: string, past?: string): boolean {
  const index = graphIndexOf(graph)
  const [start, end] = [index.places.get(from)!, index.places.get(to)]
  if (end === undefined) return false
  const isPast = past !== undefined && past !== from
  return has(isPast ? reachedFrom(index, start, index.places.get(past)) : reachedOf(index, start), end)
}

/** Returns a test whether a node is reachable from any of these; a node does not count as reached from itself. */
export function createReachabilityTest(graph: ProcessGraph, from: Iterable<string>): (to: string) => boolean {
  const index = graphIndexOf(graph)
  const once = emptyOf(index.next.length)
  const starts = new Set(from)
  for (const id of starts) {
    const reached = reachedOf(index, index.places.get(id)!)
    for (let word = 0; word < once.length; word++) once[word]! |= reached[word]!
  }
  return (to) => {
    const at = index.places.get(to)!
    if (!has(once, at)) return false
    return !has(reachedOf(index, at), at) || [...starts].some((id) => id !== to && canReachNode(graph, id, to))
  }
}

export const findBoundaryEvents = (graph: ProcessGraph, host: string): readonly ProcessNode[] =>
  graphIndexOf(graph).boundaries.get(host) ?? []
