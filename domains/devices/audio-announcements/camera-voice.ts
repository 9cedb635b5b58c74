import { sql, type Db } from '#kit/server/database/db.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { announcementLog } from './announcement-log.resource.ts'
import type { AnnouncementRow } from './play.ts'

/** How this module speaks through cameras. The video module, which is a layer above, fills the slot. */
export type CameraVoicePort = {
  /** Finds a camera in the caller's scope by its GB28181 id. Refuses one that is offline or has no loudspeaker. */
  find: (db: Db, caller: Caller | undefined, gbId: string) => Promise<{ cameraId: string; shopId: string | null }>
  /** Starts playing; the video module reports the end with `recordAnnouncementEnd`. */
  say: (
    db: Db,
    services: Services,
    ask: { logId: string; cameraId: string; alawUrl: string; times: number },
  ) => Promise<void>
}

export const cameraVoiceSlot = defineSlot<CameraVoicePort>('cameraVoice')

type Cause = { why: string; userId?: string | null; eventId?: string }

/**
 * Writes the playback to the log and has the camera play it. Returns the log row, whose end the video module records
 * later. Refuses when the sound is not ready or no camera can speak.
 */
export async function playAnnouncementOnCamera(
  db: Db,
  services: Services,
  { audio, gbId, caller, cause }: { audio: AnnouncementRow; gbId: string; caller?: Caller; cause: Cause },
): Promise<{ id: string; state: string }> {
  const voice = services.slots.find(cameraVoiceSlot)
  if (!voice) throw new Refused('camera_has_no_voice')
  if (audio.state !== 'READY' || !audio.alawUrl) throw new Refused('audio_not_ready', { name: audio.name })
  const { cameraId, shopId } = await voice.find(db, caller, gbId)
  const log = await db.insert(announcementLog, {
    audioId: audio.id,
    shopId: shopId ?? audio.shopId,
    text: audio.text,
    why: cause.why,
    cameraId,
    userId: cause.userId ?? null,
    eventId: cause.eventId ?? null,
  })
  await voice.say(db, services, { logId: log.id, cameraId, alawUrl: audio.alawUrl, times: audio.times ?? 1 })
  publishRowsChanged({ db }, announcementLog, [log])
  return { id: log.id, state: 'sent' }
}

type End = { state: 'done' | 'failed' | 'expired'; message?: string }

/** Writes the end of a camera playback to its log row; does nothing when the row has already ended. */
export async function recordAnnouncementEnd(db: Db, services: Services, logId: string, end: End): Promise<void> {
  const [log] = await db.find(announcementLog, sql`r.id = ${logId} and r.end_time is null`)
  if (!log) return
  const endTime = formatShanghaiTime(services.now())
  publishRowsChanged({ db }, announcementLog, [await db.update(announcementLog, logId, { ...end, endTime })])
}
