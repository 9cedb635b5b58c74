import {
  findBoundaryEvents,
  type ProcessGraph,
  type SequenceFlow,
  type ProcessNode,
  type ProcessNodeType,
} from './graph.ts'
import { escapeXmlText } from './xml-text.ts'

const DIAGRAM = 'http://www.omg.org/spec/BPMN/20100524/DI'
const BOUNDS = 'http://www.omg.org/spec/DD/20100524/DC'
const WAYPOINTS = 'http://www.omg.org/spec/DD/20100524/DI'

export type Box = { x: number; y: number; width: number; height: number }
export type Point = { x: number; y: number }
/** Layout of a diagram: boxes and flow lines by element id. */
export type DiagramLayout = { boxes: Map<string, Box>; routes: Map<string, Point[]> }

/** Sizes in pixels, as in BPMN editors. */
const ROUND = { width: 36, height: 36 }
const TASK = { width: 100, height: 80 }
const GATEWAY = { width: 50, height: 50 }
const SIZES: Record<ProcessNodeType, { width: number; height: number }> = {
  start: ROUND,
  end: ROUND,
  timer: ROUND,
  boundary: ROUND,
  user: TASK,
  exclusive: GATEWAY,
  parallel: GATEWAY,
  inclusive: GATEWAY,
}
const COLUMN = 160
const ROW = 130
const MARGIN = 80
/** Distance in pixels between flow lines that run below the nodes. */
const LANE = 14

/** Returns the file with a diagram, generated if missing: BPMN editors and viewers draw nothing without one. */
export function addMissingDiagram(xml: string, graph: ProcessGraph): string {
  if (xml.includes(`"${DIAGRAM}"`) && /BPMNShape[\s/>]/.test(xml)) return xml
  const end = xml.lastIndexOf('</')
  return `${xml.slice(0, end)}${diagramOf(graph)}${xml.slice(end)}`
}

function diagramOf(graph: ProcessGraph): string {
  const { boxes, routes } = layOutProcess(graph)
  const shapes = [...boxes].map(
    ([id, { x, y, width, height }]) =>
      `<bpmndi:BPMNShape id="${escapeXmlText(id)}_di" bpmnElement="${escapeXmlText(id)}">` +
      `<dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}"/></bpmndi:BPMNShape>`,
  )
  const edges = [...routes].map(
    ([id, points]) =>
      `<bpmndi:BPMNEdge id="${escapeXmlText(id)}_di" bpmnElement="${escapeXmlText(id)}">${points
        .map(({ x, y }) => `<di:waypoint x="${x}" y="${y}"/>`)
        .join('')}</bpmndi:BPMNEdge>`,
  )
  const key = escapeXmlText(graph.key)
  return (
    `<bpmndi:BPMNDiagram xmlns:bpmndi="${DIAGRAM}" xmlns:dc="${BOUNDS}" xmlns:di="${WAYPOINTS}" id="${key}_diagram">` +
    `<bpmndi:BPMNPlane id="${key}_plane" bpmnElement="${key}">${shapes.join('')}${edges.join('')}</bpmndi:BPMNPlane>` +
    '</bpmndi:BPMNDiagram>'
  )
}

/**
 * Lays out a process from left to right by the number of steps to each node; flows that go back or skip nodes run
 * below.
 */
export function layOutProcess(graph: ProcessGraph): DiagramLayout {
  const columns = columnsOf(graph)
  const rows = rowsOf(graph, columns)
  const boxes = new Map<string, Box>()
  for (const node of Object.values(graph.nodes)) {
    if (node.type === 'boundary') continue
    const { width, height } = SIZES[node.type]
    const middle = {
      x: MARGIN + TASK.width / 2 + (columns.get(node.id) ?? 0) * COLUMN,
      y: MARGIN + TASK.height / 2 + (rows.get(node.id) ?? 0) * ROW,
    }
    boxes.set(node.id, { x: middle.x - width / 2, y: middle.y - height / 2, width, height })
  }
  for (const { id } of Object.values(graph.nodes))
    for (const [at, { id: own }] of findBoundaryEvents(graph, id).entries()) {
      const host = boxes.get(id)!
      boxes.set(own, { ...ROUND, x: host.x + 4 + at * 40, y: host.y + host.height - ROUND.height / 2 })
    }
  return { boxes, routes: routeFlows(graph, columns, rows, boxes) }
}

const nextOf = (graph: ProcessGraph, { id, outs }: ProcessNode): string[] => [
  ...outs.map((line) => graph.lines[line]!.to),
  ...findBoundaryEvents(graph, id).map((one) => one.id),
]

/** Returns the column of each node: the most steps that lead to it, ignoring flows that go back. */
function columnsOf(graph: ProcessGraph): Map<string, number> {
  const order: string[] = []
  const seen = new Set<string>([graph.start])
  const onPath = new Set<string>([graph.start])
  const back = new Set<string>()
  const walk = [{ id: graph.start, next: nextOf(graph, graph.nodes[graph.start]!) }]
  while (walk.length) {
    const { id, next } = walk.at(-1)!
    const to = next.pop()
    if (to === undefined) {
      order.unshift(id)
      onPath.delete(id)
      walk.pop()
    } else if (onPath.has(to)) back.add(`${id} ${to}`)
    else if (!seen.has(to)) {
      seen.add(to)
      onPath.add(to)
      walk.push({ id: to, next: nextOf(graph, graph.nodes[to]!) })
    }
  }
  const columns = new Map<string, number>(order.map((id) => [id, 0]))
  for (const id of order)
    for (const to of nextOf(graph, graph.nodes[id]!)) {
      if (back.has(`${id} ${to}`)) continue
      // A boundary event is drawn on its host.
      const steps = graph.nodes[to]!.type === 'boundary' ? 0 : 1
      columns.set(to, Math.max(columns.get(to)!, columns.get(id)! + steps))
    }
  return columns
}

/** Returns the row of each node: that of its predecessor if free in the column, else the next free one below. */
function rowsOf(graph: ProcessGraph, columns: ReadonlyMap<string, number>): Map<string, number> {
  const rows = new Map<string, number>()
  const taken = new Map<number, Set<number>>()
  for (const [id, column] of [...columns].sort(([, one], [, other]) => one - other)) {
    const node = graph.nodes[id]!
    const used = taken.get(column) ?? new Set<number>()
    taken.set(column, used)
    if (node.type === 'boundary') {
      rows.set(id, rows.get(node.host!)! + 1)
      continue
    }
    const before = node.ins.map((line) => rows.get(graph.lines[line]!.from)).find((row) => row !== undefined)
    let row = before ?? 0
    while (used.has(row)) row++
    used.add(row)
    rows.set(id, row)
  }
  return rows
}

function routeFlows(
  graph: ProcessGraph,
  columns: ReadonlyMap<string, number>,
  rows: ReadonlyMap<string, number>,
  boxes: ReadonlyMap<string, Box>,
): Map<string, Point[]> {
  const routes = new Map<string, Point[]>()
  const bottom = Math.max(...[...boxes.values()].map(({ y, height }) => y + height))
  let lanes = 0

  const around = (from: Box, to: Box): Point[] => {
    const y = bottom + 20 + lanes++ * LANE
    const [start, end] = [centerOfBox(from), centerOfBox(to)]
    return [
      { x: start.x, y: from.y + from.height },
      { x: start.x, y },
      { x: end.x, y },
      { x: end.x, y: to.y + to.height },
    ]
  }

  const routeOf = ({ from, to }: SequenceFlow): Point[] => {
    const [start, end] = [boxes.get(from)!, boxes.get(to)!]
    const steps = (columns.get(to) ?? 0) - (columns.get(from) ?? 0)
    if (steps < 1 || (steps > 1 && !isFree(from, to))) return around(start, end)
    if (graph.nodes[from]!.type === 'boundary') {
      const [out, into] = [centerOfBox(start), centerOfBox(end)]
      return [
        { x: out.x, y: start.y + start.height },
        { x: out.x, y: into.y },
        { x: end.x, y: into.y },
      ]
    }
    const [out, into] = [
      { x: start.x + start.width, y: centerOfBox(start).y },
      { x: end.x, y: centerOfBox(end).y },
    ]
    if (out.y === into.y) return [out, into]
    const x = end.x - 30
    return [out, { x, y: out.y }, { x, y: into.y }, into]
  }

  const places = new Set([...columns].map(([id, column]) => `${column} ${rows.get(id)}`))
  /** Whether no node is between the two in the first one's row. */
  const isFree = (from: string, to: string): boolean => {
    for (let column = columns.get(from)! + 1; column < columns.get(to)!; column++)
      if (places.has(`${column} ${rows.get(from)}`)) return false
    return true
  }

  for (const line of Object.values(graph.lines)) routes.set(line.id, routeOf(line))
  return routes
}

export const centerOfBox = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })
