/** What the machine runs: a process file read and checked once, kept as JSON beside it. Expressions stay text. */
export type ProcessGraph = {
  key: string
  name: string
  start: string
  /** Variable that gets the id of who starts. */
  initiator?: string
  /** What who starts it fills in. */
  form?: string
  nodes: Record<string, ProcessNode>
  lines: Record<string, SequenceFlow>
}

export type SequenceFlow = { id: string; name: string; from: string; to: string; condition?: string }

export type ProcessNodeType = 'start' | 'end' | 'user' | 'exclusive' | 'parallel' | 'inclusive' | 'timer' | 'boundary'

export type ProcessNode = {
  id: string
  /** What people read; the id where the file gives no name. */
  name: string
  type: ProcessNodeType
  /** Ids of the lines that lead here and away, in the order of the file. */
  ins: string[]
  outs: string[]
  /** The line taken where no condition holds. */
  otherwise?: string
  assignee?: string
  users?: string
  groups?: string
  form?: string
  due?: string
  /** What becomes of a task that is due: told again (unless said), asked of others, or decided by the clock. */
  onDue?: 'remind' | 'escalate' | 'agree' | 'refuse'
  escalateTo?: string
  escalateGroups?: string
  /** Who is told when it is done. */
  copyTo?: string
  /** The process ends where it is refused. */
  onRefuse?: 'end'
  many?: MultiInstanceLoop
  timer?: { duration?: string; date?: string }
  /** Of a boundary timer: the task it hangs on, and whether that task ends by it. */
  host?: string
  interrupts?: boolean
}

/** A task of several people, one after the other or all at once, until all or enough have signed. */
export type MultiInstanceLoop = {
  inOrder: boolean
  collection?: string
  variable?: string
  count?: string
  enough?: string
}

/** Names of the element kinds in process files, as clients of the diagram know them. */
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

/** A set of nodes by their place in the graph, a bit each. */
type Bits = Uint32Array
const has = (bits: Bits, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1
const add = (bits: Bits, at: number): void => void (bits[at >>> 5]! |= 1 << (at & 31))

/** Who leads where, made once for a graph; what can be reached from a node, once it is asked. */
type Ways = {
  places: ReadonlyMap<string, number>
  next: readonly Bits[]
  boundaries: ReadonlyMap<string, readonly ProcessNode[]>
  reached: (Bits | undefined)[]
}

const known = new WeakMap<ProcessGraph, Ways>()

function waysOf(graph: ProcessGraph): Ways {
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
  const ways: Ways = { places, next, boundaries, reached: [] }
  known.set(graph, ways)
  return ways
}

const emptyOf = (count: number): Bits => new Uint32Array((count + 31) >>> 5)

/** All that a walk from a node leads to; each node is looked at once, however many lines there are. */
function reachedFrom({ next }: Ways, from: number, past?: number): Bits {
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

const reachedOf = (ways: Ways, from: number): Bits => (ways.reached[from] ??= reachedFrom(ways, from))

/** Whether a walk along the lines (and timers on tasks) leads from one node to another, not through `past`. */
export function canReachNode(graph: ProcessGraph, from: string, to: string, past?: string): boolean {
  const ways = waysOf(graph)
  const [start, end] = [ways.places.get(from)!, ways.places.get(to)]
  if (end === undefined) return false
  const isPast = past !== undefined && past !== from
  return has(isPast ? reachedFrom(ways, start, ways.places.get(past)) : reachedOf(ways, start), end)
}

/** Tells of a node whether a walk from any of these leads to it; not from the node itself. */
export function createReachabilityTest(graph: ProcessGraph, from: Iterable<string>): (to: string) => boolean {
  const ways = waysOf(graph)
  const once = emptyOf(ways.next.length)
  const starts = new Set(from)
  for (const id of starts) {
    const reached = reachedOf(ways, ways.places.get(id)!)
    for (let word = 0; word < once.length; word++) once[word]! |= reached[word]!
  }
  return (to) => {
    const at = ways.places.get(to)!
    if (!has(once, at)) return false
    return !has(reachedOf(ways, at), at) || [...starts].some((id) => id !== to && canReachNode(graph, id, to))
  }
}

export const findBoundaryEvents = (graph: ProcessGraph, host: string): readonly ProcessNode[] =>
  waysOf(graph).boundaries.get(host) ?? []
