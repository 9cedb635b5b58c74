type Align = 'left' | 'center' | 'right'

type Column = {
  v: string
  /** In cells; one column without takes what the others leave. */
  width?: number
  align?: Align
}

/** What stands on paper, said once for all printers. */
export type PrintPart =
  | { t: 'text'; v: string; align?: Align; w?: 1 | 2; h?: 1 | 2; bold?: boolean }
  | { t: 'row'; cols: readonly Column[] }
  | { t: 'line' }
  | { t: 'qr'; v: string }
  | { t: 'barcode'; v: string }
  | { t: 'cut' }

/** How letters stand: aligned, twice as wide, twice as high, bold. */
export type PrintTextStyle = { align: Align; w: 1 | 2; h: 1 | 2; bold: boolean }

/** A part on paper of a given width: whole lines, or what the printer draws itself. */
export type LaidOutPrintPart =
  | ({ t: 'lines'; lines: readonly string[] } & PrintTextStyle)
  | { t: 'qr' | 'barcode'; v: string }
  | { t: 'cut' }

/** Cells of a line: 32 on paper of 58 mm, 48 on 80 mm. */
export const columnsOfPaperWidth = (paperWidth: number): number => (paperWidth === 80 ? 48 : 32)

/** Dots of a millimetre, and of a cell of the letters labels are printed in. */
export const LABEL_DOTS = { mm: 8, cell: 12, line: 28, edge: 8 } as const

export type LabelSize = { width: number; height: number }
export const parseLabelSize = (size: string | null): LabelSize => {
  const [width = 40, height = 30] = (size ?? '').split('x').filter(Boolean).map(Number)
  return { width, height }
}
export const columnsOfLabel = ({ width }: LabelSize): number =>
  Math.floor((width * LABEL_DOTS.mm - 2 * LABEL_DOTS.edge) / LABEL_DOTS.cell)

/** Letters of printers are of two widths: those of ASCII take one cell, all others two. */
const cellsOfLetter = (letter: string): number => (letter.charCodeAt(0) < 0x80 ? 1 : 2)
export const countTextCells = (text: string): number =>
  [...text].reduce((sum, letter) => sum + cellsOfLetter(letter), 0)

/**
 * A text as it may stand on paper. Signs that command a printer (markup of the makers, bytes of ESC/POS) mean nothing
 * else any more; what no printer's font has becomes a box; the sign of the yuan is the one Chinese fonts have.
 */
const printable = (text: string): string =>
  text
    .replaceAll('<', '＜')
    .replaceAll('>', '＞')
    .replaceAll('¥', '￥')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Mn}\p{Cs}]/gu, '')
    .replace(/[\u{10000}-\u{10ffff}]/gu, '□')

/** Lines of at most so many cells, broken between letters, words of ASCII kept whole where they fit. */
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
  const room = Math.max(0, columns - countTextCells(text))
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(room - before)
}

const PLAIN: PrintTextStyle = { align: 'left', w: 1, h: 1, bold: false }

function rowOf(cols: readonly Column[], columns: number): string[] {
  const said = cols.reduce((sum, { width = 0 }) => sum + width, 0)
  const cells = cols.map(({ v, width, align }) => {
    const room = Math.max(2, width ?? columns - said)
    return { room, align, lines: wrap(printable(v), room) }
  })
  const count = Math.max(...cells.map(({ lines }) => lines.length))
  return Array.from({ length: count }, (_, at) =>
    cells
      .map(({ room, align, lines }) => pad(lines[at] ?? '', room, align))
      .join('')
      .trimEnd(),
  )
}

/** Parts laid out on paper of so many cells a line; no line is longer. */
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
