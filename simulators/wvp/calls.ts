/** The calls of WVP in both its generations, as far as they are needed to show cameras. */
import { setTimeout as pause } from 'node:timers/promises'
import { progressOf, type Download } from './downloads.ts'
import { jpegOf } from './jpeg.ts'
import type { Media, Stream } from './media.ts'
import { sightOf } from './media.ts'
import { drawSight } from './scene.ts'
import {
  cameraIn,
  frontEnd,
  moveCamera,
  advanceCameraView,
  sendToCamera,
  WvpRefusal,
  type SimulatedCamera,
  type World,
} from './world.ts'

type WvpSimRequest = { params: string[]; query: Record<string, string>; body: Record<string, unknown> }
export type WvpSimContext = { world: World; media: Media; origin: string; rtspPort: number; playTimeoutMs: number }
type Handler = (place: WvpSimContext, request: WvpSimRequest) => unknown
type CallOf = { of?: 'g1' | 'g2'; method: 'GET' | 'POST' | 'ANY'; path: RegExp; handle: Handler }

const HOUR_MS = 3_600_000
const RECORDED_MS = 72 * HOUR_MS
const DOWNLOAD_SPEEDS = new Set([1, 2, 4, 8])
const SERVER_ID = 'zlmediakit-1'

/** An image as answer, without WVP's envelope; 204 when there is none. */
export class Image {
  readonly bytes: Buffer | undefined
  constructor(bytes: Buffer | undefined) {
    this.bytes = bytes
  }
}

/** An answer of the media server itself, without WVP's envelope. */
export class Flat {
  readonly body: object
  constructor(body: object) {
    this.body = body
  }
}

const textOf = (ms: number) => new Date(ms + 8 * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')
const momentOf = (text: string | undefined): number => {
  const at = Date.parse(`${String(text).replace(' ', 'T')}+08:00`)
  if (Number.isNaN(at)) throw new WvpRefusal(400, '时间格式错误')
  return at
}
const number = (text: string | undefined): number => Number(text ?? 0)

const mediaInfoOf = ({ app, name, camera }: Stream, readers: number) => ({
  app,
  stream: name,
  schema: 'rtsp',
  vhost: '__defaultVhost__',
  readerCount: readers,
  totalReaderCount: readers,
  videoCodec: camera.faults.isHevc ? 'H265' : 'H264',
  width: 320,
  height: 176,
  fps: 10,
  online: true,
  originType: 3,
  originTypeStr: 'rtp_push',
  bytesSpeed: 74_000,
})

/** Returns a stream with its addresses; null for protocols this server does not support. */
function contentOf({ media, origin, rtspPort }: WvpSimContext, stream: Stream) {
  const { host, hostname } = new URL(origin)
  const { hasOnlyHls } = stream.camera.faults
  const path = `${stream.app}/${stream.name}`
  const flv = `${path}.live.flv?callId=${stream.camera.mark}`
  const unspoken = ['https_flv', 'wss_flv', 'fmp4', 'ws_fmp4', 'https_hls', 'ts', 'ws_ts', 'rtmp', 'rtcs']
  return {
    app: stream.app,
    stream: stream.name,
    ip: hostname,
    mediaServerId: SERVER_ID,
    ...Object.fromEntries(unspoken.map((key) => [key, null])),
    flv: hasOnlyHls ? null : `http://${host}/${flv}`,
    ws_flv: hasOnlyHls ? null : `ws://${host}/${flv}`,
    hls: `http://${host}/${path}/hls.m3u8`,
    rtsp: `rtsp://${hostname}:${rtspPort}/${path}`,
    rtc: `http://${host}/index/api/webrtc?app=${stream.app}&stream=${stream.name}&type=play`,
    mediaInfo: mediaInfoOf(stream, media.streams.get(media.keyOf(stream.app, stream.name))?.readers.size ?? 0),
    startTime: stream.from === undefined ? null : textOf(stream.from),
    endTime: stream.until === undefined ? null : textOf(stream.until),
    progress: 0,
  }
}

const DOME = 1
const BULLET = 3

function channelOf({ world, media }: WvpSimContext, one: SimulatedCamera, id: number) {
  const streamId = `${one.deviceId}_${one.channelId}`
  const isWatched = media.streams.has(media.keyOf('rtp', streamId))
  const ptzType = one.hasPtz ? DOME : BULLET
  const common = { id, name: one.name, hasAudio: one.hasAudio, ptzType, manufacturer: 'Hikvision', model: 'DS-2CD3T' }
  const times = { createTime: textOf(0), updateTime: textOf(world.now()) }
  if (world.generation === 'g1')
    return {
      ...common,
      ...times,
      channelId: one.channelId,
      deviceId: one.deviceId,
      manufacture: 'Hikvision',
      status: one.isOnline,
      streamId: isWatched ? streamId : null,
      subCount: 0,
      channelType: 0,
    }
  return {
    ...common,
    ...times,
    gbId: id,
    deviceId: one.channelId,
    gbName: one.name,
    status: one.isOnline ? 'ON' : 'OFF',
    gbStatus: one.isOnline ? 'ON' : 'OFF',
    gbPtzType: ptzType,
    enableBroadcast: one.hasAudio ? 1 : 0,
    streamId: isWatched ? streamId : null,
  }
}

const pageOf = (all: readonly unknown[], { page = '1', count = '15' }: Record<string, string>) => ({
  total: all.length,
  list: all.slice((number(page) - 1) * number(count), number(page) * number(count)),
  pageNum: number(page),
  pageSize: number(count),
})

const devicesOf = ({ world: { cameras, now } }: WvpSimContext) =>
  [...new Set(cameras.map(({ deviceId }) => deviceId))].map((deviceId) => {
    const own = cameras.filter((one) => one.deviceId === deviceId)
    return {
      deviceId,
      name: own[0]!.name,
      manufacturer: 'Hikvision',
      model: 'DS-2CD3T',
      transport: 'UDP',
      streamMode: 'TCP-PASSIVE',
      onLine: own.some(({ isOnline }) => isOnline),
      channelCount: own.length,
      keepaliveTime: textOf(now()),
    }
  })

async function play(place: WvpSimContext, { params: [deviceId, channelId] }: WvpSimRequest) {
  const camera = cameraIn(place.world, deviceId!, channelId!)
  if (!camera.isOnline || camera.faults.isMute) {
    await pause(place.playTimeoutMs)
    throw new WvpRefusal(100, '点播超时')
  }
  return contentOf(place, place.media.open({ app: 'rtp', name: `${deviceId}_${channelId}`, camera }))
}

function recordsOf({ world }: WvpSimContext, { params: [deviceId, channelId], query }: WvpSimRequest) {
  const camera = cameraIn(world, deviceId!, channelId!)
  const now = world.now() + camera.clockMs
  const [from, until] = [Math.max(momentOf(query.startTime), now - RECORDED_MS), Math.min(momentOf(query.endTime), now)]
  const recordList = []
  for (let at = Math.floor(from / HOUR_MS) * HOUR_MS; at < until; at += HOUR_MS)
    recordList.push({
      deviceId: channelId,
      name: camera.name,
      startTime: textOf(Math.max(at, from)),
      endTime: textOf(Math.min(at + HOUR_MS, until)),
      secrecy: 0,
      type: 'time',
    })
  return {
    deviceId,
    channelId,
    sn: '1',
    name: camera.name,
    sumNum: recordList.length,
    count: recordList.length,
    recordList,
  }
}

function playBack(place: WvpSimContext, { params: [deviceId, channelId], query }: WvpSimRequest) {
  const camera = cameraIn(place.world, deviceId!, channelId!)
  const [from, until] = [momentOf(query.startTime), momentOf(query.endTime)]
  if (from < place.world.now() + camera.clockMs - RECORDED_MS) throw new WvpRefusal(100, '录像不存在')
  const digits = (ms: number) => textOf(ms).replace(/\D/g, '')
  const name = `${deviceId}_${channelId}_${digits(from)}_${digits(until)}`
  return contentOf(place, place.media.open({ app: 'rtp', name, camera, from, until }))
}

/** Returns where the media server keeps a recording: its day, folder and file name. */
const fileOf = (world: World, { stream, begun }: Download) => {
  const day = textOf(world.now()).slice(0, 10)
  return { day, folder: `record/rtp/${stream}/${day}/`, name: `${textOf(begun).slice(11).replace(/:/g, '-')}-0.mp4` }
}

function beginDownload(place: WvpSimContext, { params: [deviceId, channelId], query }: WvpSimRequest) {
  const { world } = place
  const camera = cameraIn(world, deviceId!, channelId!)
  const [from, until] = [momentOf(query.startTime), momentOf(query.endTime)]
  const speed = number(query.downloadSpeed)
  if (!DOWNLOAD_SPEEDS.has(speed)) throw new WvpRefusal(400, '不支持的倍速')
  if (!camera.isOnline || from < world.now() + camera.clockMs - RECORDED_MS) throw new WvpRefusal(100, '录像不存在')
  const stream = `${deviceId}_${channelId}_${world.downloads.size + 1}`
  world.downloads.set(stream, { camera, stream, from, until, speed, begun: Date.now() })
  return contentOf(place, {
    app: 'rtp',
    name: stream,
    camera,
    from,
    until,
    speed,
    isPaused: false,
    played: 0,
    begun: 0,
  })
}

/**
 * Returns the progress of a download. The older generation forgets a finished one, whose file the media server then
 * serves; the newer one returns the file's address.
 */
function downloadAt({ world, origin }: WvpSimContext, { params }: WvpSimRequest) {
  const found = world.downloads.get(params[2]!)
  const progress = found ? progressOf(found) : 0
  if (!found || (world.generation === 'g1' && progress === 1)) throw new WvpRefusal(404, '资源未找到')
  const { folder, name } = fileOf(world, found)
  const httpPath = `${origin}/index/api/downloadFile?file_path=${encodeURIComponent(`/opt/media/www/${folder}${name}`)}`
  return { app: 'rtp', stream: found.stream, progress, downLoadFilePath: progress === 1 ? { httpPath } : null }
}

function recordFiles({ world }: WvpSimContext, { query }: WvpSimRequest) {
  const found = world.downloads.get(query.stream ?? '')
  const file = found && progressOf(found) === 1 ? fileOf(world, found) : undefined
  if (!file || file.day !== query.period) return new Flat({ code: 0, data: { rootPath: './www/record/', paths: [] } })
  return new Flat({ code: 0, data: { rootPath: `./www/${file.folder}`, paths: [file.name] } })
}

function playing({ media }: WvpSimContext, name: string): Stream {
  const found = media.streams.get(media.keyOf('rtp', name))
  if (!found) throw new WvpRefusal(404, '流不存在')
  return found.stream
}

function snapshot({ world }: WvpSimContext, { params: [deviceId, channelId] }: WvpSimRequest): Image {
  const camera = cameraIn(world, deviceId!, channelId!)
  if (!camera.isOnline) return new Image(undefined)
  const sight = sightOf(world, { camera, app: '', name: '', speed: 1, isPaused: false, played: 0, begun: 0 })
  return new Image(jpegOf(drawSight(sight)))
}

function statusOf({ world }: WvpSimContext, { params: [deviceId] }: WvpSimRequest) {
  const camera = world.cameras.find((one) => one.deviceId === deviceId)
  if (!camera) throw new WvpRefusal(404, '设备不存在')
  if (!camera.isOnline) throw new WvpRefusal(486, '超时未应答')
  const DeviceTime = textOf(world.now() + camera.clockMs).replace(' ', 'T')
  return { CmdType: 'DeviceStatus', DeviceID: deviceId, Result: 'OK', Online: 'ONLINE', Status: 'OK', DeviceTime }
}

function mediaInfo({ media, world }: WvpSimContext, { query }: WvpSimRequest) {
  const { app, stream: name } = query
  const isPushed = world.heard.some((one) => one.stream === name && !one.isOver)
  if (isPushed && ['broadcast', 'talk'].includes(app ?? ''))
    return { app, stream: name, online: true, originTypeStr: 'rtc_push', readerCount: 1 }
  const running = media.streams.get(media.keyOf(query.app ?? '', query.stream ?? ''))
  if (!running) throw new WvpRefusal(-500, 'can not find the stream')
  const { stream, readers } = running
  const isHevc = stream.camera.faults.isHevc === true
  const video = { codec_id: isHevc ? 1 : 0, codec_id_name: isHevc ? 'H265' : 'H264', codec_type: 0, ready: true }
  return { ...mediaInfoOf(stream, readers.size), tracks: [{ ...video, width: 320, height: 176, fps: 10, loss: 0 }] }
}

function broadcast({ world, origin }: WvpSimContext, { params: [deviceId, channelId], query }: WvpSimRequest) {
  const camera = cameraIn(world, deviceId!, channelId!)
  if (!camera.isOnline || !camera.hasAudio) throw new WvpRefusal(486, '设备未应答')
  const app = query.broadcastMode === 'false' ? 'talk' : 'broadcast'
  const stream = `${deviceId}_${channelId}`
  const rtc = `${origin}/index/api/webrtc?app=${app}&stream=${stream}&type=push`
  return { streamInfo: { app, stream, mediaServerId: SERVER_ID, rtc, rtcs: null }, codec: 'G.711', app, stream }
}

const ids = '(\\d{20})/(\\d{20})'
const call = (method: CallOf['method'], path: string, handle: Handler, of?: CallOf['of']): CallOf => ({
  method,
  path: new RegExp(`^${path}$`),
  handle,
  ...(of && { of }),
})
const cameraCall =
  (handle: (place: WvpSimContext, camera: SimulatedCamera, request: WvpSimRequest) => unknown): Handler =>
  (place, request) =>
    handle(place, cameraIn(place.world, request.params[0]!, request.params[1]!), request) ?? null

const move = cameraCall(({ world }, camera, { query }) =>
  moveCamera(world, camera, query.command ?? '', number(query.horizonSpeed)),
)
const command = cameraCall(({ world }, camera, { query }) =>
  frontEnd(world, camera, [query.cmdCode, query.parameter1, query.parameter2, query.combindCode2].map(number)),
)
const presets = cameraCall((_place, camera) =>
  [...camera.presets.keys()].toSorted((a, b) => a - b).map((no) => ({ presetId: no, presetName: `预置点 ${no}` })),
)

function zoomTo(by: number): Handler {
  return ({ world }, { query }) => {
    const camera = world.cameras.find((one) => one.channelId === query.channelId)
    if (!camera?.hasPtz) throw new WvpRefusal(486, '设备不支持')
    advanceCameraView(world, camera)
    camera.view.zoom = Math.min(Math.max(camera.view.zoom + by, 0), 8)
    camera.view.pan += Math.round((number(query.midpointx) / Math.max(number(query.length), 1) - 0.5) * 20)
    sendToCamera(world, camera, `DRAG ${by > 0 ? 'IN' : 'OUT'} ${query.lengthx}x${query.lengthy}`)
    return null
  }
}

function edit({ world }: WvpSimContext, channelId: string, name: unknown): true {
  const camera = world.cameras.find((one) => one.channelId === channelId)
  if (!camera) throw new WvpRefusal(404, '通道不存在')
  if (typeof name === 'string' && name) camera.name = name
  return true
}

export const wvpCalls: readonly CallOf[] = [
  call('POST', '/api/user/userInfo', ({ world: { username, pushKey } }) => ({ id: 1, username, pushKey })),
  call('GET', '/api/device/query/devices', (place, { query }) => pageOf(devicesOf(place), query)),
  call('GET', '/api/device/query/devices/(\\d{20})', (place, { params }) => {
    const found = devicesOf(place).find(({ deviceId }) => deviceId === params[0])
    if (!found) throw new WvpRefusal(404, '设备不存在')
    return found
  }),
  call('GET', '/api/device/query/devices/(\\d{20})/status', statusOf),
  call('GET', '/api/device/query/devices/(\\d{20})/channels', (place, { params, query }) => {
    const all = place.world.cameras.map((one, n) => ({ one, wire: channelOf(place, one, n + 1) }))
    const own = all.filter(({ one }) => one.deviceId === params[0]).map(({ wire }) => wire)
    return pageOf(own, query)
  }),
  call('GET', '/api/device/query/sub_channels/\\d+/\\d+/channels', (_place, { query }) => pageOf([], query)),
  call('GET', `/api/play/start/${ids}`, play),
  call('GET', `/api/play/stop/${ids}`, ({ media }, { params: [deviceId, channelId] }) => {
    media.end(media.keyOf('rtp', `${deviceId}_${channelId}`))
    return { deviceId, channelId }
  }),
  call('GET', '/api/play/snap', (_place, { query }) => `${query.deviceId}_${query.channelId}.jpg`),
  call('GET', `/api/device/query/snap/${ids}`, snapshot),
  call('GET', `/api/gb_record/query/${ids}`, recordsOf),
  call('GET', `/api/gb_record/download/start/${ids}`, beginDownload),
  call('GET', `/api/gb_record/download/progress/${ids}/(\\w+)`, downloadAt),
  call('GET', `/api/gb_record/download/stop/${ids}/(\\w+)`, ({ world }, { params }) => {
    world.downloads.delete(params[2]!)
    return null
  }),
  call('GET', `/api/playback/start/${ids}`, playBack),
  call('GET', `/api/playback/stop/\\d+/\\d+/(\\w+)`, ({ media }, { params }) => {
    media.end(media.keyOf('rtp', params[0]!))
    return null
  }),
  call('GET', '/api/playback/(pause|resume)/(\\w+)', (place, { params }) => {
    playing(place, params[1]!).isPaused = params[0] === 'pause'
    return null
  }),
  call('GET', '/api/playback/seek/(\\w+)/(\\d+)', (place, { params }) => {
    playing(place, params[0]!).played = number(params[1])
    return null
  }),
  call('GET', '/api/playback/speed/(\\w+)/([\\d.]+)', (place, { params }) => {
    if (!['0.25', '0.5', '1', '2', '4', '8'].includes(params[1]!)) throw new WvpRefusal(400, '不支持的倍速')
    playing(place, params[0]!).speed = number(params[1])
    return null
  }),
  call('GET', '/api/device/control/drag_zoom/zoom_in', zoomTo(2)),
  call('GET', '/api/device/control/drag_zoom/zoom_out', zoomTo(-2)),
  call('ANY', `/api/play/broadcast/${ids}`, broadcast),
  call('GET', `/api/play/broadcast/stop/${ids}`, ({ world }, { params: [deviceId, channelId] }) => {
    for (const one of world.heard) if (one.stream === `${deviceId}_${channelId}`) one.isOver = true
    return null
  }),
  call('POST', `/api/ptz/control/${ids}`, move, 'g1'),
  call('POST', `/api/ptz/front_end_command/${ids}`, command, 'g1'),
  call('GET', `/api/ptz/preset/query/${ids}`, presets, 'g1'),
  call(
    'POST',
    '/api/device/query/channel/update/(\\d{20})',
    (place, { query, body }) => edit(place, query.channelId ?? String(body.channelId), query.name ?? body.name),
    'g1',
  ),
  call(
    'GET',
    '/zlm/[\\w-]+/index/api/getMediaInfo',
    (place, request) => new Flat({ code: 0, ...mediaInfo(place, request) }),
    'g1',
  ),
  call('GET', '/zlm/[\\w-]+/index/api/getMP4RecordFile', recordFiles, 'g1'),
  call('GET', `/api/front-end/ptz/${ids}`, move, 'g2'),
  call('GET', `/api/front-end/common/${ids}`, command, 'g2'),
  call('GET', `/api/front-end/preset/query/${ids}`, presets, 'g2'),
  call('GET', '/api/server/media_server/media_info', mediaInfo, 'g2'),
  call(
    'POST',
    '/api/common/channel/update',
    (place, { body }) => {
      const one = place.world.cameras[number(String(body.gbId)) - 1]
      return edit(place, one?.channelId ?? '', body.gbName)
    },
    'g2',
  ),
]
