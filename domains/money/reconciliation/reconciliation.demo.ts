import { analyzeWrittenTables } from '#kit/server/database/analyze.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { FundFlowLine, StatementLine } from '#domains/money/merchant-accounts/api.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { lockAccountDay, asSinglePart, matchWechatLegs } from './compare-day.ts'
import { saveMismatches } from './save-mismatches.ts'
import { saveFundFlowLines, saveTradeLines } from './keep-lines.ts'
import { reconciliationDay } from './reconciliation-day.resource.ts'

const DAY_MS = 86_400_000
const DAYS = 8
const BALANCE = 1_280_000

type Account = { id: string; name: string; subMchid: string }
type Booked = {
  kind: 'pay' | 'refund'
  time: string
  orderNo: string
  refundNo: string | null
  transactionNo: string | null
  amount: number
  fee: number
}

/** Seeds WeChat Pay statements of the last days that agree with our books, except for a few differences. */
export async function seed(db: Db, { now }: StorySeedContext): Promise<void> {
  const accounts = await db.query<Account>(
    sql`select id, name, sub_mchid from merchant_info where tenant_id = ${db.tenantId} and sub_mchid is not null
      and is_deleted = 0 order by merchant_no`,
  )
  await analyzeWrittenTables(db)
  for (const account of accounts) {
    let balance = BALANCE
    for (let ago = DAYS; ago >= 1; ago--) balance = await seedDay(db, account, { ago, now, balance })
  }
}

type Then = { ago: number; now: Date; balance: number }

async function seedDay(db: Db, { id, name, subMchid }: Account, { ago, now, balance }: Then): Promise<number> {
  const day = formatShanghaiTime(new Date(now.getTime() - ago * DAY_MS)).slice(0, 10)
  const booked = await bookedOn(db, id, day)
  if (!booked.length) return balance
  const trades = troubled(booked.map(tradeOf), ago)
  const flows = flowsOf(trades, await sharesOn(db, id, day), { day, balance })
  const account = { side: 'wechat', accountNo: subMchid, accountName: name, merchantId: id, shopId: null }
  const row = await lockAccountDay(db, account, day)
  await saveTradeLines(db, row.id, asSinglePart(trades))
  await saveFundFlowLines(db, row.id, asSinglePart(flows))
  const { found, totals } = await matchWechatLegs(db, row)
  await saveMismatches(db, row, found, totals, now)
  await db.update(reconciliationDay, row.id, { digest: `story ${day}` })
  return flows.at(-1)?.balance ?? balance
}

const bookedOn = (db: Db, merchantId: string, day: string): Promise<Booked[]> =>
  db.query<Booked>(
    sql`select d.kind, d.time, d.order_no, d.refund_no, d.transaction_no, d.amount - d.refund as amount, d.fee
      from merchant_bill_detail d join merchant_bill b on b.tenant_id = d.tenant_id and b.id = d.bill_id
      where d.tenant_id = ${db.tenantId} and b.merchant_id = ${merchantId} and b.bill_type = 'day'
      and b.period_start = ${day}::date and d.channel = 'wechat' and d.check_result <> 'missingHere'
      order by d.time, d.id`,
  )

const sharesOn = (db: Db, merchantId: string, day: string) =>
  db.query<{ no: string; amount: number }>(
    sql`select out_order_no as no, finish_amount as amount from share_log where tenant_id = ${db.tenantId}
      and merchant_id = ${merchantId} and status = 2 and coalesce(kind, 'share') = 'share'
      and finish_time >= ${day}::date::timestamptz and finish_time < (${day}::date + 1)::timestamptz order by id`,
  )

const tradeOf = (line: Booked): StatementLine => ({
  kind: line.kind,
  time: line.time,
  transactionNo: line.transactionNo ?? '',
  orderNo: line.orderNo,
  refundNo: line.refundNo ?? '',
  refundThere: line.kind === 'refund' ? `50${line.refundNo}` : '',
  amount: Math.abs(line.amount),
  fee: line.fee,
})

const stray = (like: StatementLine): StatementLine => ({
  ...like,
  transactionNo: `4200${newId()}`,
  orderNo: `SO${newId()}`,
})

/** Changes the lines of some days, so that they differ. */
function troubled(lines: StatementLine[], ago: number): StatementLine[] {
  const pays = lines.filter(({ kind }) => kind === 'pay')
  const [first, second] = pays
  if (!first || !second) return lines
  if (ago === 1) return [...lines, { ...first, transactionNo: `4200${newId()}` }, stray(second)]
  if (ago === 2) return lines.map((line) => (line === first ? { ...line, fee: line.fee + 3 } : line))
  if (ago === 3) return lines.filter((line) => line !== first)
  if (ago === 5) return lines.map((line) => (line === second ? { ...line, amount: line.amount + 100 } : line))
  return lines
}

/** Fund flow of a day: the trades, the shares and the evening's withdrawal to the merchant's bank. */
function flowsOf(
  trades: readonly StatementLine[],
  shares: readonly { no: string; amount: number }[],
  { day, balance }: { day: string; balance: number },
): FundFlowLine[] {
  let left = balance
  const flow = (type: string, amount: number, bizNo: string, voucherNo: string, time: string): FundFlowLine[] => {
    left += amount
    return amount ? [{ time, bizNo, flowNo: `F${newId()}`, type, amount, balance: left, voucherNo }] : []
  }
  const evening = `${day} 23:30:00`
  const moved = trades.flatMap(({ kind, amount, fee, transactionNo, refundThere, orderNo, refundNo, time }) =>
    kind === 'pay'
      ? [
          ...flow('交易', amount, transactionNo, orderNo, time),
          ...flow('扣除交易手续费', -fee, transactionNo, orderNo, time),
        ]
      : [
          ...flow('退款', -amount, refundThere, refundNo, time),
          ...flow('退还手续费', -fee, refundThere, refundNo, time),
        ],
  )
  return [
    ...moved,
    ...shares.flatMap(({ no, amount }) => flow('分账', -amount, `30${no}`, no, evening)),
    ...flow('提现', -Math.max(0, left - BALANCE), `W${newId()}`, '', evening),
  ]
}
