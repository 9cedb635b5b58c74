import { jsonList } from '#kit/fields/json/json-list.ts'
import {
  BUILT_IN_TAG_TEMPLATES,
  builtInTagLayout,
  TAG_LAYOUT_LINES_MAX,
  TAG_LINE_SOURCES,
  type TagLineSource,
  type TagLine,
} from './tag-templates.ts'

/**
 * Returns the elements of a layout within the tag, or the standard layout when there are none. Leaves texts as they
 * are, since the user may still be typing: saving refuses what cannot be drawn.
 */
export function parseTagLayoutOrDefault(value: unknown): readonly TagLine[] {
  const lines = jsonList<TagLine>(value).filter((one) => TAG_LINE_SOURCES.includes(one?.from))
  return lines.length ? lines.map(fitted) : builtInTagLayout(BUILT_IN_TAG_TEMPLATES[0]!)
}

const STEP = 0.02
const [LEAST, WHOLE] = [0.06, 1]

const within = (value: number, least: number, most: number) =>
  Math.round(Math.min(most, Math.max(least, value)) * 1_000) / 1_000

/** Keeps an element within the tag after it was moved or resized. */
function fitted(line: TagLine): TagLine {
  const high = within(line.high, LEAST, WHOLE)
  const wide = within(line.wide, LEAST, WHOLE)
  return { ...line, high, wide, x: within(line.x, 0, WHOLE - wide), y: within(line.y, high, WHOLE) }
}

export const moveTagLine = (line: TagLine, x: number, y: number): TagLine =>
  fitted({ ...line, x: line.x + x, y: line.y + y })

export type TagLineChange = keyof typeof tagLineChanges
/** The changes that buttons apply to an element. */
export const tagLineChanges = {
  left: (line: TagLine) => moveTagLine(line, -STEP, 0),
  right: (line: TagLine) => moveTagLine(line, STEP, 0),
  up: (line: TagLine) => moveTagLine(line, 0, -STEP),
  down: (line: TagLine) => moveTagLine(line, 0, STEP),
  smaller: (line: TagLine) => fitted({ ...line, high: line.high - STEP }),
  bigger: (line: TagLine) => fitted({ ...line, high: line.high + STEP }),
  narrower: (line: TagLine) => fitted({ ...line, wide: line.wide - 2 * STEP }),
  wider: (line: TagLine) => fitted({ ...line, wide: line.wide + 2 * STEP }),
  bold: (line: TagLine) => ({ ...line, isBold: !line.isBold }),
  red: (line: TagLine) => ({ ...line, isRed: !line.isRed }),
} as const

/** Adds an element in the middle: the first kind that is missing, else a text. */
export function addTagLine(lines: readonly TagLine[], text: string): readonly TagLine[] {
  if (lines.length >= TAG_LAYOUT_LINES_MAX) return lines
  const from: TagLineSource = TAG_LINE_SOURCES.find((one) => !lines.some((line) => line.from === one)) ?? 'text'
  return [...lines, { from, x: 0.3, y: 0.56, high: 0.12, wide: 0.4, ...(from === 'text' ? { text } : {}) }]
}
