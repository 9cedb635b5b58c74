/**
 * Recordings as files. The camera sends a recording faster than real time and the platform writes it to a file; the
 * browser polls the progress and then loads the file through this server.
 */

import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { readEncryptedUrlPart, createEncryptedUrlPart } from '#domains/platform/files/api.ts'
import { callPlatformForCamera, requireCameraAccess, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { toCameraTime } from './clocks.ts'
import { fetchRecordingDownloadState, startRecordingDownload, stopRecordingDownload } from './platform.ts'
import { cameraRecordFileCall, cameraRecordProgressCall, downloadField } from './record-file.calls.ts'
import {
  CAMERA_RECORD_PERMISSION,
  RECORDING_CLIP_HOURS_MAX,
  throwNoRecordingRefusal,
  parseRecordingSpan,
} from './recordings.server.ts'
import { createStreamProxyUrl } from './watch.server.ts'

const PURPOSE = 'recordFile'
/** Enough for the longest recording in real time, and for its download. */
const GOOD_SECONDS = (RECORDING_CLIP_HOURS_MAX + 1) * 3600

type Download = {
  cameraId: string
  userId: string
  stream: string
  mediaServerId: string
  mediaOrigin: string
  name: string
}

const originOf = (address: string): string => (address ? new URL(address).origin.replace(/^ws/, 'http') : '')

const beginRoute = defineRoute(cameraRecordFileCall, {
  title: { zh: '下载录像', en: 'Download recording' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  handle: async (call) => {
    const { from, until } = parseRecordingSpan(call.input, RECORDING_CLIP_HOURS_MAX)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    const { row } = reached
    const cameraTimeText = (at: Date) => formatShanghaiTime(toCameraTime(at, row.clockError))
    const content = await callPlatformForCamera(call, reached, (services, account, channel) =>
      startRecordingDownload(services, account, channel, {
        startTime: cameraTimeText(from),
        endTime: cameraTimeText(until),
      }),
    ).catch(throwNoRecordingRefusal)
    const name = `${row.name} ${formatShanghaiTime(from).replace(/:/g, '-')}.mp4`
    const download: Download = {
      cameraId: row.id,
      userId: call.caller.userId,
      stream: content.stream,
      mediaServerId: typeof content.said.mediaServerId === 'string' ? content.said.mediaServerId : '',
      mediaOrigin: originOf(content.flv || content.wsFlv || content.hls),
      name,
    }
    return { download: createEncryptedUrlPart(call.services, PURPOSE, download, GOOD_SECONDS), name }
  },
})

/** Returns the caller's own download and its camera, if they may still see it. */
async function begun(call: Call, sealed: string | null): Promise<{ reached: CameraAccess; requested: Download }> {
  const requested = readEncryptedUrlPart<Download>(call.services, PURPOSE, sealed ?? '')
  if (!requested || requested.userId !== call.caller.userId) throw new Refused('ticket_spent')
  return { reached: await requireCameraAccess(call, { id: requested.cameraId }), requested }
}

const progressRoute = defineRoute(cameraRecordProgressCall, {
  title: { zh: '录像下载进度', en: 'Recording download progress' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  handle: async (call) => {
    const { reached, requested } = await begun(call, call.input.download)
    const { progress, file } = await callPlatformForCamera(call, reached, (services, account, channel) =>
      fetchRecordingDownloadState(services, account, channel, requested),
    )
    return {
      progress,
      address:
        file &&
        createStreamProxyUrl(call, reached, { can: CAMERA_RECORD_PERMISSION, url: file, fileName: requested.name }),
    }
  },
})

const stopRoute = defineRoute({
  method: 'POST',
  path: `${camera.path}/recordStop`,
  title: { zh: '取消录像下载', en: 'Cancel recording download' },
  can: CAMERA_RECORD_PERMISSION,
  tx: false,
  log: false,
  input: { download: downloadField },
  handle: async (call) => {
    const { reached, requested } = await begun(call, call.input.download)
    await callPlatformForCamera(call, reached, (services, account, channel) =>
      stopRecordingDownload(services, account, channel, requested.stream),
    )
  },
})

export const recordFileRoutes = [beginRoute, progressRoute, stopRoute]
