import { CELL } from './h264.ts'
import { COLUMNS, readSight, ROWS } from './scene.ts'

/**
 * Reads what the first key frame of a stream shows, without a decoder, since its samples are stored plainly. For tests
 * without a browser.
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

/** Like `pictureInFlv`, for the first picture of an MP4 file. */
export function pictureInMp4(bytes: Buffer): { at: Date; mark: number } | undefined {
  const at = bytes.indexOf('mdat', 0, 'latin1') + 4
  const length = bytes.readUInt32BE(at)
  return readKey(plain(bytes.subarray(at + 4, at + 4 + length)))
}

/** Removes the emulation prevention bytes. */
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

/** Reads the picture of a key frame: its blocks have a fixed size and end right before the unit's last byte. */
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
