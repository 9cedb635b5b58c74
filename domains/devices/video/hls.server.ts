/**
 * Proxies HLS, for media servers or browsers without a faster protocol: the playlist and the segments it names. Only
 * reads what lies below the playlist's folder.
 */

import { Refused } from '#kit/server/base/refused.ts'
import { requestExternal } from '#kit/server/request/external-request.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import { camera } from './camera.resource.ts'
import { requireStillAllowed, sealedFor, type CameraAccess, type SealedFor } from './camera-of.ts'

const PURPOSE = 'hls'
/** How long an address is valid. After that, the page requests another one and is checked again. */
const GOOD_SECONDS = 600
const TIMEOUT_MS = 15_000
/** Largest playlist, as it is read as text. */
const LIST_BYTES_MAX = 256 * 1024
const path = `${camera.path}/hls/`

/** Whom the address is for. Segments need their open session, the playlist also their permission. */
type Listening = SealedFor & { url: string; mayBeInside: boolean }

export function createHlsProxyUrl(call: Call, reached: CameraAccess, can: string, url: string): string {
  const { mayBeInside } = reached.account
  const listening: Listening = { ...sealedFor(call, reached, can), url, mayBeInside }
  return `${path}${createEncryptedUrlPart(call.services, PURPOSE, listening, GOOD_SECONDS)}/`
}

/** Encoded slashes, dots and percent signs, which could lead a media server out of the folder. */
const ENCODED_SEPARATOR = /%(?:2f|5c|2e|25)/i

/** Resolves a name in a playlist; undefined when it does not lie below the playlist's folder. */
export function resolvePlaylistUrl(playlist: string, name: string): string | undefined {
  const base = new URL('.', playlist)
  if (!name || !URL.canParse(name, base)) return undefined
  const target = new URL(name, base)
  const isBelow = target.origin === base.origin && target.pathname.startsWith(base.pathname)
  return isBelow && !ENCODED_SEPARATOR.test(target.pathname.slice(base.pathname.length)) ? target.href : undefined
}

const PLAYLIST = 'list.m3u8'

/** Makes the names in a playlist relative to it, as absolute addresses would lead past this server. */
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
    // Checks only the session for segments: without the playlist, a player learns of no further ones.
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
