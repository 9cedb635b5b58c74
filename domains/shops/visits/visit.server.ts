import { f, type RowOf } from '#kit/resource/index.ts'
import { readBatch, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { raiseEvent, resolveEvents } from '#domains/shops/shop-events/api.ts'
import './refusals.ts'
import { ASSUMED_VISIT_ENDS, enqueueStayTimeout } from './visit-timeout.ts'
import { determineVisitResult, type VisitMomentKind } from './visit-result.ts'
import { customerVisitLog } from './visit.resource.ts'

type Visit = RowOf<typeof customerVisitLog>

/** Timeline of visits: one row for each thing that happened. */
export const visitTimelineTable = defineTable({
  name: 'visit_record',
  tenancy: 'tenant',
  appendOnly: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    visit_id: 'bigint not null',
    kind: 'text not null',
    time: 'timestamptz(3) not null',
    device_id: 'bigint',
    device_name: 'text',
    picture: 'text',
    good_id: 'bigint',
    quantity: 'integer not null default 1',
    order_id: 'bigint',
    note: 'text',
  },
  indexes: { visit_record_by_visit_id: '(tenant_id, visit_id, time, id)' },
})

export type VisitMoment = {
  kind: VisitMomentKind
  at: Date
  deviceId?: string
  deviceName?: string
  picture?: string
  goodId?: string
  quantity?: number
  orderId?: string
  note?: string
}

type NewVisit = { shopId: string; wxUserId?: string; entryMode: string; at: Date; snapshot?: string }

const draftOf = (visit: NewVisit) => ({
  shopId: visit.shopId,
  wxUserId: visit.wxUserId ?? null,
  entryMode: visit.entryMode,
  enterTime: formatShanghaiTime(visit.at),
  snapshot: visit.snapshot ?? null,
  paidAmount: 0,
  orderIds: [],
})

/** Creates a visit after a device granted access or saw somebody enter. Returns its id. */
export async function createVisit(db: Db, visit: NewVisit): Promise<string> {
  const row = await db.insert(customerVisitLog, draftOf(visit))
  publishRowsChanged({ db }, customerVisitLog, [row])
  return row.id
}

/**
 * Creates a visit for a granted request to enter, without waiting for the inserts: they run until the commit. Returns
 * its id.
 */
export function createVisitDeferred(db: Db, visit: NewVisit): string {
  const id = newId()
  db.waitUntil(db.insert(customerVisitLog, { id, ...draftOf(visit) }))
  db.waitUntil(
    db.run(sql`insert into visit_record (id, tenant_id, visit_id, kind, time)
      values (${newId()}, ${db.tenantId}, ${id}, 'scanned', ${visit.at.toISOString()})`),
  )
  publishRowsChanged({ db }, customerVisitLog, [{ id, shopId: visit.shopId }])
  return id
}

/** Adds entries to a visit's timeline. Leaving ends the visit; afterwards only payments are accepted. */
export async function addVisitMoments(db: Db, visitId: string, moments: readonly VisitMoment[]): Promise<Visit> {
  const visit = await db.get(customerVisitLog, visitId, 'forUpdate')
  if (!visit) throw new Refused('not_found', { label: customerVisitLog.label })
  if (visit.leaveTime && moments.some(({ kind }) => kind !== 'paid')) throw new Refused('visit_over')
  return addMoments(db, visit, moments)
}

/**
 * Records what a device saw of a visit. Reports may be late, repeated or about an unknown visit: only what happened
 * before the end is added. An assumed end is revoked by any report. Returns the visit if it is one of the shop.
 */
export async function recordDeviceVisitMoment(
  db: Db,
  of: { shopId: string; visitId: unknown },
  moment: VisitMoment,
): Promise<Visit | undefined> {
  if (typeof of.visitId !== 'string' || !/^\d{1,18}$/.test(of.visitId)) return undefined
  const visit = await db.get(customerVisitLog, of.visitId, 'forUpdate')
  if (visit?.shopId !== of.shopId) return undefined
  if (visit.leaveTime && (await isEndAssumed(db, visit))) {
    if (moment.kind !== 'left') await enqueueStayTimeout(db, visit.id, moment.at)
    return addMoments(db, { ...visit, leaveTime: null }, [moment])
  }
  const isOver = visit.leaveTime && (moment.kind === 'left' || formatShanghaiTime(moment.at) > visit.leaveTime)
  return isOver ? visit : addMoments(db, visit, [moment])
}

const isEndAssumed = async (db: Db, { id }: Visit): Promise<boolean> =>
  !!(await db.one(sql`select 1 from (select note from visit_record where tenant_id = ${db.tenantId}
    and visit_id = ${id} and kind <> 'paid' order by id desc limit 1) e
      where e.note = any(${[...ASSUMED_VISIT_ENDS]})`))

async function addMoments(db: Db, visit: Visit, moments: readonly VisitMoment[]): Promise<Visit> {
  for (const one of moments) {
    await db.run(sql`insert into visit_record (id, tenant_id, visit_id, kind, time, device_id, device_name, picture,
      good_id, quantity, order_id, note)
      values (${newId()}, ${db.tenantId}, ${visit.id}, ${one.kind}, ${one.at.toISOString()}, ${one.deviceId},
      ${one.deviceName}, ${one.picture}, ${one.goodId}, ${one.quantity ?? 1}, ${one.orderId}, ${one.note})`)
  }
  const left = moments.find(({ kind }) => kind === 'left')
  return completeVisit(
    db,
    left ? await db.update(customerVisitLog, visit.id, { leaveTime: formatShanghaiTime(left.at) }) : visit,
  )
}

/** State "refunded" of an order, which is a resource of a module this one may not import. */
const ORDER_REFUNDED = 4

/** Determines the result of an ended visit again after an order was refunded. */
export async function recomputeRefundedVisit(db: Db, visitId: string): Promise<void> {
  const visit = await db.get(customerVisitLog, visitId, 'forUpdate')
  if (visit?.leaveTime) await completeVisit(db, visit)
}

/** Updates a visit from its records and orders; once it has ended, also its result and the event about it. */
async function completeVisit(db: Db, visit: Visit): Promise<Visit> {
  const records = await db.query<{ kind: string; goodId: string | null; quantity: number; orderId: string | null }>(
    sql`select kind, good_id, quantity, order_id from visit_record where tenant_id = ${db.tenantId}
      and visit_id = ${visit.id} order by time, id`,
  )
  const named = records.flatMap(({ orderId }) => orderId ?? [])
  const orders = await db.query<{ id: string; paid: number; status: number }>(sql`
    select id, pay_amount as paid, status from shopping_order
    where tenant_id = ${db.tenantId} and shop_id = ${visit.shopId} and (visit_id = ${visit.id}
    or id = any(${named}::bigint[])) and status between 1 and 4 order by id`)
  const bought = await db.query<{ goodId: string | null; quantity: number }>(
    sql`select good_id, quantity from shopping_order_detail where tenant_id = ${db.tenantId}
      and order_id = any(${orders.map(({ id }) => id)}::bigint[])`,
  )
  const isAllBack = orders.length > 0 && orders.every(({ status }) => status === ORDER_REFUNDED)
  const result = visit.leaveTime ? determineVisitResult(records, bought, isAllBack) : null
  const row = await db.update(customerVisitLog, visit.id, {
    leaveTime: visit.leaveTime,
    orderIds: orders.map(({ id }) => id),
    paidAmount: orders.reduce((sum, { paid }) => sum + paid, 0),
    result,
  })
  publishRowsChanged({ db }, customerVisitLog, [row])
  const about = { shopId: visit.shopId!, type: 'unpaidLeave', subject: `visit/${visit.id}` } as const
  if (result === 'unpaid' && visit.result !== 'unpaid') {
    const time = visit.leaveTime!.slice(11, 16)
    await raiseEvent(db, {
      ...about,
      content: { zh: `${time} 有顾客未付款离店`, en: `A customer left without paying at ${time}` },
    })
  }
  if (visit.result === 'unpaid' && result !== 'unpaid') await resolveEvents(db, about)
  return row
}

export const visitServer = serve(customerVisitLog)

/** SQL expression for the true time: payments have the register's clock, corrected by its measured skew. */
const TRUE_TIME = sql`v.time + make_interval(secs => coalesce(c.clock_skew, 0))`

/** Selects the timeline of the visits that `mine` finds, in order of time. */
export const selectVisitMomentsSql = (mine: Sql): Sql =>
  sql`select v.id::text, v.visit_id::text, v.kind, ${TRUE_TIME} as time, coalesce(v.device_id::text, '') as device_id,
      coalesce(v.device_name, '') as device_name, coalesce(v.picture, '') as picture,
      coalesce(v.good_id::text, '') as good_id, coalesce(g.name, '') as good_name, v.quantity,
      coalesce(v.order_id::text, '') as order_id, coalesce(o.order_no, '') as order_no, coalesce(v.note, '') as note
    from visit_record v left join good_info g on g.tenant_id = v.tenant_id and g.id = v.good_id left
    join shopping_order o on o.tenant_id = v.tenant_id and o.id = v.order_id
    left join cash_register c on c.tenant_id = v.tenant_id and v.kind = 'paid' and c.id = o.cash_register_id
    where (v.tenant_id, v.visit_id) in (select r.tenant_id, r.id ${mine})
      and not (coalesce(v.note, '') = any(${[...ASSUMED_VISIT_ENDS]}) and exists (select 1 from visit_record x
        where x.tenant_id = v.tenant_id and x.visit_id = v.visit_id and x.id > v.id and x.kind <> 'paid'))
    order by ${TRUE_TIME}, v.id`

/** Formats timeline rows in the reader's language. */
export async function presentVisitMoments({ services, caller, lang }: Call, rows: readonly Record<string, unknown>[]) {
  await services.labels.ready(caller.tenantId)
  const words = new Map(
    services.labels.entries(caller.tenantId, 'visit_record', lang).map(({ key, label }) => [key, label]),
  )
  return rows.map((row) => ({
    ...row,
    note: translateSystemText(String(row.note), lang),
    kindName: words.get(String(row.kind)) ?? '',
  }))
}

export const visitRoutes = [
  defineRoute({
    method: 'GET',
    path: `${customerVisitLog.path}/record/list`,
    title: { zh: '到店时间线', en: 'Visit timeline' },
    can: customerVisitLog.code,
    input: { id: f.ref('', { label: { zh: '到店记录', en: 'Visit' }, required: true }) },
    tx: false,
    handle: async (call) => {
      const mine = sql`${visibleRowsSql(visitServer, call)} and r.id = ${call.input.id}`
      const [found, rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
        sql`select r.id ${mine}`,
        selectVisitMomentsSql(mine),
      ])
      if (!found!.length) throw new Refused('not_found', { label: customerVisitLog.label })
      return presentVisitMoments(call, rows!)
    },
  }),
]
