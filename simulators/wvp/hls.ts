/** Streams as HLS: segments of MPEG-TS with a playlist, for clients without a faster protocol. */
import type { ServerResponse } from 'node:http'
import type { Frame } from './h264.ts'
import type { Media } from './media.ts'

const PACKET = 188
const PMT_PID = 0x1000
const VIDEO_PID = 0x100
const H264 = 0x1b
const CLOCK_PER_MS = 90

function crcOf(bytes: Buffer): number {
  let crc = 0xff_ff_ff_ff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let n = 0; n < 8; n++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ 0x04_c1_1d_b7 : crc << 1
  }
  return crc >>> 0
}

/** Returns one MPEG-TS packet, filled up with stuffing. */
function packet(pid: number, count: number, payload: Buffer, isStart: boolean, pcr?: number): Buffer {
  const clock = pcr === undefined ? Buffer.alloc(0) : Buffer.alloc(7)
  if (pcr !== undefined) {
    clock[0] = 0x10
    clock.writeUInt32BE(Math.floor(pcr / 2), 1)
    clock[5] = ((pcr & 1) << 7) | 0x7e
  }
  const free = PACKET - 4 - payload.length
  const hasField = free > 0 || pcr !== undefined
  const field = Buffer.alloc(hasField ? free : 0, 0xff)
  if (hasField) {
    field[0] = free - 1
    if (free > 1) field[1] = 0
    clock.copy(field, 1)
  }
  const head = [0x47, (isStart ? 0x40 : 0) | (pid >> 8), pid & 0xff, (hasField ? 0x30 : 0x10) | (count & 15)]
  return Buffer.concat([Buffer.from(head), field, payload])
}

function table(pid: number, id: number, number: number, body: number[]): Buffer {
  const length = body.length + 9
  const section = Buffer.from([
    id,
    0xb0 | (length >> 8),
    length & 0xff,
    number >> 8,
    number & 0xff,
    0xc1,
    0,
    0,
    ...body,
  ])
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crcOf(section))
  const filled = Buffer.concat([Buffer.from([0]), section, crc])
  return packet(pid, 0, Buffer.concat([filled, Buffer.alloc(PACKET - 4 - filled.length, 0xff)]), true)
}

const tables = () =>
  Buffer.concat([
    table(0, 0, 1, [0, 1, 0xe0 | (PMT_PID >> 8), PMT_PID & 0xff]),
    table(PMT_PID, 2, 1, [
      0xe0 | (VIDEO_PID >> 8),
      VIDEO_PID & 0xff,
      0xf0,
      0,
      H264,
      0xe0 | (VIDEO_PID >> 8),
      VIDEO_PID & 0xff,
      0xf0,
      0,
    ]),
  ])

const stamp = (at: number) => [
  0x21 | ((Math.floor(at / 2 ** 30) & 7) << 1),
  Math.floor(at / 2 ** 22) & 0xff,
  ((Math.floor(at / 2 ** 15) & 0x7f) << 1) | 1,
  (at >> 7) & 0xff,
  ((at & 0x7f) << 1) | 1,
]

const START = Buffer.from([0, 0, 0, 1])
const DELIMITER = Buffer.from([0, 0, 0, 1, 9, 0xf0])

function createMuxer() {
  let count = 0
  return (frame: Frame, ms: number): Buffer => {
    const at = ms * CLOCK_PER_MS + 90_000
    const head = Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, ...stamp(at)])
    const pes = Buffer.concat([head, DELIMITER, ...frame.units.flatMap((unit) => [START, unit])])
    const packets: Buffer[] = []
    for (let from = 0; from < pes.length;) {
      const isStart = from === 0
      const module = PACKET - 4 - (isStart ? 8 : 0)
      const part = pes.subarray(from, from + module)
      packets.push(packet(VIDEO_PID, count++, part, isStart, isStart ? at : undefined))
      from += part.length
    }
    return Buffer.concat(packets)
  }
}

type Segment = { no: number; parts: Buffer[]; from: number; until: number }
type SimStream = { segments: Segment[]; leave: () => void; lastAsked: number }

const KEPT = 5
const LEAVE_MS = 6_000

/** Makes segments of the streams that are requested, and ends those that no one requests any more. */
export function createHls(media: Media) {
  const all = new Map<string, SimStream>()
  const begin = (key: string): SimStream => {
    const mux = createMuxer()
    const held: SimStream = { segments: [], leave: () => {}, lastAsked: Date.now() }
    let no = 0
    const removeStream = () => {
      clearInterval(look)
      all.delete(key)
    }
    held.leave = media.read(key, {
      end: removeStream,
      take: (frame, at) => {
        if (frame.isKey) held.segments.push({ no: no++, parts: [tables()], from: at, until: at })
        const last = held.segments.at(-1)
        last?.parts.push(mux(frame, at))
        if (last) last.until = at + 100
        if (held.segments.length > KEPT) held.segments.shift()
      },
    })
    const look = setInterval(() => {
      if (Date.now() - held.lastAsked < LEAVE_MS) return
      removeStream()
      held.leave()
    }, 500).unref()
    all.set(key, held)
    return held
  }

  /** Answers a playlist or a segment. Returns false for any other address. */
  return (path: string, response: ServerResponse): boolean => {
    const [, app, name, file] = /^\/([\w-]+)\/([\w-]+)\/hls(?:\/(\d+)\.ts|\.m3u8)$/.exec(path) ?? []
    if (!app || !name) return false
    const key = media.keyOf(app, name)
    const held = all.get(key) ?? (media.streams.has(key) ? begin(key) : undefined)
    const whole = held?.segments.slice(0, -1) ?? []
    if (held) held.lastAsked = Date.now()
    const found = whole.find(({ no }) => String(no) === file)
    if (!held || (file && !found)) response.writeHead(404).end()
    else if (found) response.writeHead(200, { 'content-type': 'video/mp2t' }).end(Buffer.concat(found.parts))
    else response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(playlistOf(whole))
    return true
  }
}

const playlistOf = (segments: readonly Segment[]): string =>
  [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-TARGETDURATION:3',
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.no ?? 0}`,
    ...segments.flatMap(({ no, from, until }) => [`#EXTINF:${((until - from) / 1000).toFixed(3)},`, `hls/${no}.ts`]),
    '',
  ].join('\n')
