/** Calls of a video platform. Hides the differences between its generations from the rest of the module. */

import { truncateTextKeepingEnd, trimCharacters } from '#kit/server/base/foreign-text.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { VideoAccount } from './accounts.ts'
import { callWvp, findWvpGeneration, fetchWvpPicture, WvpRejectedError, type WvpRequest } from './wvp.client.ts'

export type VideoChannel = { gbDeviceId: string; gbChannelId: string }

export type PlatformVideoChannel = VideoChannel & {
  key: string
  name: string
  isOnline: boolean
  ptzType: number
  hasAudio: boolean
  model: string
  /**
   * The channel as the platform returns it, with the device's and channel's code under the same names in each
   * generation.
   */
  said: Record<string, unknown>
}

/** A stream with its addresses, empty for protocols the media server does not offer. */
export type PlatformStream = {
  app: string
  stream: string
  flv: string
  wsFlv: string
  hls: string
  rtc: string
  rtsp: string
  codec: string
  said: Record<string, unknown>
}

type Wire = Record<string, unknown>
const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : ''
const wire = (value: unknown): Wire => (typeof value === 'object' && value !== null ? (value as Wire) : {})
const isOn = (value: unknown): boolean => value === true || value === 1 || text(value).toUpperCase() === 'ON'

const get = (
  services: Services,
  account: VideoAccount,
  path: string,
  query?: WvpRequest['query'],
  timeoutMs?: number,
) => callWvp(services, account, { method: 'GET', path, query, timeoutMs })

const PAGE = 200
const PAGES_MAX = 100

async function everyPage(services: Services, account: VideoAccount, path: string): Promise<Wire[]> {
  const all: Wire[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { list, total } = wire(await get(services, account, path, { page, count: PAGE }))
    const rows = Array.isArray(list) ? list.map(wire) : []
    all.push(...rows)
    if (!rows.length || all.length >= Number(total ?? 0)) break
  }
  return all
}

/** Returns whether a text is a GB28181 code, which may be part of an address. */
export const isGbCode = (code: string): boolean => /^\d{20}$/.test(code)

function channelOf(gbDeviceId: string, isG2: boolean, fields: Wire): PlatformVideoChannel {
  const gbChannelId = text(isG2 ? fields.deviceId : fields.channelId)
  return {
    gbDeviceId,
    gbChannelId,
    key: text(fields.gbId ?? fields.id),
    name: text(fields.gbName || fields.name) || gbChannelId,
    isOnline: isOn(fields.gbStatus ?? fields.status),
    ptzType: Number(fields.gbPtzType ?? fields.ptzType ?? 0) || 0,
    hasAudio: isOn(fields.hasAudio),
    model: [fields.manufacturer ?? fields.manufacture, fields.model].map(text).filter(Boolean).join(' ').slice(0, 80),
    said: { ...fields, deviceId: gbDeviceId, channelId: gbChannelId },
  }
}

/** All channels of a platform, with the devices they hang on. */
export async function listChannels(services: Services, account: VideoAccount): Promise<PlatformVideoChannel[]> {
  const isG2 = (await findWvpGeneration(services, account)) === 'g2'
  const found: PlatformVideoChannel[] = []
  for (const device of await everyPage(services, account, '/api/device/query/devices')) {
    const gbDeviceId = text(device.deviceId)
    if (!isGbCode(gbDeviceId)) continue
    const channels = await everyPage(services, account, `/api/device/query/devices/${gbDeviceId}/channels`)
    for (const fields of channels) {
      const channel = channelOf(gbDeviceId, isG2, fields)
      // When its device is offline, a channel is offline whatever the platform reports.
      if (isGbCode(channel.gbChannelId))
        found.push({ ...channel, isOnline: channel.isOnline && device.onLine !== false })
    }
  }
  return found
}

/** Whether a device is connected to its platform just now. */
export async function isVideoDeviceOnline(
  services: Services,
  account: VideoAccount,
  gbDeviceId: string,
): Promise<boolean> {
  const device = wire(await get(services, account, `/api/device/query/devices/${gbDeviceId}`, {}, 3_000))
  return device.onLine !== false
}

const PLAY_MS = 20_000

/** Replaces the host of a media server's address, which may be internal, by the one in the account. */
function reachable({ mediaBase }: Pick<VideoAccount, 'mediaBase'>, address: string): string {
  if (!address || !mediaBase) return address
  const [url, base] = [new URL(address), new URL(mediaBase)]
  const isSocket = url.protocol.startsWith('ws')
  return `${isSocket ? base.protocol.replace('http', 'ws') : base.protocol}//${base.host}${url.pathname}${url.search}`
}

function contentOf(account: VideoAccount, value: unknown): PlatformStream {
  const content = wire(value)
  const [media, stream] = [wire(content.mediaInfo), (key: string) => reachable(account, text(content[key]))]
  return {
    app: text(content.app),
    stream: text(content.stream),
    flv: stream('flv') || stream('https_flv'),
    wsFlv: stream('ws_flv') || stream('wss_flv'),
    hls: stream('hls') || stream('https_hls'),
    rtc: stream('rtc') || stream('rtcs'),
    rtsp: text(content.rtsp),
    codec: text(media.videoCodec).toUpperCase(),
    said: content,
  }
}

const codes = ({ gbDeviceId, gbChannelId }: VideoChannel) => `${gbDeviceId}/${gbChannelId}`

export const startLivePlay = async (
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
): Promise<PlatformStream> =>
  contentOf(account, await get(services, account, `/api/play/start/${codes(channel)}`, {}, PLAY_MS))

export const stopLivePlay = (services: Services, account: VideoAccount, channel: VideoChannel): Promise<unknown> =>
  get(services, account, `/api/play/stop/${codes(channel)}`)

/** Returns a current picture, or undefined when the platform has none. */
export async function fetchCameraSnapshot(
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
): Promise<Buffer | undefined> {
  const { gbDeviceId: deviceId, gbChannelId: channelId } = channel
  await get(services, account, '/api/play/snap', { deviceId, channelId }, PLAY_MS)
  return fetchWvpPicture(services, account, `/api/device/query/snap/${codes(channel)}`, {
    mark: services.now().getTime(),
  })
}

type Recorded = { startTime: string; endTime: string; type: string }

/** Returns the recordings between two times of the camera's own clock. */
export async function listRecordings(
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
  { startTime, endTime }: { startTime: string; endTime: string },
): Promise<Recorded[]> {
  const path = `/api/gb_record/query/${codes(channel)}`
  const { recordList } = wire(await get(services, account, path, { startTime, endTime }, PLAY_MS))
  return (Array.isArray(recordList) ? recordList : []).map(wire).map((one) => ({
    startTime: text(one.startTime).replace('T', ' '),
    endTime: text(one.endTime).replace('T', ' '),
    type: text(one.type) || 'time',
  }))
}

export const startPlayback = async (
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
  span: { startTime: string; endTime: string },
): Promise<PlatformStream> =>
  contentOf(account, await get(services, account, `/api/playback/start/${codes(channel)}`, span, PLAY_MS))

/** Playback speed of a download. Cameras that cannot reach it send as fast as they can. */
const DOWNLOAD_SPEED = 4

/** Makes the platform record a stretch of a recording to a file. */
export const startRecordingDownload = async (
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
  span: { startTime: string; endTime: string },
): Promise<PlatformStream> => {
  const query = { ...span, downloadSpeed: DOWNLOAD_SPEED }
  return contentOf(
    account,
    await get(services, account, `/api/gb_record/download/start/${codes(channel)}`, query, PLAY_MS),
  )
}

export const stopRecordingDownload = (
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
  stream: string,
) => get(services, account, `/api/gb_record/download/stop/${codes(channel)}/${stream}`)

type Downloading = { stream: string; mediaServerId: string; mediaOrigin: string }

/**
 * Returns the progress of a download from 0 to 1, and the file's address once it is complete. Newer platforms return
 * the address; older ones forget a finished download, so the media server is asked.
 */
export async function fetchRecordingDownloadState(
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
  download: Downloading,
): Promise<{ progress: number; file: string }> {
  const path = `/api/gb_record/download/progress/${codes(channel)}/${download.stream}`
  const state = await get(services, account, path).then(wire, (error: unknown) => {
    if (error instanceof WvpRejectedError && error.code === 404) return { progress: 1 }
    throw error
  })
  const progress = Math.min(1, Math.max(0, Number(state.progress) || 0))
  const { httpPath, httpsPath } = wire(wire(state).downLoadFilePath)
  const file = reachable(account, text(httpPath) || text(httpsPath))
  if (file || progress < 1) return { progress, file }
  return { progress, file: await fileAtMedia(services, account, download) }
}

/** Returns the address of a stream's file among those the media server recorded today; empty when there is none. */
async function fileAtMedia(
  services: Services,
  account: VideoAccount,
  { stream, mediaServerId, mediaOrigin }: Downloading,
): Promise<string> {
  if ((await findWvpGeneration(services, account)) === 'g2') return ''
  const period = formatShanghaiTime(services.now()).slice(0, 10)
  const path = `/zlm/${encodeURIComponent(mediaServerId || 'default')}/index/api/getMP4RecordFile`
  const query = { vhost: '__defaultVhost__', app: 'rtp', stream, period }
  const { rootPath, paths } = wire(await get(services, account, path, query))
  const name = Array.isArray(paths) ? text(paths.at(-1)) : ''
  const folder = folderOf(text(rootPath))
  return name && folder && mediaOrigin ? new URL(`/${folder}/${name}`, mediaOrigin).href : ''
}

const PATH_MAX = 1_000
const ROOT = '/www/'

/** Returns the path below its address at which a media server serves a folder of its disk; empty when it does not. */
function folderOf(rootPath: string): string {
  const path = `/${truncateTextKeepingEnd(rootPath, PATH_MAX)}`
  const at = path.indexOf(ROOT)
  return at === -1 ? '' : trimCharacters(path.slice(at + ROOT.length), /\//)
}

export const setPlaybackSpeed = (
  services: Services,
  account: VideoAccount,
  stream: string,
  speed: number,
): Promise<unknown> => get(services, account, `/api/playback/speed/${stream}/${speed}`)

export const pauseOrResumePlayback = (services: Services, account: VideoAccount, stream: string, isOn: boolean) =>
  get(services, account, `/api/playback/${isOn ? 'pause' : 'resume'}/${stream}`)

export const PTZ_DIRECTIONS = [
  'left',
  'right',
  'up',
  'down',
  'upleft',
  'upright',
  'downleft',
  'downright',
  'zoomin',
  'zoomout',
  'stop',
] as const
export type PtzDirection = (typeof PTZ_DIRECTIONS)[number]

export type PtzMove = { command: PtzDirection; horizonSpeed: number; verticalSpeed: number; zoomSpeed: number }
const ZOOM_MAX_G2 = 15

export async function moveCamera(services: Services, account: VideoAccount, channel: VideoChannel, move: PtzMove) {
  if ((await findWvpGeneration(services, account)) === 'g1')
    return callWvp(services, account, { method: 'POST', path: `/api/ptz/control/${codes(channel)}`, query: move })
  const zoomSpeed = Math.min(move.zoomSpeed, ZOOM_MAX_G2)
  return get(services, account, `/api/front-end/ptz/${codes(channel)}`, { ...move, zoomSpeed })
}

type FrontEnd = { cmdCode: number; parameter1: number; parameter2: number; combindCode2: number }

/**
 * Sends a raw front-end command. `combindCode2` has four bits, which older platforms expect in the upper half of a
 * byte.
 */
export async function sendFrontEndCommand(
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
  query: FrontEnd,
) {
  if ((await findWvpGeneration(services, account)) === 'g1')
    return callWvp(services, account, { method: 'POST', path: `/api/ptz/front_end_command/${codes(channel)}`, query })
  const combindCode2 = query.combindCode2 > 15 ? query.combindCode2 >> 4 : query.combindCode2
  return get(services, account, `/api/front-end/common/${codes(channel)}`, { ...query, combindCode2 })
}

export async function listPresets(services: Services, account: VideoAccount, channel: VideoChannel) {
  const isG1 = (await findWvpGeneration(services, account)) === 'g1'
  const path = `/api/${isG1 ? 'ptz' : 'front-end'}/preset/query/${codes(channel)}`
  const found = await get(services, account, path, {}, 5_000)
  return (Array.isArray(found) ? found : []).map(wire).map((one) => ({
    no: Number(one.presetId),
    name: text(one.presetName) || text(one.presetId),
  }))
}

type Box = {
  length: number
  width: number
  midpointx: number
  midpointy: number
  lengthx: number
  lengthy: number
}

export const zoomToBox = (services: Services, account: VideoAccount, channel: VideoChannel, box: Box, isIn: boolean) =>
  get(services, account, `/api/device/control/drag_zoom/zoom_${isIn ? 'in' : 'out'}`, {
    deviceId: channel.gbDeviceId,
    channelId: channel.gbChannelId,
    ...box,
  })

/** Returns a device's time in Shanghai time; empty when it does not report it. */
export async function readCameraClock(services: Services, account: VideoAccount, gbDeviceId: string): Promise<string> {
  const status = await get(services, account, `/api/device/query/devices/${gbDeviceId}/status`, {}, 6_000)
  const read = typeof status === 'string' ? /<DeviceTime>([^<]+)</.exec(status)?.[1] : wire(status).DeviceTime
  return text(read ?? wire(status).deviceTime)
    .replace('T', ' ')
    .slice(0, 19)
}

export async function readMediaInfo(
  services: Services,
  account: VideoAccount,
  { app, stream, mediaServerId }: { app: string; stream: string; mediaServerId: string },
): Promise<unknown> {
  if ((await findWvpGeneration(services, account)) === 'g2')
    return get(services, account, '/api/server/media_server/media_info', { app, stream, mediaServerId })
  const path = `/zlm/${encodeURIComponent(mediaServerId || 'default')}/index/api/getMediaInfo`
  const query = { vhost: '__defaultVhost__', schema: 'rtsp', app, stream }
  return callWvp(services, account, { method: 'GET', path, query, isFlat: true })
}

/** Renames the channel on the platform too. */
export async function renameChannel(
  services: Services,
  account: VideoAccount,
  { gbDeviceId, gbChannelId, channelKey }: VideoChannel & { channelKey: string | null },
  name: string,
): Promise<unknown> {
  const isG1 = (await findWvpGeneration(services, account)) === 'g1'
  return callWvp(
    services,
    account,
    isG1
      ? {
          method: 'POST',
          path: `/api/device/query/channel/update/${gbDeviceId}`,
          query: { channelId: gbChannelId, name },
        }
      : {
          method: 'POST',
          path: '/api/common/channel/update',
          body: { gbId: Number(channelKey), gbDeviceId: gbChannelId, gbName: name },
        },
  )
}

/** Returns the key that signs pushed sound. It never leaves this server. */
export async function fetchPushKey(services: Services, account: VideoAccount): Promise<string> {
  const user = wire(await callWvp(services, account, { method: 'POST', path: '/api/user/userInfo' }))
  return text(user.pushKey)
}

/** Name of a pushed stream on its media server. */
export type PublishedStream = { app: string; stream: string; mediaServerId: string }
type Broadcast = PublishedStream & { rtc: string; codec: string; said: Record<string, unknown> }

export async function startVoiceBroadcast(
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
): Promise<Broadcast> {
  const query = { timeout: 30, broadcastMode: true }
  const broadcast = wire(await get(services, account, `/api/play/broadcast/${codes(channel)}`, query, PLAY_MS))
  const stream = wire(broadcast.streamInfo)
  return {
    app: text(stream.app ?? broadcast.app),
    stream: text(stream.stream ?? broadcast.stream),
    mediaServerId: text(stream.mediaServerId),
    rtc: reachable(account, text(stream.rtc) || text(stream.rtcs)),
    codec: text(broadcast.codec),
    said: broadcast,
  }
}

/**
 * Returns whether a stream is still being pushed. A media server answers with an error or "not online" for one it
 * lacks.
 */
export async function isStreamPublished(
  services: Services,
  account: VideoAccount,
  published: PublishedStream,
): Promise<boolean> {
  try {
    const info = wire(await readMediaInfo(services, account, published))
    return Object.keys(info).length > 0 && info.online !== false
  } catch (error) {
    if (error instanceof WvpRejectedError) return false
    throw error
  }
}

export const stopVoiceBroadcast = (
  services: Services,
  account: VideoAccount,
  channel: VideoChannel,
): Promise<unknown> => get(services, account, `/api/play/broadcast/stop/${codes(channel)}`)

/** Returns the address to which sound for a camera is pushed, without its signature. */
export function voiceBroadcastPushUrl(
  { rtspBase, base }: VideoAccount,
  { gbDeviceId, gbChannelId }: VideoChannel,
): string {
  return `${rtspBase || `rtsp://${new URL(base).hostname}:554`}/broadcast/${gbDeviceId}_${gbChannelId}`
}

/** Translates a platform's error into a refusal for the caller; returns other errors unchanged. */
export function videoPlatformRefusal(error: unknown, name: string): unknown {
  if (!(error instanceof WvpRejectedError)) return error
  if (/超时/.test(error.message) || error.code === 408 || error.code === 486)
    return new Refused('camera_silent', { name })
  if (/不在线|离线|offline/i.test(error.message)) return new Refused('camera_offline', { name })
  return new Refused('video_refused', { message: error.message })
}
