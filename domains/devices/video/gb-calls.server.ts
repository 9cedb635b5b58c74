/**
 * The platform's API for its old clients, below `/api/gb28181`, by device and channel codes. Each call checks the
 * channel's row first. Addresses in the answers lead to this server.
 */

import { f } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { callPlatformForCamera, requireCameraAccess, withCamera, type Camera, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import {
  PTZ_DIRECTIONS,
  sendFrontEndCommand,
  readMediaInfo,
  renameChannel,
  startVoiceBroadcast,
  stopVoiceBroadcast,
  stopLivePlay,
  type PtzDirection,
  type PlatformStream,
} from './platform.ts'
import { acquireCameraControl, limitCameraCommandRate, moveCameraWhilePressed } from './ptz.ts'
import { issueOneTimePushKey, createVoicePushUrl } from './push.server.ts'
import { releaseCameraVoice, requireVoiceFreeOrOwn } from './voice.ts'
import { streamProxyUrl, CAN_WATCH, startCameraStream } from './watch.server.ts'

const base = '/api/gb28181'
const code = (zh: string, en: string) => f.text({ label: { zh, en }, required: true, max: 20, sample: '3'.repeat(20) })
const ids = { deviceId: code('国标设备编号', 'GB28181 device ID'), channelId: code('国标通道编号', 'GB28181 channel') }
const audioChannelId = f.text({ label: { zh: '语音通道编号', en: 'Audio channel ID' }, max: 20 })

type Ids = { deviceId: string | null; channelId: string | null }
const named = ({ deviceId, channelId }: Ids) => ({ gbDeviceId: deviceId!, gbChannelId: channelId! })

const byte = (zh: string, en: string, isNeeded = false) =>
  f.number({ label: { zh, en }, min: 0, max: 255, ...(isNeeded && { required: true }) })

/** Returns a stream in the platform's form, without anything that leads past this server. */
function contentFor(call: Call, reached: CameraAccess, content: PlatformStream): Record<string, unknown> {
  const { publicUrl } = call.services.config
  const path = streamProxyUrl(call, reached, CAN_WATCH, content)
  const isTls = publicUrl.startsWith('https:')
  const [http, socket] = [`${publicUrl}${path}`, `${publicUrl.replace(/^http/, 'ws')}${path}`]
  const { mediaInfo, startTime, endTime, duration, progress } = content.said
  const { originUrl: _url, callId: _call, paramMap: _params, ...shown } = (mediaInfo ?? {}) as Record<string, unknown>
  return {
    app: content.app,
    stream: content.stream,
    mediaServerId: content.said.mediaServerId ?? '',
    startTime,
    endTime,
    duration,
    progress,
    mediaInfo: shown,
    flv: isTls ? null : http,
    https_flv: isTls ? http : null,
    ws_flv: isTls ? null : socket,
    wss_flv: isTls ? socket : null,
    fmp4: null,
    hls: null,
    ts: null,
    rtmp: null,
    rtsp: null,
    rtc: content.rtc ? `${publicUrl}${camera.path}/whep?id=${reached.row.id}` : null,
  }
}

const mediaInfoRoute = defineRoute({
  method: 'GET',
  path: `${base}/zlm/media-info`,
  title: { zh: '媒体流信息', en: 'Stream info' },
  can: 'camera_watch',
  tx: false,
  input: {
    app: f.text({ label: { zh: '应用名', en: 'App' }, required: true, max: 40, sample: 'rtp' }),
    stream: f.text({
      label: { zh: '流编号', en: 'Stream ID' },
      required: true,
      max: 100,
      sample: `${'3'.repeat(20)}_${'3'.repeat(20)}`,
    }),
    mediaServerId: f.text({
      label: { zh: '媒体服务编号', en: 'Media server ID' },
      max: 64,
      pattern: '^[\\w.-]*$',
      sample: 'zlm-1',
    }),
  },
  handle: async (call) => {
    const { app, stream, mediaServerId } = call.input
    // The name of a stream contains the codes of its device and channel.
    const [gbDeviceId = '', gbChannelId = ''] = stream.split('_')
    const reached = await requireCameraAccess(call, { gbDeviceId, gbChannelId })
    const info = await callPlatformForCamera(call, reached, (services, account) =>
      readMediaInfo(services, account, { app: app, stream: stream, mediaServerId: mediaServerId ?? '' }),
    )
    const { originUrl: _url, originSock: _sock, params: _params, ...shown } = info as Record<string, unknown>
    return shown
  },
})

const controlRoute = defineRoute({
  method: 'POST',
  path: `${base}/ptz/control/:deviceId/:channelId`,
  title: { zh: '云台控制', en: 'Control PTZ' },
  can: 'camera_ptz',
  tx: false,
  input: {
    ...ids,
    command: f.text({
      label: { zh: '方向', en: 'Direction' },
      required: true,
      pattern: `^(${PTZ_DIRECTIONS.join('|')})$`,
      sample: 'left',
    }),
    horizonSpeed: byte('水平速度', 'Pan speed'),
    verticalSpeed: byte('垂直速度', 'Tilt speed'),
    zoomSpeed: byte('变倍速度', 'Zoom speed'),
  },
  handle: async (call) => {
    const { command, horizonSpeed, verticalSpeed, zoomSpeed } = call.input
    await moveCameraWhilePressed(call, await requireCameraAccess(call, named(call.input)), {
      command: command as PtzDirection,
      horizonSpeed: horizonSpeed ?? 0,
      verticalSpeed: verticalSpeed ?? 0,
      zoomSpeed: zoomSpeed ?? 0,
    })
    return null
  },
})

const frontEndRoute = defineRoute({
  method: 'POST',
  path: `${base}/ptz/front_end_command/:deviceId/:channelId`,
  title: { zh: '前端控制', en: 'Front-end command' },
  can: 'camera_ptz',
  tx: false,
  input: {
    ...ids,
    cmdCode: byte('指令码', 'Command code', true),
    parameter1: byte('参数一', 'Parameter 1'),
    parameter2: byte('参数二', 'Parameter 2'),
    combindCode2: byte('组合码', 'Combined code'),
  },
  handle: async (call) => {
    const { cmdCode, parameter1, parameter2, combindCode2 } = call.input
    const reached = await requireCameraAccess(call, named(call.input))
    await acquireCameraControl(call, reached)
    await limitCameraCommandRate(call, reached)
    const query = {
      cmdCode: cmdCode,
      parameter1: parameter1 ?? 0,
      parameter2: parameter2 ?? 0,
      combindCode2: combindCode2 ?? 0,
    }
    await callPlatformForCamera(call, reached, (services, account, channel) =>
      sendFrontEndCommand(services, account, channel, query),
    )
    return null
  },
})

const playRoute = defineRoute({
  method: 'GET',
  path: `${base}/play/start/:deviceId/:channelId`,
  title: { zh: '点播', en: 'Play channel' },
  can: 'camera_watch',
  tx: false,
  input: ids,
  handle: async (call) => {
    const reached = await requireCameraAccess(call, named(call.input))
    return contentFor(call, reached, await startCameraStream(call, reached))
  },
})

const stopRoute = defineRoute({
  method: 'GET',
  path: `${base}/play/stop/:deviceId/:channelId`,
  title: { zh: '停止点播', en: 'Stop playing channel' },
  can: 'camera_ptz',
  tx: false,
  input: ids,
  handle: async (call) => {
    await callPlatformForCamera(call, await requireCameraAccess(call, named(call.input)), stopLivePlay)
    return { deviceId: call.input.deviceId, channelId: call.input.channelId }
  },
})

/** Returns the channel with the camera's loudspeaker: its own, or the one its row names. Refuses any other. */
const voiceOf = ({ row, channel }: CameraAccess, requested: string | null) => {
  const gbChannelId = row.voiceChannel || channel.gbChannelId
  if (requested && requested !== gbChannelId && requested !== channel.gbChannelId)
    throw new Refused('not_found', { label: camera.label })
  return { ...channel, gbChannelId }
}

const pushRtcRoute = defineRoute({
  method: 'GET',
  path: `${base}/stream/pushRtc/:deviceId/:channelId`,
  title: { zh: '对讲推流地址', en: 'Two-way audio push URL' },
  can: 'camera_talk',
  tx: false,
  input: ids,
  handle: async (call) => {
    const reached = await requireCameraAccess(call, named(call.input))
    const address = createVoicePushUrl(call, reached)
    const isTls = address.startsWith('https:')
    return {
      pushRtc: isTls ? null : address,
      pushRtcs: isTls ? address : null,
      audioChannelId: voiceOf(reached, null).gbChannelId,
    }
  },
})

const broadcastRoute = defineRoute({
  method: 'GET',
  path: `${base}/broadcast/:deviceId/:channelId`,
  title: { zh: '开始广播', en: 'Start broadcast' },
  can: 'camera_talk',
  tx: false,
  input: { ...ids, audioChannelId },
  handle: async (call) => {
    const reached = await requireCameraAccess(call, named(call.input))
    const channel = voiceOf(reached, call.input.audioChannelId)
    const { app, stream, codec } = await callPlatformForCamera(call, { ...reached, channel }, startVoiceBroadcast)
    const rtc = createVoicePushUrl(call, reached)
    const isTls = rtc.startsWith('https:')
    return { app, stream, codec, streamInfo: { app, stream, rtc: isTls ? null : rtc, rtcs: isTls ? rtc : null } }
  },
})

const endBroadcastRoute = defineRoute({
  method: 'GET',
  path: `${base}/broadcast/stop/:deviceId/:channelId`,
  title: { zh: '停止广播', en: 'Stop broadcast' },
  can: 'camera_talk',
  tx: false,
  input: { ...ids, audioChannelId },
  handle: async (call) => {
    const reached = await requireCameraAccess(call, named(call.input))
    const channel = voiceOf(reached, call.input.audioChannelId)
    await requireVoiceFreeOrOwn(call.services, reached, call.caller.userId)
    await callPlatformForCamera(call, { ...reached, channel }, stopVoiceBroadcast)
    await releaseCameraVoice(call.services, reached, call.caller.userId)
    return null
  },
})

const pushKeyRoute = defineRoute({
  method: 'GET',
  path: `${base}/getPushKey`,
  title: { zh: '推流密钥', en: 'Push key' },
  can: 'camera_talk',
  tx: false,
  handle: issueOneTimePushKey,
})

const PAGE_MAX = 200
const number = (zh: string, en: string, max: number) => f.number({ label: { zh, en }, min: 1, max })

/** Returns a camera's row in the form of the platform's API. */
const wireOf = (row: Camera, channelFields: Record<string, unknown> = {}) => ({
  id: row.id,
  channelId: row.gbChannelId,
  deviceId: row.gbDeviceId,
  name: row.name,
  manufacture: channelFields.manufacture ?? channelFields.manufacturer ?? '',
  model: row.model ?? '',
  status: row.online === true,
  hasAudio: row.hasAudio === true,
  ptzType: Number(row.ptzType ?? 0),
  audioChannelId: row.voiceChannel ?? '',
  shopId: row.shopId ?? '',
  longitude: 0,
  latitude: 0,
})

const pageRoute = (path: string, title: { zh: string; en: string }, input: object, isOfDevice: boolean) =>
  defineRoute({
    method: 'GET',
    path,
    title,
    can: camera.code,
    input: {
      ...(input as { deviceId?: ReturnType<typeof code> }),
      page: number('页码', 'Page', 100_000),
      count: number('每页条数', 'Rows per page', PAGE_MAX),
    },
    handle: async ({ db, caller, input: given }) => {
      const { deviceId, page, count } = given as { deviceId?: string; page: number | null; count: number | null }
      const size = count ?? 15
      const offset = ((page ?? 1) - 1) * size
      const mine = sql`true${isOfDevice ? sql` and r.gb_device_id = ${deviceId}` : sql``}${dataScopeSql(
        camera,
        caller,
      )}`
      const all = await db.find(camera, mine, sql`order by r.gb_device_id, r.gb_channel_id`)
      const rows = isOfDevice
        ? all.map((row) => wireOf(row))
        : [...Map.groupBy(all, (row) => row.gbDeviceId!)].map(([id, own]) => ({
            deviceId: id,
            name: own[0]!.name,
            onLine: own.some(({ online }) => online),
            channelCount: own.length,
          }))
      return { total: rows.length, list: rows.slice(offset, offset + size), pageNum: page ?? 1, pageSize: size }
    },
  })

const editRoute = defineRoute({
  method: 'POST',
  path: `${base}/devices/:deviceId/:channelId/edit`,
  title: { zh: '修改通道', en: 'Update channel' },
  can: 'camera_edit',
  tx: false,
  input: {
    ...ids,
    name: f.text({ label: camera.fields.name.label, required: true, max: 100 }),
    audioChannelId: camera.fields.voiceChannel,
  },
  handle: async (call) => {
    const { services, input } = call
    const reached = await requireCameraAccess(call, named(input))
    await callPlatformForCamera(call, reached, (_services, account, channel) =>
      renameChannel(services, account, { ...channel, channelKey: reached.row.channelKey }, input.name),
    )
    return withCamera(call, named(input), async ({ db, row }) => {
      const voice = input.audioChannelId === null ? {} : { voiceChannel: input.audioChannelId }
      const now = await db.update(camera, row.id, { name: input.name, ...voice })
      publishRowsChanged({ db }, camera, [now])
      return wireOf(now)
    })
  },
})

export const gb28181Routes = [
  mediaInfoRoute,
  controlRoute,
  frontEndRoute,
  playRoute,
  stopRoute,
  pushRtcRoute,
  broadcastRoute,
  endBroadcastRoute,
  pushKeyRoute,
  pageRoute(`${base}/devices`, { zh: '国标设备列表', en: 'GB28181 devices' }, {}, false),
  pageRoute(
    `${base}/devices/:deviceId/channels`,
    { zh: '国标通道列表', en: 'GB28181 channels' },
    { deviceId: ids.deviceId },
    true,
  ),
  editRoute,
]
