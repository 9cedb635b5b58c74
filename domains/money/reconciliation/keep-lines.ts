import { bulkInsert } from '#kit/server/database/bulk-insert.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import {
  StatementUnreadableError,
  type FundFlowLine,
  type StatementLine,
} from '#domains/money/merchant-accounts/api.ts'
import type { PlatformSettlement } from '#domains/sales/delivery-platforms/api.ts'

type Source = 'trade' | 'flow' | 'order'

/** Kinds of fund-flow lines that are not trades: withdrawals to the bank, shares and their returns. */
const FLOW_KINDS: Readonly<Record<string, string>> = { 提现: 'withdraw', 分账: 'share', 分账回退: 'share' }

const COLUMNS = {
  id: 'bigint',
  day_id: 'bigint',
  source: 'text',
  kind: 'text',
  time: 'timestamptz',
  transaction_no: 'text',
  order_no: 'text',
  refund_no: 'text',
  refund_there: 'text',
  amount: 'bigint',
  fee: 'bigint',
  received: 'bigint',
}

const tradeRow = (one: StatementLine) => [
  one.kind,
  one.time,
  one.transactionNo,
  one.orderNo,
  one.refundNo,
  one.refundThere,
  one.kind === 'pay' ? one.amount : -one.amount,
  one.fee,
  0,
]
const flowRow = (one: FundFlowLine) => [
  FLOW_KINDS[one.type] ?? 'trade',
  one.time,
  one.bizNo,
  one.voucherNo,
  '',
  one.flowNo,
  one.amount,
  0,
  one.balance,
]
const orderRow = (one: PlatformSettlement) => [
  'order',
  one.time,
  '',
  one.orderNo,
  '',
  '',
  one.userFee,
  one.fee,
  one.received,
]

async function saveLines<L>(
  db: Db,
  dayId: string,
  source: Source,
  parts: AsyncIterable<L[]>,
  rowOf: (one: L) => unknown[],
) {
  await db.run(
    sql`delete from tally_line where tenant_id = ${db.tenantId} and day_id = ${dayId} and source = ${source}`,
  )
  let count = 0
  for await (const part of parts) {
    await bulkInsert(
      db,
      'tally_line',
      COLUMNS,
      part.map((one) => [newId(), dayId, source, ...rowOf(one)]),
    )
    count += part.length
  }
  return count
}

/**
 * Replaces the stored trade lines of a day, reading part by part; returns their number. Refuses a file with the same
 * payment or refund twice (two files joined), as its lines could not be matched.
 */
export async function saveTradeLines(db: Db, dayId: string, parts: AsyncIterable<StatementLine[]>): Promise<number> {
  const count = await saveLines(db, dayId, 'trade', parts, tradeRow)
  const twice = await db.one<{ number: string }>(
    sql`select case kind when 'pay' then transaction_no else refund_no end as number from tally_line
      where tenant_id = ${db.tenantId} and day_id = ${dayId} and source = 'trade'
      group by kind, 1 having count(*) > 1 limit 1`,
  )
  if (twice)
    throw new StatementUnreadableError({ zh: `${twice.number} 出现了两次`, en: `${twice.number} stands in it twice` })
  return count
}

export const saveFundFlowLines = (db: Db, dayId: string, parts: AsyncIterable<FundFlowLine[]>): Promise<number> =>
  saveLines(db, dayId, 'flow', parts, flowRow)

export const savePlatformSettlementLines = (
  db: Db,
  dayId: string,
  parts: AsyncIterable<PlatformSettlement[]>,
): Promise<number> => saveLines(db, dayId, 'order', parts, orderRow)
