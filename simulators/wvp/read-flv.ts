import { CELL } from './h264.ts'
import { COLUMNS, readSight, ROWS } from './scene.ts'

/**
 * Reads what the first whole picture of a stream shows, without a decoder: its samples lie there as they are. For tests
 * that have no browser.
 */
export function pictureInFlv(bytes: Buffer): { at: Date; mark: number } | undefined {
  for (let at = 13; at + 15 < bytes.length;) {
    const size = bytes.readUIntBE(at + 1, 3)
    if (at + 15 + size > bytes.length) return undefined
    const body = bytes.subarray(at + 11, at + 11 + size)
    if (body[0] === 0x17 && body[1] === 1) return readKey(plain(body.subarray(9)))
    at += 15 + size
  }
  return undefined
}

/** The same of the first picture of an MP4 file, whose samples follow its head. */
export function pictureInMp4(bytes: Buffer): { at: Date; mark: number } | undefined {
  const at = bytes.indexOf('mdat', 0, 'latin1') + 4
  const length = bytes.readUInt32BE(at)
  return readKey(plain(bytes.subarray(at + 4, at + 4 + length)))
}

/** Without the bytes that keep start codes out. */
function plain(unit: Buffer): Buffer {
  const out: number[] = []
  let zeros = 0
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    out.push(byte)
    zeros = byte ? 0 : zeros + 1
  }
  return Buffer.from(out)
}

const BLOCK = 384
const ACROSS = COLUMNS / 2

/** Blocks follow each other at whole bytes, the last before the bit that ends a unit. */
function readKey(unit: Buffer) {
  const blocks = ACROSS * (ROWS / 2)
  const step = BLOCK + 2
  const last = unit.length - 1 - BLOCK
  const lumaAt = (column: number, row: number) => {
    const block = Math.floor(row / 2) * ACROSS + Math.floor(column / 2)
    const from = last - (blocks - 1 - block) * step
    return unit[from + ((row % 2) * CELL + 4) * 16 + (column % 2) * CELL + 4]!
  }
  return readSight(lumaAt)
}
