/** Plays announcements through cameras: pushes the sound to the media server, from where the platform plays it. */

import { sql } from '#kit/server/database/db.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import {
  recordAnnouncementEnd,
  cameraVoiceSlot,
  type CameraVoicePort,
} from '#domains/devices/audio-announcements/api.ts'
import { readStoredFile, findTenantFileByLink } from '#domains/platform/files/api.ts'
import { requireCameraById, type CameraAccess } from './camera-of.ts'
import { camera } from './camera.resource.ts'
import { voiceBroadcastPushUrl, fetchPushKey } from './platform.ts'
import { startRtspPublishing, createALawSilence } from './rtsp.client.ts'
import { releaseCameraVoice, voiceChannelOf, acquireCameraVoice } from './voice.ts'
import { pushKeySignature } from './wvp.client.ts'

const speakAnnouncementQueue = defineQueue<AnnouncementPush>('video.speak', { maxAttempts: 2 })
/** Announcements that come later are dropped: they would reach somebody else. */
const LATE_MS = 30_000
/** Silence before the sound. A camera answers the platform within seconds, and nothing is heard before. */
const LEAD_MS = 2_000
/** Silence after each repetition. */
const TAIL_MS = 500

type AnnouncementPush = { logId: string; cameraId: string; alawUrl: string; times: number; asked: number }

const SAYS = {
  late: defineSystemText({ zh: '已过时，没有播放', en: 'Too late, not played' }),
  gone: defineSystemText({ zh: '语音文件已不存在', en: 'The audio file no longer exists' }),
  cut: defineSystemText({ zh: '服务重启，播放中断', en: 'Interrupted by a server restart' }),
  busy: defineSystemText({ zh: '摄像头正在对讲', en: 'Two-way audio is active on the camera' }),
  failed: defineSystemText({ zh: '推送到摄像头失败', en: 'Pushing audio to the camera failed' }),
}

/** Returns the samples of a WAV file in A-law. */
function samplesOf(wav: Buffer): Buffer {
  for (let at = 12; at + 8 <= wav.length; at += 8 + wav.readUInt32LE(at + 4) + (wav.readUInt32LE(at + 4) % 2))
    if (wav.toString('latin1', at, at + 4) === 'data') return wav.subarray(at + 8, at + 8 + wav.readUInt32LE(at + 4))
  return Buffer.alloc(0)
}

async function soundOf(services: Services, tenantId: string, link: string): Promise<Buffer | undefined> {
  const file = await findTenantFileByLink(services, tenantId, link)
  const bytes = file && (await readStoredFile(services, file))
  const samples = bytes && samplesOf(bytes)
  return samples?.length ? samples : undefined
}

/** Plays samples on a camera's loudspeaker, after a silence in which it connects. */
async function speak(services: Services, reached: CameraAccess, samples: Buffer, times: number): Promise<void> {
  const { account } = reached
  const sign = pushKeySignature(await fetchPushKey(services, account))
  const publisher = await startRtspPublishing(
    voiceBroadcastPushUrl(account, voiceChannelOf(reached)),
    sign,
    account.mayBeInside,
  )
  try {
    await publisher.say(createALawSilence(LEAD_MS))
    for (let n = 0; n < times; n++) {
      await publisher.say(samples)
      await publisher.say(createALawSilence(TAIL_MS))
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
  const reached = await requireCameraById(services, tenantId, ask.cameraId)
  const seconds = Math.ceil((samples.length * ask.times) / 8000) + 10
  const holder = { userId: `announcement/${ask.logId}`, name: '播报' }
  try {
    await acquireCameraVoice(services, reached, holder, seconds)
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
    await releaseCameraVoice(services, reached, holder.userId)
  }
}

export const speakAnnouncementJob = defineModuleJob({
  queue: speakAnnouncementQueue,
  concurrency: 8,
  timeoutSeconds: 900,
  run: async (ask, { services, tenantId, attempt }) => {
    // An earlier attempt played part of it. Another one would play that twice, so it fails.
    const end: End = attempt > 1 ? { state: 'failed', message: SAYS.cut } : await spoken(services, tenantId, ask)
    await services.unit({ tenantId }, (db) => recordAnnouncementEnd(db, services, ask.logId, end))
  },
})

const voice: CameraVoicePort = {
  find: async (db, caller, gbId) => {
    const scope = caller ? dataScopeSql(camera, caller) : sql``
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
    await db.enqueue(speakAnnouncementQueue, ask, { key: logId })
  },
}

export const fillCameraVoiceSlot = (services: Services): void => services.slots.fill(cameraVoiceSlot, voice)
