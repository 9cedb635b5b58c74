import type { IncomingMessage } from 'node:http'
import { pipeline, Transform, type Readable } from 'node:stream'
import { isPrivateUrl } from '#kit/server/request/egress.ts'
import { openExternalStream } from '#kit/server/request/external-request.ts'
import { Refused } from '#kit/server/base/refused.ts'
import './refusals.ts'
import { UPLOAD_BYTES_MAX } from './stored-file.ts'

type Open = (question: { url: string; signal: AbortSignal }) => Promise<IncomingMessage>

type Limits = { bytesMax?: number; timeoutMs?: number; open?: Open }

/** A download from a public URL, to be saved and never shown in the browser. */
type Fetched = { name: string; contentType: string; size: string | undefined; body: Readable }

const DOWNLOAD_TIMEOUT_MS = 25_000
const REDIRECTS_MAX = 3
const NAME_MAX = 120
/** Content types that are passed on; everything else, above all markup, scripts and JSON, is sent as plain bytes. */
const HARMLESS =
  /^(?:image\/(?:png|jpeg|gif|webp|bmp)|(?:audio|video)\/[\w.+-]+|application\/(?:pdf|zip)|text\/(?:plain|csv))$/

const isRedirect = (response: IncomingMessage) => [301, 302, 303, 307, 308].includes(response.statusCode ?? 0)

function nameOf(url: URL): string {
  let last = url.pathname.split('/').at(-1) ?? ''
  try {
    last = decodeURIComponent(last)
  } catch {
    // Not valid percent-encoding: keeps the name as it is.
  }
  const plain = [...last.replaceAll(/[\p{Cc}\p{Cf}\\/]/gu, '')].slice(0, NAME_MAX).join('')
  return plain || 'download'
}

/** Opens a public URL. Refuses private addresses. */
export const openPublicUrl: Open = (question) => {
  if (isPrivateUrl(question.url)) throw new Refused('address_inside')
  return openExternalStream(question)
}

/** Follows redirects and returns the final answer; each next address is checked like the first. */
async function fetchFollowingRedirects(
  from: URL,
  open: Open,
  signal: AbortSignal,
): Promise<{ url: URL; response: IncomingMessage }> {
  let url = from
  for (let turns = 0; ; turns++) {
    const response = await open({ url: url.href, signal })
    if (!isRedirect(response)) return { url, response }
    response.destroy()
    const next = response.headers.location
    if (turns === REDIRECTS_MAX || !next || !URL.canParse(next, url.href)) throw new Refused('address_leads_on')
    url = new URL(next, url.href)
  }
}

/** Aborts a body longer than `bytesMax`; the download then fails visibly. */
function bounded(response: IncomingMessage, bytesMax: number): Readable {
  let length = 0
  const gate = new Transform({
    transform(part: Buffer, _encoding, done) {
      length += part.length
      done(length > bytesMax ? new Error('the answer is too long') : null, part)
    },
  })
  pipeline(response, gate, () => {})
  return gate
}

/** Downloads a public URL within limits of time and size. Refusals do not reveal socket errors. */
export async function downloadPublicUrl(from: URL, limits: Limits = {}): Promise<Fetched> {
  const { bytesMax = UPLOAD_BYTES_MAX, timeoutMs = DOWNLOAD_TIMEOUT_MS, open = openPublicUrl } = limits
  const { url, response } = await fetchFollowingRedirects(from, open, AbortSignal.timeout(timeoutMs)).catch(
    (error: unknown) => {
      throw error instanceof Refused ? error : new Refused('address_unreachable')
    },
  )
  const size = response.headers['content-length']
  const tooBig = Number(size ?? 0) > bytesMax
  if (response.statusCode !== 200 || tooBig) response.destroy()
  if (response.statusCode !== 200) throw new Refused('address_answered', { status: String(response.statusCode) })
  if (tooBig) throw new Refused('address_too_big', { max: Math.floor(bytesMax / 1024 / 1024) })
  const contentType = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  return {
    name: nameOf(url),
    contentType: HARMLESS.test(contentType) ? contentType : 'application/octet-stream',
    size,
    body: bounded(response, bytesMax),
  }
}
