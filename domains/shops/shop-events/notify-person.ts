import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { NoticeChannel } from './notice-subscribe.resource.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

export const NOTICE_ATTEMPTS_MAX = 8
export const noticeDeliveryQueue = defineQueue<{ id: string }>('notice.deliver', { maxAttempts: NOTICE_ATTEMPTS_MAX })

export type NoticeRequest = {
  userId?: string
  /** Phone number for a text message, instead of a user. */
  phone?: string
  template: 'event' | 'work' | 'lead' | 'flow' | 'report' | 'personal'
  content: { zh: string; en?: string | null }
  channel?: NoticeChannel
  receiver?: string
  shopId?: string | null
  eventId?: string
  subscribeId?: string
  /** Idempotency key: a second notification with the same key is dropped. */
  key?: string
  /** Earliest time to send; now by default. */
  due?: Date
}

/** Creates a notification in the caller's transaction; it is sent after the commit. One with a known key is dropped. */
export async function notifyPerson(db: Db, services: Pick<Services, 'now'>, notice: NoticeRequest): Promise<void> {
  const id = newId()
  const { channel = 'site', due = services.now() } = notice
  const adding = db.run(sql`
    insert into notice_log (id, tenant_id, user_id, phone, channel, receiver, template, content, content_en, result,
    retries, due_time, shop_id, event_id, subscribe_id, once_key, create_user, update_user)
    values (${id}, ${db.tenantId}, ${notice.userId}, ${notice.phone}, ${channel}, ${notice.receiver},
    ${notice.template}, ${notice.content.zh.slice(0, 500)}, ${notice.content.en?.slice(0, 500)}, 'asked', 0,
      ${due.toISOString()}, ${notice.shopId}, ${notice.eventId}, ${notice.subscribeId}, ${notice.key ?? id},
      ${db.userId}, ${db.userId})
    on conflict do nothing`)
  const more = due > services.now() ? { runAt: due } : {}
  const deliver = () => db.enqueue(noticeDeliveryQueue, { id }, { key: id, ...more })
  // Without a key of the caller it is always new, so the insert need not be awaited.
  if (notice.key) return void ((await adding) && (await deliver()))
  db.waitUntil(adding)
  db.waitUntil(deliver())
}
