import { createSmsBatch, sendSmsBatch } from '#domains/messaging/sms/api.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { interpolate } from '#kit/base/localized-text.ts'
import { Refused, refusalMessage } from '#kit/server/base/refused.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { maskPhone } from '#kit/server/base/mask.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { findTenantAdministrators } from './administrators.ts'
import { EVENT_STATE, event } from './event.resource.ts'
import { eventNotifyQueue, ALWAYS_NOTIFIED_EVENT_TYPES } from './event.server.ts'
import { noticeLog } from './notice-log.resource.ts'
import { noticeSubscribe, type NoticeChannel } from './notice-subscribe.resource.ts'
import { EVENT_REMINDER_MINUTES_PARAM } from './params.ts'
import { noticeDueTime } from './quiet-hours.ts'
import { findShopConf } from '#domains/shops/shops/api.ts'
import { NOTICE_ATTEMPTS_MAX, noticeDeliveryQueue, notifyPerson } from './notify-person.ts'
import { STORM_NOTICE_PREFIX, eventStormState } from './storm.ts'
import { createWechatMessageForNotice, deliverWechatNotice } from './wechat-notice.ts'
import { noticeDeliveredTopic } from './topics.ts'

type Subscription = RowOf<typeof noticeSubscribe>
type Person = { id: string; roleId: string[] | null; deptId: string[] | null; phone: string | null }
type NoticeRecipient = { subscription: Subscription; person: Person; openid: string | null }

/** Returns the subscribers of an event with their accounts and WeChat ids. */
async function subscribersOf(db: Db, one: RowOf<typeof event>): Promise<NoticeRecipient[]> {
  const subscriptions = await db.find(
    noticeSubscribe,
    sql`r.enabled and ${one.type} = any(r.event_types) and (coalesce(cardinality(r.shop_ids), 0) = 0
      or ${one.shopId} = any(r.shop_ids))`,
    sql`order by r.id`,
  )
  const openids = subscriptions.flatMap(({ openid }) => openid ?? [])
  const bound = await db.query<{ openid: string; userId: string }>(
    sql`select openid, user_id from wx_shoper where tenant_id = ${db.tenantId} and is_deleted = 0
      and user_id is not null and (openid = any(${openids})
      or user_id = any(${subscriptions.flatMap(({ userId }) => userId ?? [])}::bigint[])) order by id`,
  )
  const userOf = (one: Subscription) => one.userId ?? bound.find(({ openid }) => openid === one.openid)?.userId
  const people = await db.query<Person>(
    sql`select id, role_id::text[], dept_id::text[], phone from sys_user where tenant_id = ${db.tenantId}
      and is_deleted = 0 and coalesce(status, 1) = 1
      and id = any(${subscriptions.flatMap((row) => userOf(row) ?? [])}::bigint[])`,
  )
  return subscriptions.flatMap((subscription) => {
    const person = people.find(({ id }) => id === userOf(subscription))
    return person
      ? [
          {
            subscription,
            person,
            openid: subscription.openid ?? bound.find(({ userId }) => userId === person.id)?.openid ?? null,
          },
        ]
      : []
  })
}

/** Whether a person could see an event in their list now, by permissions, shops and data scopes. */
async function maySee(
  services: Services,
  tenantId: string,
  { id: userId, roleId, deptId }: Person,
  eventId: string | null,
): Promise<boolean> {
  const caller = await services.access.again({
    ...anonymousCaller,
    tenantId,
    userId,
    roleIds: roleId ?? [],
    deptIds: deptId ?? [],
  })
  if (!caller || !hasPermission(caller, event.code)) return false
  const found = await services.unit({ tenantId }, (db) =>
    db.find(event, sql`r.id = ${eventId}${dataScopeSql(event, caller)}`),
  )
  return found.length > 0
}

const receiverOf = (channel: NoticeChannel, { person, openid }: NoticeRecipient): string | undefined =>
  channel === 'sms'
    ? person.phone
      ? maskPhone(person.phone)
      : undefined
    : channel === 'wechat'
      ? (openid ?? undefined)
      : undefined

/** Text of a notification about an event. */
const sentenceOf = (one: RowOf<typeof event>, shopName: string, before = { zh: '', en: '' }) => ({
  zh: `${before.zh}${shopName}：${one.content!}`,
  en: `${before.en}${shopName}: ${one.contentEn ?? one.content!}`,
})

/**
 * Notifies subscribers of an event on their channels, after their quiet hours unless it is urgent. `round`
 * distinguishes reminders.
 */
async function notifySubscribers(
  db: Db,
  services: Services,
  one: RowOf<typeof event>,
  recipients: readonly NoticeRecipient[],
  content: { zh: string; en: string },
  round = '',
): Promise<void> {
  for (const each of recipients) {
    const { subscription, person } = each
    const due = noticeDueTime(
      services.now(),
      { start: subscription.quietStart, end: subscription.quietEnd },
      one.level!,
    )
    for (const channel of subscription.channels as NoticeChannel[]) {
      await notifyPerson(db, services, {
        userId: person.id,
        template: 'event',
        channel,
        due,
        eventId: one.id,
        shopId: one.shopId,
        subscribeId: subscription.id,
        receiver: receiverOf(channel, each),
        key: `event/${one.id}/${person.id}/${channel}${round}`,
        content,
      })
    }
  }
}

/** Loads an event with its shop and the subscribers who may see it now. */
async function listenersOf(
  services: Services,
  tenantId: string,
  eventId: string,
): Promise<{ one: RowOf<typeof event>; shopName: string; recipients: NoticeRecipient[] } | undefined> {
  const found = await services.unit({ tenantId }, async (db) => {
    const one = await db.get(event, eventId)
    return one && { one, shop: await db.get(basicShopInfo, one.shopId!), subscribers: await subscribersOf(db, one) }
  })
  if (!found) return undefined
  const recipients: NoticeRecipient[] = []
  for (const each of found.subscribers)
    if (await maySee(services, tenantId, each.person, eventId)) recipients.push(each)
  return { one: found.one, shopName: found.shop?.shopName ?? '', recipients }
}

/** Sends a text message to the emergency numbers in the shop's settings, also at night. */
async function notifyEmergencyNumbers(
  db: Db,
  services: Services,
  one: RowOf<typeof event>,
  content: { zh: string; en: string },
): Promise<void> {
  for (const phone of (await findShopConf(db, one.shopId!))?.alertPhones ?? [])
    await notifyPerson(db, services, {
      phone,
      receiver: maskPhone(phone),
      template: 'event',
      channel: 'sms',
      eventId: one.id,
      shopId: one.shopId,
      key: `event/${one.id}/${phone}/sms`,
      content,
    })
}

/** Creates the notifications of a new event. */
export const createEventNoticesJob = defineModuleJob({
  queue: eventNotifyQueue,
  run: async ({ eventId }, { tenantId, services }) => {
    const found = await listenersOf(services, tenantId, eventId)
    if (!found) return
    const { one, shopName, recipients } = found
    await services.unit({ tenantId }, async (db) => {
      const storm = await eventStormState(db, one)
      if (storm === 'storm') return
      const sentence = sentenceOf(one, shopName, storm === 'last' ? STORM_NOTICE_PREFIX : undefined)
      await notifySubscribers(db, services, one, recipients, sentence)
      if (one.level === URGENT) await notifyEmergencyNumbers(db, services, one, sentence)
    })
  },
})

const URGENT = 3
/** Number of reminders: first to the subscribers, then to the tenant's administrators. */
const STEPS = 2
const again = { zh: '仍无人认领：', en: 'Still unclaimed: ' }

/**
 * Reminds of urgent events nobody has taken: after a while the subscribers, and after the same time again the tenant's
 * administrators, whatever they subscribed to. Returns the number of reminders.
 */
export async function remindOfEvents(services: Services): Promise<number> {
  const minutes = await paramNumber(services, EVENT_REMINDER_MINUTES_PARAM)
  if (!minutes) return 0

  const before = new Date(services.now().getTime() - minutes * 60_000).toISOString()
  const isDue = sql`level = ${URGENT} and status = ${EVENT_STATE.open} and coalesce(remind_step, 0) < ${STEPS}
    and coalesce(remind_time, occur_time) <= ${before}
    and (type = any(${[...ALWAYS_NOTIFIED_EVENT_TYPES]}::text[]) or not exists (select 1 from planned_work w
      where w.tenant_id = shop_event.tenant_id and w.shop_id = shop_event.shop_id and w.is_deleted = 0
      and w.start_time <= now() and w.end_time > now()))`

  const left = await services.unit({ crossTenantReason: 'urgent events of all tenants that nobody has taken' }, (db) =>
    db.query<{ id: string; tenantId: string }>(
      // The oldest of each tenant first, so that a flood in one does not delay the others.
      sql`select id, tenant_id from (select id, tenant_id, row_number() over (partition by tenant_id order by id)
        as place from shop_event where ${isDue}) as due order by place, id limit 500`,
    ),
  )

  let steps = 0
  for (const { id, tenantId } of left) {
    const found = await listenersOf(services, tenantId, id)
    if (!found) continue
    steps += await services.unit({ tenantId }, async (db) => {
      // Taken, resolved or handled by another process meanwhile: no reminder.
      const step = await db.one<{ n: number }>(
        sql`update shop_event set remind_step = coalesce(remind_step, 0) + 1,
          remind_time = ${services.now().toISOString()} where tenant_id = ${tenantId} and id = ${id} and ${isDue}
          returning remind_step as n`,
      )
      if (!step) return 0
      const content = sentenceOf(found.one, found.shopName, again)
      if (step.n < STEPS) await notifySubscribers(db, services, found.one, found.recipients, content, `/${step.n}`)
      else {
        for (const { id: userId } of await findTenantAdministrators(db))
          await notifyPerson(db, services, {
            userId,
            template: 'event',
            eventId: id,
            shopId: found.one.shopId,
            key: `event/${id}/${userId}/admin/${step.n}`,
            content,
          })
      }
      return 1
    })
  }
  return steps
}

export const remindOfUnclaimedEventsJob = defineModuleJob({
  queue: defineQueue('event.remind'),
  cron: '* * * * *',
  concurrency: 1,
  run: async (_payload, { services }) => void (await remindOfEvents(services)),
})

type Log = RowOf<typeof noticeLog>

const close = async (db: Db, id: string, patch: Partial<Log>): Promise<void> =>
  publishRowsChanged({ db }, noticeLog, [await db.update(noticeLog, id, patch)])

/** Parameters available to the SMS template. */
async function smsParams(db: Db, log: Log): Promise<Record<string, string>> {
  const shop = log.shopId ? await db.get(basicShopInfo, log.shopId) : undefined
  return { shop: shop?.shopName ?? '', content: log.content!, time: formatShanghaiTime(new Date()).slice(5, 16) }
}

/** Code of the SMS configuration named "event"; null to use the enabled one. */
const smsCode = async (db: Db): Promise<string | null> =>
  (
    await db.one<{ code: string }>(
      sql`select sms_code as code from sms where tenant_id = ${db.tenantId} and is_deleted = 0 and sms_code = 'event'`,
    )
  )?.code ?? null

type Next = { batchId: string } | { wechatMessageId: string } | undefined

const NOT_SENT = {
  resolved: defineSystemText({ zh: '发送前事件已解决', en: 'The event was resolved before sending' }),
  others: defineSystemText({ zh: '接收人已看不到这家门店', en: 'The recipient can no longer see this store' }),
  noPhone: defineSystemText({ zh: '接收人没有手机号', en: 'The recipient has no mobile number' }),
}

/** Whether a waiting notification is about a shop its recipient may no longer see, or the recipient has left. */
async function isOthersNow(services: Services, tenantId: string, id: string): Promise<boolean> {
  const found = await services.unit({ tenantId }, async (db) => {
    const log = await db.get(noticeLog, id)
    // Emergency numbers belong to the shop's settings and have no permissions.
    if (log?.template !== 'event' || !log.shopId || log.phone) return undefined
    const [person] = await db.query<Person>(
      sql`select id, role_id::text[], dept_id::text[], phone from sys_user where tenant_id = ${tenantId}
        and id = ${log.userId} and is_deleted = 0 and coalesce(status, 1) = 1`,
    )
    return { person, eventId: log.eventId }
  })
  return found !== undefined && !(found.person && (await maySee(services, tenantId, found.person, found.eventId)))
}

const phoneOf = async (db: Db, userId: string): Promise<string | null | undefined> =>
  (
    await db.one<{ phone: string | null }>(
      sql`select phone from sys_user where tenant_id = ${db.tenantId} and id = ${userId} and is_deleted = 0`,
    )
  )?.phone

/** Does what is possible in one transaction; returns the message that must still be sent, if any. */
async function deliverHere(db: Db, services: Services, id: string, isOthers: boolean): Promise<Next> {
  const log = await db.get(noticeLog, id, 'forUpdate')
  if (log?.result !== 'asked') return undefined
  if (log.batchId) return { batchId: log.batchId }
  if (log.wechatMessageId) return { wechatMessageId: log.wechatMessageId }
  const reason = await reasonToDrop(db, log, isOthers)
  if (reason !== undefined) return void (await close(db, id, { result: 'dropped', error: reason }))
  if (log.channel === 'wechat') return deliverByWechat(db, services, log)
  if (log.channel === 'site') return deliverOnSite(db, services, log)
  return deliverBySms(db, services, log)
}

async function reasonToDrop(db: Db, { eventId }: Log, isOthers: boolean): Promise<string | undefined> {
  const about = eventId ? await db.get(event, eventId) : undefined
  if (about?.status === EVENT_STATE.resolved) return NOT_SENT.resolved
  return isOthers ? NOT_SENT.others : undefined
}

async function deliverByWechat(db: Db, services: Services, log: Log): Promise<Next> {
  const wechatMessage = await createWechatMessageForNotice(db, services, log)
  if ('error' in wechatMessage)
    return void (await close(db, log.id, { result: 'undeliverable', error: wechatMessage.error }))
  await db.update(noticeLog, log.id, wechatMessage)
  return wechatMessage
}

/** Delivers a notification on the site, with the commit of this transaction. */
async function deliverOnSite(db: Db, services: Services, log: Log): Promise<undefined> {
  const { id, content, template, eventId } = log
  await close(db, id, { result: 'sent', sendTime: formatShanghaiTime(services.now()) })
  db.publish(
    noticeDeliveredTopic,
    { id, content, contentEn: log.contentEn ?? content, template, eventId },
    { userIds: [log.userId!] },
  )
}

async function deliverBySms(db: Db, services: Services, log: Log): Promise<Next> {
  const { id } = log
  const phone = log.phone ?? (await phoneOf(db, log.userId!))
  if (!phone) return void (await close(db, id, { result: 'undeliverable', error: NOT_SENT.noPhone }))
  try {
    const batchId = await createSmsBatch(db, services, {
      code: await smsCode(db),
      phones: phone,
      params: await smsParams(db, log),
    })
    await db.update(noticeLog, id, { batchId })
    return { batchId }
  } catch (refused) {
    if (!(refused instanceof Refused) || refused.code === 'sms_too_often') throw refused
    return void (await close(db, id, {
      result: 'undeliverable',
      error: interpolate(refusalMessage(refused).zh, refused.params).slice(0, 500),
    }))
  }
}

/** State of an SMS batch, from the SMS module's records. */
const batchState = (db: Db, batchId: string) =>
  db.one<{ state: string; reason: string | null }>(
    sql`select state, coalesce(nullif(provider_msg, ''), provider_code) as reason from sms_record
      where tenant_id = ${db.tenantId} and batch_id = ${batchId} order by id limit 1`,
  )

/** Sends an SMS batch and returns the result for the notification; throws while the result is open. */
async function endBySms(services: Services, tenantId: string, batchId: string): Promise<Partial<Log> | undefined> {
  await sendSmsBatch(services, tenantId, batchId)
  const batch = await services.unit({ tenantId }, (db) => batchState(db, batchId))
  if (!batch) return undefined
  if (batch.state === 'sent') return { result: 'sent', sendTime: formatShanghaiTime(services.now()), error: null }
  if (batch.state === 'failed' || batch.state === 'expired')
    return { result: 'failed', error: batch.reason ?? batch.state }
  throw new Error(batch.reason ?? 'the provider has not answered yet')
}

/** Delivers one notification. Each step is stored before the next, so that an interrupted run continues there. */
export const deliverNoticeJob = defineModuleJob({
  queue: noticeDeliveryQueue,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 1800),
  run: async ({ id }, { tenantId, services, attempt }) => {
    try {
      const isOthers = await isOthersNow(services, tenantId, id)
      const next = await services.unit({ tenantId }, (db) => deliverHere(db, services, id, isOthers))
      if (!next) return
      const end =
        'batchId' in next
          ? await endBySms(services, tenantId, next.batchId)
          : await deliverWechatNotice(services, tenantId, next.wechatMessageId)
      await services.unit({ tenantId }, async (db) => {
        const log = await db.get(noticeLog, id, 'forUpdate')
        if (end && log?.result === 'asked') await close(db, id, end)
      })
    } catch (error) {
      const isLast = attempt >= NOTICE_ATTEMPTS_MAX
      await services.unit({ tenantId }, (db) =>
        db.run(
          sql`update notice_log set retries = ${attempt}, error = ${(error as Error).message.slice(0, 500)},
            result = ${isLast ? 'failed' : sql`result`}, update_time = now() where tenant_id = ${tenantId}
            and id = ${id} and result = 'asked'`,
        ),
      )
      throw error
    }
  },
})

/** Queues due notifications again whose job was lost. */
export const requeueDueNoticesJob = defineModuleJob({
  queue: defineQueue('notice.sweep'),
  cron: '*/5 * * * *',
  run: async (_payload, { services }) => {
    const left = await services.unit(
      { crossTenantReason: 'notices of all tenants that nobody carries any more' },
      (db) =>
        db.query<{ id: string; tenantId: string }>(
          sql`select id, tenant_id from notice_log where result = 'asked' and due_time < now() - interval '1 hour'
            order by id limit 500`,
        ),
    )
    for (const { id, tenantId } of left)
      await services.unit({ tenantId }, (db) => db.enqueue(noticeDeliveryQueue, { id }, { key: id }))
  },
})
