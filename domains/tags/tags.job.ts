import { sql, type Db } from '#kit/server/database/db.ts'
import { defineRoomJob } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { TAG } from './dictionaries.ts'
import { PUSH_QUEUE } from './push-later.ts'
import { pushTags } from './push-tags.ts'
import { tagFailed, tellLost, type Told } from './tag-outcomes.ts'

/** A tag says it is there every quarter of an hour; after three that were missed it is lost. */
const LOST_MS = 3 * 15 * 60_000
/** Longer than a batch has; then nothing will be heard of it any more. */
const SENT_MS = 5 * 60_000

export const pushTagsJob = defineRoomJob({
  queue: PUSH_QUEUE,
  run: async (_payload, { tenantId, services }) => {
    await services.unit({ tenantId }, (db) => pushTags(db, services))
  },
})

/** Every minute: tags to be tried again, those that fell silent, and what is left from a process that ended. */
export const watchTagsJob = defineRoomJob({
  queue: 'tags.watch',
  cron: '* * * * *',
  run: (_payload, { services }) => watchTags(services),
})

export async function watchTags(services: Services): Promise<void> {
  const now = services.now()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const tenants = await services.unit({ across: 'price tags of all tenants that wait or fell silent' }, (db) =>
    db.query<{ tenantId: string }>(sql`
      select tenant_id from price_tag where is_deleted = 0 and status = ${TAG.waiting}
        and next_time <= ${now.toISOString()}
      union select tenant_id from price_tag where is_deleted = 0 and status = ${TAG.sent}
        and sent_time < ${before(SENT_MS)}
      union select tenant_id from price_tag where is_deleted = 0 and status <> ${TAG.unbound}
        and last_report_time < ${before(LOST_MS)}`),
  )
  for (const { tenantId } of tenants) {
    await services.unit({ tenantId }, (db) => giveUpSent(db, now, before(SENT_MS)))
    await services.unit({ tenantId }, (db) => markLost(db, before(LOST_MS)))
    await services.unit({ tenantId }, (db) => pushTags(db, services))
  }
}

async function giveUpSent(db: Db, now: Date, limit: string): Promise<void> {
  const silent = await db.query<Told>(
    sql`select id, tag_id, wanted_hash as hash from price_tag where tenant_id = ${db.tenantId} and is_deleted = 0
      and status = ${TAG.sent} and sent_time < ${limit} order by id for update`,
  )
  for (const told of silent) await tagFailed(db, told, now, 'timeout')
}

/** Lost are only tags whose gateway was there long enough to have heard them. */
async function markLost(db: Db, limit: string): Promise<void> {
  const lost = await db.query<{ shopId: string }>(sql`
    update price_tag t set status = ${TAG.lost}, next_time = null, command_id = null, version = t.version + 1
    from device_link l
    where t.tenant_id = ${db.tenantId} and t.is_deleted = 0 and t.status not in (${TAG.unbound}, ${TAG.lost})
    and t.last_report_time < ${limit} and l.tenant_id = t.tenant_id and l.id = coalesce(t.gateway_id, t.shop_id)
    and l.state = 'online' and l.state_time < ${limit} returning t.shop_id`)
  for (const shopId of new Set(lost.map((one) => one.shopId))) await tellLost(db, shopId)
}
