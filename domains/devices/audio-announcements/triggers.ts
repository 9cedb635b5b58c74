import { sql, type Db } from '#kit/server/database/db.ts'
import { nextRun } from '#kit/server/jobs/schedule.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { onEventRaised } from '#domains/shops/shop-events/api.ts'
import { onDeviceEvent, type DeviceMessageContext } from '#domains/devices/device-messaging/api.ts'
import { findShopConf } from '#domains/shops/shops/api.ts'
import { audioConf } from './audio-conf.resource.ts'
import { playAnnouncementInShop, type AnnouncementRow } from './play.ts'

/** Greetings that come later are dropped: they would greet somebody else. */
const LATE_MS = 30_000
/** Greetings a minute for one device and trigger. A device that reports more visitors is faulty. */
const GREETINGS_A_MINUTE = 10
/** Alarm announcements that come later are dropped. */
const ALARM_LATE_MS = 120_000

const READY = sql`r.state = 'READY' and coalesce(r.enabled, true)`

/**
 * Returns what a shop plays when somebody enters or leaves: the announcement chosen in its settings, else the newest
 * with that trigger.
 */
async function findVisitAnnouncement(
  db: Db,
  shopId: string,
  why: 'enter' | 'leave',
): Promise<AnnouncementRow | undefined> {
  const conf = await findShopConf(db, shopId)
  const chosen = why === 'enter' ? conf?.welcomeAudioId : conf?.leaveAudioId
  const [audio] = await db.find(
    audioConf,
    chosen ? sql`r.id = ${chosen} and ${READY}` : sql`r.shop_id = ${shopId} and r.trigger = ${why} and ${READY}`,
    sql`order by r.id desc limit 1`,
  )
  return audio
}

/** Limits greetings per device and minute, counted over all servers. */
async function mayGreet({ shared, now }: Services, tenantId: string, clientId: string, why: string): Promise<boolean> {
  const minute = Math.floor(now().getTime() / 60_000)
  return (await shared.increment(tenantSharedKey(tenantId, 'greet', clientId, why, minute), 60)) <= GREETINGS_A_MINUTE
}

const greets =
  (why: 'enter' | 'leave') =>
  async ({ db, services, link, at }: DeviceMessageContext): Promise<void> => {
    if (link.kind !== 'gateway' || !link.shopId || services.now().getTime() - at.getTime() > LATE_MS) return
    const audio = await findVisitAnnouncement(db, link.shopId, why)
    if (audio && (await mayGreet(services, db.tenantId, link.clientId!, why)))
      await playAnnouncementInShop(db, services, audio, { why, source: 'event' })
  }

onDeviceEvent('visit.entered', greets('enter'))
onDeviceEvent('visit.left', greets('leave'))

const announcementAlarmQueue = defineQueue<Alarm>('announcement.alarm')
const URGENT = 3

onEventRaised(async (db, { id, shopId, type, level }) => {
  const speaks =
    await db.one(sql`select 1 from audio_conf r where r.tenant_id = ${db.tenantId} and r.shop_id = ${shopId}
    and r.trigger = 'alarm' and r.is_deleted = 0 and ${READY} limit 1`)
  if (speaks) await db.enqueue(announcementAlarmQueue, { eventId: id, shopId, type, level }, { key: id })
})

type Alarm = { eventId: string; shopId: string; type: string; level: number }

/** Plays the shop's alarm announcements for an event. */
export const playAlarmAnnouncementsJob = defineModuleJob({
  queue: announcementAlarmQueue,
  run: async ({ eventId, shopId, type, level }, { services, tenantId }) => {
    await services.unit({ tenantId }, async (db) => {
      const event = await db.one<{ at: number }>(sql`select (extract(epoch from create_time) * 1000)::bigint as at
        from shop_event where tenant_id = ${tenantId} and id = ${eventId}`)
      if (!event || services.now().getTime() - event.at > ALARM_LATE_MS) return
      const audios = await db.find(audioConf, sql`r.shop_id = ${shopId} and r.trigger = 'alarm' and ${READY}`)
      for (const audio of audios) {
        const isMeant = audio.alarmTypes?.length ? audio.alarmTypes.includes(type) : level >= URGENT
        if (isMeant)
          await playAnnouncementInShop(db, services, audio, {
            why: 'alarm',
            source: 'event',
            eventId,
            key: `alarm/${audio.id}/${eventId}`,
          })
      }
    })
  },
})

/**
 * How far back due times are looked for, as the job of a minute may run late. The due time is part of the idempotency
 * key, so nothing is played twice.
 */
const LOOK_BACK_MS = 90_000

function timesOf(cron: string, now: Date): Date[] {
  const times: Date[] = []
  try {
    for (let at = nextRun(cron, new Date(now.getTime() - LOOK_BACK_MS)); at <= now; at = nextRun(cron, at))
      times.push(at)
  } catch {
    // The schedule has no further time.
  }
  return times
}

/** Plays all scheduled announcements that are due by Shanghai time, in all tenants. */
export async function playDueAnnouncements(services: Services): Promise<void> {
  const now = services.now()
  const scheduled = await services.unit({ crossTenantReason: 'announcements of all tenants that may be due' }, (db) =>
    db.query<{ id: string; tenantId: string; cron: string }>(sql`select id, tenant_id, cron from audio_conf r
      where r.trigger = 'schedule' and r.cron is not null and r.is_deleted = 0 and ${READY} order by r.id`),
  )
  for (const { id, tenantId, cron } of scheduled)
    for (const at of timesOf(cron, now))
      await services.unit({ tenantId }, async (db) => {
        const audio = await db.get(audioConf, id)
        const key = `schedule/${id}/${at.getTime()}`
        if (audio) await playAnnouncementInShop(db, services, audio, { why: 'schedule', source: 'schedule', key })
      })
}

export const playDueAnnouncementsJob = defineModuleJob({
  queue: defineQueue('announcement.schedule'),
  cron: '* * * * *',
  concurrency: 1,
  run: (_payload, { services }) => playDueAnnouncements(services),
})
