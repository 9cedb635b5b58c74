import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import {
  paymentFeeSql,
  refundedFeeSql,
  belongsToMerchantSql,
  mayBelongToMerchantSql,
  shopsEverOfMerchantSql,
  merchantAtPaymentSql,
} from '#domains/money/merchant-accounts/api.ts'
import {
  paymentsByTransactionNoSql,
  paymentsWhereSql,
  refundsWhereSql,
  type PaymentColumns,
  type RefundColumns,
} from '#domains/money/payment-channels/api.ts'
import { PROFIT_SHARE_STATE } from '#domains/money/merchant-accounts/index.ts'
import { ORDER_STATE } from '#domains/sales/orders/index.ts'
import type { DifferenceKindKey } from './kinds.ts'

/**
 * A difference found by the comparison; amounts in cents, negative when out of the account. `mark` identifies it in
 * every later comparison of the day.
 */
export type Mismatch = {
  mark: string
  kind: DifferenceKindKey
  shopId: string | null
  orderId: string | null
  orderNo: string | null
  refundNo: string | null
  transactionNo: string | null
  ours: number
  theirs: number
}
/** Sums of both sides of a comparison, in cents. */
type Sums = { ours: number; theirs: number }
export type StatementLeg = Sums & { found: Mismatch[] }

/** Day of a merchant at one of its WeChat Pay numbers. */
export type WechatAccountDay = { id: string; merchantId: string; accountNo: string; day: string }

/** More differences than people could check: the file must be of another merchant or day. */
export const MISMATCHES_MAX = 50_000

export const onDaySql = (column: Sql, day: string) =>
  sql`${column} >= ${day}::date::timestamptz and ${column} < (${day}::date + 1)::timestamptz`

/** SQL condition for rows that no term assigns to a merchant; they count for the account whose statement has them. */
const isNobodys = sql`coalesce(o.merchant_id, whose.merchant_id) is null`

/**
 * CTEs with our lines of a day of a WeChat Pay account, whatever was paid: payments by payment time, refunds by
 * completion time (unfinished ones by request time). `listed` are those of the merchant and number; `counted` adds
 * those without a merchant that are in this statement.
 */
const ourLines = (db: Db, { id, merchantId, accountNo, day }: WechatAccountDay) => {
  const tenant = sql`${db.tenantId}`
  const mayBe = mayBelongToMerchantSql(merchantId)

  // By the number of the term; if that was mistyped, by the statement that contains the payment.
  const isHere = sql`${belongsToMerchantSql(merchantId)} and (coalesce(o.sub_mchid, whose.sub_mchid,
    ${accountNo}) = ${accountNo}
        or exists (select 1 from tally_line l where l.tenant_id = ${tenant} and l.day_id = ${id}
        and l.source = 'trade' and l.transaction_no = o.payment_no))`

  const overWechat = ({ channel }: { channel: Sql }) => sql`${channel} = 'wechat'`
  const paidThen = (one: PaymentColumns) => sql`${overWechat(one)} and ${onDaySql(one.payTime, day)}`
  const backThen = (
    one: RefundColumns,
  ) => sql`${overWechat(one)} and ((${one.isDone} and ${onDaySql(one.doneTime, day)})
        or (${one.isUnderWay} and ${onDaySql(one.askedTime, day)}))`
  const orderId = sql`case o.payable when 'shoppingOrder' then o.id end`

  return sql`
    shop as (${shopsEverOfMerchantSql(db, merchantId)}), listed as materialized (
      select 'pay' as kind, ${orderId} as order_id, o.shop_id, o.no as order_no, null::text as refund_no,
        coalesce(o.payment_no, (select min(l.transaction_no) from tally_line l where l.tenant_id = ${tenant}
          and l.order_no = o.no and l.day_id = ${id} and l.source = 'trade' and l.kind = 'pay'),
          'order ' || o.no) as number, o.amount, ${paymentFeeSql}::bigint as fee,
        true as is_done, null::text as there, o.payment_no as transaction_no
      from (${paymentsWhereSql(tenant, (one) => sql`${mayBe(one)} and ${paidThen(one)}`)}) o ${merchantAtPaymentSql}
        where
      ${isHere}
      union all
      select 'refund', ${orderId}, o.shop_id, o.no, o.refund_no, coalesce(l.refund_no, o.refund_no), -o.amount,
        (${refundedFeeSql})::bigint, o.is_done, o.number_there, o.payment_no
      from (${refundsWhereSql(tenant, (one) => sql`${mayBe(one)} and ${backThen(one)}`)}) o
      left join lateral (select min(l.refund_no) as refund_no from tally_line l where l.tenant_id = o.tenant_id
        and l.day_id = ${id} and l.source = 'trade' and l.kind = 'refund' and l.transaction_no = o.payment_no
        and (l.refund_no = o.number_there or l.refund_there = o.number_there)) l on true
      ${merchantAtPaymentSql} where ${isHere}
    ), stray as materialized (
      select l.kind, l.transaction_no, l.refund_no, l.fee from tally_line l
      where l.tenant_id = ${tenant} and l.day_id = ${id} and l.source = 'trade' and not exists (select 1 from listed c
        where c.kind = l.kind and c.number = case l.kind when 'pay' then l.transaction_no else l.refund_no end)
    ), counted as (
      select * from listed
      union all
      select 'pay', ${orderId}, o.shop_id, o.no, null, o.payment_no, o.amount, l.fee, true, null, o.payment_no
      from stray l cross join lateral (
        ${paymentsWhereSql(tenant, (one) => sql`${one.transactionNo} = l.transaction_no and ${paidThen(one)}`)}
      ) o ${merchantAtPaymentSql} where l.kind = 'pay' and ${isNobodys}
      union all
      select 'refund', ${orderId}, o.shop_id, o.no, o.refund_no, o.refund_no, -o.amount, l.fee, o.is_done,
        o.number_there, o.payment_no
      from stray l cross join lateral (
        ${refundsWhereSql(tenant, (one) => sql`${one.refundNo} = l.refund_no and ${backThen(one)}`)}
      ) o ${merchantAtPaymentSql} where l.kind = 'refund' and ${isNobodys}
    )`
}

/** Whether our books have payments or refunds of an account on a day. */
export const hasBookedLines = async (db: Db, day: WechatAccountDay): Promise<boolean> =>
  (await db.one(sql`with ${ourLines(db, day)} select 1 from listed limit 1`)) !== undefined

/** SQL expression for the unpaid order a number of ours means: its order number, or that of a payment attempt. */
const unpaidOrderIdSql = (db: Db, no: Sql) => sql`(select q.id from shopping_order q where q.tenant_id = ${db.tenantId}
        and q.order_no = ${no} union all select a.order_id from pay_attempt a where a.tenant_id = ${db.tenantId}
        and a.pay_no = ${no} limit 1)`

/** SQL join with what was paid under the number of a statement line, as `k`; nulls if nothing was. */
const knownUnder = (db: Db, number: Sql, when: Sql) => sql`left join lateral (
      select p.payable, p.id, p.no, p.shop_id from (
        ${paymentsByTransactionNoSql(sql`${db.tenantId}`, (column) => sql`${column} = ${number}`)}
      ) p where ${when} limit 1) k on true`

/** SQL condition whether the refund of line `t` is recorded for what its number paid (`k`), on any day. */
const isRefundKnown = (db: Db) =>
  sql`exists (${refundsWhereSql(
    sql`${db.tenantId}`,
    (one) => sql`${one.id} = k.id and ${one.isDone}
          and (${one.refundNo} = t.number or ${one.numberThere} in (t.number, t.refund_there))`,
  )})`

/** SQL expression for the kind of difference of a pair, null if it agrees; the first matching case counts. */
const kindOfPair = (db: Db) => sql`case
      when s.number is null and t.kind = 'pay' then case
        when k.payable = 'payAttempt' then 'givenBack'
        when k.id is not null then 'otherDay'
        when x.status = ${ORDER_STATE.toPay} then 'payNotBooked'
        when x.id is null or x.status = ${ORDER_STATE.cancelled} then 'payWithoutOrder'
        else 'paidTwice' end
      when s.number is null and exists (select 1 from pay_attempt a where a.tenant_id = ${db.tenantId}
        and a.back_no = t.number) then 'givenBack'
      when s.number is null then case when ${isRefundKnown(db)} then 'otherDay' else 'refundUnknownHere' end
      when t.number is null and not s.is_done then 'refundNotMade'
      when t.number is null then case
        when exists (select 1 from tally_line l where l.tenant_id = ${db.tenantId} and l.source = 'trade'
          and l.transaction_no = s.transaction_no and l.kind = s.kind and (s.kind = 'pay' or s.number = l.refund_no
          or s.there in (l.refund_no, l.refund_there)))
          then 'otherDay' when s.kind = 'pay' then 'payUnknownThere' else 'refundUnknownThere' end
      when s.amount <> t.amount and s.kind = 'pay' then 'amountDiffers'
      when s.amount <> t.amount then 'refundDiffers'
      when coalesce(b.fee, s.fee) <> t.fee then 'feeDiffers' end`

type Row = Mismatch & { ourSum: number; theirSum: number }

/**
 * Runs a comparison. Each row contains the two sums; a comparison without differences returns one row without a kind.
 */
export async function queryStatementLeg(db: Db, statement: Sql): Promise<StatementLeg> {
  const rows = await db.query<Row>(statement)
  const { ourSum, theirSum } = rows[0]!
  return { ours: ourSum, theirs: theirSum, found: rows.filter(({ kind }) => kind) }
}

/** Ends a comparison: the sums of all pairs, joined with the pairs that differ. */
export const sumPairsSql = sql`select f.*, w.our_sum, w.their_sum from (select coalesce(sum(ours),
  0)::bigint as our_sum,
      coalesce(sum(theirs), 0)::bigint as their_sum from pair) w
    left join (select mark, kind, shop_id, order_id, order_no, refund_no, transaction_no, ours, theirs from pair
      where kind is not null order by mark limit ${MISMATCHES_MAX + 1}) f on true`

/**
 * Compares our books with the trade bill: every payment and refund, less its fee. One statement joins both sides by
 * number, so that only differences reach this process. `offset 0` makes PostgreSQL look up the details for those few
 * rows only.
 */
export const matchTrades = (db: Db, day: WechatAccountDay): Promise<StatementLeg> =>
  queryStatementLeg(
    db,
    sql`with ${ourLines(db, day)}, stated as (
      select kind, case kind when 'pay' then transaction_no else refund_no end as number, order_no, refund_no,
        transaction_no, refund_there, amount, fee from tally_line
      where tenant_id = ${db.tenantId} and day_id = ${day.id} and source = 'trade'
    ), pair as materialized (
      select coalesce(s.kind, t.kind) || ' ' || coalesce(s.number, t.number) as mark, ${kindOfPair(db)} as kind,
        coalesce(s.shop_id, k.shop_id, x.shop_id) as shop_id,
        coalesce(s.order_id, case when k.payable = 'shoppingOrder' then k.id when k.id is null then x.id end)
          as order_id,
        coalesce(s.order_no, k.no, t.order_no) as order_no,
        coalesce(s.refund_no, nullif(t.refund_no, '')) as refund_no,
        case when coalesce(s.kind, t.kind) = 'pay' then coalesce(t.number, s.number) else t.refund_there end
          as transaction_no,
        coalesce(s.amount - coalesce(b.fee, s.fee), 0) as ours, coalesce(t.amount - t.fee, 0) as theirs
      from counted s full join stated t on t.kind = s.kind and t.number = s.number
      ${knownUnder(db, sql`t.transaction_no`, sql`s.number is null`)}
      left join lateral (select o.id, o.tenant_id, o.shop_id, o.status from shopping_order o
        where s.number is null and k.id is null and o.tenant_id = ${db.tenantId}
        and o.id = ${unpaidOrderIdSql(db, sql`t.order_no`)}
        offset 0) x on true
      left join lateral (select d.fee from merchant_bill_detail d
        join merchant_bill y on y.tenant_id = d.tenant_id and y.id = d.bill_id and y.bill_type = 'day'
        where s.fee <> t.fee and d.tenant_id = ${db.tenantId} and d.order_no = s.order_no and d.kind = s.kind
        and (d.kind = 'refund' or coalesce(d.transaction_no, s.number) = s.number)
        and d.refund_no is not distinct from s.refund_no and d.check_result <> 'missingHere'
        order by d.id limit 1) b on true
    ) ${sumPairsSql}`,
  )

/**
 * Compares the trade bill with the fund flow. Here the trade bill is `ours`, so that the differences of both
 * comparisons add up.
 */
export const matchFlows = (db: Db, { id, day }: WechatAccountDay): Promise<StatementLeg> =>
  queryStatementLeg(
    db,
    sql`with traded as (
      select case kind when 'pay' then transaction_no else refund_there end as number, min(kind) as kind,
        min(order_no) as order_no, min(refund_no) as refund_no, sum(amount - fee)::bigint as net from tally_line
      where tenant_id = ${db.tenantId} and day_id = ${id} and source = 'trade' group by 1
    ), moved as (
      select transaction_no as number, min(order_no) as order_no, sum(amount)::bigint as net from tally_line
      where tenant_id = ${db.tenantId} and day_id = ${id} and source = 'flow' and kind = 'trade' group by 1
    ), pair as materialized (
      select 'flow ' || coalesce(t.number, m.number) as mark, case
        when t.number is null and exists (select 1 from tally_line l where l.tenant_id = ${db.tenantId}
          and l.source = 'trade' and l.day_id <> ${id} and (l.transaction_no = m.number
          or l.refund_no = m.order_no and l.refund_there = m.number and l.time > ${day}::date - 7)) then 'otherDay'
        when m.number is null and exists (select 1 from tally_line l where l.tenant_id = ${db.tenantId}
          and l.source = 'flow' and l.day_id <> ${id} and l.transaction_no = t.number) then 'otherDay'
        when m.number is null then 'flowMissing' when coalesce(t.net, 0) <> m.net then 'flowDiffers' end as kind,
        x.shop_id, x.id as order_id, coalesce(t.order_no, x.order_no) as order_no,
        nullif(t.refund_no, '') as refund_no, coalesce(t.number, m.number) as transaction_no,
        coalesce(t.net, 0) as ours, coalesce(m.net, 0) as theirs
      from traded t full join moved m on m.number = t.number
      left join lateral (select o.id, o.shop_id, o.order_no from shopping_order o where o.tenant_id = ${db.tenantId}
        and coalesce(t.net, 0) is distinct from m.net
        and o.id = ${unpaidOrderIdSql(db, sql`coalesce(t.order_no, m.order_no)`)} offset 0) x on true
    ) ${sumPairsSql}`,
  )

/** Compares our profit shares with those in the fund flow, by our numbers. */
export const matchShares = (db: Db, { id, merchantId, day }: WechatAccountDay): Promise<StatementLeg> =>
  queryStatementLeg(
    db,
    sql`with counted as (
      select s.out_order_no as number, s.order_id, s.shop_id, s.status = ${PROFIT_SHARE_STATE.finished} as is_done,
        case when s.kind = 'return' then s.finish_amount when s.status = ${PROFIT_SHARE_STATE.finished}
          then -coalesce(s.finish_amount, 0) - coalesce((select sum(r.finish_amount) from share_log r
          where r.tenant_id = s.tenant_id and r.order_id = s.order_id and r.of_share_no = s.out_order_no
          and r.kind = 'return' and r.status = ${PROFIT_SHARE_STATE.finished}), 0) else -s.amount end as net
      from share_log s
      where s.tenant_id = ${db.tenantId} and s.merchant_id = ${merchantId} and coalesce(s.kind, 'share') <> 'unfreeze'
        and ((s.status = ${PROFIT_SHARE_STATE.finished} and ${onDaySql(sql`s.finish_time`, day)})
          or (s.status in (${PROFIT_SHARE_STATE.waiting}, ${PROFIT_SHARE_STATE.processing}) and coalesce(s.kind,
            'share') = 'share'
          and ${onDaySql(sql`s.create_time`, day)}))
    ), moved as (
      select order_no as number, sum(amount)::bigint as net from tally_line
      where tenant_id = ${db.tenantId} and day_id = ${id} and source = 'flow' and kind = 'share' group by 1
    ), pair as materialized (
      select 'share ' || coalesce(s.number, m.number) as mark, case
        when coalesce(s.net, 0) = coalesce(m.net, 0) then null
        when m.number is null and not s.is_done then 'shareNotMade'
        when m.number is null and exists (select 1 from tally_line l where l.tenant_id = ${db.tenantId}
          and l.source = 'flow' and l.kind = 'share' and l.order_no = s.number) then 'otherDay'
        when s.number is null and exists (select 1 from share_log g where g.tenant_id = ${db.tenantId}
          and g.out_order_no = m.number and g.status = ${PROFIT_SHARE_STATE.finished}) then 'otherDay'
        else 'shareDiffers' end as kind,
        s.shop_id, s.order_id, o.order_no, coalesce(s.number, m.number) as refund_no, null::text as transaction_no,
        coalesce(s.net, 0)::bigint as ours, coalesce(m.net, 0)::bigint as theirs
      from counted s full join moved m on m.number = s.number
      left join shopping_order o on o.tenant_id = ${db.tenantId} and o.id = s.order_id
    ) ${sumPairsSql}`,
  )
