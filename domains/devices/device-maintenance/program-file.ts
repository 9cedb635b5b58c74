import { Readable } from 'node:stream'
import { f } from '#kit/resource/index.ts'
import { binarySchema } from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { findFileByKey, openStoredFile } from '#domains/platform/files/api.ts'
import { loadPlatformKeys, type PlatformKeys } from './platform-key.ts'

const PATH = '/api/device/program'
const FILE = { zh: '安装包', en: 'Package' }

/** Returns a signed address from which a device may download a package for `lifeMs`. */
export function createPackageDownloadUrl(services: Services, keys: PlatformKeys, key: string, lifeMs: number): string {
  const until = services.now().getTime() + lifeMs
  const query = new URLSearchParams({ key, e: String(until), s: keys.signAddress(key, until) })
  return `${services.config.publicUrl}${PATH}?${query}`
}

/**
 * Parses a header with one byte range (`bytes=0-99`, `bytes=100-`, `bytes=-50`). Returns "none" for a range outside the
 * file, undefined for anything else.
 */
function rangeOf(header: unknown, size: number): { start: number; end: number } | 'none' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(typeof header === 'string' ? header.trim() : '')
  if (!match || (!match[1] && !match[2])) return undefined
  const start = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]))
  const end = match[1] && match[2] ? Math.min(Number(match[2]), size - 1) : size - 1
  return start > end || start >= size ? 'none' : { start, end }
}

/** Yields the bytes from `start` to `end` (inclusive) of a stream. */
async function* part(stream: Readable, start: number, end: number): AsyncGenerator<Buffer> {
  let at = 0
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
    if (wanted.length) yield wanted
    at += bytes.length
    if (at > end) return
  }
}

async function load(call: Call<{ key: string | null; e: string | null; s: string | null }>) {
  const { key, e, s } = call.input
  const file = (await loadPlatformKeys(call.services)).isSigned(key!, Number(e), s!)
    ? await findFileByKey(call.services, key!)
    : undefined
  if (!file) throw new Refused('not_found', { label: FILE })
  const etag = `"${file.hash}"`
  const { headers } = call.request
  const base = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=0',
  }
  if (headers['if-none-match'] === etag) return call.reply({ status: 304, headers: base })
  // When the package has changed since (If-Range), it is sent from the beginning.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? rangeOf(headers.range, file.size) : undefined
  if (range === 'none')
    return call.reply({ status: 416, headers: { ...base, 'content-range': `bytes */${file.size}` }, body: '' })
  const found = await openStoredFile(call.services, file)
  if (!found) throw new Refused('not_found', { label: FILE })
  if (!range) return call.reply({ headers: { ...base, 'content-length': String(file.size) }, body: found.stream })
  const { start, end } = range
  return call.reply({
    status: 206,
    headers: {
      ...base,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${file.size}`,
    },
    body: Readable.from(part(found.stream, start, end), { objectMode: false }),
  })
}

export const packageDownloadRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    answers: binarySchema,
    answersAs: { type: 'application/octet-stream' },
    title: { zh: '下载安装包', en: 'Download package' },
    can: { open: 'the address is signed and good for a while; devices load it without headers' },
    tx: false,
    input: {
      key: f.text({ label: { zh: '文件', en: 'File' }, max: 400, required: true }),
      e: f.text({ label: { zh: '有效期至', en: 'Valid until' }, required: true, max: 15, pattern: '^\\d+$' }),
      s: f.text({ label: { zh: '签名', en: 'Signature' }, max: 100, required: true }),
    },
    handle: load,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/rollout/key',
    title: { zh: '升级验签公钥', en: 'Upgrade verification key' },
    can: 'rollout',
    tx: false,
    handle: async ({ services }) => ({
      algorithm: 'Ed25519',
      publicKey: (await loadPlatformKeys(services)).programKey,
    }),
  }),
]
