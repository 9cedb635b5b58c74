import iconv from 'iconv-lite'
import type { PrintTextStyle, LaidOutPrintPart } from './receipt.ts'

const [ESC, FS, GS] = [0x1b, 0x1c, 0x1d]
const ALIGN = { left: 0, center: 1, right: 2 } as const
const BARCODE_CODE128 = 73
const TEXT_ENCODING = 'gb18030'

const bytes = (...values: number[]) => Buffer.from(values)
/** Replaces characters that take four bytes in GB 18030, such as emoji: the printers' fonts do not have them. */
const BOX = '□'
const shown = new Map<string, string>()
function shownAs(letter: string): string {
  const before = shown.get(letter)
  if (before) return before
  const as = iconv.encode(letter, TEXT_ENCODING).length > 2 ? BOX : letter
  if (shown.size < LETTERS_KEPT) shown.set(letter, as)
  return as
}
const LETTERS_KEPT = 10_000

const letters = (text: string) => iconv.encode(text.replace(/[^\0-\x7f]/gu, shownAs), TEXT_ENCODING)

const styleBytes = ({ align, w, h, bold }: PrintTextStyle): Buffer =>
  bytes(ESC, 0x61, ALIGN[align], GS, 0x21, ((w - 1) << 4) | (h - 1), ESC, 0x45, bold ? 1 : 0)

const lowHigh = (value: number) => [value & 0xff, value >> 8] as const

/** Encodes a QR code with the commands GS ( k: model, dot size, error correction, data, print. */
function qr(text: string): Buffer {
  const encoded = letters(text)
  const command = (...rest: number[]) => bytes(GS, 0x28, 0x6b, ...lowHigh(rest.length), ...rest)
  return Buffer.concat([
    command(0x31, 0x41, 50, 0),
    command(0x31, 0x43, 6),
    command(0x31, 0x45, 49),
    bytes(GS, 0x28, 0x6b, ...lowHigh(encoded.length + 3), 0x31, 0x50, 0x30),
    encoded,
    command(0x31, 0x51, 0x30),
  ])
}

/** Encodes a CODE128 barcode with its text below. `{B` selects code set B. */
function barcode(text: string): Buffer {
  const encoded = letters(`{B${text}`)
  return Buffer.concat([
    bytes(GS, 0x48, 2, GS, 0x68, 80, GS, 0x77, 2, GS, 0x6b, BARCODE_CODE128, encoded.length),
    encoded,
    bytes(0x0a),
  ])
}

const CENTRED: PrintTextStyle = { align: 'center', w: 1, h: 1, bold: false }

function drawn(piece: LaidOutPrintPart): Buffer {
  if (piece.t === 'cut') return bytes(GS, 0x56, 66, 0)
  if (piece.t !== 'lines')
    return Buffer.concat([styleBytes(CENTRED), piece.t === 'qr' ? qr(piece.v) : barcode(piece.v)])
  return Buffer.concat([styleBytes(piece), ...piece.lines.map((line) => letters(`${line}\n`))])
}

/**
 * Encodes laid-out parts for an ESC/POS printer with a Chinese font: reset, Chinese mode, then the parts for each copy.
 */
export const escposBytes = (pieces: readonly LaidOutPrintPart[], copies = 1): Buffer => {
  const one = Buffer.concat([bytes(ESC, 0x40, FS, 0x26), ...pieces.map(drawn)])
  return Buffer.concat(Array.from({ length: copies }, () => one))
}
