import { sql } from '#kit/server/database/db.ts'
import { dataScope } from '#kit/server/database/data-scope.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { announcementEnded, cameraVoice, type CameraVoice } from '#domains/devices/audio-announcements/api.ts'
import { bytesOf, fileOfLink } from '#domains/platform/files/api.ts'
import { cameraById, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { pushAddressOf, readPushKey } from './platform.ts'
import { publish, silence } from './rtsp.client.ts'
import { endTalk, speakingChannel, takeVoice } from './voice.ts'
import { signOf } from './wvp.client.ts'

/** Announcements through cameras: the sound is pushed to the media server, and the platform speaks it. */

const QUEUE = 'video.speak'
/** What a shop says late it says to somebody else. */
const LATE_MS = 30_000
/** A camera answers the platform within seconds; what is said before is heard by nobody. */
const LEAD_MS = 2_000
const TAIL_MS = 500

type AnnouncementPush = { logId: string; cameraId: string; alawUrl: string; times: number; asked: number }

const SAYS = {
  late: systemWords({ zh: '已过时，没有播放', en: 'Too late, not played' }),
  gone: systemWords({ zh: '语音文件已不存在', en: 'The audio file no longer exists' }),
  cut: systemWords({ zh: '服务重启，播放中断', en: 'Interrupted by a server restart' }),
  busy: systemWords({ zh: '摄像头正在对讲', en: 'Two-way audio is active on the camera' }),
  failed: systemWords({ zh: '推送到摄像头失败', en: 'Pushing audio to the camera failed' }),
}

/** The samples of a WAV file in A-law. */
function samplesOf(wav: Buffer): Buffer {
  for (let at = 12; at + 8 <= wav.length; at += 8 + wav.readUInt32LE(at + 4) + (wav.readUInt32LE(at + 4) % 2))
    if (wav.toString('latin1', at, at + 4) === 'data') return wav.subarray(at + 8, at + 8 + wav.readUInt32LE(at + 4))
  return Buffer.alloc(0)
}

async function soundOf(services: Services, tenantId: string, link: string): Promise<Buffer | undefined> {
  const file = await fileOfLink(services, tenantId, link)
  const bytes = file && (await bytesOf(services, file))
  const samples = bytes && samplesOf(bytes)
  return samples?.length ? samples : undefined
}

/** Pushes samples to a camera's loudspeaker, from a silence it wakes up in to one it ends in. */
async function speak(services: Services, reached: CameraAccess, samples: Buffer, times: number): Promise<void> {
  const { account } = reached
  const sign = signOf(await readPushKey(services, account))
  const publisher = await publish(pushAddressOf(account, speakingChannel(reached)), sign, account.mayBeInside)
  try {
    await publisher.say(silence(LEAD_MS))
    for (let n = 0; n < times; n++) {
      await publisher.say(samples)
      await publisher.say(silence(TAIL_MS))
    }
  } finally {
    await publisher.close()
  }
}

type End = { state: 'done' | 'failed' | 'expired'; message?: string }

async function spoken(services: Services, tenantId: string, ask: AnnouncementPush): Promise<End> {
  if (services.now().getTime() - ask.asked > LATE_MS) return { state: 'expired', message: SAYS.late }
  const samples = await soundOf(services, tenantId, ask.alawUrl)
  if (!samples) return { state: 'failed', message: SAYS.gone }
  const reached = await cameraById(services, tenantId, ask.cameraId)
  const seconds = Math.ceil((samples.length * ask.times) / 8000) + 10
  const holder = { userId: `announcement/${ask.logId}`, name: '播报' }
  try {
    await takeVoice(services, reached, holder, seconds)
  } catch (error) {
    if (error instanceof Refused) return { state: 'failed', message: SAYS.busy }
    throw error
  }
  try {
    await speak(services, reached, samples, ask.times)
    return { state: 'done' }
  } catch (err) {
    services.log.warn({ err, camera: ask.cameraId }, 'an announcement did not get to a camera')
    return { state: 'failed', message: SAYS.failed }
  } finally {
    await endTalk(services, reached, holder.userId)
  }
}

export const speakJob = defineModuleJob<AnnouncementPush>({
  queue: QUEUE,
  concurrency: 8,
  timeoutSeconds: 900,
  run: async (ask, { services, tenantId, attempt }) => {
    // Half of it was heard: said again from the beginning it would be said twice.
    const end: End = attempt > 1 ? { state: 'failed', message: SAYS.cut } : await spoken(services, tenantId, ask)
    await services.unit({ tenantId }, (db) => announcementEnded(db, services, ask.logId, end))
  },
})

const voice: CameraVoice = {
  find: async (db, caller, gbId) => {
    const scope = caller ? dataScope(camera, caller) : sql``
    const [row] = await db.find(
      camera,
      sql`(r.gb_channel_id = ${gbId} or r.voice_channel = ${gbId} or r.gb_device_id = ${gbId})${scope}`,
      sql`order by r.gb_channel_id = ${gbId} desc, r.has_audio desc nulls last, r.id limit 1`,
    )
    if (!row) throw new Refused('not_found', { label: camera.label })
    if (row.hasAudio === false && !row.voiceChannel) throw new Refused('camera_no_voice', { name: row.name })
    if (!row.online) throw new Refused('camera_offline', { name: row.name })
    return { cameraId: row.id, shopId: row.shopId }
  },
  say: async (db, services, { logId, cameraId, alawUrl, times }) => {
    const ask: AnnouncementPush = { logId, cameraId, alawUrl, times, asked: services.now().getTime() }
    await db.enqueue(QUEUE, ask, { key: logId, maxAttempts: 2 })
  },
}

export const serveVoice = (services: Services): void => services.slots.fill(cameraVoice, voice)
