import { f } from '#kit/resource/index.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineRoute, type Call } from '#kit/server/module.ts'
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
/** For so long the address of a picture may be opened; what is open stays. */
const GOOD_SECONDS = 60
const HEVC = /265|HEVC/

const streamPath = `${camera.path}/stream/`

export type CameraStream = {
  /** Of a websocket on this server; empty where the media server has only segments. */
  address: string
  /** Where its segments are listed, below this server too; empty where there are none. */
  segments: string
  /** `H265` where browsers need to have it, else `H264` or nothing. */
  codec: string
  name: string
  /** Whether it can also be had with less delay. */
  hasLowDelay: boolean
  stream: string
}

/** What an address on this server is sealed for, and until when it opens: whoever asked, while they have this right. */
type Address = { can: string; url: string; fileName?: string }

/** The address on this server a stream is read at. */
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

/** The address on this server of what a media server has; a file, where it is given a name. */
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

/** A camera we know to be away is said to be so at once; the row follows what was just found out. */
async function foundAway({ services }: Call, { row }: CameraAccess): Promise<never> {
  if (row.online)
    await services.unit({ tenantId: row.tenantId }, async (db) => {
      publishRowsChanged({ db }, camera, [await db.update(camera, row.id, { online: false, state: 'offline' })])
    })
  throw new Refused('camera_offline', { name: row.name })
}

/** Plays, so it is there, whatever was known of it. */
async function foundThere({ services }: Call, { row }: CameraAccess): Promise<void> {
  if (row.online) return
  await services.unit({ tenantId: row.tenantId }, async (db) => {
    publishRowsChanged({ db }, camera, [await db.update(camera, row.id, { online: true, state: 'unknown' })])
  })
}

const nothing = () => new Promise<never>(() => {})

/**
 * Has a camera played. The platform waits long for one that does not answer; whether its device is connected is known
 * at once, and asked beside.
 */
export async function startCameraStream(call: Call, reached: CameraAccess): Promise<PlatformStream> {
  const { services } = call
  const { row, account, channel } = reached
  const isThere = () => isVideoDeviceOnline(services, account, channel.gbDeviceId)
  if (!row.online && !(await isThere().catch(() => true))) return foundAway(call, reached)
  const played = callPlatformForCamera(call, reached, startLivePlay)
  const away = isThere().then(
    (isOn) => (isOn ? nothing() : foundAway(call, reached)),
    () => nothing(),
  )
  const content = await Promise.race([played, away])
  await foundThere(call, reached)
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
