/**
 * Reduces a picture to the mean grey of its parts without decoding it fully. A JPEG stores the mean of each block as
 * its first coefficient, and only that is used. Progressive JPEGs are not supported.
 */

type Table = { max: number[]; min: number[]; at: number[]; values: Uint8Array }
type Part = { id: number; wideBy: number; highBy: number; quant: number; dc: number; ac: number; before: number }

const LENGTHS = 16

function tableOf(counts: Uint8Array, values: Uint8Array): Table {
  const table: Table = { max: [], min: [], at: [], values }
  let code = 0
  let at = 0
  for (let length = 0; length < LENGTHS; length++) {
    const count = counts[length]!
    table.min.push(code)
    table.at.push(at)
    table.max.push(count ? code + count - 1 : -1)
    code = (code + count) << 1
    at += count
  }
  return table
}

class Unreadable extends Error {}

/** Reads bits of a JPEG scan. Throws past its end. */
function createBits(bytes: Uint8Array, start: number) {
  let at = start
  let held = 0
  let count = 0
  const bit = (): number => {
    if (!count) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Unreadable()
      if (byte === 0xff) {
        if (bytes[at] !== 0) throw new Unreadable()
        at++
      }
      held = byte
      count = 8
    }
    return (held >> --count) & 1
  }
  return {
    symbol: ({ max, min, at: from, values }: Table): number => {
      let code = 0
      for (let length = 0; length < LENGTHS; length++) {
        code = (code << 1) | bit()
        if (max[length]! >= code) return values[from[length]! + code - min[length]!]!
      }
      throw new Unreadable()
    },
    signed: (size: number): number => {
      let value = 0
      for (let n = 0; n < size; n++) value = (value << 1) | bit()
      return size && value < 2 ** (size - 1) ? value - 2 ** size + 1 : value
    },
    /** Continues after the next restart marker. */
    restart: () => {
      count = 0
      while (!(bytes[at] === 0xff && bytes[at + 1]! >= 0xd0 && bytes[at + 1]! <= 0xd7)) {
        if (++at >= bytes.length) throw new Unreadable()
      }
      at += 2
    },
  }
}

type Head = {
  width: number
  height: number
  parts: Part[]
  quants: Map<number, number>
  tables: Map<number, Table>
  restart: number
  scanAt: number
}

function readTables(bytes: Uint8Array, tables: Map<number, Table>): void {
  for (let at = 0; at + 17 <= bytes.length;) {
    const counts = bytes.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    tables.set(bytes[at]!, tableOf(counts, bytes.subarray(at + 17, at + 17 + total)))
    at += 17 + total
  }
}

function readQuants(bytes: Uint8Array, quants: Map<number, number>): void {
  for (let at = 0; at < bytes.length;) {
    const isWide = bytes[at]! >> 4 > 0
    quants.set(bytes[at]! & 15, isWide ? bytes[at + 1]! * 256 + bytes[at + 2]! : bytes[at + 1]!)
    at += isWide ? 129 : 65
  }
}

const BASELINE = [0xc0, 0xc1]

function readHead(bytes: Uint8Array): Head {
  const head: Head = { width: 0, height: 0, parts: [], quants: new Map(), tables: new Map(), restart: 0, scanAt: 0 }
  for (let at = 2; at + 4 < bytes.length;) {
    if (bytes[at] !== 0xff) throw new Unreadable()
    const marker = bytes[at + 1]!
    const length = bytes[at + 2]! * 256 + bytes[at + 3]!
    const body = bytes.subarray(at + 4, at + 2 + length)
    if (marker === 0xdb) readQuants(body, head.quants)
    if (marker === 0xc4) readTables(body, head.tables)
    if (marker === 0xdd) head.restart = body[0]! * 256 + body[1]!
    if (BASELINE.includes(marker)) {
      head.height = body[1]! * 256 + body[2]!
      head.width = body[3]! * 256 + body[4]!
      for (let n = 0; n < body[5]!; n++) {
        const [id, sampling, quant] = [body[6 + n * 3]!, body[7 + n * 3]!, body[8 + n * 3]!]
        head.parts.push({ id, wideBy: sampling >> 4, highBy: sampling & 15, quant, dc: 0, ac: 0, before: 0 })
      }
    }
    if (marker === 0xda) {
      for (let n = 0; n < body[0]!; n++) {
        const part = head.parts.find(({ id }) => id === body[1 + n * 2])
        if (!part) throw new Unreadable()
        Object.assign(part, { dc: body[2 + n * 2]! >> 4, ac: 16 + (body[2 + n * 2]! & 15) })
      }
      return { ...head, scanAt: at + 2 + length }
    }
    at += 2 + length
  }
  throw new Unreadable()
}

type Bits = ReturnType<typeof createBits>

/** Reads the mean of a block and skips its other coefficients. */
function readBlock(bits: Bits, part: Part, { tables, quants }: Head): number {
  const [dc, ac] = [tables.get(part.dc), tables.get(part.ac)]
  if (!dc || !ac) throw new Unreadable()
  part.before += bits.signed(bits.symbol(dc))
  for (let n = 1; n < 64; n++) {
    const symbol = bits.symbol(ac)
    if (symbol === 0) break
    n += symbol >> 4
    bits.signed(symbol & 15)
  }
  return (part.before * (quants.get(part.quant) ?? 1)) / 8 + 128
}

const PIXELS_MAX = 40_000_000

function blocksOf(bytes: Uint8Array): { greys: Float32Array; columns: number; rows: number } {
  const head = readHead(bytes)
  const { parts, width, height, restart } = head
  const [luma] = parts
  if (!luma?.wideBy || !luma.highBy || !width || !height || width * height > PIXELS_MAX) throw new Unreadable()
  const wideBy = Math.max(...parts.map((part) => part.wideBy))
  const highBy = Math.max(...parts.map((part) => part.highBy))
  const [wide, high] = [Math.ceil(width / (8 * wideBy)), Math.ceil(height / (8 * highBy))]
  const [columns, rows] = [wide * luma.wideBy, high * luma.highBy]
  const greys = new Float32Array(columns * rows)
  const bits = createBits(bytes, head.scanAt)
  for (let unit = 0; unit < wide * high; unit++) {
    if (restart && unit && unit % restart === 0) {
      bits.restart()
      for (const part of parts) part.before = 0
    }
    for (const part of parts)
      for (let n = 0; n < part.wideBy * part.highBy; n++) {
        const grey = readBlock(bits, part, head)
        if (part !== luma) continue
        const x = (unit % wide) * luma.wideBy + (n % luma.wideBy)
        const y = Math.floor(unit / wide) * luma.highBy + Math.floor(n / luma.wideBy)
        greys[y * columns + x] = grey
      }
  }
  return { greys, columns, rows }
}

const LOOK = { columns: 16, rows: 9 }

/** Returns the mean greys of a picture in 16 by 9 parts, from 0 to 255; undefined when it cannot be read. */
export function greyThumbnail(bytes: Uint8Array): number[] | undefined {
  try {
    const { greys, columns, rows } = blocksOf(bytes)
    const sums = Array.from({ length: LOOK.columns * LOOK.rows }, () => ({ sum: 0, count: 0 }))
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < columns; x++) {
        const column = Math.floor((x * LOOK.columns) / columns)
        const cell = sums[Math.floor((y * LOOK.rows) / rows) * LOOK.columns + column]!
        cell.sum += greys[y * columns + x]!
        cell.count++
      }
    return sums.map(({ sum, count }) => Math.round(count ? sum / count : 0))
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return undefined
    throw error
  }
}

const DARK = 40
const EVEN = 16

/** Returns whether a picture is dark and uniform. */
export function isBlackImage(look: readonly number[]): boolean {
  return Math.max(...look) < DARK && Math.max(...look) - Math.min(...look) < EVEN
}

/** Drops the top and bottom rows, where cameras write their name and time. */
const withoutEdges = (look: readonly number[]) => look.slice(LOOK.columns, LOOK.columns * (LOOK.rows - 1))

/** Returns the similarity of two pictures from 1 (same view in any light) to -1. */
export function imageSimilarity(first: readonly number[], second: readonly number[]): number {
  const [one, other] = [withoutEdges(first), withoutEdges(second)]
  const mean = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0) / all.length
  const [a, b] = [mean(one), mean(other)]
  let [both, own, others] = [0, 0, 0]
  one.forEach((value, n) => {
    const [x, y] = [value - a, (other[n] ?? 0) - b]
    both += x * y
    own += x * x
    others += y * y
  })
  return own && others ? both / Math.sqrt(own * others) : 0
}

/** Updates the usual picture, which follows daylight slowly. */
export const movingAverageThumbnail = (usual: readonly number[], now: readonly number[]): number[] =>
  usual.map((value, n) => Math.round(value * 0.9 + (now[n] ?? value) * 0.1))
