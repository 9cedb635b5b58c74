/** Recordings, requested in true time. Converts to and from the camera's own clock. */

import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import { callPlatformForCamera, requireCameraAccess, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { clipPeriodAt, toCameraTime, correctClockSkew } from './clocks.ts'
import { pauseOrResumePlayback, listRecordings, setPlaybackSpeed, startPlayback } from './platform.ts'
import { cameraRecordsCall, cameraIdField, recordingSpanFields } from './recordings.calls.ts'
import { requireBelowStreamViewerLimit } from './viewers.ts'
import { toCameraStream } from './watch.server.ts'

export const CAMERA_RECORD_PERMISSION = 'camera_record'

const HOURS_MAX = 24
export const RECORDING_CLIP_HOURS_MAX = 2

type Span = { startTime: string | null; endTime: string | null }

export function parseRecordingSpan({ startTime, endTime }: Span, hours: number): { from: Date; until: Date } {
  const [from, until] = [parseShanghaiTime(startTime!), parseShanghaiTime(endTime!)]
  if (until <= from) throw new Refused('camera_no_record')
  if (until.getTime() - from.getTime() > hours * 3_600_000) throw new Refused('camera_span', { hours })
  return { from, until }
}

const recordsRoute = defineRoute(cameraRecordsCall, {
  title: { zh: '录像列表', en: 'List recordings' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  handle: async (call) => {
    const { from, until } = parseRecordingSpan(call.input, HOURS_MAX)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    const { clockError } = reached.row
    const cameraTimeText = (at: Date) => formatShanghaiTime(toCameraTime(at, clockError))
    const found = await callPlatformForCamera(call, reached, (services, account, channel) =>
      listRecordings(services, account, channel, { startTime: cameraTimeText(from), endTime: cameraTimeText(until) }),
    )
    const true_ = (text: string) => formatShanghaiTime(correctClockSkew(parseShanghaiTime(text), clockError))
    return found.map((one) => ({ ...one, startTime: true_(one.startTime), endTime: true_(one.endTime) }))
  },
})

const CONTROL = 'playback'
/** How long the controls of a playback are valid. */
const CONTROL_SECONDS = 6 * 3600

type Control = { tenantId: string; cameraId: string; stream: string; userId: string }

/** Translates a platform's refusal to play into "no recording"; throws other errors unchanged. */
export const throwNoRecordingRefusal = (error: unknown): never => {
  throw error instanceof Refused && error.code === 'video_refused' ? new Refused('camera_no_record') : error
}

/** Starts playback from a true time on, to the second of the camera's own clock. */
async function playRecording(call: Call, reached: CameraAccess, from: Date, until: Date) {
  const { services, caller } = call
  const { row } = reached
  const content = await callPlatformForCamera(call, reached, (_services, account, channel) =>
    startPlayback(services, account, channel, clipPeriodAt(from, until, row.clockError)),
  ).catch(throwNoRecordingRefusal)
  const control: Control = { tenantId: row.tenantId, cameraId: row.id, stream: content.stream, userId: caller.userId }
  return { content, control: createEncryptedUrlPart(services, CONTROL, control, CONTROL_SECONDS) }
}

const playbackRoute = defineRoute({
  method: 'GET',
  path: `${camera.path}/playback`,
  title: { zh: '播放录像', en: 'Play recording' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  input: { id: cameraIdField, ...recordingSpanFields },
  handle: async (call) => {
    const { from, until } = parseRecordingSpan(call.input, RECORDING_CLIP_HOURS_MAX)
    requireBelowStreamViewerLimit(call.services, call.caller)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    const { content, control } = await playRecording(call, reached, from, until)
    return {
      ...toCameraStream(call, reached, CAMERA_RECORD_PERMISSION, content),
      control,
      startTime: formatShanghaiTime(from),
      endTime: formatShanghaiTime(until),
    }
  },
})

const control = f.text({ label: { zh: '播放控制', en: 'Playback control' }, required: true, max: 2000 })
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8]

async function controlled(call: Call, sealed: string | null): Promise<{ reached: CameraAccess; stream: string }> {
  const control = readEncryptedUrlPart<Control>(call.services, CONTROL, sealed ?? '')
  if (!control || control.userId !== call.caller.userId) throw new Refused('ticket_spent')
  return { reached: await requireCameraAccess(call, { id: control.cameraId }), stream: control.stream }
}

const speedRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/playSpeed`,
  title: { zh: '录像倍速', en: 'Recording speed' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  log: false,
  input: {
    control,
    speed: f.number({ label: { zh: '倍速', en: 'Speed' }, required: true, min: 0.25, max: 8, decimals: 2 }),
  },
  handle: async (call) => {
    const speed = SPEEDS.find((one) => one === call.input.speed) ?? 1
    const { reached, stream } = await controlled(call, call.input.control)
    await callPlatformForCamera(call, reached, (services, account) =>
      setPlaybackSpeed(services, account, stream, speed),
    )
  },
})

const pauseRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/playPause`,
  title: { zh: '暂停录像', en: 'Pause recording' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  log: false,
  input: { control, isOn: f.boolean({ label: { zh: '暂停', en: 'Paused' }, required: true }) },
  handle: async (call) => {
    const { reached, stream } = await controlled(call, call.input.control)
    const isOn = call.input.isOn === true
    await callPlatformForCamera(call, reached, (services, account) =>
      pauseOrResumePlayback(services, account, stream, isOn),
    )
  },
})

export const recordingRoutes = [recordsRoute, playbackRoute, speedRoute, pauseRoute]
