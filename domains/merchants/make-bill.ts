import { bulkInsert } from '#kit/server/database/bulk-insert.ts'
import { empty, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { firstId, newId } from '#kit/server/database/snowflake.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { bill } from './bill.resource.ts'
import { BILL, PLATFORM_CHANNELS, SHARE } from './dictionaries.ts'
import { shopsEverOf, WHOSE } from './terms.ts'

export type Period = { billType: 'day' | 'month'; start: string; end: string }

/** The day or month a day lies in; dates of Shanghai. */
export function periodOf(billType: 'day' | 'month', day: string): Period {
  if (billType === 'day') return { billType, start: day, end: day }
  const start = `${day.slice(0, 7)}-01`
  const next = new Date(`${start}T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1, 0)
  return { billType, start, end: next.toISOString().slice(0, 10) }
}

const platform = [...PLATFORM_CHANNELS]
const DAY_MS = 86_400_000
const startOf = (day: string): number => new Date(`${day}T00:00:00+08:00`).getTime()

/**
 * Makes a merchant's bill of a period, or makes it anew while nobody has checked it: late sales and refunds are in it
 * then. Callers on one merchant take turns. Answers undefined for a bill that was checked already, and where nothing
 * happened. `kept` leaves one alone whose statement somebody has read. Fees are counted line by line, half up to a
 * cent; the platform gives the fee of a refund back in proportion: differences of rounded running sums, so that a
 * payment that went back in parts has cost nothing.
 */
export async function makeBill(
  db: Db,
  merchantId: string,
  period: Period,
  isRead: 'anew' | 'kept' = 'anew',
): Promise<RowOf<typeof bill> | undefined> {
  await db.lockName(`bill/${merchantId}`)
  // Who checks or pays it takes the row alone, and decides what becomes of it.
  const [was] = await db.find(
    bill,
    sql`merchant_id = ${merchantId} and bill_type = ${period.billType} and period_start = ${period.start}`,
    sql`for no key update`,
  )
  if (was && (was.status !== BILL.generated || (was.statementTime && isRead === 'kept'))) return undefined
  const id = was?.id ?? newId()
  if (was) await db.run(sql`delete from merchant_bill_detail where tenant_id = ${db.tenantId} and bill_id = ${id}`)
  const lines = await linesOf(db, id, merchantId, period)
  if (!lines.length && !was) return undefined
  await bulkInsert(
    db,
    'merchant_bill_detail',
    LINE_COLUMNS,
    lines.map((line) => [
      newId(),
      id,
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
      0,
    ]),
  )
  const sums = await sumsOf(db, id)
  const draft = { ...sums, differences: 0, statementTime: null, statementProblem: null, status: BILL.generated }
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
        ...draft,
      })
  publishChanged({ db }, bill, [row])
  return row
}

const LINE_COLUMNS = {
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
  create_user: 'bigint',
}

type Line = {
  shopId: string
  kind: 'pay' | 'refund'
  time: string
  orderNo: string
  refundNo: string | null
  transactionNo: string | null
  channel: string
  amount: number
  refund: number
  fee: number
  share: number
  checkResult: string
}

/**
 * What of its fee a refund brings back, below zero: the difference of rounded running sums over the parts `p` of a
 * payment, refunds `r`, at the rate that payment cost, `whose.fee_rate`; `BACK_BEFORE` sums what went back earlier.
 */
export const FEE_BACK = sql`round(b.cents * whose.fee_rate / 100)
        - round((b.cents + p.amount) * whose.fee_rate / 100)`
export const BACK_BEFORE = sql`cross join lateral (select coalesce(sum(x.amount), 0) as cents from refund_payment x
      join refunds y on y.tenant_id = x.tenant_id and y.id = x.refund_id and y.status = 3
        where x.tenant_id = p.tenant_id and x.order_id = p.order_id and x.payment_id = p.payment_id and x.state = 'done'
        and (y.finish_time, x.id) < (r.finish_time, p.id)) b`

/**
 * Whether a line of an order `o` stands in another bill of the kind. Looked up order by order, by their number:
 * `offset 0` keeps the planner, who cannot know how many bills there are, from reading all their lines. Numbers of
 * orders sort by letters, those in bills by language: the index serves a comparison in its own order only.
 */
const inOtherBill = (db: Db, billId: string, billType: Period['billType']) => (kind: Line['kind'], which: Sql) =>
  sql`exists (
        select 1 from (select d.bill_id from merchant_bill_detail d where d.tenant_id = ${db.tenantId}
        and d.order_no = o.order_no collate "default" and d.kind = ${kind}${which}
        and d.check_result <> 'missingHere' offset 0) d
        join merchant_bill b on b.id = d.bill_id where b.tenant_id = ${db.tenantId} and b.bill_type = ${billType}
        and b.id <> ${billId} offset 0)`

/**
 * What was shared of the order of a line `l`. Looked up line by line: the planner cannot know how many lines there are,
 * and compared each with each where they were joined to themselves.
 */
const SHARED = sql`coalesce((select sum(s.finish_amount) from share_log s where s.tenant_id = l.tenant_id
          and s.order_id = l.order_id and coalesce(s.kind, 'share') = 'share' and s.status = ${SHARE.finished}), 0)`

/**
 * Every payment of the period's orders that are the merchant's (`WHOSE`), whoever has the shop by now, and every refund
 * of such that reached its payer within it; and payments of before that were heard of within it and are in no bill: a
 * register was offline, or the bill they belong to was checked. (Ids carry when a row was written; the column says it
 * again for what tells the past.) What stands in another bill of the kind is not billed again, whose ever it was then.
 */
const linesOf = (db: Db, billId: string, merchantId: string, { billType, start, end }: Period): Promise<Line[]> => {
  const isBilled = inOtherBill(db, billId, billType)
  const heard = sql`o.id, o.tenant_id, o.order_no, o.shop_id, o.pay_time, o.transaction_no`
  return db.query<Line>(sql`with shop as (${shopsEverOf(db, merchantId)}), heard as (
      select ${heard} from shop join shopping_order o on o.tenant_id = ${db.tenantId} and o.shop_id = shop.shop_id
        and o.pay_time >= ${start}::date::timestamptz and o.pay_time < (${end}::date + 1)::timestamptz
      union
      select ${heard} from shop join shopping_order o on o.tenant_id = ${db.tenantId} and o.shop_id = shop.shop_id
        and o.create_time >= ${start}::date::timestamptz and o.create_time < (${end}::date + 1)::timestamptz
        and o.pay_time < ${start}::date::timestamptz
      union
      select ${heard} from order_payment p
      join shopping_order o on o.tenant_id = p.tenant_id and o.id = p.order_id
        and o.pay_time < ${start}::date::timestamptz
      join shop on shop.shop_id = o.shop_id
      where p.tenant_id = ${db.tenantId}
        and p.id >= ${firstId(startOf(start))} and p.id < ${firstId(startOf(end) + DAY_MS)}
        and p.create_time >= ${start}::date::timestamptz and p.create_time < (${end}::date + 1)::timestamptz
    ), paid as (
      select o.*, whose.fee_rate from heard o ${WHOSE} where whose.merchant_id = ${merchantId}
    ), line as (
      select p.id as line_id, 'pay' as kind, o.pay_time as time, o.shop_id, o.order_no, null as refund_no,
      p.transaction_no, p.channel, p.amount, 0::bigint as refund,
        case when p.channel = any(${platform}) then round(p.amount * o.fee_rate / 100) else 0
        end as fee, o.id as order_id, o.tenant_id
      from paid o join order_payment p on p.tenant_id = ${db.tenantId} and p.order_id = o.id
      where not ${isBilled('pay', empty)}
      union all
      select p.id, 'refund', r.finish_time, r.shop_id, o.order_no, p.out_no, p.transaction_no, p.channel, 0, p.amount,
        case when p.channel = any(${platform}) then ${FEE_BACK} else 0 end, o.id, o.tenant_id
      from shop join refunds r on r.tenant_id = ${db.tenantId} and r.shop_id = shop.shop_id and r.status = 3
        and r.finish_time >= ${start}::date::timestamptz and r.finish_time < (${end}::date + 1)::timestamptz
      join refund_payment p on p.tenant_id = r.tenant_id and p.refund_id = r.id and p.state = 'done'
      join shopping_order o on o.tenant_id = r.tenant_id and o.id = r.order_id
      ${WHOSE} ${BACK_BEFORE}
      where whose.merchant_id = ${merchantId} and not ${isBilled('refund', sql` and d.refund_no = p.out_no`)}
    )
    select l.shop_id, l.kind, l.time, l.order_no, l.refund_no, l.transaction_no, l.channel, l.amount,
    l.refund, l.fee,
      case when l.kind = 'pay' and l.channel = any(${platform}) and 1 = row_number()
        over (partition by l.order_id, l.kind, l.channel = any(${platform}) order by l.line_id)
        then ${SHARED} else 0 end as share, case
      when l.channel = any(${platform}) then 'open' else 'offline' end as check_result
    from line l
    order by l.time, l.line_id, l.kind`)
}

/** A bill's figures are the sums of its lines, nothing else. */
async function sumsOf(db: Db, billId: string) {
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
      count(distinct order_no) filter (where kind = 'pay')::int as order_count, coalesce(sum(amount),
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
 * Bills of all merchants of the tenant, or of those a condition on alias `r` finds; stopped and removed ones too, for
 * what happened in the period.
 */
export async function makeBills(db: Db, period: Period, which: Sql = empty): Promise<RowOf<typeof bill>[]> {
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
