/**
 * Encodes a picture of cells as baseline JPEG. A cell is one block of one colour, so a block needs one coefficient;
 * there is no chroma subsampling.
 */
import { CELL, type Picture } from './h264.ts'

/** Number of Huffman codes per length 1 to 16, from the standard table of luminance DC. */
const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
/** The values of these codes. */
const DC_VALUES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
/** For AC only "end of block" is needed. */
const AC_COUNTS = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
const AC_VALUES = [0]
const QUANT = 8

function codesOf(counts: readonly number[], values: readonly number[]): Map<number, [code: number, length: number]> {
  const codes = new Map<number, [number, number]>()
  let code = 0
  let at = 0
  counts.forEach((count, n) => {
    for (let one = 0; one < count; one++) codes.set(values[at++]!, [code++, n + 1])
    code <<= 1
  })
  return codes
}

const segment = (marker: number, ...bytes: number[]): Buffer => {
  const length = bytes.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...bytes])
}

const table = (id: number, counts: readonly number[], values: readonly number[]) =>
  segment(0xc4, id, ...counts, ...values)

function scan({ cells }: Picture): number[] {
  const bytes: number[] = []
  let held = 0
  let count = 0
  const write = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at--) {
      held = (held << 1) | ((value >> at) & 1)
      if (++count < 8) continue
      bytes.push(held)
      if (held === 0xff) bytes.push(0)
      held = count = 0
    }
  }
  const codes = codesOf(DC_COUNTS, DC_VALUES)
  const before = [0, 0, 0]
  for (let at = 0; at < cells.length; at++) {
    const part = at % 3
    // The DC coefficient, eight times the block's mean, in steps of QUANT.
    const level = Math.round(((cells[at]! - 128) * 8) / QUANT)
    const change = level - before[part]!
    before[part] = level
    const size = change ? Math.floor(Math.log2(Math.abs(change))) + 1 : 0
    write(...codes.get(size)!)
    if (size) write(change > 0 ? change : change + 2 ** size - 1, size)
    write(0, 1)
  }
  while (count) write(1, 1)
  return bytes
}

/** Encodes a picture. Luma is not scaled from 16–235 to JPEG's 0–255: the small difference does not matter here. */
export function jpegOf(picture: Picture): Buffer {
  const [width, height] = [picture.columns * CELL, picture.rows * CELL]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0),
    segment(0xdb, 0, ...Array<number>(64).fill(QUANT)),
    segment(0xc0, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0),
    table(0x00, DC_COUNTS, DC_VALUES),
    table(0x10, AC_COUNTS, AC_VALUES),
    segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0),
    Buffer.from(scan(picture)),
    Buffer.from([0xff, 0xd9]),
  ])
}
