/** Writes frames as an MP4 file, as a media server records them: one video track with one chunk of samples. */
import { parameterSets, type Frame } from './h264.ts'

const CLOCK = 1000
const HEAD = 8

const u32 = (...values: number[]): Buffer => {
  const out = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => out.writeUInt32BE(value >>> 0, at * 4))
  return out
}
const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]))
const zeros = (length: number): Buffer => Buffer.alloc(length)

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + HEAD), Buffer.from(type, 'latin1'), body])
}
/** Returns a box with version and flags. */
const full = (type: string, flags: number, ...parts: Buffer[]): Buffer => box(type, u32(flags), ...parts)

/** The identity matrix. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

const sampleOf = ({ isKey, units }: Frame): Buffer =>
  // The parameter sets are in the file's header.
  Buffer.concat((isKey ? units.slice(2) : units).flatMap((unit) => [u32(unit.length), unit]))

function descriptionOf(columns: number, rows: number, cell: number): Buffer {
  const { sps, pps } = parameterSets(columns, rows)
  const record = [Buffer.from([1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1]), u16(sps.length), sps]
  const avcC = box('avcC', ...record, Buffer.from([1]), u16(pps.length), pps)
  const size = u16(columns * cell, rows * cell)
  const avc1 = [zeros(6), u16(1), zeros(16), size, u32(0x480000, 0x480000, 0), u16(1), zeros(32), u16(24, 0xffff)]
  return full('stsd', 0, u32(1), box('avc1', ...avc1, avcC))
}

type Film = { frames: readonly Frame[]; frameMs: number; columns: number; rows: number; cell: number }

export function mp4Of({ frames, frameMs, columns, rows, cell }: Film): Buffer {
  const samples = frames.map(sampleOf)
  const duration = samples.length * frameMs
  const keys = frames.flatMap(({ isKey }, at) => (isKey ? [at + 1] : []))
  const begin = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'))
  const headOf = (dataAt: number) => {
    const table = box(
      'stbl',
      descriptionOf(columns, rows, cell),
      full('stts', 0, u32(1, samples.length, frameMs)),
      full('stss', 0, u32(keys.length, ...keys)),
      full('stsc', 0, u32(1, 1, samples.length, 1)),
      full('stsz', 0, u32(0, samples.length), u32(...samples.map(({ length }) => length))),
      full('stco', 0, u32(1, dataAt)),
    )
    const here = box('dinf', full('dref', 0, u32(1), full('url ', 1)))
    const media = box(
      'mdia',
      full('mdhd', 0, u32(0, 0, CLOCK, duration), u16(0x55c4, 0)),
      full('hdlr', 0, u32(0), Buffer.from('vide'), zeros(12), Buffer.from('pictures\0')),
      box('minf', full('vmhd', 1, zeros(8)), here, table),
    )
    const size = u32((columns * cell) << 16, (rows * cell) << 16)
    const track = full('tkhd', 3, u32(0, 0, 1, 0, duration, 0, 0), u16(0, 0, 0, 0), MATRIX, size)
    const film = [u32(0, 0, CLOCK, duration, 0x10000), u16(0x100, 0), zeros(8), MATRIX, zeros(24), u32(2)]
    return box('moov', full('mvhd', 0, ...film), box('trak', track, media))
  }
  const dataAt = begin.length + headOf(0).length + HEAD
  return Buffer.concat([begin, headOf(dataAt), box('mdat', ...samples)])
}
