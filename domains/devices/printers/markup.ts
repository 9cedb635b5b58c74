import { countTextCells, LABEL_DOTS, type LabelSize, type PrintTextStyle, type LaidOutPrintPart } from './receipt.ts'

/** Wraps a text in tags, from the innermost to the outermost. */
const within = (text: string, tags: readonly (string | false)[]): string =>
  tags.reduce<string>((inner, tag) => (tag ? `<${tag}>${inner}</${tag}>` : inner), text)

const drawn = (pieces: readonly LaidOutPrintPart[], draw: (piece: LaidOutPrintPart) => string): string =>
  pieces.map(draw).join('')

type Markup = {
  /** Tags of a line, from the innermost to the outermost. */
  tags: (look: PrintTextStyle) => readonly (string | false)[]
  end: string
  qr: string
  barcode: string
  cut: string
}

const written = (pieces: readonly LaidOutPrintPart[], { tags, end, qr, barcode, cut }: Markup): string =>
  drawn(pieces, (piece) => {
    if (piece.t === 'cut') return cut
    if (piece.t !== 'lines') return within(piece.v, [piece.t === 'qr' ? qr : barcode])
    return piece.lines.map((line) => within(line, line ? tags(piece) : []) + end).join('')
  })

export const feieMarkup = (pieces: readonly LaidOutPrintPart[]): string =>
  written(pieces, {
    tags: ({ align, w, h, bold }) => [
      bold && 'BOLD',
      w === 2 && h === 2 ? 'B' : h === 2 ? 'L' : w === 2 && 'W',
      align === 'center' ? 'C' : align === 'right' && 'RIGHT',
    ],
    end: '<BR>',
    qr: 'QR',
    barcode: 'CODE',
    cut: '<CUT>',
  })

export const xpyunMarkup = (pieces: readonly LaidOutPrintPart[]): string =>
  written(pieces, {
    tags: ({ align, w, h, bold }) => [
      bold && 'BOLD',
      w === 2 && h === 2 ? 'B' : h === 2 ? 'HB' : w === 2 && 'WB',
      align === 'center' ? 'C' : align === 'right' && 'R',
    ],
    end: '<BR>',
    qr: 'QR',
    barcode: 'BARCODE',
    cut: '<CUT>',
  })

/** Yilianyun's markup. Its printers cut after each order by themselves, and print as many copies as the markup says. */
export const yilianyunMarkup = (pieces: readonly LaidOutPrintPart[], copies: number): string =>
  (copies > 1 ? `<MN>${copies}</MN>` : '') +
  written(pieces, {
    tags: ({ align, w, h, bold }) => [
      bold && 'FB',
      w === 2 && h === 2 ? 'FS2' : h === 2 ? 'FH' : w === 2 && 'FW',
      align === 'center' ? 'center' : align === 'right' && 'right',
    ],
    end: '\r\n',
    qr: 'QR',
    barcode: 'BR',
    cut: '',
  })

const BARCODE_DOTS = 56

/**
 * Markup of label printers, which positions everything in dots from the upper left corner. What does not fit is left
 * out.
 */
function placed(pieces: readonly LaidOutPrintPart[], { width, height }: LabelSize): string {
  const [right, bottom] = [width * LABEL_DOTS.mm - LABEL_DOTS.edge, height * LABEL_DOTS.mm - LABEL_DOTS.edge]
  let y: number = LABEL_DOTS.edge
  const fits = (high: number) => y + high <= bottom
  return drawn(pieces, (piece) => {
    if (piece.t === 'cut') return ''
    if (piece.t !== 'lines') {
      if (!fits(BARCODE_DOTS + LABEL_DOTS.line)) return ''
      const at = y
      y += BARCODE_DOTS + LABEL_DOTS.line
      return piece.t === 'qr'
        ? `<QR x="${LABEL_DOTS.edge}" y="${at}" e="L" w="4">${piece.v}</QR>`
        : `<BC128 x="${LABEL_DOTS.edge}" y="${at}" h="${BARCODE_DOTS}" s="1" n="1" w="2" r="0">${piece.v}</BC128>`
    }
    const { align, w, h } = piece
    const placedLines = piece.lines.map((line) => {
      const wide = countTextCells(line) * LABEL_DOTS.cell * w
      const high = LABEL_DOTS.line * h
      if (!line || !fits(high)) return ''
      const x =
        align === 'left'
          ? LABEL_DOTS.edge
          : align === 'right'
            ? right - wide
            : Math.round((LABEL_DOTS.edge + right - wide) / 2)
      const at = y
      y += high
      return `<TEXT x="${Math.max(LABEL_DOTS.edge, x)}" y="${at}" font="12" w="${w}" h="${h}" r="0">${line}</TEXT>`
    })
    return placedLines.join('')
  })
}

export const feieLabelMarkup = (pieces: readonly LaidOutPrintPart[], size: LabelSize): string =>
  `<DIRECTION>1</DIRECTION>${placed(pieces, size)}`

export const xpyunLabelMarkup = (pieces: readonly LaidOutPrintPart[], size: LabelSize): string =>
  `<PAGE><SIZE>${size.width},${size.height}</SIZE>${placed(pieces, size)}</PAGE>`
