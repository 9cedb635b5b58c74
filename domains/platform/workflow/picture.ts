import { SaxesParser } from 'saxes'
import type { ProcessGraph, ProcessNode } from './graph.ts'
import { layOutProcess, centerOfBox, type Box, type DiagramLayout, type Point } from './lay-out.ts'
import { escapeXmlText } from './xml-text.ts'

/** Progress of an element: done, current, or a flow taken. Elements without one are ahead. */
export type ProcessElementProgress = 'done' | 'now' | 'way'

const COLOURS: Record<ProcessElementProgress, { line: string; fill: string }> = {
  done: { line: '#389e0d', fill: '#f6ffed' },
  now: { line: '#1677ff', fill: '#e6f4ff' },
  way: { line: '#d48806', fill: '#fffbe6' },
}
const PLAIN = { line: '#595959', fill: '#ffffff' }
const EDGE = 20
/** Height in pixels of the name below a box. */
const NAME_BELOW = 20
/** Largest coordinate: one beyond it is a fault of the file and would make the picture blank. */
const PLACE_MAX = 100_000

/** Draws a process as SVG, with the file's diagram or, when it is incomplete, a generated layout. */
export function drawProcessSvg(
  graph: ProcessGraph,
  xml: string,
  progress: ReadonlyMap<string, ProcessElementProgress> = new Map(),
): string {
  const { boxes, routes } = placesIn(xml, graph)
  const { x: left, y: top, width, height } = frameOf({ boxes, routes })
  const colourOf = (id: string) => COLOURS[progress.get(id)!] ?? PLAIN
  const lines = Object.values(graph.lines).map((line) =>
    drawFlow(routes.get(line.id), line.name === line.id ? '' : line.name, colourOf(line.id).line),
  )
  const nodes = Object.values(graph.nodes).map((node) => drawNode(node, boxes.get(node.id), colourOf(node.id)))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="${left} ${top} ${width} ${height}" font-family="sans-serif" font-size="12">` +
    `<title>${escapeXmlText(graph.name)}</title><rect x="${left}" y="${top}" width="100%" height="100%" fill="#fff"/>` +
    `${lines.join('')}${nodes.join('')}</svg>`
  )
}

/** Returns the box around everything drawn, with a margin. */
function frameOf({ boxes, routes }: DiagramLayout): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const hold = ({ x, y }: Point) => {
    ;[left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
  }
  for (const { x, y, width, height } of boxes.values()) {
    hold({ x, y })
    hold({ x: x + width, y: y + height + NAME_BELOW })
  }
  for (const points of routes.values()) for (const point of points) hold(point)
  return { x: left - EDGE, y: top - EDGE, width: right - left + 2 * EDGE, height: bottom - top + 2 * EDGE }
}

/** Reads the layout from the file's diagram; generates it when a node is missing there. */
function placesIn(xml: string, graph: ProcessGraph): DiagramLayout {
  const boxes = new Map<string, Box>()
  const routes = new Map<string, Point[]>()
  let element = ''
  const pointsOf = (id: string): Point[] => routes.get(id) ?? routes.set(id, []).get(id)!
  const numbers = (attributes: Record<string, string>, names: readonly string[]): number[] | undefined => {
    const read = names.map((name) => Number(attributes[name]))
    return read.every((one) => Math.abs(one) < PLACE_MAX) ? read : undefined
  }
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const local = name.slice(name.indexOf(':') + 1)
    if (local === 'BPMNShape' || local === 'BPMNEdge') element = attributes.bpmnElement ?? ''
    if (local === 'Bounds' && element && !boxes.has(element)) {
      const [x, y, width, height] = numbers(attributes, ['x', 'y', 'width', 'height']) ?? []
      if (height !== undefined) boxes.set(element, { x: x!, y: y!, width: width!, height })
    }
    if (local === 'waypoint' && element) {
      const [x, y] = numbers(attributes, ['x', 'y']) ?? []
      if (y !== undefined) pointsOf(element).push({ x: x!, y })
    }
  })
  parser.write(xml).close()
  return Object.keys(graph.nodes).every((id) => boxes.has(id)) ? onlyOf(graph, { boxes, routes }) : layOutProcess(graph)
}

const onlyOf = (graph: ProcessGraph, { boxes, routes }: DiagramLayout): DiagramLayout => ({
  boxes: new Map([...boxes].filter(([id]) => graph.nodes[id])),
  routes: new Map([...routes].filter(([id]) => graph.lines[id])),
})

type Colour = typeof PLAIN

function drawFlow(points: readonly Point[] | undefined, name: string, colour: string): string {
  if (!points || points.length < 2) return ''
  const [before, end] = points.slice(-2) as [Point, Point]
  const angle = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI
  const middle = points[Math.floor((points.length - 1) / 2)]!
  const next = points[Math.floor((points.length - 1) / 2) + 1]!
  const at = { x: (middle.x + next.x) / 2, y: (middle.y + next.y) / 2 - 5 }
  return (
    `<polyline points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}" fill="none" stroke="${colour}" ` +
    `stroke-width="1.5"/><path d="M0 0L-9 -4L-9 4Z" fill="${colour}" ` +
    `transform="translate(${end.x} ${end.y}) rotate(${angle})"/>${name ? words([name.slice(0, 30)], at) : ''}`
  )
}

function drawNode(node: ProcessNode, box: Box | undefined, { line, fill }: Colour): string {
  if (!box) return ''
  const look = `fill="${fill}" stroke="${line}" stroke-width="${node.type === 'end' ? 3 : 1.5}"`
  const { x, y, width, height } = box
  const middle = centerOfBox(box)
  const name = node.name === node.id ? '' : node.name
  const below = { x: middle.x, y: y + height + 14 }
  if (node.type === 'user')
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" ${look}/>${words(
      wrapped(node.name, width),
      middle,
    )}`
  if (MARKS[node.type])
    return (
      `<path d="M${middle.x} ${y}L${x + width} ${middle.y}L${middle.x} ${y + height}L${x} ${middle.y}Z" ${look}/>` +
      `${words([MARKS[node.type]!], middle, 20)}${words([name.slice(0, 20)], below)}`
    )
  const clock = node.timer ? `<path d="M${middle.x} ${middle.y - 9}V${middle.y}H${middle.x + 7}" ${look}/>` : ''
  return (
    `<circle cx="${middle.x}" cy="${middle.y}" r="${Math.min(width, height) / 2}" ${look}/>${clock}` +
    words([name.slice(0, 20)], below)
  )
}

const MARKS: Partial<Record<ProcessNode['type'], string>> = { exclusive: '×', parallel: '+', inclusive: '○' }

const LINE = 15
const LINES_MAX = 4
/** Estimates a character's width in pixels: Chinese ones are square, others about half as wide. */
const widthOf = (sign: string): number => (sign > '\u2e7f' ? 12 : 6.5)

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  let used = 0
  for (const sign of text) {
    if (used + widthOf(sign) > width - 10) {
      if (lines.length === LINES_MAX) return [...lines.slice(0, -1), `${lines.at(-1)!.slice(0, -1)}…`]
      lines.push('')
      used = 0
    }
    lines[lines.length - 1] += sign
    used += widthOf(sign)
  }
  return lines
}

function words(lines: readonly string[], { x, y }: Point, size = 12): string {
  const first = y - ((lines.length - 1) * LINE) / 2 + size / 3
  return lines
    .map((text, at) =>
      text
        ? `<text x="${x}" y="${first + at * LINE}" font-size="${size}" text-anchor="middle" fill="#262626">` +
          `${escapeXmlText(text)}</text>`
        : '',
    )
    .join('')
}
