import { formatYuan } from '#kit/fields/money/cents.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call as AnyCall } from '#kit/server/module/module.ts'
import { enqueueShare, bookPlatformFee } from '#domains/money/merchant-accounts/api.ts'
import { bookExternalRefund, payOrder } from '#domains/sales/orders/api.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import {
  bookExternalPayableRefund,
  payableOf,
  paymentsByTransactionNoSql,
  emitRefundNotification,
  findTransactionUse,
} from '#domains/money/payment-channels/api.ts'
import { platformOf } from '#domains/sales/delivery-platforms/api.ts'
import { findWechatAccount } from '#domains/money/wechat-pay/api.ts'
import { enqueueMoneyReturn } from './return.job.ts'
import { enqueueComparison } from './compare.job.ts'
import { enqueueOrderReread } from './follow.job.ts'
import type { Resolution } from './kinds.ts'
import type { reconciliationDifference } from './reconciliation-difference.resource.ts'

type Call = Pick<AnyCall, 'db' | 'services'>
type Difference = RowOf<typeof reconciliationDifference>
type Line = {
  time: string
  transactionNo: string
  orderNo: string
  refundThere: string
  amount: number
  fee: number
  received: number
}

/** Returns the statement line of a difference; refuses when there is none. */
async function lineOf(db: Db, { dayId, kind, transactionNo, refundNo }: Difference): Promise<Line> {
  const isRefund = kind === 'refundUnknownHere'
  const line = await db.one<Line>(
    sql`select time, transaction_no, order_no, refund_there, amount, fee, received from tally_line
      where tenant_id = ${db.tenantId}
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
    throw new Refused('tally_amount_differs', {
      owed: formatYuan(order?.payAmount ?? 0),
      paid: formatYuan(line.amount),
    })
  const payment = { payType: 'wechat' as const, payTime: line.time, transactionNo: line.transactionNo }
  await payOrder(db, orderId, payment, services.now())
}

/** Queues the return of a payment to the customer, once for its number. */
async function payBack({ db, services }: Call, row: Difference): Promise<void> {
  const line = await lineOf(db, row)
  if (!(await findWechatAccount(services, db))) throw new Refused('pay_account_missing')
  const used = await findTransactionUse(db, line.transactionNo)
  if (used?.payable === 'tallyBack') return
  // It has meanwhile paid for an order, recharge or fee, which must be refunded instead.
  if (used) throw new Refused('tally_paid_here', { no: used.no })
  const id = newId()
  // A refused return is retried under its old number, which WeChat Pay pays only once.
  const back = await db.one<{
    id: string
  }>(sql`insert into tally_back as b (id, tenant_id, difference_id, merchant_id, sub_mchid, transaction_no,
      order_no, out_no, paid, paid_fee, paid_time, state)
    select ${id}, ${db.tenantId}, ${row.id}, ${row.merchantId}, y.account_no, ${line.transactionNo}, ${line.orderNo},
      ${`TB${id}`}, ${line.amount}, ${line.fee}, ${line.time}, 'asked'
    from tally_day y where y.tenant_id = ${db.tenantId} and y.id = ${row.dayId}
    on conflict (tenant_id, transaction_no) do update set state = 'asked', difference_id = excluded.difference_id,
      attempts = 0, last_error = null where b.state = 'failed'
    returning id`)
  if (back) await enqueueMoneyReturn(db, back.id)
}

async function bookRefund({ db, services }: Call, row: Difference): Promise<void> {
  const line = await lineOf(db, row)
  const paid = { refundNo: row.refundNo!, amount: -line.amount, reason: '支付平台已退款，补记' }
  const found = await db.one<{ payable: string; id: string }>(sql`select p.payable, p.id from (
    ${paymentsByTransactionNoSql(sql`${db.tenantId}`, (column) => sql`${column} = ${line.transactionNo}`)}) p
    limit 1`)
  if (!found || found.payable === shoppingOrder.name)
    return bookExternalRefund(db, found?.id ?? orderOf(row), paid, services.now())
  if (!payableOf(found.payable)?.back) throw new Refused('tally_no_order')
  await bookExternalPayableRefund(
    db,
    found.payable,
    found.id,
    { ...paid, numberThere: line.refundThere },
    services.now(),
  )
}

async function sendRefund({ db, services }: Call, { refundNo }: Difference): Promise<void> {
  const back = await db.one<{ id: string }>(
    sql`select id from tally_back where tenant_id = ${db.tenantId} and out_no = ${refundNo}`,
  )
  if (back) await enqueueMoneyReturn(db, back.id)
  else await emitRefundNotification(services, db, refundNo!)
}

async function sendShare({ db }: Call, { refundNo }: Difference): Promise<void> {
  const share = await db.one<{ id: string }>(
    sql`select id from share_log where tenant_id = ${db.tenantId} and out_order_no = ${refundNo}`,
  )
  if (!share) throw new Refused('tally_no_line')
  await enqueueShare(db, share.id)
}

/** Table and fee column of a platform's own rows of its orders. */
function orderRows(call: Call, { side }: Difference) {
  const platform = platformOf(call.services, side!)
  if (!platform) throw new Refused('tally_no_order')
  return {
    platform,
    table: raw(`"${platform.order.resource.table}"`),
    fee: raw(`"${toSqlName(platform.bill.feeKey)}"`),
  }
}

/** Queues reading the order again: the platform is called by a job, outside of any transaction. */
async function followOrder(call: Call, row: Difference): Promise<void> {
  if (!platformOf(call.services, row.side!)) throw new Refused('tally_no_order')
  await enqueueOrderReread(call.db, row.id)
}

async function takeBill(call: Call, row: Difference): Promise<void> {
  const { table, fee } = orderRows(call, row)
  const line = await lineOf(call.db, row)
  await call.db.run(sql`update ${table} set ${fee} = ${line.fee}, shop_fee = ${line.received},
    billed_time = ${call.services.now()}, version = version + 1, update_time = now()
    where tenant_id = ${call.db.tenantId} and platform_order_id = ${row.transactionNo}`)
}

/**
 * Returns the cents that leave the account: the whole payment when it is returned, else the worth of the difference.
 */
export const computeOutgoingCents = async (db: Db, resolution: Resolution, row: Difference): Promise<number> =>
  resolution === 'payBack' ? (await lineOf(db, row)).amount : Math.abs(row.worth!)

const carriedOut: Record<Resolution, (call: Call, row: Difference) => Promise<void>> = {
  bookPayment,
  payBack,
  takeFee: async ({ db }, row) => {
    const kind = row.mark!.startsWith('refund') ? 'refund' : 'pay'
    const number = kind === 'refund' ? row.refundNo : row.transactionNo
    const line = await db.one<Pick<Line, 'fee'>>(
      sql`select fee from tally_line where tenant_id = ${db.tenantId} and day_id = ${row.dayId} and source = 'trade'
        and kind = ${kind} and case kind when 'refund' then refund_no else transaction_no end = ${number} limit 1`,
    )
    if (!line) throw new Refused('tally_no_line')
    const refundNo = kind === 'refund' ? row.refundNo : null
    const { day, orderNo } = row
    const transactionNo = kind === 'pay' ? row.transactionNo : null
    const ours = { merchantId: row.merchantId!, day: day!, kind, orderNo: orderNo!, refundNo, transactionNo } as const
    await bookPlatformFee(db, ours, line.fee)
  },
  bookRefund,
  sendRefund,
  sendShare,
  readAgain: async () => {},
  followOrder,
  takeBill,
}

/**
 * Resolves a difference whose row is locked. Money is sent by jobs, under numbers that pay once. Then queues comparing
 * the day again, which settles the difference if it is gone. Refuses with the reason.
 */
export async function applyResolution(call: Call, resolution: Resolution, row: Difference): Promise<void> {
  await carriedOut[resolution](call, row)
  // Money under way is compared when it has arrived, an order when it has been read.
  if (resolution !== 'payBack' && resolution !== 'followOrder')
    await enqueueComparison(call.services, call.db, row.dayId!, resolution === 'readAgain')
}
