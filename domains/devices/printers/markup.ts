import { cellsOf, DOTS, type LabelSize, type Look, type Piece } from './receipt.ts'

/** Around a text, from the innermost to the outermost. */
const within = (text: string, tags: readonly (string | false)[]): string =>
  tags.reduce<string>((inner, tag) => (tag ? `<${tag}>${inner}</${tag}>` : inner), text)

const drawn = (pieces: readonly Piece[], draw: (piece: Piece) => string): string => pieces.map(draw).join('')

type Markup = {
  /** Tags of a line, from the innermost to the outermost. */
  tags: (look: Look) => readonly (string | false)[]
  end: string
  qr: string
  barcode: string
  cut: string
}

const written = (pieces: readonly Piece[], { tags, end, qr, barcode, cut }: Markup): string =>
  drawn(pieces, (piece) => {
    if (piece.t === 'cut') return cut
    if (piece.t !== 'lines') return within(piece.v, [piece.t === 'qr' ? qr : barcode])
    return piece.lines.map((line) => within(line, line ? tags(piece) : []) + end).join('')
  })

export const feieMarkup = (pieces: readonly Piece[]): string =>
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

export const xpyunMarkup = (pieces: readonly Piece[]): string =>
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

/** It cuts by itself behind each order, and prints the copies the content asks for. */
export const yilianyunMarkup = (pieces: readonly Piece[], copies: number): string =>
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

/** Commands of label printers, which place everything by dots from the upper left corner. */
function placed(pieces: readonly Piece[], { width, height }: LabelSize): string {
  const [right, bottom] = [width * DOTS.mm - DOTS.edge, height * DOTS.mm - DOTS.edge]
  let y: number = DOTS.edge
  const fits = (high: number) => y + high <= bottom
  return drawn(pieces, (piece) => {
    if (piece.t === 'cut') return ''
    if (piece.t !== 'lines') {
      if (!fits(BARCODE_DOTS + DOTS.line)) return ''
      const at = y
      y += BARCODE_DOTS + DOTS.line
      return piece.t === 'qr'
        ? `<QR x="${DOTS.edge}" y="${at}" e="L" w="4">${piece.v}</QR>`
        : `<BC128 x="${DOTS.edge}" y="${at}" h="${BARCODE_DOTS}" s="1" n="1" w="2" r="0">${piece.v}</BC128>`
    }
    const { align, w, h } = piece
    const placedLines = piece.lines.map((line) => {
      const wide = cellsOf(line) * DOTS.cell * w
      const high = DOTS.line * h
      if (!line || !fits(high)) return ''
      const x =
        align === 'left' ? DOTS.edge : align === 'right' ? right - wide : Math.round((DOTS.edge + right - wide) / 2)
      const at = y
      y += high
      return `<TEXT x="${Math.max(DOTS.edge, x)}" y="${at}" font="12" w="${w}" h="${h}" r="0">${line}</TEXT>`
    })
    return placedLines.join('')
  })
}

export const feieLabel = (pieces: readonly Piece[], size: LabelSize): string =>
  `<DIRECTION>1</DIRECTION>${placed(pieces, size)}`

export const xpyunLabel = (pieces: readonly Piece[], size: LabelSize): string =>
  `<PAGE><SIZE>${size.width},${size.height}</SIZE>${placed(pieces, size)}</PAGE>`
