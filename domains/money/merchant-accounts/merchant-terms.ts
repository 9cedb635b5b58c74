import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { newId } from '#kit/server/database/snowflake.ts'

/**
 * Whose the takings of a shop were, at which rate (in percent) and by which number at WeChat Pay, from when on; without
 * a merchant, nobody's. Begins with each change, so that what is over keeps its merchant, its rate and its number.
 */
export const merchantTermTable = defineTable({
  name: 'merchant_term',
  tenancy: 'tenant',
  appendOnly: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    shop_id: 'bigint not null',
    merchant_id: 'bigint',
    fee_rate: 'numeric(7,2) not null',
    sub_mchid: 'text',
    start_time: 'timestamptz(3) not null',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    merchant_term_by_shop_id: '(tenant_id, shop_id, start_time, id)',
    merchant_term_by_merchant_id: '(tenant_id, merchant_id)',
  },
})

/** A shop's first merchant has had it from the beginning: whoever sets it up enters its merchant after its sales. */
const EVER = '2000-01-01T00:00:00+08:00'

const last = sql`left join lateral (select t.merchant_id, t.fee_rate, t.sub_mchid, t.start_time
      from merchant_term t
      where t.tenant_id = b.tenant_id and t.shop_id = b.id order by t.start_time desc, t.id desc limit 1) t on true`

/**
 * Begins a term for each shop a merchant has or had last, where who has it, the rate or the number is no longer what it
 * was.
 */
export async function recordTerms(db: Db, now: Date, merchantId: string): Promise<void> {
  const shops = await db.query<{ id: string }>(sql`select b.id from basic_shop_info b ${last}
    where b.tenant_id = ${db.tenantId} and (b.merchant_id = ${merchantId} or t.merchant_id = ${merchantId})`)
  if (!shops.length) return
  await db.run(sql`insert into merchant_term (id, tenant_id, shop_id, merchant_id, fee_rate, sub_mchid,
    start_time) select n.id, b.tenant_id, b.id, m.id, coalesce(m.fee_rate, 0), m.sub_mchid,
      case when t.start_time is null then ${EVER} else greatest(t.start_time, ${now}::timestamptz) end
    from unnest(${shops.map(() => newId())}::bigint[], ${shops.map(({ id }) => id)}::bigint[]) n(id, shop_id)
    join basic_shop_info b on b.tenant_id = ${db.tenantId} and b.id = n.shop_id
    left join merchant_info m on m.tenant_id = b.tenant_id and m.id = b.merchant_id and m.is_deleted = 0 ${last}
    where (t.merchant_id, t.fee_rate, t.sub_mchid) is distinct from (m.id, coalesce(m.fee_rate, 0), m.sub_mchid)`)
}

/**
 * Whose a payment of `o` is, at which rate and by which number at WeChat Pay, as `whose`: his who had the shop when it
 * was paid, now for one that is not; but what we asked for ourselves belongs to him whose number at WeChat Pay took it.
 * Payments say whole seconds of another clock: his term may begin within that second, and where none has begun by then,
 * it is the first after it. A term without a number has the one its merchant got next. `o` is an order, or a row of
 * `paymentsWhere` or `refundsWhere`.
 */
export const merchantAtPaymentSql = sql`left join lateral (select t.merchant_id, t.fee_rate, coalesce(t.sub_mchid,
  (select n.sub_mchid
      from merchant_term n where n.tenant_id = t.tenant_id and n.shop_id = t.shop_id and n.merchant_id = t.merchant_id
      and n.sub_mchid is not null and (n.start_time, n.id) > (t.start_time, t.id) order by n.start_time, n.id
      limit 1)) as sub_mchid from merchant_term t
      cross join lateral (select exists (select 1 from pay_attempt a where a.tenant_id = o.tenant_id
        and a.order_id = o.id and a.sub_mchid = t.sub_mchid and a.transaction_no = o.transaction_no) as took_it) x
      cross join lateral (select t.start_time <= coalesce(o.pay_time, 'infinity')
        + case when x.took_it then interval '1 second' else interval '0' end as has_begun) y
      where t.tenant_id = o.tenant_id and t.shop_id = o.shop_id and (y.has_begun or x.took_it)
      order by x.took_it desc, y.has_begun desc, case when y.has_begun then t.start_time end desc, t.start_time,
        t.id desc limit 1) whose on true`

/** All terms of a tenant, each with its end: a term lasts until the shop's next one. */
const termsWithEnd = (db: Db): Sql => sql`select t.shop_id, t.merchant_id, t.sub_mchid, t.start_time,
        lead(t.start_time, 1, 'infinity'::timestamptz)
          over (partition by t.shop_id order by t.start_time, t.id) as end_time
      from merchant_term t where t.tenant_id = ${db.tenantId}`

/** The shops a merchant had at some time from one day to another, as a query of `shop_id`. */
export const shopsWithin = (db: Db, merchantId: string, start: string, end: string): Sql => sql`select t.shop_id
      from (${termsWithEnd(db)}) t where t.merchant_id = ${merchantId}
      and t.start_time < (${end}::date + 1)::timestamptz and t.end_time > ${start}::date::timestamptz`

/** The shops a merchant has or ever had, as a query of `shop_id`: all that may hold takings that are the merchant's. */
export const shopsEverOfMerchantSql = (
  db: Db,
  merchantId: string,
): Sql => sql`select distinct t.shop_id from merchant_term t
      where t.tenant_id = ${db.tenantId} and t.merchant_id = ${merchantId}`

/** Money goes back for a year: so long a number that is no longer used is looked at. */
const BACK_DAYS = 400

type MerchantNumber = { merchantId: string; subMchid: string }

/**
 * The numbers at WeChat Pay whose statement of a day may have something of ours, of all merchants or one: those that
 * are used now, those of terms that ran on that day, whoever has the shop by now and whether the merchant still trades,
 * and of merchants that trade those they had before, while money paid by them can go back.
 */
export const findSubMerchantNumbers = (db: Db, day: string, merchantId?: string): Promise<MerchantNumber[]> =>
  db.query(sql`with term as (${termsWithEnd(db)}), number as (
      select id as merchant_id, sub_mchid from merchant_info
      where tenant_id = ${db.tenantId} and is_deleted = 0 and status = 1
      union
      select t.merchant_id, t.sub_mchid from term t
      left join merchant_info m on m.tenant_id = ${db.tenantId} and m.id = t.merchant_id
      where t.start_time < (${day}::date + 1)::timestamptz and (t.end_time > ${day}::date::timestamptz
        or m.is_deleted = 0 and m.status = 1 and t.end_time > ${day}::date::timestamptz - make_interval(days =>
        ${BACK_DAYS}::int))
    )
    select merchant_id, sub_mchid from number where merchant_id is not null and sub_mchid is not null
      and (${merchantId ?? null}::bigint is null or merchant_id = ${merchantId ?? null}::bigint)
    order by merchant_id, sub_mchid`)

/** At which rate what an order was paid cost its fee, in percent. */
export async function findOrderFeeRate(db: Db, orderId: string): Promise<number> {
  const found = await db.one<{
    feeRate: number | null
  }>(sql`select whose.fee_rate from shopping_order o ${merchantAtPaymentSql}
    where o.tenant_id = ${db.tenantId} and o.id = ${orderId}`)
  return found?.feeRate ?? 0
}
