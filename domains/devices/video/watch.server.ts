import { f } from '#kit/resource/index.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/refused.ts'
import { route, type Call } from '#kit/server/module.ts'
import { saidBy, sealedPart } from '#domains/platform/files/api.ts'
import {
  askByCodes,
  requireCameraAccess,
  requireStillAllowed,
  sealedFor,
  type CameraAccess,
  type SealedFor,
} from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { hlsAddress } from './hls.server.ts'
import { deviceExists, startPlay, type StreamContent } from './platform.ts'
import { admitViewer } from './viewers.ts'
import { sendStream, type Watching } from './stream.ts'

export const CAN_WATCH = 'camera_watch'

const PURPOSE = 'watch'
/** For so long the address of a picture may be opened; what is open stays. */
const GOOD_SECONDS = 60
const HEVC = /265|HEVC/

const streamPath = `${camera.path}/stream/`

export type Shown = {
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
export function addressOf(
  call: Pick<Call, 'services' | 'caller'>,
  reached: CameraAccess,
  can: string,
  { flv, wsFlv }: Pick<StreamContent, 'flv' | 'wsFlv'>,
): string {
  const url = flv || wsFlv
  if (!url) throw new Refused('camera_no_stream')
  return addressFor(call, reached, { can, url })
}

/** The address on this server of what a media server has; a file, where it is given a name. */
export function addressFor(
  call: Pick<Call, 'services' | 'caller'>,
  reached: CameraAccess,
  { can, url, fileName }: Address,
): string {
  const { row, account } = reached
  const watching: Watching & SealedFor = {
    ...sealedFor(call, reached, can),
    tenantId: row.tenantId,
    url,
    mayBeInside: account.mayBeInside,
    ...(fileName && { fileName }),
  }
  return streamPath + sealedPart(call.services, PURPOSE, watching, GOOD_SECONDS)
}

export const shownOf = (call: Call, reached: CameraAccess, can: string, content: StreamContent): Shown => ({
  address: content.flv || content.wsFlv || !content.hls ? addressOf(call, reached, can, content) : '',
  segments: content.hls ? `${hlsAddress(call, reached, can, content.hls)}list.m3u8` : '',
  codec: HEVC.test(content.codec) ? 'H265' : content.codec,
  name: reached.row.name,
  hasLowDelay: Boolean(content.rtc),
  stream: content.stream,
})

/** A camera we know to be away is said to be so at once; the row follows what was just found out. */
async function foundAway({ services }: Call, { row }: CameraAccess): Promise<never> {
  if (row.online)
    await services.unit({ tenantId: row.tenantId }, async (db) => {
      publishChanged({ db }, camera, [await db.update(camera, row.id, { online: false, state: 'offline' })])
    })
  throw new Refused('camera_offline', { name: row.name })
}

/** Plays, so it is there, whatever was known of it. */
async function foundThere({ services }: Call, { row }: CameraAccess): Promise<void> {
  if (row.online) return
  await services.unit({ tenantId: row.tenantId }, async (db) => {
    publishChanged({ db }, camera, [await db.update(camera, row.id, { online: true, state: 'unknown' })])
  })
}

const nothing = () => new Promise<never>(() => {})

/**
 * Has a camera played. The platform waits long for one that does not answer; whether its device is connected is known
 * at once, and asked beside.
 */
export async function playCamera(call: Call, reached: CameraAccess): Promise<StreamContent> {
  const { services } = call
  const { row, account, channel } = reached
  const isThere = () => deviceExists(services, account, channel.gbDeviceId)
  if (!row.online && !(await isThere().catch(() => true))) return foundAway(call, reached)
  const played = askByCodes(call, reached, startPlay)
  const away = isThere().then(
    (isOn) => (isOn ? nothing() : foundAway(call, reached)),
    () => nothing(),
  )
  const content = await Promise.race([played, away])
  await foundThere(call, reached)
  return content
}

const watchRoute = route({
  method: 'GET',
  path: `${camera.path}/watch`,
  title: { zh: '观看摄像头', en: 'Watch camera' },
  can: CAN_WATCH,
  tx: false,
  input: { id: f.ref('', { label: camera.label, required: true }) },
  handle: async (call) => {
    admitViewer(call.services, call.caller)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    return shownOf(call, reached, CAN_WATCH, await playCamera(call, reached))
  },
})

const streamRoute = route({
  method: 'GET',
  path: `${streamPath}*`,
  title: { zh: '视频流', en: 'Video stream' },
  can: { open: 'the address is sealed for one who may look, and opens for a minute while they still may' },
  tx: false,
  perMinute: 600,
  handle: async ({ services, query, reply }) => {
    const watching = saidBy<Watching & SealedFor>(services, PURPOSE, query['*'] ?? '')
    if (!watching) throw new Refused('ticket_spent')
    admitViewer(services, watching)
    await requireStillAllowed(services, watching)
    return reply({ take: (response) => sendStream(services, watching, response) })
  },
})

export const watchRoutes = [watchRoute, streamRoute]
