import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { resourceNameByAiTarget, aiTask } from './ai-task.resource.ts'

type Task = RowOf<typeof aiTask>
export type AiTargetType = keyof typeof resourceNameByAiTarget
export type AiTarget = { id: string; name: string }

/** Maximum targets of a task that names none, as each is a run that costs money. */
const SUBJECTS_MAX = 10
const DAY_MS = 86_400_000

/** Targets of a task that names none: all of the shop, or the newest orders and visits. */
const ofShop: Record<AiTargetType, (tenantId: string, shopId: string) => Sql> = {
  camera: (tenantId, shopId) => sql`
    select r.id, r.name from device_info r where r.tenant_id = ${tenantId} and r.shop_id = ${shopId}
    and r.is_deleted = 0 and r.type in ('camera', 'nvr') order by r.name, r.id limit ${SUBJECTS_MAX}`,
  shelf: (tenantId, shopId) => sql`
    select min(r.id) as id, r.shelf_no as name from good_info r where r.tenant_id = ${tenantId}
    and r.shop_id = ${shopId} and r.is_deleted = 0 and r.shelf_no is not null group by r.shelf_no
    order by r.shelf_no limit ${SUBJECTS_MAX}`,
  order: (tenantId, shopId) => sql`
    select r.id, r.order_no as name from shopping_order r where r.tenant_id = ${tenantId}
    and r.shop_id = ${shopId} order by r.create_time desc, r.id desc limit ${SUBJECTS_MAX}`,
  visit: (tenantId, shopId) => sql`
    select r.id, to_char(r.enter_time, 'YYYY-MM-DD HH24:MI') as name from customer_visit_log r
    where r.tenant_id = ${tenantId} and r.shop_id = ${shopId} order by r.enter_time desc, r.id desc
    limit ${SUBJECTS_MAX}`,
  report: (tenantId, shopId) => sql`
    select r.id, r.shop_name as name from basic_shop_info r where r.tenant_id = ${tenantId} and r.id = ${shopId}
    and r.is_deleted = 0`,
}

const named: Record<AiTargetType, (tenantId: string, ids: readonly string[]) => Sql> = {
  camera: (tenantId, ids) => sql`select r.id, r.name from device_info r where r.tenant_id = ${tenantId}
    and r.id = any(${ids}::bigint[]) and r.is_deleted = 0 order by r.name, r.id`,
  shelf: (tenantId, ids) => sql`select min(r.id) as id, coalesce(r.shelf_no, r.name) as name from good_info r
    where r.tenant_id = ${tenantId} and r.id = any(${ids}::bigint[]) and r.is_deleted = 0
    group by coalesce(r.shelf_no, r.name) order by 2`,
  order: (tenantId, ids) => sql`select r.id, r.order_no as name from shopping_order r where r.tenant_id = ${tenantId}
    and r.id = any(${ids}::bigint[]) order by r.id`,
  visit: (tenantId, ids) => sql`select r.id, to_char(r.enter_time, 'YYYY-MM-DD HH24:MI') as name
    from customer_visit_log r where r.tenant_id = ${tenantId} and r.id = any(${ids}::bigint[]) order by r.id`,
  report: (tenantId, ids) => sql`select r.id, r.shop_name as name from basic_shop_info r
    where r.tenant_id = ${tenantId} and r.id = any(${ids}::bigint[]) and r.is_deleted = 0`,
}

/** Returns the present targets of a task: the named ones, else those of its shop. */
export async function findAiTargetsOfTask(db: Db, { targetType, targetIds, shopId }: Task): Promise<AiTarget[]> {
  const type = targetType as AiTargetType
  const statement = targetIds?.length ? named[type](db.tenantId, targetIds) : ofShop[type](db.tenantId, shopId)
  return (await db.query<AiTarget>(statement)).map(({ id, name }) => ({ id: String(id), name: String(name) }))
}

/** Returns the camera an event came from; undefined for other events. */
export const findCameraOfEvent = (db: Db, eventId: string): Promise<AiTarget | undefined> =>
  db.one<AiTarget>(sql`
    select r.id, r.name from shop_event e join device_info r on r.tenant_id = e.tenant_id and r.id = e.device_id
    and r.is_deleted = 0 and r.type in ('camera', 'nvr') where e.tenant_id = ${db.tenantId} and e.id = ${eventId}`)

/** Facts about a target for the workflow, and a stored picture of it. Contains no personal data. */
type Facts = { facts: object; picture: string | null }

const goodsOnSameShelf = (tenantId: string, id: string) => sql`
  select g.upc, g.name, g.stock, g.low_stock as "lowStock" from good_info m join good_info g
  on g.tenant_id = m.tenant_id and g.shop_id = m.shop_id and g.shelf_no = m.shelf_no and g.is_deleted = 0
  where m.tenant_id = ${tenantId} and m.id = ${id} order by g.upc limit 60`

const facts: Record<AiTargetType, (db: Db, id: string, now: Date) => Promise<Facts>> = {
  camera: async (db, id) => {
    const camera = await db.one(sql`select type, position from device_info where tenant_id = ${db.tenantId}
      and id = ${id}`)
    const seen = await db.one<{ picture: string }>(sql`select picture from shop_event
      where tenant_id = ${db.tenantId} and device_id = ${id} and picture is not null order by id desc limit 1`)
    return { facts: camera ?? {}, picture: seen?.picture ?? null }
  },
  shelf: async (db, id) => ({ facts: { goods: await db.query(goodsOnSameShelf(db.tenantId, id)) }, picture: null }),
  order: async (db, id) => {
    const order = await db.one(sql`select order_no as "orderNo", status, quantity, pay_amount as "payCents",
      refund_amount as "refundCents", pay_type as "payType" from shopping_order
      where tenant_id = ${db.tenantId} and id = ${id}`)
    const lines = await db.query(sql`select name, quantity, amount as cents from shopping_order_detail
      where tenant_id = ${db.tenantId} and order_id = ${id} order by sort, id limit 60`)
    return { facts: { ...order, lines }, picture: null }
  },
  visit: async (db, id) => {
    const visit = await db.one<{ snapshot: string | null }>(sql`select enter_time as "enterTime",
      leave_time as "leaveTime", result, paid_amount as "paidCents", snapshot from customer_visit_log
      where tenant_id = ${db.tenantId} and id = ${id}`)
    const { snapshot = null, ...visitFacts } = visit ?? {}
    const moments = await db.query<{ picture: string | null }>(sql`select kind, time, device_name as "deviceName",
      quantity, picture from visit_record where tenant_id = ${db.tenantId} and visit_id = ${id}
      order by time, id limit 60`)
    const picture = snapshot ?? moments.find((one) => one.picture)?.picture ?? null
    return { facts: { ...visitFacts, moments: moments.map(({ picture: _picture, ...one }) => one) }, picture }
  },
  report: async (db, id, now) => {
    const since = formatShanghaiTime(new Date(now.getTime() - 7 * DAY_MS))
    const days = await db.query(sql`select to_char(create_time, 'YYYY-MM-DD') as day, count(*)::int as orders,
      coalesce(sum(pay_amount - refund_amount), 0) as cents from shopping_order where tenant_id = ${db.tenantId}
      and shop_id = ${id} and create_time > ${since}::timestamptz and status between 1 and 4 group by 1 order by 1`)
    const events = await db.query(sql`select type, count(*)::int as n from shop_event
      where tenant_id = ${db.tenantId} and shop_id = ${id} and occur_time > ${since}::timestamptz group by 1
      order by 2 desc limit 20`)
    return { facts: { days, events }, picture: null }
  },
}

/** Loads the facts about the target of a run. */
export const loadAiTargetFacts = (db: Db, type: AiTargetType, id: string, now: Date): Promise<Facts> =>
  facts[type](db, id, now)
