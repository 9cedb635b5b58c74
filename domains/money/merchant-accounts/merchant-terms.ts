import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { newId } from '#kit/server/database/snowflake.ts'

/**
 * History of each shop's merchant, with fee rate (percent) and WeChat Pay number; `merchant_id` null when it has none.
 * A change starts a new term, so that earlier payments keep theirs.
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

/**
 * Start of a shop's first term, before all its sales: the merchant is often entered after the shop has started selling.
 */
const EVER = '2000-01-01T00:00:00+08:00'

const last = sql`left join lateral (select t.merchant_id, t.fee_rate, t.sub_mchid, t.start_time
      from merchant_term t
      where t.tenant_id = b.tenant_id and t.shop_id = b.id order by t.start_time desc, t.id desc limit 1) t on true`

/** Starts a new term for each shop of the merchant, present or last, whose merchant, rate or number has changed. */
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
 * SQL join: merchant, fee rate and WeChat Pay number of row `o` at payment time (now if unpaid), as `whose`. A payment
 * we sent ourselves belongs to the merchant whose number received it. Payment times are whole seconds of another clock,
 * so a term may start within that second; without an earlier term the first later one counts. A term without number
 * gets the merchant's next one. `o` is an order or a row of `paymentsWhereSql` or `refundsWhereSql`.
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

/** Selects all terms of the tenant with their end: the start of the shop's next term. */
const termsWithEnd = (db: Db): Sql => sql`select t.shop_id, t.merchant_id, t.sub_mchid, t.start_time,
        lead(t.start_time, 1, 'infinity'::timestamptz)
          over (partition by t.shop_id order by t.start_time, t.id) as end_time
      from merchant_term t where t.tenant_id = ${db.tenantId}`

/** Selects `shop_id` of the shops a merchant had at any time between two dates. */
export const shopsWithin = (db: Db, merchantId: string, start: string, end: string): Sql => sql`select t.shop_id
      from (${termsWithEnd(db)}) t where t.merchant_id = ${merchantId}
      and t.start_time < (${end}::date + 1)::timestamptz and t.end_time > ${start}::date::timestamptz`

/** Selects `shop_id` of all shops a merchant has or ever had, as these may hold its payments. */
export const shopsEverOfMerchantSql = (
  db: Db,
  merchantId: string,
): Sql => sql`select distinct t.shop_id from merchant_term t
      where t.tenant_id = ${db.tenantId} and t.merchant_id = ${merchantId}`

/** Days for which statements of former numbers are still read: refunds are possible for a year. */
const BACK_DAYS = 400

type MerchantNumber = { merchantId: string; subMchid: string }

/**
 * Returns the WeChat Pay numbers whose statement of a day may contain our payments, of one merchant or all: present
 * numbers, those of terms on that day, and, of active merchants, former numbers while refunds are possible.
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

/** Returns the fee rate of an order's payment in percent; 0 without a merchant. */
export async function findOrderFeeRate(db: Db, orderId: string): Promise<number> {
  const found = await db.one<{
    feeRate: number | null
  }>(sql`select whose.fee_rate from shopping_order o ${merchantAtPaymentSql}
    where o.tenant_id = ${db.tenantId} and o.id = ${orderId}`)
  return found?.feeRate ?? 0
}
