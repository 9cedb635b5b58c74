import { bulkInsert } from '#kit/server/database/bulk-insert.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { bill } from './bill.resource.ts'
import { paymentsByTransactionNoSql, refundsWhereSql } from '#domains/money/payment-channels/api.ts'
import { PAYMENT_PLATFORM_CHANNELS } from './dictionaries.ts'
import { isSamePayableSql, LINE_COLUMNS, lineValues, sumBillLines, type Line } from './make-bill.ts'
import type { StatementLine } from './statement.ts'
import { merchantAtPaymentSql } from './merchant-terms.ts'

const keyOf = (line: { kind: string; transactionNo: string | null; orderNo: string | null; refundNo: string | null }) =>
  line.kind === 'refund' ? `refund/${line.refundNo ?? ''}` : `pay/${line.transactionNo || line.orderNo || ''}`

/**
 * Compares a locked bill with the statement line by line: `matched`, `different`, `missingHere` (only in the statement)
 * or `missingThere`. Only lines paid by `channels` are compared. A repeated comparison starts afresh. Returns the bill
 * with its number of differences; refuses a statement with lines outside the period.
 */
export async function compareBillWithStatement(
  db: Db,
  row: RowOf<typeof bill>,
  statement: readonly StatementLine[],
  { now, channels = PAYMENT_PLATFORM_CHANNELS }: { now: string; channels?: readonly string[] },
): Promise<RowOf<typeof bill>> {
  const outside = statement.find(
    ({ time }) => time.slice(0, 10) < row.periodStart! || time.slice(0, 10) > row.periodEnd!,
  )
  if (outside)
    throw new Refused('statement_other_period', { time: outside.time, from: row.periodStart, to: row.periodEnd })

  await db.run(
    sql`delete from merchant_bill_detail where tenant_id = ${db.tenantId} and bill_id = ${row.id}
      and check_result = 'missingHere'`,
  )
  const ours = await db.query<{
    id: string
    kind: 'pay' | 'refund'
    orderNo: string
    refundNo: string | null
    transactionNo: string | null
    amount: number
    refund: number
    fee: number
  }>(
    sql`select id, kind, order_no, refund_no, transaction_no, amount, refund,
      fee from merchant_bill_detail where tenant_id = ${db.tenantId} and bill_id = ${row.id}
      and check_result <> 'offline' and kind <> 'share' and channel = any(${[...channels]}) order by id`,
  )

  const waiting = Map.groupBy(statement, keyOf)
  const results = ours.map((line) => {
    // A key that occurs twice in the statement matches one of our lines each time.
    const match = waiting.get(keyOf(line))?.shift()
    const amount = line.kind === 'pay' ? line.amount : line.refund
    const result = !match ? 'missingThere' : match.amount === amount && match.fee === line.fee ? 'matched' : 'different'
    return { id: line.id, result, channelAmount: match?.amount ?? null, channelFee: match?.fee ?? null }
  })

  const { lines: adopted, left } = await adopt(db, row, [...waiting.values()].flat())
  await db.run(sql`update merchant_bill_detail d set check_result = r.result, channel_amount = r.amount,
    channel_fee = r.fee, update_time = now()
    from unnest(${results.map((one) => one.id)}::bigint[], ${results.map((one) => one.result)}::text[],
    ${results.map((one) => one.channelAmount)}::bigint[], ${results.map((one) => one.channelFee)}::bigint[]) r(id,
    result, amount, fee)
    where d.id = r.id and d.tenant_id = ${db.tenantId} and d.bill_id = ${row.id}`)
  if (left.length)
    await db.run(sql`insert into merchant_bill_detail (id, tenant_id, bill_id, merchant_id, kind, time, order_no,
      refund_no, transaction_no, amount, refund, fee, share, channel_amount, channel_fee, check_result, create_user)
      select d.id, ${db.tenantId}, ${row.id}, ${row.merchantId}, d.kind, d.time, d.order_no, nullif(d.refund_no, ''),
      d.transaction_no, 0, 0, 0, 0, d.amount, d.fee, 'missingHere', 0
      from unnest(${left.map(() => newId())}::bigint[], ${left.map((one) => one.kind)}::text[],
      ${left.map((one) => one.time)}::timestamptz[], ${left.map((one) => one.orderNo)}::text[],
      ${left.map((one) => one.refundNo)}::text[],
        ${left.map((one) => one.transactionNo)}::text[], ${left.map((one) => one.amount)}::bigint[],
        ${left.map((one) => one.fee)}::bigint[]) d(id, kind, time, order_no, refund_no, transaction_no, amount, fee)`)

  const sums = adopted.length ? await sumBillLines(db, row.id) : {}
  const found = [...results.map(({ result }) => result), ...adopted.map(({ checkResult }) => checkResult)]
  const differences = left.length + found.filter((result) => result !== 'matched').length
  return db.update(bill, row.id, { ...sums, differences, statementTime: now, statementProblem: null })
}

type Nobodys = {
  kind: 'pay' | 'refund'
  payable: string
  number: string
  no: string
  refundNo: string | null
  transactionNo: string
  shopId: string | null
  amount: number
}

/**
 * Assigns statement lines without a bill line: payments and refunds of ours that belong to no merchant by their shop
 * become lines of this bill, as its account received them, with the statement's fee. Returns those lines and the rest.
 */
async function adopt(db: Db, row: RowOf<typeof bill>, left: StatementLine[]) {
  const numbersOf = (kind: StatementLine['kind']) =>
    left.filter((one) => one.kind === kind).map((one) => (kind === 'pay' ? one.transactionNo : one.refundNo))
  const tenant = sql`${db.tenantId}`
  const isNobodys = sql`coalesce(o.merchant_id, whose.merchant_id) is null
    and not exists (select 1 from merchant_bill_detail d join merchant_bill b on b.id = d.bill_id
      and b.tenant_id = d.tenant_id and b.bill_type = ${row.billType} where d.tenant_id = ${tenant}
      and d.order_no = o.no collate "default" and ${isSamePayableSql} and d.check_result <> 'missingHere'`

  const found = left.length
    ? await db.query<Nobodys>(sql`
      select 'pay' as kind, o.payable, o.payment_no as number, o.no, null as refund_no, o.payment_no as transaction_no,
          o.shop_id,
        o.amount
      from (${paymentsByTransactionNoSql(tenant, (column) => sql`${column} = any(${numbersOf('pay')}::text[])`)}) o
      ${merchantAtPaymentSql}
      where o.payment_no is not null and ${isNobodys} and d.kind = 'pay')
      union all
      select 'refund', o.payable, o.refund_no, o.no, o.refund_no, o.payment_no, o.shop_id, o.amount
      from (${refundsWhereSql(
        tenant,
        (one) => sql`${one.refundNo} = any(${numbersOf('refund')}::text[]) and ${one.isDone}`,
      )}) o ${merchantAtPaymentSql} where ${isNobodys} and d.kind = 'refund' and d.refund_no = o.refund_no)`)
    : []

  const byKey = new Map(found.map((one) => [`${one.kind}/${one.number}`, one]))
  const lines: (Line & { channelAmount: number })[] = []
  const unknown: StatementLine[] = []
  for (const line of left) {
    const ours = byKey.get(keyOf(line))
    if (!ours || !byKey.delete(keyOf(line))) {
      unknown.push(line)
      continue
    }
    const { shopId, kind, no: orderNo, refundNo, transactionNo, amount, payable } = ours
    lines.push({
      shopId,
      kind,
      time: line.time,
      orderNo,
      refundNo,
      transactionNo,
      channel: 'wechat',
      amount: kind === 'pay' ? amount : 0,
      refund: kind === 'pay' ? 0 : amount,
      fee: line.fee,
      share: 0,
      checkResult: amount === line.amount ? 'matched' : 'different',
      payable,
      channelAmount: line.amount,
    })
  }

  await bulkInsert(
    db,
    'merchant_bill_detail',
    { ...LINE_COLUMNS, channel_amount: 'bigint', channel_fee: 'bigint' },
    lines.map((line) => [...lineValues(row.id, row.merchantId!, line), line.channelAmount, line.fee]),
  )
  return { lines, left: unknown }
}
