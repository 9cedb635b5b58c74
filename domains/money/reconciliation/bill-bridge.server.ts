import { formatYuan } from '#kit/fields/money/cents.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { merchantAtPaymentSql, shopsWithin } from '#domains/money/merchant-accounts/api.ts'
import { bill } from '#domains/money/merchant-accounts/index.ts'
import { REFUND_STATE, SOLD_ORDER_STATES } from '#domains/sales/orders/index.ts'
import { billBridgeCall } from './bill-bridge.calls.ts'
import type { BridgeKind } from './bill-bridge.ts'

type Bill = {
  id: string
  tenantId: string
  merchantId: string
  billType: string
  periodStart: string
  periodEnd: string
}
type Line = { kind: BridgeKind; count: number; amount: number; orderNos: string[] }
type Compared = Omit<Line, 'kind'> & { kind: BridgeKind | 'same' }
type Side = { analysis: number; bill: number; lines: Line[] }

/** Maximum orders listed for a kind of difference; the others are only counted. */
const NAMED_MAX = 20

/** Shops of the comparison: those the merchant had in the period, and those of the bill's lines. */
async function shopsOf(db: Db, { id, merchantId, periodStart, periodEnd }: Bill): Promise<string[]> {
  const shops = await db.query<{ shopId: string }>(sql`${shopsWithin(db, merchantId, periodStart, periodEnd)}
    union select d.shop_id from merchant_bill_detail d
      where d.tenant_id = ${db.tenantId} and d.bill_id = ${id} and d.shop_id is not null order by 1`)
  return shops.map(({ shopId }) => shopId)
}

const within = (column: Sql, { periodStart, periodEnd }: Bill): Sql =>
  sql`(${column} >= ${periodStart}::date::timestamptz and ${column} < (${periodEnd}::date + 1)::timestamptz)`

/** SQL condition whether an order `o` has a line in another bill of the same type, of any merchant. */
const isInOtherBill = (db: Db, row: Bill, which: Sql): Sql => sql`exists (select 1 from merchant_bill_detail d
      join merchant_bill y on y.tenant_id = d.tenant_id and y.id = d.bill_id and y.bill_type = ${row.billType}
      where d.tenant_id = ${db.tenantId} and d.order_no = o.order_no collate "default" and d.bill_id <> ${row.id}
      and coalesce(d.payable, 'shoppingOrder') = 'shoppingOrder' and d.check_result <> 'missingHere' and ${which})`

/** Sums up differences by kind, each with its first orders, and returns both total sums. */
const sideOf = async (db: Db, found: Sql): Promise<Side> => {
  const rows = await db.query<Compared & { analysis: number; bill: number }>(sql`with found as materialized (${found})
    select kind, count(*)::int as count, coalesce(sum(billed - analysed), 0)::bigint as amount,
      (array_agg(order_no order by order_no))[1:${NAMED_MAX}::int] as order_nos,
      sum(analysed)::bigint as analysis, sum(billed)::bigint as bill
    from found group by kind order by kind`)
  return {
    analysis: rows.reduce((sum, { analysis }) => sum + analysis, 0),
    bill: rows.reduce((sum, row) => sum + row.bill, 0),
    lines: rows.flatMap(({ kind, count, amount, orderNos }) =>
      kind === 'same' ? [] : [{ kind, count, amount, orderNos }],
    ),
  }
}

type PairTerms = {
  /** SQL condition: line `d` of another bill is about this pair. */
  isInLine: Sql
  /** SQL condition: our books have a payment or refund for it. */
  hasPayment: Sql
  /** SQL condition: our books know it. */
  isKnown: Sql
  /** SQL expression for the time that decides its bill. */
  time: Sql
}

/** SQL expression for the kind of a pair `x` of analysis and bill; the first matching case counts. `o` is its order. */
const kindOf = (db: Db, row: Bill, { isInLine, hasPayment, isKnown, time }: PairTerms): Sql => sql`case
      when x.analysed = x.billed and x.is_sold and x.is_billed then 'same'
      when x.is_sold and x.is_billed then 'amount'
      when not x.is_billed and whose.merchant_id is distinct from ${row.merchantId} then 'otherMerchant'
      when not x.is_billed and ${isInOtherBill(db, row, isInLine)} then 'otherBill'
      when not x.is_billed and not ${hasPayment} then case when x.analysed = 0 then 'same' else 'noPayment' end
      when not x.is_billed then 'notYet'
      when not ${isKnown} then 'noOrder'
      when ${time} < ${row.periodStart}::date::timestamptz then 'late'
      when ${time} >= (${row.periodEnd}::date + 1)::timestamptz then 'moved'
      else 'notSold' end`

/** Compares the sales in the analysis with the payments in the bill, by order. */
const paidSide = (db: Db, row: Bill, shopIds: readonly string[]): Promise<Side> =>
  sideOf(
    db,
    sql`select x.order_no, x.analysed, x.billed, ${kindOf(db, row, {
      isInLine: sql`d.kind = 'pay'`,
      hasPayment: sql`exists (select 1 from order_payment p where p.tenant_id = o.tenant_id and p.order_id = o.id)`,
      isKnown: sql`(o.id is not null)`,
      time: sql`o.pay_time`,
    })} as kind
    from (
      select coalesce(a.order_no, b.order_no) as order_no, coalesce(a.cents, 0) as analysed,
        coalesce(b.cents, 0) as billed, a.order_no is not null as is_sold, b.order_no is not null as is_billed
      from (select r.order_no collate "default" as order_no, r.pay_amount as cents from shopping_order r
        where r.tenant_id = ${db.tenantId} and r.shop_id = any(${shopIds}::bigint[])
        and r.status = any(${[...SOLD_ORDER_STATES]}::int[]) and ${within(sql`r.pay_time`, row)}) a
      full join (select coalesce(d.order_no, d.transaction_no, '') as order_no, sum(d.amount) as cents
        from merchant_bill_detail d where d.tenant_id = ${db.tenantId} and d.bill_id = ${row.id} and d.kind = 'pay'
        and d.check_result <> 'missingHere' group by 1) b on a.order_no = b.order_no
    ) x
    left join shopping_order o on o.tenant_id = ${db.tenantId} and o.order_no = x.order_no collate "C"
      and not (x.is_sold and x.is_billed)
    ${merchantAtPaymentSql}`,
  )

/** Compares the refunds in the analysis with the refund parts in the bill. */
const backSide = (db: Db, row: Bill, shopIds: readonly string[]): Promise<Side> =>
  sideOf(
    db,
    sql`select coalesce(o.order_no, x.order_no) as order_no, x.analysed, x.billed, ${kindOf(db, row, {
      isInLine: sql`d.refund_no in (select p.out_no from refund_payment p where p.tenant_id = ${db.tenantId}
        and p.refund_id = x.refund_id)`,
      hasPayment: sql`exists (select 1 from refund_payment p where p.tenant_id = ${db.tenantId}
        and p.refund_id = x.refund_id and p.state = 'done')`,
      isKnown: sql`(x.refund_id is not null)`,
      time: sql`x.finish_time`,
    })} as kind
    from (
      select coalesce(a.id, b.refund_id) as refund_id, coalesce(a.order_id, b.order_id) as order_id,
        coalesce(b.order_no, '') as order_no, coalesce(a.finish_time, b.finish_time) as finish_time,
        coalesce(a.amount, 0) as analysed, coalesce(b.cents, 0) as billed, a.id is not null as is_sold,
        b.order_no is not null as is_billed
      from (select r.id, r.order_id, r.finish_time, r.amount from refunds r
        where r.tenant_id = ${db.tenantId} and r.shop_id = any(${shopIds}::bigint[])
        and r.status = ${REFUND_STATE.succeeded} and ${within(sql`r.finish_time`, row)}) a
      full join (select r.id as refund_id, r.order_id, r.finish_time, max(coalesce(d.order_no, '')) as order_no,
        sum(d.refund) as cents from merchant_bill_detail d
        left join refund_payment p on p.tenant_id = d.tenant_id and p.out_no = d.refund_no
        left join refunds r on r.tenant_id = p.tenant_id and r.id = p.refund_id
        where d.tenant_id = ${db.tenantId} and d.bill_id = ${row.id} and d.kind = 'refund'
        and d.check_result <> 'missingHere' group by r.id, r.order_id, r.finish_time) b on b.refund_id = a.id
    ) x
    left join shopping_order o on o.tenant_id = ${db.tenantId} and o.id = x.order_id and not (x.is_sold and x.is_billed)
    ${merchantAtPaymentSql}`,
  )

type ChannelSum = { channel: string; source: string; amount: number; refund: number }
/** Sums of the bill by payment channel; delivery platforms by name. */
const channelsOf = (db: Db, row: Bill): Promise<ChannelSum[]> =>
  db.query(sql`select coalesce(d.channel, '') as channel, coalesce(case when d.channel = 'platform' then o.source end,
      '') as source, sum(d.amount)::bigint as amount, sum(d.refund)::bigint as refund
    from merchant_bill_detail d
    left join shopping_order o on d.channel = 'platform' and o.tenant_id = d.tenant_id
      and o.order_no = d.order_no collate "C"
    where d.tenant_id = ${db.tenantId} and d.bill_id = ${row.id} and d.check_result <> 'missingHere'
    group by 1, 2 having sum(d.amount) <> 0 or sum(d.refund) <> 0 order by 3 desc, 1, 2`)

const sideWire = ({ analysis, bill: billed, lines }: Side) => ({
  analysis: formatYuan(analysis),
  lines: lines.map(({ amount, ...line }) => ({ ...line, amount: formatYuan(amount) })),
  bill: formatYuan(billed),
  rest: formatYuan(billed - analysis - lines.reduce((sum, { amount }) => sum + amount, 0)),
})

/**
 * Returns all differences between the sales analysis of a bill's shops and days and the bill itself, by kind, so that
 * the sums agree with nothing left over.
 */
export const billBridgeRoute = defineRoute(billBridgeCall, {
  title: { zh: '账单与经营分析的差额', en: 'Bill and sales performance differences' },
  can: 'bill_view',
  handle: async (call) => {
    const { id } = call.input
    const served = call.services.registry.served.get(bill.name)!
    const row = await call.db.one<Bill>(sql`select r.id, r.tenant_id, r.merchant_id, r.bill_type,
      r.period_start::text as period_start, r.period_end::text as period_end
      ${visibleRowsSql(served, call)} and r.id = ${id}`)
    if (!row) throw new Refused('not_found', { label: bill.label })
    const bridge = async (db: Db) => {
      const shopIds = await shopsOf(db, row)
      const paid = await paidSide(db, row, shopIds)
      const back = await backSide(db, row, shopIds)
      const channels = await channelsOf(db, row)
      return {
        shopIds,
        paid: sideWire(paid),
        back: sideWire(back),
        channels: channels.map((one) => ({ ...one, amount: formatYuan(one.amount), refund: formatYuan(one.refund) })),
      }
    }
    return row.tenantId === call.db.tenantId
      ? bridge(call.db)
      : call.db.acrossTenants('a bill of a tenant is compared with its sales', (all) =>
          all.asTenant(row.tenantId, bridge),
        )
  },
})
