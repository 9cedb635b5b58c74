/**
 * H.264 baseline without a real encoder: changed cells are sent as plain samples (I_PCM), unchanged ones skipped. A
 * picture consists of square cells of one colour, four to a macroblock, and every decoder restores it exactly.
 */

export const CELL = 8
const MACROBLOCK = 16
const GOP = 20

/** The cells of a picture row by row, each as luma, blue and red difference from 16 to 235. */
export type Picture = { columns: number; rows: number; cells: Uint8Array }

export const pictureOf = (columns: number, rows: number): Picture => ({
  columns,
  rows,
  cells: new Uint8Array(columns * rows * 3),
})

class Bits {
  private readonly bytes: number[] = []
  private held = 0
  private count = 0

  bit(value: number): this {
    this.held = (this.held << 1) | (value & 1)
    if (++this.count < 8) return this
    this.bytes.push(this.held)
    this.held = this.count = 0
    return this
  }

  fixed(value: number, length: number): this {
    for (let at = length - 1; at >= 0; at--) this.bit(value >> at)
    return this
  }

  /** Writes an unsigned Exp-Golomb number. */
  ue(value: number): this {
    const length = Math.floor(Math.log2(value + 1))
    return this.fixed(0, length).fixed(value + 1, length + 1)
  }

  align(): this {
    while (this.count) this.bit(0)
    return this
  }

  raw(bytes: Uint8Array): this {
    for (const byte of bytes) this.bytes.push(byte)
    return this
  }

  /** Ends a unit: a one bit, then zeros up to the byte. */
  ended(): Uint8Array {
    this.bit(1).align()
    return Uint8Array.from(this.bytes)
  }
}

/** Returns a NAL unit with its header and with emulation prevention bytes. */
function unit(header: number, body: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(body.length + (body.length >> 1) + 2)
  let at = 0
  let zeros = 0
  out[at++] = header
  for (const byte of body) {
    if (zeros >= 2 && byte <= 3) {
      out[at++] = 3
      zeros = 0
    }
    out[at++] = byte
    zeros = byte ? 0 : zeros + 1
  }
  return Buffer.from(out.subarray(0, at))
}

const LEVEL = 30

export function parameterSets(columns: number, rows: number): { sps: Buffer; pps: Buffer } {
  const sps = new Bits().fixed(66, 8).fixed(0xc0, 8).fixed(LEVEL, 8)
  // Id, frame numbers of eight bits, output in decoding order, one reference frame.
  sps.ue(0).ue(4).ue(2).ue(1).bit(0)
  sps.ue(columns / 2 - 1).ue(rows / 2 - 1)
  sps.bit(1).bit(1).bit(0).bit(0)
  const pps = new Bits().ue(0).ue(0).bit(0).bit(0).ue(0).ue(0).ue(0).bit(0).fixed(0, 2).ue(0).ue(0).ue(0)
  pps.bit(1).bit(0).bit(0)
  return { sps: unit(0x67, sps.ended()), pps: unit(0x68, pps.ended()) }
}

function samplesOf({ columns, cells }: Picture, x: number, y: number): Uint8Array {
  const out = new Uint8Array(384)
  for (let row = 0; row < MACROBLOCK; row++)
    for (let column = 0; column < MACROBLOCK; column++) {
      const cell = ((y * 2 + (row >> 3)) * columns + x * 2 + (column >> 3)) * 3
      out[row * MACROBLOCK + column] = cells[cell]!
      if (row % 2 || column % 2) continue
      const at = (row >> 1) * 8 + (column >> 1)
      out[256 + at] = cells[cell + 1]!
      out[320 + at] = cells[cell + 2]!
    }
  return out
}

function isSame(one: Picture, other: Picture, x: number, y: number): boolean {
  for (const row of [0, 1]) {
    const from = ((y * 2 + row) * one.columns + x * 2) * 3
    for (let at = from; at < from + 6; at++) if (one.cells[at] !== other.cells[at]) return false
  }
  return true
}

export type Frame = { isKey: boolean; units: Buffer[] }

/** Encodes the frames of one stream, each relative to the previous one. */
export function createEncoder() {
  let before: Picture | undefined
  let number = 0
  let keys = 0

  function key(picture: Picture): Buffer {
    number = 0
    const slice = new Bits()
      .ue(0)
      .ue(7)
      .ue(0)
      .fixed(0, 8)
      .ue(keys++ % 2)
    slice.bit(0).bit(0).ue(0).ue(1)
    for (let y = 0; y < picture.rows / 2; y++)
      for (let x = 0; x < picture.columns / 2; x++)
        slice
          .ue(25)
          .align()
          .raw(samplesOf(picture, x, y))
    return unit(0x65, slice.ended())
  }

  function change(picture: Picture, was: Picture): Buffer {
    number = (number + 1) % 256
    const slice = new Bits().ue(0).ue(5).ue(0).fixed(number, 8)
    slice.bit(0).bit(0).bit(0).ue(0).ue(1)
    let skipped = 0
    for (let y = 0; y < picture.rows / 2; y++)
      for (let x = 0; x < picture.columns / 2; x++) {
        if (isSame(picture, was, x, y)) skipped++
        else {
          slice
            .ue(skipped)
            .ue(30)
            .align()
            .raw(samplesOf(picture, x, y))
          skipped = 0
        }
      }
    if (skipped) slice.ue(skipped)
    return unit(0x41, slice.ended())
  }

  return {
    encode(picture: Picture, wantsKey: boolean): Frame {
      const was = before
      before = { ...picture, cells: picture.cells.slice() }
      if (!was || wantsKey || number >= GOP - 1) {
        const { sps, pps } = parameterSets(picture.columns, picture.rows)
        return { isKey: true, units: [sps, pps, key(picture)] }
      }
      return { isKey: false, units: [change(picture, was)] }
    },
  }
}
