import { bulkInsert } from '#kit/server/database/bulk-insert.ts'
import { empty, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { firstIdAtTime, newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { paymentsWhereSql, refundsWhereSql } from '#domains/money/payment-channels/api.ts'
import { bill } from './bill.resource.ts'
import { BILL_STATE, PAYMENT_PLATFORM_CHANNELS, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { takenFeeSql } from './taken-fee.ts'
import { shopsEverOfMerchantSql, merchantAtPaymentSql } from './merchant-terms.ts'

export type BillPeriod = { billType: 'day' | 'month'; start: string; end: string }

/** Returns the period that contains a date: that day or its month. */
export function billPeriodOf(billType: 'day' | 'month', day: string): BillPeriod {
  if (billType === 'day') return { billType, start: day, end: day }
  const start = `${day.slice(0, 7)}-01`
  const next = new Date(`${start}T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1, 0)
  return { billType, start, end: next.toISOString().slice(0, 10) }
}

const platform = [...PAYMENT_PLATFORM_CHANNELS]
const DAY_MS = 86_400_000
const startOf = (day: string): number => new Date(`${day}T00:00:00+08:00`).getTime()

/**
 * Makes a merchant's bill of a period, or remakes it with late sales and refunds while nobody has checked it. Callers
 * of one merchant take turns. Returns undefined for a checked bill and when nothing happened. `kept` leaves a bill
 * alone that has been compared with a statement. Fees are rounded half up for each line. The fee of a refund is
 * returned in proportion, as a difference of rounded running sums, so that a payment refunded in parts costs nothing in
 * the end.
 */
export async function makeBill(
  db: Db,
  merchantId: string,
  period: BillPeriod,
  isRead: 'anew' | 'kept' = 'anew',
): Promise<RowOf<typeof bill> | undefined> {
  await db.advisoryLock(`bill/${merchantId}`)
  // Locks the bill: checking or paying it at the same moment is decided first.
  const [was] = await db.find(
    bill,
    sql`merchant_id = ${merchantId} and bill_type = ${period.billType} and period_start = ${period.start}`,
    sql`for no key update`,
  )
  if (was && (was.status !== BILL_STATE.generated || (was.statementTime && isRead === 'kept'))) return undefined
  const id = was?.id ?? newId()
  if (was) await db.run(sql`delete from merchant_bill_detail where tenant_id = ${db.tenantId} and bill_id = ${id}`)
  const lines = await linesOf(db, id, merchantId, period)
  if (!lines.length && !was) return undefined
  await bulkInsert(
    db,
    'merchant_bill_detail',
    LINE_COLUMNS,
    lines.map((line) => lineValues(id, merchantId, line)),
  )
  const sums = await sumBillLines(db, id)
  const draft = { ...sums, differences: 0, statementTime: null, statementProblem: null }
  const kind = period.billType === 'day' ? 'D' : 'M'
  const row = was
    ? await db.update(bill, id, draft)
    : await db.insert(bill, {
        id,
        billNo: `B${kind}${period.start.slice(0, kind === 'D' ? 10 : 7).replaceAll('-', '')}-${merchantId.slice(-6)}`,
        merchantId,
        billType: period.billType,
        periodStart: period.start,
        periodEnd: period.end,
        status: BILL_STATE.generated,
        ...draft,
      })
  publishRowsChanged({ db }, bill, [row])
  return row
}

export const LINE_COLUMNS = {
  id: 'bigint',
  bill_id: 'bigint',
  merchant_id: 'bigint',
  shop_id: 'bigint',
  kind: 'text',
  time: 'timestamptz',
  order_no: 'text',
  refund_no: 'text',
  transaction_no: 'text',
  channel: 'text',
  amount: 'bigint',
  refund: 'bigint',
  fee: 'bigint',
  share: 'bigint',
  check_result: 'text',
  payable: 'text',
  create_user: 'bigint',
}

export type Line = {
  shopId: string | null
  kind: 'pay' | 'refund' | 'share'
  time: string
  orderNo: string
  refundNo: string | null
  transactionNo: string | null
  channel: string | null
  amount: number
  refund: number
  fee: number
  share: number
  checkResult: string
  payable: string
}

/** Values of a new bill line in the order of `LINE_COLUMNS`. */
export const lineValues = (billId: string, merchantId: string, line: Line): unknown[] => [
  newId(),
  billId,
  merchantId,
  line.shopId,
  line.kind,
  line.time,
  line.orderNo,
  line.refundNo,
  line.transactionNo,
  line.channel,
  line.amount,
  line.refund,
  line.fee,
  line.share,
  line.checkResult,
  line.payable,
  0,
]

/** SQL expression for the fee of a payment `o` in cents: the known fee, else computed with the rate of `whose`. */
export const paymentFeeSql = sql`coalesce(o.known_fee, ${takenFeeSql('pay', sql`o.payment_no`)},
        round(o.amount * coalesce(whose.fee_rate, 0) / 100))`

/**
 * SQL expression for the fee a refund `o` returns, in cents and negative: the known fee, else the difference of rounded
 * running sums over the parts of a payment, at its rate `whose.fee_rate`.
 */
export const refundedFeeSql = sql`coalesce(o.known_fee, ${takenFeeSql('refund', sql`o.refund_no`)},
        round(o.back_before * coalesce(whose.fee_rate, 0) / 100)
        - round((o.back_before + o.amount) * coalesce(whose.fee_rate, 0) / 100))`

/**
 * SQL condition for payments and refunds that may belong to a merchant: of shops it ever had (CTE `shop`), or marked as
 * its own. Narrows the rows before `belongsToMerchantSql` decides.
 */
export const mayBelongToMerchantSql =
  (merchantId: string) =>
  ({ shopId, merchantId: known }: { shopId: Sql; merchantId: Sql }): Sql =>
    sql`(${shopId} = any(array(select shop_id from shop)) or ${known} = ${merchantId})`

/**
 * SQL condition for rows `o` that belong to a merchant, by their own mark or by the shop's merchant at payment
 * (`whose`).
 */
export const belongsToMerchantSql = (merchantId: string): Sql =>
  sql`coalesce(o.merchant_id, whose.merchant_id) = ${merchantId}`

/**
 * SQL condition whether bill line `d` and row `o` are of the same kind: a recharge and a fee may have the same number.
 */
export const isSamePayableSql = sql`coalesce(d.payable, o.payable) = o.payable`

/**
 * SQL condition whether `o` is in another bill of the same type. The subqueries with `offset 0` look up each number by
 * index, because the planner cannot estimate the number of bills and would read all lines. The collation must be that
 * of the index on bill lines.
 */
const inOtherBill = (db: Db, billId: string, billType: BillPeriod['billType']) => (kind: Line['kind'], which: Sql) =>
  sql`exists (
        select 1 from (select d.bill_id from merchant_bill_detail d where d.tenant_id = ${db.tenantId}
        and d.order_no = o.no collate "default" and ${isSamePayableSql} and d.kind = ${kind}${which}
        and d.check_result <> 'missingHere' offset 0) d
        join merchant_bill b on b.id = d.bill_id where b.tenant_id = ${db.tenantId} and b.bill_type = ${billType}
        and b.id <> ${billId} offset 0)`

/**
 * Selects the shared amount of each order in the period, less returned shares. Counts when the money left the account,
 * not when the order was paid. Skips orders whose older bill lines already contain all shares.
 */
const sharedWithin = (db: Db, billId: string, merchantId: string, { billType, start, end }: BillPeriod): Sql => sql`
      select s.order_id, min(s.shop_id) as shop_id, max(s.finish_time) as time, min(s.transaction_no) as transaction_no,
        sum(case s.kind when 'return' then -s.finish_amount else s.finish_amount + coalesce((select
          sum(r.finish_amount) from share_log r where r.tenant_id = s.tenant_id and r.order_id = s.order_id
          and r.of_share_no = s.out_order_no and r.kind = 'return' and r.status = ${PROFIT_SHARE_STATE.finished}), 0)
          end)::bigint as share
      from share_log s where s.tenant_id = ${db.tenantId} and s.merchant_id = ${merchantId}
        and s.status = ${PROFIT_SHARE_STATE.finished} and coalesce(s.kind, 'share') in ('share', 'return')
        and s.finish_time >= ${start}::date::timestamptz and s.finish_time < (${end}::date + 1)::timestamptz
        and not exists (select 1 from shopping_order q join merchant_bill_detail d on d.tenant_id = q.tenant_id
          and d.order_no = q.order_no collate "default" and d.payable is null and d.share > 0
          join merchant_bill b on b.tenant_id = d.tenant_id and b.id = d.bill_id and b.bill_type = ${billType}
          and b.id <> ${billId} where q.tenant_id = s.tenant_id and q.id = s.order_id offset 0)
      group by s.order_id`

/**
 * Selects the bill lines of a merchant: its payments of the period (`merchantAtPaymentSql`), whoever has the shop now;
 * refunds completed in the period; earlier payments received or reported only now that are in no bill yet; and profit
 * shares of the period, on the payment's line or as a line of their own. Anything in another bill of the same type is
 * left out. The id range limits the scan to rows written in the period; the column is checked as well, because demo
 * rows are written later than they say.
 */
const linesOf = (db: Db, billId: string, merchantId: string, { billType, start, end }: BillPeriod): Promise<Line[]> => {
  const isBilled = inOtherBill(db, billId, billType)
  const tenant = sql`${db.tenantId}`
  const mayBe = mayBelongToMerchantSql(merchantId)
  const isWithin = (time: Sql) => sql`${time} >= ${start}::date::timestamptz
    and ${time} < (${end}::date + 1)::timestamptz`
  const isBefore = (time: Sql) => sql`${time} < ${start}::date::timestamptz`

  return db.query<Line>(sql`with shop as (${shopsEverOfMerchantSql(db, merchantId)}), heard as (
      (${paymentsWhereSql(tenant, (one) => sql`${mayBe(one)} and ${isWithin(one.payTime)}`)})
      union
      (${paymentsWhereSql(
        tenant,
        (one) => sql`${mayBe(one)} and ${isWithin(one.createTime)} and ${isBefore(one.payTime)}`,
      )})
      union
      (${paymentsWhereSql(
        tenant,
        (one) => sql`${mayBe(one)} and ${isBefore(one.payTime)} and ${isWithin(one.heardTime)}
          and ${one.paymentId} >= ${firstIdAtTime(startOf(start))}
            and ${one.paymentId} < ${firstIdAtTime(startOf(end) + DAY_MS)}`,
      )})
    ), returned as (
      ${refundsWhereSql(tenant, (one) => sql`${mayBe(one)} and ${one.isDone} and ${isWithin(one.doneTime)}`)}
    ), line as (
      select o.payment_id as line_id, 'pay' as kind, o.pay_time as time, o.shop_id, o.no as order_no,
        null as refund_no, o.payment_no as transaction_no, o.channel, o.amount, 0::bigint as refund,
        case when o.channel = any(${platform}) then ${paymentFeeSql} else 0 end as fee, o.id as order_id, o.payable
      from heard o ${merchantAtPaymentSql} where ${belongsToMerchantSql(merchantId)} and not ${isBilled('pay', empty)}
      union all
      select o.part_id, 'refund', o.done_time, o.shop_id, o.no, o.refund_no, o.payment_no, o.channel, 0, o.amount,
        case when o.channel = any(${platform}) then ${refundedFeeSql} else 0 end, o.id, o.payable
      from returned o ${merchantAtPaymentSql}
      where ${belongsToMerchantSql(merchantId)} and not ${isBilled('refund', sql` and d.refund_no = o.refund_no`)}
    ), shared as materialized (${sharedWithin(db, billId, merchantId, { billType, start, end })}), billed as (
      select l.*, case when l.kind = 'pay' and l.channel = any(${platform}) and 1 = row_number()
          over (partition by l.order_id, l.kind, l.channel = any(${platform}) order by l.line_id)
          then s.share end as shared
      from line l left join shared s on s.order_id = l.order_id
    )
    select l.shop_id, l.kind, l.time, l.order_no, l.refund_no, l.transaction_no, l.channel, l.amount, l.refund, l.fee,
      coalesce(l.shared, 0) as share,
      case when l.channel = any(${platform}) then 'open' else 'offline' end as check_result, l.payable, l.line_id
    from billed l
    union all
    select s.shop_id, 'share', s.time, q.order_no, null, s.transaction_no, null, 0, 0, 0, s.share, 'open',
      'shoppingOrder', s.order_id
    from shared s join shopping_order q on q.tenant_id = ${tenant} and q.id = s.order_id
    where s.share <> 0 and not exists (select 1 from billed l where l.order_id = s.order_id and l.shared is not null)
    order by time, line_id, kind`)
}

/** Returns the figures of a bill as sums of its lines. */
export async function sumBillLines(db: Db, billId: string) {
  const row = await db.one<
    Record<
      | 'orderCount'
      | 'orderAmount'
      | 'income'
      | 'offlineAmount'
      | 'refundCount'
      | 'refund'
      | 'offlineRefund'
      | 'fee'
      | 'shareOut',
      number
    >
  >(sql`select
      count(distinct (payable, order_no)) filter (where kind = 'pay')::int as order_count, coalesce(sum(amount),
      0) as order_amount,
      coalesce(sum(amount) filter (where check_result <> 'offline'), 0) as income, coalesce(sum(amount)
      filter (where check_result = 'offline'), 0) as offline_amount,
      count(*) filter (where kind = 'refund')::int as refund_count, coalesce(sum(refund)
      filter (where check_result <> 'offline'), 0) as refund,
      coalesce(sum(refund) filter (where check_result = 'offline'), 0) as offline_refund, coalesce(sum(fee),
      0) as fee, coalesce(sum(share), 0) as share_out
    from merchant_bill_detail where tenant_id = ${db.tenantId} and bill_id = ${billId}`)
  return { ...row!, net: row!.income - row!.refund - row!.fee - row!.shareOut }
}

/**
 * Makes the bills of all merchants of the tenant, or of those matching the condition `which` (alias `r`), including
 * stopped and removed ones. Returns the bills made.
 */
export async function makeBills(db: Db, period: BillPeriod, which: Sql = empty): Promise<RowOf<typeof bill>[]> {
  const merchants = await db.query<{ id: string }>(
    sql`select r.id from merchant_info r where r.tenant_id = ${db.tenantId}${which} order by r.id`,
  )
  const made = []
  for (const { id } of merchants) {
    const row = await makeBill(db, id, period)
    if (row) made.push(row)
  }
  return made
}
