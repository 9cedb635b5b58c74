import type { IncomingMessage } from 'node:http'
import { pipeline, Transform, type Readable } from 'node:stream'
import { isPrivateUrl } from '#kit/server/request/egress.ts'
import { openExternalStream } from '#kit/server/request/external-request.ts'
import { Refused } from '#kit/server/refused.ts'
import './refusals.ts'
import { UPLOAD_BYTES_MAX } from './stored-file.ts'

type Open = (question: { url: string; signal: AbortSignal }) => Promise<IncomingMessage>

type Limits = { bytesMax?: number; timeoutMs?: number; open?: Open }

/** What lies at an address outside, to be saved and never shown. */
type Fetched = { name: string; contentType: string; size: string | undefined; body: Readable }

const PATIENCE_MS = 25_000
const REDIRECTS_MAX = 3
const NAME_MAX = 120
/** What an address may say of its bytes. All else, above all markup, scripts and JSON, is bytes and no more. */
const HARMLESS =
  /^(?:image\/(?:png|jpeg|gif|webp|bmp)|(?:audio|video)\/[\w.+-]+|application\/(?:pdf|zip)|text\/(?:plain|csv))$/

const isRedirect = (response: IncomingMessage) => [301, 302, 303, 307, 308].includes(response.statusCode ?? 0)

function nameOf(url: URL): string {
  let last = url.pathname.split('/').at(-1) ?? ''
  try {
    last = decodeURIComponent(last)
  } catch {
    // Named by somebody whose bytes are no text: as it stands.
  }
  const plain = [...last.replaceAll(/[\p{Cc}\p{Cf}\\/]/gu, '')].slice(0, NAME_MAX).join('')
  return plain || 'download'
}

/** Opens an address that lies outside, or refuses. */
export const openPublicUrl: Open = (question) => {
  if (isPrivateUrl(question.url)) throw new Refused('address_inside')
  return openExternalStream(question)
}

/** The answer at the end of the way; wherever it leads on, the next address is looked at like the first. */
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

/** Stops what goes on for longer than it may: whoever saves it sees that it broke off. */
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

/** Fetches what lies outside, in time and no more than may be; the words of sockets are nobody's to read. */
export async function downloadPublicUrl(from: URL, limits: Limits = {}): Promise<Fetched> {
  const { bytesMax = UPLOAD_BYTES_MAX, timeoutMs = PATIENCE_MS, open = openPublicUrl } = limits
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
  const said = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  return {
    name: nameOf(url),
    contentType: HARMLESS.test(said) ? said : 'application/octet-stream',
    size,
    body: bounded(response, bytesMax),
  }
}
