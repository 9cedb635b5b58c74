import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { NoticeChannel } from './notice-subscribe.resource.ts'

export const NOTICE_DELIVERY_QUEUE = 'notice.deliver'
export const NOTICE_ATTEMPTS_MAX = 8

export type NoticeRequest = {
  userId?: string
  /** Instead of an account: the number a text message goes to. */
  phone?: string
  template: 'event' | 'work' | 'lead' | 'flow' | 'report' | 'personal'
  content: { zh: string; en?: string | null }
  channel?: NoticeChannel
  receiver?: string
  shopId?: string | null
  eventId?: string
  subscribeId?: string
  /** Told again under the same key, it is the same notice. */
  key?: string
  /** When it may go out; now unless said. */
  due?: Date
}

/**
 * Writes down what somebody is to be told, in the caller's transaction; it goes out once that commits. A notice of a
 * known key is not told again.
 */
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
  const deliver = () =>
    db.enqueue(NOTICE_DELIVERY_QUEUE, { id }, { key: id, maxAttempts: NOTICE_ATTEMPTS_MAX, ...more })
  // Under a key of its own it is new: whether it is need not be waited for.
  if (notice.key) return void ((await adding) && (await deliver()))
  db.waitUntil(adding)
  db.waitUntil(deliver())
}
