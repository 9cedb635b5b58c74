import { Refused } from '#kit/server/refused.ts'
import { requestExternal } from '#kit/server/request/external-request.ts'
import { defineRoute, type Call } from '#kit/server/module.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import { camera } from './camera.resource.ts'
import { requireStillAllowed, sealedFor, type CameraAccess, type SealedFor } from './camera-of.ts'

/**
 * Segments, where a media server or a browser knows nothing quicker: the playlist and what it names are read through
 * this server. What lies elsewhere than beside the playlist is not read.
 */

const PURPOSE = 'hls'
/** A playlist is asked for again and again; after this the page asks for another address, and is checked again. */
const GOOD_SECONDS = 600
const TIMEOUT_MS = 15_000
/** Of a list of pieces, which is read as text. */
const LIST_BYTES_MAX = 256 * 1024
const path = `${camera.path}/hls/`

/** Whose address it is: it ends with their session, and its list with their right. */
type Listening = SealedFor & { url: string; mayBeInside: boolean }

export function createHlsProxyUrl(call: Call, reached: CameraAccess, can: string, url: string): string {
  const { mayBeInside } = reached.account
  const listening: Listening = { ...sealedFor(call, reached, can), url, mayBeInside }
  return `${path}${createEncryptedUrlPart(call.services, PURPOSE, listening, GOOD_SECONDS)}/`
}

/** Slashes, dots and signs of this kind themselves: a media server that reads them is led out of the folder by them. */
const ENCODED_SEPARATOR = /%(?:2f|5c|2e|25)/i

/** The address of what a playlist names; undefined for what does not lie beside it. */
export function resolvePlaylistUrl(playlist: string, name: string): string | undefined {
  const base = new URL('.', playlist)
  if (!name || !URL.canParse(name, base)) return undefined
  const target = new URL(name, base)
  const isBelow = target.origin === base.origin && target.pathname.startsWith(base.pathname)
  return isBelow && !ENCODED_SEPARATOR.test(target.pathname.slice(base.pathname.length)) ? target.href : undefined
}

const PLAYLIST = 'list.m3u8'

/** Names in a playlist as they are relative to it: whole addresses would lead past this server. */
const relative = (playlist: string, text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const name = line.trim()
      if (!name || name.startsWith('#')) return line
      const target = resolvePlaylistUrl(playlist, name)
      return target ? target.slice(new URL('.', playlist).href.length) : '#'
    })
    .join('\n')

export const hlsRoute = defineRoute({
  method: 'GET',
  path: `${path}*`,
  title: { zh: '分段视频', en: 'Video segment' },
  can: { open: 'the address is sealed by the server and good for ten minutes of an open session' },
  tx: false,
  perMinute: 3_000,
  handle: async ({ services, query, reply }) => {
    const [part = '', ...rest] = (query['*'] ?? '').split('/')
    const listening = readEncryptedUrlPart<Listening>(services, PURPOSE, part)
    if (!listening) throw new Refused('ticket_spent')
    const { url, mayBeInside } = listening
    const name = rest.join('/')
    // Who has no list any more knows no further segment: of those, the session alone is asked.
    if (name === PLAYLIST) await requireStillAllowed(services, listening)
    else if (!(await services.access.isOpen({ ...listening, tenantId: listening.ofTenant })))
      throw new Refused('ticket_spent')
    const target = name === PLAYLIST ? url : resolvePlaylistUrl(url, name)
    if (!target) throw new Refused('no_such_path')
    const answer = await requestExternal({ url: target, timeoutMs: TIMEOUT_MS, mayBeInside, answers: 'media' }).catch(
      () => {
        throw new Refused('video_away')
      },
    )
    if (answer.status !== 200) throw new Refused('camera_no_stream')
    const isList = name === PLAYLIST || /mpegurl/i.test(answer.contentType)
    if (isList && answer.body.length > LIST_BYTES_MAX) throw new Refused('camera_no_stream')
    return reply({
      headers: {
        'content-type': isList ? 'application/vnd.apple.mpegurl' : 'video/mp2t',
        'cache-control': 'no-store',
      },
      body: isList ? relative(target, answer.body.toString('utf8')) : answer.body,
    })
  },
})
