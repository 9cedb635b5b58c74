/** What a tag shows, as the server sends it (docs/gateways.md, `tag.update`). Amounts in cents. */
export type ShownTagContent = {
  name?: string
  upc?: string
  spec?: string
  unit?: string
  priceFen?: number
  memberPriceFen?: number | null
  promotion?: string
  /** The drawn picture, when the server drew it. */
  drawn?: DrawnTag
}

/** Returns whether a tag has ever shown anything. One that has not travels as an empty object. */
export const hasShownTagContent = (value: unknown): value is ShownTagContent =>
  typeof value === 'object' && value !== null && 'priceFen' in value

export const TAG_SIZES = { '2.13': [250, 122], '2.9': [296, 128], '4.2': [400, 300] } as const
export type TagSize = keyof typeof TAG_SIZES
export const TAG_SIZE_NAMES = Object.keys(TAG_SIZES) as TagSize[]
/** Size of a tag whose size is not given. */
export const DEFAULT_TAG_SIZE: TagSize = '2.9'
export const toTagSize = (model: unknown): TagSize => TAG_SIZE_NAMES.find((one) => one === model) ?? DEFAULT_TAG_SIZE

export const TAG_LINE_SOURCES = ['name', 'about', 'price', 'memberPrice', 'promotion', 'upc', 'text'] as const
export type TagLineSource = (typeof TAG_LINE_SOURCES)[number]

/** An element of a layout. Position and size are fractions of the tag's width and height; `y` is the baseline. */
export type TagLine = {
  from: TagLineSource
  x: number
  y: number
  high: number
  wide: number
  isBold?: boolean
  isRed?: boolean
  /** The fixed text, for an element that shows no field of the goods. */
  text?: string
}

const name: TagLine = { from: 'name', x: 0.04, y: 0.2, high: 0.15, wide: 0.92, isBold: true }
const about: TagLine = { from: 'about', x: 0.04, y: 0.36, high: 0.1, wide: 0.5 }
const upc: TagLine = { from: 'upc', x: 0.04, y: 0.94, high: 0.1, wide: 0.5 }

/** Built-in layouts. Every size of tag shows them in the same proportions. */
const tagTemplates: Record<string, readonly TagLine[]> = {
  standard: [
    name,
    about,
    { from: 'price', x: 0.04, y: 0.76, high: 0.36, wide: 0.6, isBold: true },
    { from: 'promotion', x: 0.58, y: 0.94, high: 0.12, wide: 0.4, isRed: true },
    upc,
  ],
  member: [
    name,
    about,
    { from: 'price', x: 0.04, y: 0.74, high: 0.3, wide: 0.5, isBold: true },
    { from: 'memberPrice', x: 0.54, y: 0.74, high: 0.18, wide: 0.44, isBold: true, isRed: true },
    { from: 'promotion', x: 0.54, y: 0.94, high: 0.12, wide: 0.44, isRed: true },
    upc,
  ],
  promotion: [
    name,
    { from: 'promotion', x: 0.04, y: 0.42, high: 0.16, wide: 0.92, isBold: true, isRed: true },
    { from: 'price', x: 0.04, y: 0.8, high: 0.34, wide: 0.6, isBold: true, isRed: true },
    { from: 'memberPrice', x: 0.58, y: 0.8, high: 0.14, wide: 0.4 },
    upc,
  ],
  fresh: [
    { ...name, high: 0.19, y: 0.24 },
    { ...about, y: 0.42 },
    { from: 'price', x: 0.04, y: 0.82, high: 0.38, wide: 0.6, isBold: true },
    { from: 'memberPrice', x: 0.58, y: 0.68, high: 0.14, wide: 0.4, isRed: true },
    { from: 'promotion', x: 0.58, y: 0.86, high: 0.12, wide: 0.4, isRed: true },
  ],
}

export const BUILT_IN_TAG_TEMPLATES = Object.keys(tagTemplates)

/** Returns a built-in layout, the standard one for an unknown name. */
export const builtInTagLayout = (template: string): readonly TagLine[] =>
  tagTemplates[template] ?? tagTemplates.standard!

const price = (fen: number | null | undefined) => (typeof fen === 'number' ? `¥${(fen / 100).toFixed(2)}` : '')

const texts: Record<TagLineSource, (content: ShownTagContent, line: TagLine) => string> = {
  text: (_content, { text }) => text ?? '',
  name: ({ name: text }) => text ?? '',
  about: ({ spec, unit }) => [spec, unit].filter(Boolean).join(' / '),
  price: ({ priceFen }) => price(priceFen),
  memberPrice: ({ memberPriceFen }) => (memberPriceFen && `会员 ${price(memberPriceFen)}`) || '',
  promotion: ({ promotion }) => promotion ?? '',
  upc: ({ upc: text }) => text ?? '',
}

/** Estimates a text's width in font sizes: 1 for a Chinese character, 0.56 for others. */
const widthOf = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u2e80' ? 1 : 0.56), 0)

type DrawnLine = { text: string; x: number; y: number; fontSize: number; isBold: boolean; isRed: boolean }

/** A picture in pixels of a tag's size. */
export type DrawnTag = { size: TagSize; lines: DrawnLine[] }

/** Converts a layout to lines in pixels. A text that is too long is shrunk down to half its height, then cut. */
export function drawTagLines(layout: readonly TagLine[], content: ShownTagContent, size: TagSize): DrawnLine[] {
  const [width, height] = TAG_SIZES[size]
  return layout.flatMap((line) => {
    const whole = texts[line.from](content, line)
    if (!whole) return []
    const lineWidth = line.wide * width
    const high = line.high * height
    const fontSize = Math.max(high / 2, Math.min(high, lineWidth / widthOf(whole)))
    const text = widthOf(whole) * fontSize <= lineWidth + 0.5 ? whole : cut(whole, lineWidth / fontSize)
    return [{ text, x: line.x * width, y: line.y * height, fontSize, isBold: !!line.isBold, isRed: !!line.isRed }]
  })
}

function cut(text: string, lineWidth: number): string {
  let kept = ''
  for (const one of text) {
    if (widthOf(`${kept}${one}…`) > lineWidth) break
    kept += one
  }
  return `${kept}…`
}

export const TAG_LAYOUT_LINES_MAX = 12
export const TAG_TEXT_CHARACTERS_MAX = 40

const between = (value: unknown, least: number, most: number) =>
  typeof value === 'number' && value >= least && value <= most

/**
 * Validates a layout from a request. Returns its elements, or the number of the first invalid one (0 for the whole
 * list).
 */
export function parseTagLayout(given: unknown): { lines: TagLine[] } | { wrong: number } {
  if (!Array.isArray(given) || !given.length || given.length > TAG_LAYOUT_LINES_MAX) return { wrong: 0 }
  const lines: TagLine[] = []
  for (const [at, one] of given.entries()) {
    const line = (one ?? {}) as Partial<TagLine>
    if (!TAG_LINE_SOURCES.includes(line.from!) || !isOnTag(line) || !hasItsText(line)) return { wrong: at + 1 }
    lines.push(cleaned(line as TagLine))
  }
  return { lines }
}

/** Whether an element lies on the tag with its whole height and width. */
const isOnTag = ({ x, y, high, wide }: Partial<TagLine>): boolean =>
  between(x, 0, 1) &&
  between(high, 0.05, 1) &&
  between(y, high!, 1) &&
  between(wide, 0.05, 1) &&
  x! + wide! <= 1 + ROUNDING

const hasItsText = ({ from, text }: Partial<TagLine>): boolean =>
  from !== 'text' || (typeof text === 'string' && !!text.trim() && text.length <= TAG_TEXT_CHARACTERS_MAX)

/** Returns the element without unknown fields. */
const cleaned = ({ from, x, y, high, wide, isBold, isRed, text }: TagLine): TagLine => ({
  from,
  x,
  y,
  high,
  wide,
  ...(isBold ? { isBold: true } : {}),
  ...(isRed ? { isRed: true } : {}),
  ...(from === 'text' ? { text: text!.trim() } : {}),
})

/** Tolerance for sums of fractions. */
const ROUNDING = 1e-6
