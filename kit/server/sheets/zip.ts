import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, crc32, createDeflateRaw, createInflateRaw } from 'node:zlib'
import { Refused } from '../base/refused.ts'

/** Running checksum, size and compressed size of an entry. */
export type ZipChecksum = { crc: number; size: number; packed: number }
export const EMPTY_ZIP_CHECKSUM: ZipChecksum = { crc: 0, size: 0, packed: 0 }

/**
 * Compresses one part of an entry. Parts compressed separately, even by different processes, form one entry when
 * joined; `isLast` marks the end.
 */
export async function deflateZipPart(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  before: ZipChecksum,
  isLast: boolean,
): Promise<{ bytes: Buffer; sum: ZipChecksum }> {
  const { Z_FINISH, Z_SYNC_FLUSH } = constants
  const sum = { ...before }
  async function* counted() {
    for await (const piece of content) {
      sum.crc = crc32(piece, sum.crc)
      sum.size += piece.length
      yield piece
    }
  }
  const packed: Buffer[] = []
  await pipeline(
    Readable.from(counted()),
    createDeflateRaw({ level: 4, finishFlush: isLast ? Z_FINISH : Z_SYNC_FLUSH }),
    async (pieces) => {
      for await (const piece of pieces as AsyncIterable<Buffer>) packed.push(piece)
    },
  )
  const bytes = Buffer.concat(packed)
  return { bytes, sum: { ...sum, packed: sum.packed + bytes.length } }
}

export type ZipOutputEntry = { name: string; sum: ZipChecksum; content: () => AsyncIterable<Buffer> | Iterable<Buffer> }

/** Creates an entry from a text. */
export async function createZipOutputEntry(name: string, content: string): Promise<ZipOutputEntry> {
  const { bytes, sum } = await deflateZipPart([Buffer.from(content)], EMPTY_ZIP_CHECKSUM, true)
  return { name, sum, content: () => [bytes] }
}

const WIDE = 0xffffffff
const DATE = 0x21
const clip = (value: number) => Math.min(value, WIDE)

/** Extra field (zip64) for sizes beyond 4 GiB. */
function wideField(values: number[]): Buffer {
  const wide = values.filter((value) => value >= WIDE)
  if (!wide.length) return Buffer.alloc(0)
  const out = Buffer.alloc(4 + wide.length * 8)
  out.writeUInt16LE(1, 0)
  out.writeUInt16LE(wide.length * 8, 2)
  wide.forEach((value, at) => out.writeBigUInt64LE(BigInt(value), 4 + at * 8))
  return out
}

/** The fields that a local header and a directory entry have in common. */
function facts({ name, sum }: ZipOutputEntry, extra: Buffer, isWide: boolean): Buffer {
  const out = Buffer.alloc(26)
  out.writeUInt16LE(isWide ? 45 : 20, 0)
  out.writeUInt16LE(0x0800, 2)
  out.writeUInt16LE(8, 4)
  out.writeUInt16LE(DATE, 8)
  out.writeUInt32LE(sum.crc, 10)
  out.writeUInt32LE(clip(sum.packed), 14)
  out.writeUInt32LE(clip(sum.size), 18)
  out.writeUInt16LE(Buffer.byteLength(name), 22)
  out.writeUInt16LE(extra.length, 24)
  return out
}

const signed = (signature: number, ...parts: Buffer[]) => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(signature, 0)
  return Buffer.concat([head, ...parts])
}

function localHeader(entry: ZipOutputEntry): Buffer {
  const { size, packed } = entry.sum
  // A local header must have both sizes in its zip64 field, or neither.
  const isWide = size >= WIDE || packed >= WIDE
  const extra = isWide ? Buffer.concat([Buffer.from([1, 0, 16, 0]), Buffer.alloc(16)]) : Buffer.alloc(0)
  const own = isWide ? { ...entry, sum: { ...entry.sum, size: WIDE, packed: WIDE } } : entry
  if (isWide) {
    extra.writeBigUInt64LE(BigInt(size), 4)
    extra.writeBigUInt64LE(BigInt(packed), 12)
  }
  return signed(0x04034b50, facts(own, extra, isWide), Buffer.from(entry.name), extra)
}

function directoryLine(entry: ZipOutputEntry, offset: number): Buffer {
  const extra = wideField([entry.sum.size, entry.sum.packed, offset])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(clip(offset), 10)
  return signed(
    0x02014b50,
    Buffer.from([45, 0]),
    facts(entry, extra, extra.length > 0),
    tail,
    Buffer.from(entry.name),
    extra,
  )
}

function ending(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(clip(length), 8)
  end.writeUInt32LE(clip(offset), 12)
  if (offset < WIDE) return signed(0x06054b50, end)
  const wide = Buffer.alloc(52)
  wide.writeBigUInt64LE(44n, 0)
  wide.writeUInt16LE(45, 8)
  wide.writeUInt16LE(45, 10)
  for (const [at, value] of [
    [20, count],
    [28, count],
    [36, length],
    [44, offset],
  ] as const)
    wide.writeBigUInt64LE(BigInt(value), at)
  const finder = Buffer.alloc(16)
  finder.writeBigUInt64LE(BigInt(offset + length), 4)
  finder.writeUInt32LE(1, 12)
  return Buffer.concat([signed(0x06064b50, wide), signed(0x07064b50, finder), signed(0x06054b50, end)])
}

/** Yields the bytes of an archive entry by entry, holding only one part in memory. */
export async function* streamZip(entries: readonly ZipOutputEntry[]): AsyncGenerator<Buffer> {
  const lines: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const head = localHeader(entry)
    lines.push(directoryLine(entry, offset))
    yield head
    yield* entry.content()
    offset += head.length + entry.sum.packed
  }
  const directory = Buffer.concat(lines)
  yield directory
  yield ending(entries.length, directory.length, offset)
}

export type ZipEntry = { name: string; packed: Buffer; isStored: boolean; isEncrypted: boolean }
const END = Buffer.from('PK\u0005\u0006')
const LOCATOR = 0x07064b50
const WIDE_END = 0x06064b50
const WIDE_FIELD = 1
/**
 * Most entries read, as a huge directory could fill the memory; a workbook has a few dozen and one for each picture.
 */
const ENTRIES_MAX = 10_000

/** Offset of the directory; archives written as streams have it in a zip64 record. */
function directoryAt(bytes: Buffer, end: number): number {
  const at = bytes.readUInt32LE(end + 16)
  const isWide = at === WIDE || bytes.readUInt16LE(end + 10) === 0xffff
  if (!isWide || end < 20 || bytes.readUInt32LE(end - 20) !== LOCATOR) return at
  const wide = Number(bytes.readBigUInt64LE(end - 12))
  if (bytes.readUInt32LE(wide) !== WIDE_END) throw new Refused('sheet_unreadable')
  return Number(bytes.readBigUInt64LE(wide + 48))
}

/** Compressed size and offset of a directory entry; values beyond 32 bits are in its zip64 field. */
function placeOf(bytes: Buffer, at: number): { packed: number; local: number } {
  const [packed, size, local] = [20, 24, 42].map((place) => bytes.readUInt32LE(at + place)) as [number, number, number]
  if (![packed, size, local].includes(WIDE)) return { packed, local }
  let field = at + 46 + bytes.readUInt16LE(at + 28)
  const end = field + bytes.readUInt16LE(at + 30)
  while (field + 4 <= end && bytes.readUInt16LE(field) !== WIDE_FIELD) field += 4 + bytes.readUInt16LE(field + 2)
  let value = field + 4
  const wide = (short: number) => {
    if (short !== WIDE) return short
    value += 8
    if (value > end) throw new Refused('sheet_unreadable')
    return Number(bytes.readBigUInt64LE(value - 8))
  }
  wide(size)
  return { packed: wide(packed), local: wide(local) }
}

/** Reads the entries of an archive from its directory; refuses anything that is no archive. */
export function readZipEntries(bytes: Buffer): Map<string, ZipEntry> {
  const found = new Map<string, ZipEntry>()
  const end = bytes.lastIndexOf(END)
  try {
    let at = directoryAt(bytes, end)
    while (at < end && bytes.readUInt32LE(at) === 0x02014b50) {
      if (found.size === ENTRIES_MAX) throw new Refused('sheet_too_big')
      const nameLength = bytes.readUInt16LE(at + 28)
      const { packed: size, local } = placeOf(bytes, at)
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const name = bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/')
      found.set(name, {
        name,
        packed: bytes.subarray(start, start + size),
        isStored: bytes.readUInt16LE(at + 10) === 0,
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      })
      at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('sheet_unreadable')
  }
  if (end < 0 || !found.size) throw new Refused('sheet_unreadable')
  return found
}

/**
 * Bytes that may still be unpacked, shared by all entries of an archive, as a few hundred bytes can unpack to
 * gigabytes.
 */
export type UnpackAllowance = { left: number }

/** Yields an entry's content in pieces. Refuses once the allowance is used up, whatever size the entry claims. */
export async function* unpackZipEntry(
  { packed, isStored }: ZipEntry,
  allowance: UnpackAllowance,
): AsyncGenerator<Buffer> {
  const inflate = isStored ? undefined : createInflateRaw({ chunkSize: 256 * 1024 })
  inflate?.end(packed)
  try {
    for await (const piece of (inflate ?? [packed]) as AsyncIterable<Buffer>) {
      allowance.left -= piece.length
      if (allowance.left < 0) throw new Refused('sheet_too_big')
      yield piece
    }
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('sheet_unreadable')
  }
}
