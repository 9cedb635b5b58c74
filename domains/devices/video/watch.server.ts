import { f } from '#kit/resource/index.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import {
  callPlatformForCamera,
  requireCameraAccess,
  requireStillAllowed,
  sealedFor,
  type CameraAccess,
  type SealedFor,
} from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { createHlsProxyUrl } from './hls.server.ts'
import { isVideoDeviceOnline, startLivePlay, type PlatformStream } from './platform.ts'
import { requireBelowStreamViewerLimit } from './viewers.ts'
import { proxyCameraStream, type SealedStreamTarget } from './stream.ts'

export const CAN_WATCH = 'camera_watch'

const PURPOSE = 'watch'
/** How many seconds a stream's address may be opened. An open stream goes on. */
const GOOD_SECONDS = 60
const HEVC = /265|HEVC/

const streamPath = `${camera.path}/stream/`

export type CameraStream = {
  /** Websocket address on this server; empty when the media server only offers HLS. */
  address: string
  /** HLS playlist on this server; empty when there is none. */
  segments: string
  /** `H265` when the browser has to support it, else the platform's name of the codec, or empty. */
  codec: string
  name: string
  /** Whether low-delay playback by WebRTC is possible. */
  hasLowDelay: boolean
  stream: string
}

/** Target of an address on this server, and the permission its user needs. */
type Address = { can: string; url: string; fileName?: string }

/** Returns the address on this server for a stream; refuses when it has none. */
export function streamProxyUrl(
  call: Pick<Call, 'services' | 'caller'>,
  reached: CameraAccess,
  can: string,
  { flv, wsFlv }: Pick<PlatformStream, 'flv' | 'wsFlv'>,
): string {
  const url = flv || wsFlv
  if (!url) throw new Refused('camera_no_stream')
  return createStreamProxyUrl(call, reached, { can, url })
}

/** Seals an address of a media server into one on this server. With `fileName`, it is served as a download. */
export function createStreamProxyUrl(
  call: Pick<Call, 'services' | 'caller'>,
  reached: CameraAccess,
  { can, url, fileName }: Address,
): string {
  const { row, account } = reached
  const watching: SealedStreamTarget & SealedFor = {
    ...sealedFor(call, reached, can),
    tenantId: row.tenantId,
    url,
    mayBeInside: account.mayBeInside,
    ...(fileName && { fileName }),
  }
  return streamPath + createEncryptedUrlPart(call.services, PURPOSE, watching, GOOD_SECONDS)
}

export const toCameraStream = (
  call: Call,
  reached: CameraAccess,
  can: string,
  content: PlatformStream,
): CameraStream => ({
  address: content.flv || content.wsFlv || !content.hls ? streamProxyUrl(call, reached, can, content) : '',
  segments: content.hls ? `${createHlsProxyUrl(call, reached, can, content.hls)}list.m3u8` : '',
  codec: HEVC.test(content.codec) ? 'H265' : content.codec,
  name: reached.row.name,
  hasLowDelay: Boolean(content.rtc),
  stream: content.stream,
})

/** Marks the camera as offline and refuses. */
async function foundAway({ services }: Call, { row }: CameraAccess): Promise<never> {
  if (row.online)
    await services.unit({ tenantId: row.tenantId }, async (db) => {
      publishRowsChanged({ db }, camera, [await db.update(camera, row.id, { online: false, state: 'offline' })])
    })
  throw new Refused('camera_offline', { name: row.name })
}

/** Marks a camera that plays as online. */
async function markCameraOnline({ services }: Call, { row }: CameraAccess): Promise<void> {
  if (row.online) return
  await services.unit({ tenantId: row.tenantId }, async (db) => {
    publishRowsChanged({ db }, camera, [await db.update(camera, row.id, { online: true, state: 'unknown' })])
  })
}

const nothing = () => new Promise<never>(() => {})

/**
 * Starts a camera's live stream. The platform waits long for a camera that does not answer, so its device's connection
 * is checked at the same time.
 */
export async function startCameraStream(call: Call, reached: CameraAccess): Promise<PlatformStream> {
  const { services } = call
  const { row, account, channel } = reached
  const isOnline = () => isVideoDeviceOnline(services, account, channel.gbDeviceId)
  if (!row.online && !(await isOnline().catch(() => true))) return foundAway(call, reached)
  const played = callPlatformForCamera(call, reached, startLivePlay)
  const away = isOnline().then(
    (isOn) => (isOn ? nothing() : foundAway(call, reached)),
    () => nothing(),
  )
  const content = await Promise.race([played, away])
  await markCameraOnline(call, reached)
  return content
}

const watchRoute = defineRoute({
  method: 'GET',
  path: `${camera.path}/watch`,
  title: { zh: '观看摄像头', en: 'Watch camera' },
  can: CAN_WATCH,
  tx: false,
  input: { id: f.ref('', { label: camera.label, required: true }) },
  handle: async (call) => {
    requireBelowStreamViewerLimit(call.services, call.caller)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    return toCameraStream(call, reached, CAN_WATCH, await startCameraStream(call, reached))
  },
})

const streamRoute = defineRoute({
  method: 'GET',
  path: `${streamPath}*`,
  title: { zh: '视频流', en: 'Video stream' },
  can: { open: 'the address is sealed for one who may look, and opens for a minute while they still may' },
  tx: false,
  perMinute: 600,
  handle: async ({ services, query, reply }) => {
    const watching = readEncryptedUrlPart<SealedStreamTarget & SealedFor>(services, PURPOSE, query['*'] ?? '')
    if (!watching) throw new Refused('ticket_spent')
    requireBelowStreamViewerLimit(services, watching)
    await requireStillAllowed(services, watching)
    return reply({ take: (response) => proxyCameraStream(services, watching, response) })
  },
})

export const cameraWatchRoutes = [watchRoute, streamRoute]
