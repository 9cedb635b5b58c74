import { f, type Lang, type RowOf, type UpdateOf } from '#kit/resource/index.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { requireIdList } from '#kit/server/resource/remove-of.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { translateSystemTextField, defineSystemText } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { transitionAll } from '#kit/server/resource/transition.ts'
import { EVENT_STATE, event, eventLevels, type EventType } from './event.resource.ts'

type Event = RowOf<typeof event>

/** Shop, type and subject of an event: a device, a product, or a key chosen by the caller. */
type About = { shopId: string; type: EventType; subject?: string; deviceId?: string; goodId?: string }

export type RaiseEventInput = About & {
  level?: 1 | 2 | 3
  content: string | { zh: string; en: string }
  picture?: string
  /** Devices concerned, if there are several. */
  devices?: readonly object[]
  /** When it happened; now by default. */
  at?: Date
}

/** Events about which people are notified even during planned work. */
export const ALWAYS_NOTIFIED_EVENT_TYPES: readonly EventType[] = ['sos']

/** Remark of an event that was resolved by the system. */
export const AUTO_RECOVERED_TEXT = defineSystemText({ zh: '已自动恢复', en: 'Recovered automatically' })

export const eventNotifyQueue = defineQueue<{ eventId: string }>('event.notify')

const keyOf = ({ type, subject, deviceId, goodId }: About): string => `${type}/${subject ?? deviceId ?? goodId ?? ''}`

/** A newly raised event, as passed to listeners of other modules. */
type RaisedEvent = { id: string; shopId: string; type: EventType; level: number }
type Listener = (db: Db, raised: RaisedEvent) => Promise<void>
const listeners: Listener[] = []

/** Registers what a module does when an event is raised: once for each cause, in the same transaction. */
export const onEventRaised = (listener: Listener): void => void listeners.push(listener)

/**
 * Raises an event of a shop; returns its id. If one of the same shop, type and subject is open, its count is increased,
 * even with concurrent callers. Only the first occurrence notifies subscribers; during planned work nobody is notified
 * and the event is acknowledged at once.
 */
export async function raiseEvent(db: Db, raised: RaiseEventInput): Promise<string> {
  const { shopId, type, content, at } = raised
  const { zh, en } = typeof content === 'string' ? { zh: content, en: null } : content
  const time = at ? sql`${at.toISOString()}::timestamptz` : sql`now()`
  const level = raised.level ?? eventLevels[type]
  const work = ALWAYS_NOTIFIED_EVENT_TYPES.includes(type) ? undefined : await workOn(db, shopId)
  const devices = raised.devices ? JSON.stringify(raised.devices) : null
  const row = await db.one<{ id: string; count: number }>(sql`
    insert into shop_event as e (id, tenant_id, shop_id, type, level, status, content, content_en, count, remind_step,
    occur_time, last_time, subject, device_id, good_id, picture, devices, planned_work_id, open_key, create_user,
    update_user)
    values (${newId()}, ${db.tenantId}, ${shopId}, ${type}, ${level},
    ${work ? EVENT_STATE.acknowledged : EVENT_STATE.open}, ${zh.slice(0, 500)},
    ${en?.slice(0, 500)}, 1, 0, ${time}, ${time},
      ${raised.subject}, ${raised.deviceId}, ${raised.goodId}, ${raised.picture}, ${devices}::jsonb, ${work?.id},
      ${keyOf(raised)}, ${db.userId}, ${db.userId})
    on conflict (tenant_id, shop_id, open_key) do update set count = e.count + 1, last_time = greatest(e.last_time,
    excluded.last_time), level = greatest(e.level, excluded.level),
      content = excluded.content, content_en = excluded.content_en, picture = coalesce(excluded.picture, e.picture),
      devices = coalesce(excluded.devices, e.devices), update_time = now(), version = e.version + 1
    returning id, count`)
  const { id, count } = row!
  publishRowsChanged({ db }, event, [{ id, shopId }])
  if (count > 1 || work) return id
  await db.enqueue(eventNotifyQueue, { eventId: id }, { key: id })
  for (const listener of listeners) await listener(db, { id, shopId, type, level })
  return id
}

const workOn = (db: Db, shopId: string) =>
  db.one<{ id: string }>(sql`select id from planned_work where tenant_id = ${db.tenantId} and shop_id = ${shopId}
    and is_deleted = 0 and start_time <= now() and end_time > now() order by id limit 1`)

/** Reopens and notifies events that were raised during planned work and last longer. Returns their number. */
export async function notifyAfterPlannedWork(db: Db): Promise<number> {
  const isLeft = sql`r.open_key is not null and r.planned_work_id is not null and r.handler is null and not exists (
      select 1 from planned_work w where w.tenant_id = r.tenant_id and w.shop_id = r.shop_id and w.is_deleted = 0
      and w.start_time <= now() and w.end_time > now())`
  const tenants = await db.query<{ tenantId: string }>(
    sql`select distinct r.tenant_id from shop_event r where ${isLeft} order by 1`,
  )
  let count = 0
  for (const { tenantId } of tenants)
    await db.asTenant(tenantId, async (own) => {
      const patch = { plannedWorkId: null }
      const set = sql`remind_time = now()`
      const left = await transitionAll(own, event, isLeft, 'outlastPlannedWork', patch, { set })
      for (const { id } of left) await own.enqueue(eventNotifyQueue, { eventId: id }, { key: id })
      count += left.length
    })
  return count
}

/** Updates the text of the open event of a cause without notifying anybody. Returns whether there was one. */
export async function updateOpenEvent(
  db: Db,
  about: About,
  content: { zh: string; en: string; devices?: readonly object[] },
): Promise<boolean> {
  const rows = await db.query<{ id: string; shopId: string }>(sql`
    update shop_event set content = ${content.zh.slice(0, 500)}, content_en = ${content.en.slice(0, 500)},
    devices = coalesce(${content.devices ? JSON.stringify(content.devices) : null}::jsonb, devices),
    update_time = now(), version = version + 1
    where tenant_id = ${db.tenantId} and shop_id = ${about.shopId} and open_key = ${keyOf(about)}
    returning id, shop_id`)
  if (rows.length) publishRowsChanged({ db }, event, rows)
  return rows.length > 0
}

/** Resolves the open events of a cause that is gone. Returns their number. */
export async function resolveEvents(db: Db, about: About): Promise<number> {
  const isIts = sql`r.shop_id = ${about.shopId} and r.open_key = ${keyOf(about)}`
  const set = sql`resolve_time = now(), handle_remark = coalesce(r.handle_remark, ${AUTO_RECOVERED_TEXT})`
  return (await transitionAll(db, event, isIts, 'recover', { openKey: null }, { set })).length
}

/** Which user has read which event. */
export const eventReadTable = defineTable({
  name: 'event_read',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'user_id', 'event_id'],
  columns: {
    tenant_id: 'text not null',
    user_id: 'bigint not null',
    event_id: 'bigint not null',
    read_time: 'timestamptz(3) not null default now()',
  },
})

const isUnread = (userId: string) =>
  sql` and r.status < ${EVENT_STATE.resolved} and not exists (select 1 from event_read x where x.tenant_id = r.tenant_id
    and x.user_id = ${userId} and x.event_id = r.id)`
const isMine = (userId: string) => sql` and r.handler = ${userId} and r.status = ${EVENT_STATE.acknowledged}`

async function handle(
  rows: Event[],
  move: 'acknowledge' | 'resolve',
  patch: UpdateOf<typeof event>,
  call: Call,
): Promise<void> {
  const { db, caller, services } = call
  const ids = rows.map((row) => row.id)
  await transitionAll(db, event, sql`r.id = any(${ids}::bigint[])`, move, {
    handler: caller.userId,
    handleTime: formatShanghaiTime(services.now()),
    ...patch,
  })
  await markRead(call, ids)
}

/** Time from the event until it was resolved, such as "1 h 5 min". */
function lastedWords({ occurTime, resolveTime }: Event, lang: Lang): string {
  const all = Math.max(
    0,
    Math.round((parseShanghaiTime(resolveTime!).getTime() - parseShanghaiTime(occurTime).getTime()) / 60_000),
  )
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  const parts = { zh: [`${hours} 小时`, `${minutes} 分钟`], en: [`${hours} h`, `${minutes} min`] }[lang]
  return (hours ? (minutes ? parts : parts.slice(0, 1)) : parts.slice(1)).join(' ')
}

export const eventServer = serve(event, {
  where: ({ query, caller }) =>
    query.isUnread === 'true' ? isUnread(caller.userId) : query.isMine === 'true' ? isMine(caller.userId) : sql``,
  present: async (wire, rows, call) => {
    const tenants = [...new Set(rows.map((row) => row.tenantId))]
    const [read] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select event_id::text as id from event_read where tenant_id = any(${tenants})
        and user_id = ${call.caller.userId} and event_id = any(${rows.map((row) => row.id)}::bigint[])`,
    ])
    translateSystemTextField(wire, 'handleRemark', call.lang)
    const known = new Set(read!.map((one) => one.id))
    rows.forEach((row, at) => {
      wire[at]!.isRead = known.has(row.id)
      if (row.resolveTime) wire[at]!.lasted = lastedWords(row, call.lang)
    })
  },
  actions: {
    acknowledge: (rows, { remark }, call) => handle(rows, 'acknowledge', remark ? { handleRemark: remark } : {}, call),
    resolve: (rows, { remark }, call) =>
      handle(
        rows,
        'resolve',
        { openKey: null, handleRemark: remark, resolveTime: formatShanghaiTime(call.services.now()) },
        call,
      ),
  },
})

/** Marks events as read for the caller; without ids all open ones. Returns how many were unread. */
const markRead = (call: Call, ids?: readonly string[]): Promise<number> =>
  call.db.run(sql`
    insert into event_read (tenant_id, user_id, event_id)
    select r.tenant_id, ${call.caller.userId}, r.id ${visibleRowsSql({ ...eventServer, hooks: {} }, call)}
      ${
        ids
          ? sql` and r.id =
        any(${ids}::bigint[])`
          : isUnread(call.caller.userId)
      } on conflict do nothing`)

export const eventRoutes = [
  defineRoute({
    method: 'GET',
    path: `${event.path}/inbox`,
    title: { zh: '事件收件箱', en: 'Event inbox' },
    can: event.code,
    tx: false,
    handle: async (call) => {
      const { userId } = call.caller
      const from = visibleRowsSql({ ...eventServer, hooks: {} }, call)
      const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
        sql`select (select count(*)::int ${from}${isUnread(userId)}) as unread,
          (select count(*)::int ${from}${isMine(userId)}) as mine, (select count(*)::int ${from}
          and r.status = ${EVENT_STATE.open}) as open`,
      ])
      return rows![0]
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${event.path}/read`,
    title: { zh: '标记事件已读', en: 'Mark events as read' },
    can: event.code,
    log: false,
    documentedInput: { ids: f.refs('', { label: { zh: '编号', en: 'IDs' } }) },
    handle: async (call) => {
      const given = call.query.ids ?? (call.body as { ids?: unknown } | undefined)?.ids
      return { count: await markRead(call, given ? requireIdList(event, given) : undefined) }
    },
  }),
]
