import { f } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/refused.ts'
import { route, type Call } from '#kit/server/module.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { saidBy, sealedPart } from '#domains/platform/files/api.ts'
import { askByCodes, requireCameraAccess, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { toCameraTime } from './clocks.ts'
import { readDownload, startDownload, stopDownload } from './platform.ts'
import { can, CLIP_HOURS_MAX, id, noRecord, span, spanOf } from './recordings.server.ts'
import { addressFor } from './watch.server.ts'

/**
 * Recordings as files: the platform has the camera send one faster than it was filmed and writes it down meanwhile; the
 * browser asks how far it is, and fetches the file through this server.
 */

const PURPOSE = 'recordFile'
/** As long as the longest takes at the pace it was filmed, and is fetched after. */
const GOOD_SECONDS = (CLIP_HOURS_MAX + 1) * 3600

type Download = {
  cameraId: string
  userId: string
  stream: string
  mediaServerId: string
  mediaOrigin: string
  name: string
}

const originOf = (address: string): string => (address ? new URL(address).origin.replace(/^ws/, 'http') : '')

const beginRoute = route({
  method: 'POST',
  path: `${camera.path}/recordFile`,
  title: { zh: '下载录像', en: 'Download recording' },
  can,
  tx: false,
  input: { id, ...span },
  handle: async (call) => {
    const { from, until } = spanOf(call.input, CLIP_HOURS_MAX)
    const reached = await requireCameraAccess(call, { id: call.input.id })
    const { row } = reached
    const there = (at: Date) => shanghaiText(toCameraTime(at, row.clockError))
    const content = await askByCodes(call, reached, (services, account, channel) =>
      startDownload(services, account, channel, { startTime: there(from), endTime: there(until) }),
    ).catch(noRecord)
    const name = `${row.name} ${shanghaiText(from).replace(/:/g, '-')}.mp4`
    const download: Download = {
      cameraId: row.id,
      userId: call.caller.userId,
      stream: content.stream,
      mediaServerId: typeof content.said.mediaServerId === 'string' ? content.said.mediaServerId : '',
      mediaOrigin: originOf(content.flv || content.wsFlv || content.hls),
      name,
    }
    return { download: sealedPart(call.services, PURPOSE, download, GOOD_SECONDS), name }
  },
})

const download = f.text({ label: { zh: '下载任务', en: 'Download task' }, required: true, max: 2000 })

/** A download of the caller's own, and its camera, which must still be theirs to see. */
async function begun(call: Call, sealed: string | null): Promise<{ reached: CameraAccess; said: Download }> {
  const said = saidBy<Download>(call.services, PURPOSE, sealed ?? '')
  if (!said || said.userId !== call.caller.userId) throw new Refused('ticket_spent')
  return { reached: await requireCameraAccess(call, { id: said.cameraId }), said }
}

const progressRoute = route({
  method: 'GET',
  path: `${camera.path}/recordProgress`,
  title: { zh: '录像下载进度', en: 'Recording download progress' },
  can,
  tx: false,
  input: { download },
  handle: async (call) => {
    const { reached, said } = await begun(call, call.input.download)
    const { progress, file } = await askByCodes(call, reached, (services, account, channel) =>
      readDownload(services, account, channel, said),
    )
    return { progress, address: file && addressFor(call, reached, { can, url: file, fileName: said.name }) }
  },
})

const stopRoute = route({
  method: 'POST',
  path: `${camera.path}/recordStop`,
  title: { zh: '取消录像下载', en: 'Cancel recording download' },
  can,
  tx: false,
  log: false,
  input: { download },
  handle: async (call) => {
    const { reached, said } = await begun(call, call.input.download)
    await askByCodes(call, reached, (services, account, channel) =>
      stopDownload(services, account, channel, said.stream),
    )
  },
})

export const recordFileRoutes = [beginRoute, progressRoute, stopRoute]
