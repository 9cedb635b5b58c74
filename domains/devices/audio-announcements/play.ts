import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { findTenantFileByLink, createTemporaryFileUrl } from '#domains/platform/files/api.ts'
import {
  requestCommand,
  defineCommand,
  findGatewayOfShop,
  type CommandOrigin,
  type DeviceCommand,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'
import { announcementLog } from './announcement-log.resource.ts'
import type { audioConf } from './audio-conf.resource.ts'
import { playAnnouncementOnCamera } from './camera-voice.ts'

export type AnnouncementRow = RowOf<typeof audioConf>

type Play = { url: string; sha256: string; volume: number; times: number }

/** Plays a sound on a device. Expires after ten seconds, because a greeting that comes late reaches somebody else. */
export const audioPlayCommand = defineCommand<Play>({
  method: 'audio.play',
  label: { zh: '播放语音', en: 'Play audio' },
  auditParams: ({ url: _url, ...params }) => params,
  summary: ({ volume, times }) => ({
    zh: `播放语音，音量 ${volume}，${times} 遍`,
    en: `Play a sound, volume ${volume}, ${times === 1 ? 'once' : `${times} times`}`,
  }),
  ackTimeoutMs: 5_000,
  completionTimeoutMs: 600_000,
  lifeMs: 10_000,
  offline: 'refuse',
  perMinute: 20,
  ended: async (db, { id, state, message, endTime }) => {
    const [log] = await db.find(announcementLog, sql`r.command_id = ${id}`)
    if (log)
      publishRowsChanged({ db }, announcementLog, [
        await db.update(announcementLog, log.id, { state, message, endTime }),
      ])
  },
})

/** How long a device may download the sound of a play command. */
const SOUND_URL_SECONDS = 600

type Why = 'enter' | 'leave' | 'alarm' | 'schedule' | 'manual'
type Cause = CommandOrigin & { why: Why; eventId?: string }

/**
 * Sends the play command to a device and logs it. Returns the command, or undefined when the announcement has no sound
 * yet.
 */
export async function playAnnouncementOnDevice(
  db: Db,
  services: Services,
  { audio, link, cause }: { audio: AnnouncementRow; link: DeviceLink; cause: Cause },
): Promise<DeviceCommand | undefined> {
  const file = audio.state === 'READY' ? await findTenantFileByLink(services, db.tenantId, audio.audioUrl) : undefined
  if (!file) return undefined
  const { why, eventId, ...origin } = cause
  const params = {
    url: createTemporaryFileUrl(services, file.key, SOUND_URL_SECONDS),
    sha256: file.hash,
    volume: audio.volume ?? 70,
    times: audio.times ?? 1,
  }
  const command = await requestCommand({ db, services }, audioPlayCommand, link, params, origin)
  const [known] = await db.find(announcementLog, sql`r.command_id = ${command.id}`)
  if (known) return command
  const log = await db.insert(announcementLog, {
    audioId: audio.id,
    shopId: link.shopId,
    text: audio.text,
    why,
    linkId: link.id,
    userId: origin.userId ?? null,
    eventId: eventId ?? null,
    // Empty until the end is known.
    state: command.state === 'refused' ? command.state : null,
    endTime: command.state === 'refused' ? formatShanghaiTime(services.now()) : null,
    commandId: command.id,
  })
  publishRowsChanged({ db }, announcementLog, [log])
  return command
}

/** Plays an announcement on the gateway of its shop, else on its camera. Does nothing where the shop has neither. */
export async function playAnnouncementInShop(
  db: Db,
  services: Services,
  audio: AnnouncementRow,
  cause: Cause,
): Promise<void> {
  const link = await findGatewayOfShop(db, audio.shopId)
  if (link) return void (await playAnnouncementOnDevice(db, services, { audio, link, cause }))
  const { gbId } = audio
  // An offline or silent camera must not fail the caller.
  if (gbId)
    await db
      .savepoint(() => playAnnouncementOnCamera(db, services, { audio, gbId, cause }))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error
      })
}
