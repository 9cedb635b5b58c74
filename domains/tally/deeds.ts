import { yuan } from '#kit/fields/money/cents.ts'
import { snake } from '#kit/resource/define-resource.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call as AnyCall } from '#kit/server/room.ts'
import { moveLater, takeFee } from '#domains/merchants/doors.ts'
import { bookPaidBack, payOrder } from '#domains/orders/doors.ts'
import { tellRefundHeard } from '#domains/payments/doors.ts'
import { askNow } from '#domains/integrations/doors.ts'
import { hearOrder, platformOf, type Row } from '#domains/thirdparty/doors.ts'
import { wechatAccount } from '#domains/wechatpay/doors.ts'
import { backLater } from './back.job.ts'
import { compareAgain } from './compare.job.ts'
import type { Deed } from './kinds.ts'
import type { tallyDifference } from './tally-difference.resource.ts'

type Call = Pick<AnyCall, 'db' | 'services'>
type Difference = RowOf<typeof tallyDifference>
type Line = { time: string; transactionNo: string; orderNo: string; amount: number; fee: number; received: number }

/** The line of the statement a difference speaks of. */
async function lineOf(db: Db, { dayId, kind, transactionNo, refundNo }: Difference): Promise<Line> {
  const isRefund = kind === 'refundUnknownHere'
  const line = await db.one<Line>(
    sql`select time, transaction_no, order_no, amount, fee, received from tally_line where tenant_id = ${db.tenantId}
      and day_id = ${dayId} and source in ('trade', 'order') and case source when 'order' then order_no
      when 'trade' then case when ${isRefund}::boolean then refund_no else transaction_no end end
      = ${isRefund ? refundNo : transactionNo} and (source = 'order' or (kind = 'refund') = ${isRefund}::boolean)
      order by id limit 1`,
  )
  if (!line) throw new Refused('tally_no_line')
  return line
}

const orderOf = ({ orderId }: Difference): string => {
  if (!orderId) throw new Refused('tally_no_order')
  return orderId
}

async function bookPayment({ db, services }: Call, row: Difference): Promise<void> {
  const line = await lineOf(db, row)
  const orderId = orderOf(row)
  const order = await db.one<{ payAmount: number }>(
    sql`select pay_amount from shopping_order where tenant_id = ${db.tenantId} and id = ${row.orderId}`,
  )
  if (order?.payAmount !== line.amount)
    throw new Refused('tally_amount_differs', { owed: yuan(order?.payAmount ?? 0), paid: yuan(line.amount) })
  const payment = { payType: 'wechat' as const, payTime: line.time, transactionNo: line.transactionNo }
  await payOrder(db, orderId, payment, services.now())
}

/** Writes that the money goes back, once for its number, with the job that sends it. */
async function payBack({ db, services }: Call, row: Difference): Promise<void> {
  const line = await lineOf(db, row)
  if (!(await wechatAccount(services, db))) throw new Refused('pay_account_missing')
  await db.lockName(`transaction/${line.transactionNo}`)
  const paid = await db.one(sql`select 1 from shopping_order where tenant_id = ${db.tenantId}
    and transaction_no = ${line.transactionNo} limit 1`)
  // Meanwhile it has become somebody's order: its own refund is the way.
  if (paid) throw new Refused('tally_no_line')
  const id = newId()
  const isNew = await db.run(sql`insert into tally_back (id, tenant_id, difference_id, merchant_id, transaction_no,
      order_no, out_no, paid, paid_fee, paid_time, state)
    values (${id}, ${db.tenantId}, ${row.id}, ${row.merchantId}, ${line.transactionNo}, ${line.orderNo}, ${`TB${id}`},
      ${line.amount}, ${line.fee}, ${line.time}, 'asked') on conflict (tenant_id, transaction_no) do nothing`)
  if (isNew) await backLater(db, id)
}

async function bookRefund({ db, services }: Call, row: Difference): Promise<void> {
  const line = await lineOf(db, row)
  const paid = { refundNo: row.refundNo!, amount: -line.amount, reason: '支付平台已退款，补记' }
  await bookPaidBack(db, orderOf(row), paid, services.now())
}

async function sendRefund({ db, services }: Call, { refundNo }: Difference): Promise<void> {
  const back = await db.one<{ id: string }>(
    sql`select id from tally_back where tenant_id = ${db.tenantId} and out_no = ${refundNo}`,
  )
  if (back) await backLater(db, back.id)
  else await tellRefundHeard(services, db, refundNo!)
}

async function sendShare({ db }: Call, { refundNo }: Difference): Promise<void> {
  const share = await db.one<{ id: string }>(
    sql`select id from share_log where tenant_id = ${db.tenantId} and out_order_no = ${refundNo}`,
  )
  if (!share) throw new Refused('tally_no_line')
  await moveLater(db, share.id)
}

/** What the platform's own row of an order says, in its names. */
function orderRows(call: Call, { side }: Difference) {
  const platform = platformOf(call.services, side!)
  if (!platform) throw new Refused('tally_no_order')
  return { platform, table: raw(`"${platform.order.resource.table}"`), fee: raw(`"${snake(platform.bill.feeKey)}"`) }
}

async function followOrder(call: Call, row: Difference): Promise<void> {
  const { platform } = orderRows(call, row)
  const day = await call.db.one<{ accountNo: string }>(
    sql`select account_no from tally_day where tenant_id = ${call.db.tenantId} and id = ${row.dayId}`,
  )
  const [shop] = (await call.db.find(platform.shop, sql`r.platform_shop_id = ${day?.accountNo ?? ''}`)) as Row[]
  const follow = shop && (await askNow(() => hearOrder(call.services, platform, shop, row.transactionNo!)))
  if (!follow) throw new Refused('tally_no_order')
  await follow(call.db)
}

async function takeBill(call: Call, row: Difference): Promise<void> {
  const { table, fee } = orderRows(call, row)
  const line = await lineOf(call.db, row)
  await call.db.run(sql`update ${table} set ${fee} = ${line.fee}, shop_fee = ${line.received}, version = version + 1,
    update_time = now() where tenant_id = ${call.db.tenantId} and platform_order_id = ${row.transactionNo}`)
}

const carriedOut: Record<Deed, (call: Call, row: Difference) => Promise<void>> = {
  bookPayment,
  payBack,
  takeFee: async ({ db }, row) => {
    const kind = row.mark!.startsWith('refund') ? 'refund' : 'pay'
    const number = kind === 'refund' ? row.refundNo : row.transactionNo
    const line = await db.one<Line>(
      sql`select fee from tally_line where tenant_id = ${db.tenantId} and day_id = ${row.dayId} and source = 'trade'
        and kind = ${kind} and case kind when 'refund' then refund_no else transaction_no end = ${number} limit 1`,
    )
    if (!line) throw new Refused('tally_no_line')
    const refundNo = kind === 'refund' ? row.refundNo : null
    await takeFee(db, { merchantId: row.merchantId!, day: row.day!, kind, orderNo: row.orderNo!, refundNo }, line.fee)
  },
  bookRefund,
  sendRefund,
  sendShare,
  readAgain: async () => {},
  followOrder,
  takeBill,
}

/**
 * Does the one safe thing about a difference, whose row is locked: what leaves goes by jobs that survive, under numbers
 * that work once. Then the day is compared anew, which ends the difference where it has gone. Refuses with why not.
 */
export async function carryOut(call: Call, deed: Deed, row: Difference): Promise<void> {
  await carriedOut[deed](call, row)
  // Money that is under way is compared when it has arrived, and by the clock.
  if (deed !== 'payBack') await compareAgain(call.services, call.db, row.dayId!, deed === 'readAgain')
}
