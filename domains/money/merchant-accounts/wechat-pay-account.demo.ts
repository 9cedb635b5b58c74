import { payAccount } from '#domains/money/wechat-pay/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { BILL_STATE, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { enqueueShare } from './enqueue-share.ts'
import { enqueueStatementFetch } from './statement.job.ts'
import { merchantAtPaymentSql } from './merchant-terms.ts'

/** Age at which a daily statement is available, in ms from the start of its day: 11 o'clock on the next day. */
const READY_MS = 35 * 3_600_000

type Access = {
  spMchid: string
  spAppid: string
  serialNo: string
  secretKey: string
  apiv3Key: string
  endpoint: string
  publicKeyNo: string
  publicKeyPem: string
  notifyBase: string
}

/** A demo payment as the simulated platform knows it. */
export type DemoPayment = {
  transactionId: string
  outTradeNo: string
  subMchid: string
  total: number
  paidAt: Date
}

/** Gives the demo account the simulator's keys, enables it, and queues waiting shares and due statements. */
export async function seedWechatPayAccount(
  db: Db,
  services: Services,
  { secretKey, apiv3Key, ...open }: Access,
): Promise<void> {
  const { seal } = secretCipherOf(services)
  const [row] = await db.find(payAccount, sql`true`, sql`order by r.id limit 1`)
  if (!row) return
  const keys = { secretKey: seal(secretKey), apiv3Key: seal(apiv3Key) }
  await db.update(payAccount, row.id, { ...open, ...keys, mayBeInside: true, enabled: true })
  const waiting = await db.query<{ id: string }>(
    sql`select id from share_log where tenant_id = ${db.tenantId} and status = ${PROFIT_SHARE_STATE.waiting}`,
  )
  for (const { id } of waiting) await enqueueShare(db, id)
  // Only days whose statement is available; those of yesterday are fetched by the hourly job.
  const bills = await db.query<{ id: string }>(sql`select id from merchant_bill where tenant_id = ${db.tenantId}
    and bill_type = 'day' and status = ${BILL_STATE.generated} and statement_time is null
    and period_start < ${formatShanghaiTime(new Date(services.now().getTime() - READY_MS)).slice(0, 10)}::date`)
  for (const { id } of bills) await enqueueStatementFetch(db, id)
}

const paid = sql`select p.transaction_no as transaction_id, o.order_no as out_trade_no, m.sub_mchid, p.amount as total,
  p.pay_time as paid_at from order_payment p
  join shopping_order o on o.tenant_id = p.tenant_id and o.id = p.order_id
  ${merchantAtPaymentSql} join merchant_info m on m.tenant_id = o.tenant_id and m.id = whose.merchant_id
    and m.is_deleted
  = 0
  where p.channel = 'wechat' and m.sub_mchid is not null`

type Row = Omit<DemoPayment, 'paidAt'> & { paidAt: string }
const known = (row: Row): DemoPayment => ({ ...row, paidAt: parseShanghaiTime(row.paidAt) })

/** Returns a demo payment by its transaction number, undefined if unknown. */
export async function findDemoPayment(db: Db, transactionId: string): Promise<DemoPayment | undefined> {
  const row = await db.one<Row>(sql`${paid} and p.tenant_id = ${db.tenantId} and p.transaction_no = ${transactionId}`)
  return row && known(row)
}

/** Returns the payments of days whose bills have no statement yet, with their refunds. */
export async function findUnstatedDemoPayments(
  db: Db,
): Promise<(DemoPayment & { back: { outNo: string; amount: number; at: Date }[] })[]> {
  const rows =
    await db.query<Row>(sql`${paid} and p.tenant_id = ${db.tenantId} and exists (select 1 from merchant_bill l
    where l.tenant_id = p.tenant_id and l.merchant_id = m.id and l.bill_type = 'day'
      and l.status = ${BILL_STATE.generated}
    and l.statement_time is null
    and (p.pay_time at time zone 'Asia/Shanghai')::date between l.period_start and l.period_end) limit 20000`)
  const back = await db.query<{ transactionNo: string; outNo: string; amount: number; doneTime: string }>(
    sql`select transaction_no, out_no, amount, done_time from refund_payment where tenant_id = ${db.tenantId}
      and state = 'done' and transaction_no = any(${rows.map((row) => row.transactionId)}::text[])`,
  )
  return rows.map((row) => ({
    ...known(row),
    back: back
      .filter((one) => one.transactionNo === row.transactionId)
      .map(({ outNo, amount, doneTime }) => ({ outNo, amount, at: parseShanghaiTime(doneTime) })),
  }))
}

/** Returns the profit-share receivers of the merchants, as registered at the platform. */
export const findDemoReceivers = (db: Db): Promise<{ subMchid: string; account: string }[]> =>
  db.query(sql`select m.sub_mchid, r.value ->> 'account' as account from merchant_info m,
    jsonb_array_elements(m.receivers) r where m.tenant_id = ${db.tenantId} and m.is_deleted = 0
    and m.sub_mchid is not null and jsonb_typeof(m.receivers) = 'array'`)
