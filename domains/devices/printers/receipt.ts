type Align = 'left' | 'center' | 'right'

type Column = {
  v: string
  /** Width in cells. A column without a width takes the rest. */
  width?: number
  align?: Align
}

/** Contents of a receipt or label, independent of the printer. */
export type PrintPart =
  | { t: 'text'; v: string; align?: Align; w?: 1 | 2; h?: 1 | 2; bold?: boolean }
  | { t: 'row'; cols: readonly Column[] }
  | { t: 'line' }
  | { t: 'qr'; v: string }
  | { t: 'barcode'; v: string }
  | { t: 'cut' }

/** Alignment, width and height factors, and weight of a text. */
export type PrintTextStyle = { align: Align; w: 1 | 2; h: 1 | 2; bold: boolean }

/** A part laid out for a paper width: lines of text, or a code the printer draws itself. */
export type LaidOutPrintPart =
  | ({ t: 'lines'; lines: readonly string[] } & PrintTextStyle)
  | { t: 'qr' | 'barcode'; v: string }
  | { t: 'cut' }

/** Cells of a line: 32 on paper of 58 mm, 48 on 80 mm. */
export const columnsOfPaperWidth = (paperWidth: number): number => (paperWidth === 80 ? 48 : 32)

/** Label measures in dots: per millimetre, width of a cell, height of a line, and margin. */
export const LABEL_DOTS = { mm: 8, cell: 12, line: 28, edge: 8 } as const

export type LabelSize = { width: number; height: number }
export const parseLabelSize = (size: string | null): LabelSize => {
  const [width = 40, height = 30] = (size ?? '').split('x').filter(Boolean).map(Number)
  return { width, height }
}
export const columnsOfLabel = ({ width }: LabelSize): number =>
  Math.floor((width * LABEL_DOTS.mm - 2 * LABEL_DOTS.edge) / LABEL_DOTS.cell)

/** Returns the cells a character takes when printed: one for ASCII, two for all others. */
const cellsOfLetter = (letter: string): number => (letter.charCodeAt(0) < 0x80 ? 1 : 2)
export const countTextCells = (text: string): number =>
  [...text].reduce((sum, letter) => sum + cellsOfLetter(letter), 0)

/**
 * Makes a text safe to print. Characters that are markup or control codes are replaced or removed, those no printer's
 * font has become a box, and the yuan sign becomes the one Chinese fonts have.
 */
const printable = (text: string): string =>
  text
    .replaceAll('<', '＜')
    .replaceAll('>', '＞')
    .replaceAll('¥', '￥')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Mn}\p{Cs}]/gu, '')
    .replace(/[\u{10000}-\u{10ffff}]/gu, '□')

/** Wraps a text into lines of at most `columns` cells. ASCII words stay whole where they fit. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of text.match(/[!-~]+|[^!-~]/gu) ?? []) {
    const whole = countTextCells(word)
    const pieces = whole > columns ? [...word] : [word]
    for (const piece of pieces) {
      const cells = countTextCells(piece)
      if (used && used + cells > columns) {
        lines.push(line.trimEnd())
        ;[line, used] = ['', 0]
      }
      if (!used && piece === ' ' && lines.length) continue
      line += piece
      used += cells
    }
  }
  if (line || !lines.length) lines.push(line.trimEnd())
  return lines
}

const pad = (text: string, columns: number, align: Align = 'left'): string => {
  const padding = Math.max(0, columns - countTextCells(text))
  const before = align === 'right' ? padding : align === 'center' ? Math.floor(padding / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(padding - before)
}

const PLAIN: PrintTextStyle = { align: 'left', w: 1, h: 1, bold: false }

function rowOf(cols: readonly Column[], columns: number): string[] {
  const fixedWidth = cols.reduce((sum, { width = 0 }) => sum + width, 0)
  const cells = cols.map(({ v, width, align }) => {
    const cellWidth = Math.max(2, width ?? columns - fixedWidth)
    return { cellWidth, align, lines: wrap(printable(v), cellWidth) }
  })
  const count = Math.max(...cells.map(({ lines }) => lines.length))
  return Array.from({ length: count }, (_, at) =>
    cells
      .map(({ cellWidth, align, lines }) => pad(lines[at] ?? '', cellWidth, align))
      .join('')
      .trimEnd(),
  )
}

/** Lays out parts for a paper with `columns` cells a line. No line is longer. */
export function layOutPrintParts(parts: readonly PrintPart[], columns: number): LaidOutPrintPart[] {
  return parts.map((part): LaidOutPrintPart => {
    switch (part.t) {
      case 'text': {
        const { v, align = 'left', w = 1, h = 1, bold = false } = part
        return { t: 'lines', lines: wrap(printable(v), Math.floor(columns / w)), align, w, h, bold }
      }
      case 'row':
        return { t: 'lines', lines: rowOf(part.cols, columns), ...PLAIN }
      case 'line':
        return { t: 'lines', lines: ['-'.repeat(columns)], ...PLAIN }
      case 'cut':
        return part
      default:
        return { t: part.t, v: printable(part.v) }
    }
  })
}
