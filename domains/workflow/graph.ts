/** What the machine runs: a process file read and checked once, kept as JSON beside it. Expressions stay text. */
export type Graph = {
  key: string
  name: string
  start: string
  /** Variable that gets the id of who starts. */
  initiator?: string
  /** What who starts it fills in. */
  form?: string
  nodes: Record<string, Node>
  lines: Record<string, Line>
}

export type Line = { id: string; name: string; from: string; to: string; condition?: string }

export type NodeType = 'start' | 'end' | 'user' | 'exclusive' | 'parallel' | 'inclusive' | 'timer' | 'boundary'

export type Node = {
  id: string
  /** What people read; the id where the file gives no name. */
  name: string
  type: NodeType
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
  many?: Many
  timer?: { duration?: string; date?: string }
  /** Of a boundary timer: the task it hangs on, and whether that task ends by it. */
  host?: string
  interrupts?: boolean
}

/** A task of several people, one after the other or all at once, until all or enough have signed. */
export type Many = {
  inOrder: boolean
  collection?: string
  variable?: string
  count?: string
  enough?: string
}

/** Names of the element kinds in process files, as clients of the diagram know them. */
export const elementOf: Record<NodeType, string> = {
  start: 'startEvent',
  end: 'endEvent',
  user: 'userTask',
  exclusive: 'exclusiveGateway',
  parallel: 'parallelGateway',
  inclusive: 'inclusiveGateway',
  timer: 'intermediateCatchEvent',
  boundary: 'boundaryEvent',
}

/** Whether a walk along the lines (and timers on tasks) leads from one node to another, not through `past`. */
export function reaches(graph: Graph, from: string, to: string, past?: string): boolean {
  const seen = new Set<string>(past === undefined || past === from ? [] : [past])
  const todo = nextOf(graph, from)
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    todo.push(...nextOf(graph, id))
  }
  return false
}

export const boundariesOf = (graph: Graph, host: string): Node[] =>
  Object.values(graph.nodes).filter((node) => node.host === host)

const nextOf = (graph: Graph, id: string): string[] => [
  ...graph.nodes[id]!.outs.map((line) => graph.lines[line]!.to),
  ...boundariesOf(graph, id).map((node) => node.id),
]
