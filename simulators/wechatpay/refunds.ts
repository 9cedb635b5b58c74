import { paymentOf } from './payments.ts'
import { unsealed } from './keys.ts'
import {
  book,
  feeOf,
  free,
  iso,
  refuse,
  type WechatSimRequest,
  type Payment,
  type Refund,
  type Routes,
  type World,
} from './world.ts'

const YEAR_MS = 366 * 86_400_000

const shown = (world: World, { id, outNo, payment, amount, status, ...refund }: Refund) => ({
  refund_id: id,
  out_refund_no: outNo,
  transaction_id: payment.transactionId,
  out_trade_no: payment.outTradeNo,
  sub_mchid: payment.subMchid,
  channel: 'ORIGINAL',
  user_received_account: '支付用户零钱',
  create_time: iso(refund.since),
  ...(refund.doneAt ? { success_time: iso(refund.doneAt) } : {}),
  status,
  funds_account: refund.isFromFrozen ? 'UNSETTLED' : 'AVAILABLE',
  amount: { total: payment.total, refund: amount, payer_total: payment.total, payer_refund: amount, currency: 'CNY' },
})

/** Returns what a refund costs the merchant: the amount less its share of the fee. */
const netOf = (payment: Payment, amount: number) => amount - Math.round((feeOf(payment.total) * amount) / payment.total)

/** Books a refund and the returned fee in the merchant's account, or reverses both (`sign` −1). */
function bookRefund(world: World, payment: Payment, amount: number, bizNo: string, sign: 1 | -1): void {
  const fee = amount - netOf(payment, amount)
  book(world, payment.subMchid, { kind: sign > 0 ? '退款' : '退款失败', bizNo, amount: -sign * amount })
  book(world, payment.subMchid, { kind: '退还手续费', bizNo, amount: sign * fee })
}

/**
 * Takes a refund's money from the order's frozen money, else from the merchant's balance. Refuses when it is not
 * enough.
 */
function takeMoney(world: World, payment: Payment, amount: number, refundNo: string): boolean {
  const net = netOf(payment, amount)
  if (payment.isSharing && !payment.isFinished) {
    if (net > payment.frozen) refuse(403, 'NOT_ENOUGH', '订单剩余未分账金额不足，请先解冻', '268448010')
    payment.frozen -= net
    bookRefund(world, payment, amount, refundNo, 1)
    return true
  }
  if (net > (world.balances.get(payment.subMchid) ?? 0)) refuse(403, 'NOT_ENOUGH', '可用余额不足')
  free(world, payment.subMchid, -net)
  bookRefund(world, payment, amount, refundNo, 1)
  return false
}

function giveMoneyBack(world: World, { payment, amount, isFromFrozen, id }: Refund): void {
  const net = netOf(payment, amount)
  if (isFromFrozen && !payment.isFinished) payment.frozen += net
  else free(world, payment.subMchid, net)
  bookRefund(world, payment, amount, id, -1)
  payment.refunded -= amount
}

async function createRefund(world: World, { body }: WechatSimRequest) {
  const { sub_mchid, transaction_id, out_refund_no, amount = {} } = body
  if (!/^[\w|*@-]{1,64}$/.test(String(out_refund_no))) return refuse(400, 'PARAM_ERROR', '退款单号错误', '268435461')
  const fingerprint = JSON.stringify([sub_mchid, transaction_id, amount.refund, amount.total, body.reason ?? ''])
  const known = world.refunds.get(out_refund_no)
  if (known && known.fingerprint !== fingerprint)
    return refuse(400, 'INVALID_REQUEST', '订单号重复，参数不一致', '268498688')
  if (known) return shown(world, known)
  const payment = await paymentOf(world, String(transaction_id))
  if (payment.subMchid !== sub_mchid) return refuse(400, 'INVALID_REQUEST', '商户号与订单不匹配', '268447843')
  if (amount.total !== payment.total) return refuse(400, 'PARAM_ERROR', '订单金额不一致', '268435461')
  if (!(Number.isInteger(amount.refund) && amount.refund > 0)) return refuse(400, 'PARAM_ERROR', '退款金额错误')
  if (!payment.paidAt || !['SUCCESS', 'REFUND'].includes(payment.state))
    return refuse(400, 'INVALID_REQUEST', '订单未支付')
  if (world.now() - payment.paidAt > YEAR_MS) return refuse(403, 'RULE_LIMIT', '订单已超过退款期限')
  if (payment.refunded + amount.refund > payment.total) return refuse(400, 'INVALID_REQUEST', '退款金额大于剩余金额')
  const id = `50${world.newNo()}`
  const refund: Refund = {
    isFromFrozen: takeMoney(world, payment, amount.refund, id),
    id,
    outNo: out_refund_no,
    payment,
    amount: amount.refund,
    fingerprint,
    notifyUrl: body.notify_url,
    status: 'PROCESSING',
    ending: world.refundEnding ?? 'SUCCESS',
    since: world.now(),
  }
  payment.refunded += refund.amount
  payment.state = 'REFUND'
  world.refunds.set(refund.outNo, refund)
  return shown(world, refund)
}

/** Adds a refund from before the start, of a payment that was added. */
export function knowRefund(
  world: World,
  transactionId: string,
  { outNo, amount, at }: { outNo: string; amount: number; at: Date },
): void {
  const payment = world.payments.get(transactionId)!
  const doneAt = at.getTime()
  const ended = { status: 'SUCCESS', ending: 'SUCCESS', since: doneAt, doneAt, isFromFrozen: true } as const
  const refund: Refund = { id: `50${world.newNo()}`, outNo, payment, amount, fingerprint: '', ...ended }
  payment.frozen -= netOf(payment, amount)
  payment.refunded += amount
  payment.state = 'REFUND'
  world.refunds.set(outNo, refund)
  world.trades.push({ at: doneAt, payment, refund, fee: netOf(payment, amount) - amount })
}

function finish(world: World, refund: Refund, status: Refund['ending']): void {
  refund.status = status
  if (status === 'CLOSED') giveMoneyBack(world, refund)
  if (status === 'SUCCESS') {
    refund.doneAt = world.now()
    const { payment, amount } = refund
    world.trades.push({ at: world.now(), payment, refund, fee: netOf(payment, amount) - amount })
  }
  const plain = { ...shown(world, refund), refund_status: status, sp_mchid: world.merchant.mchid }
  world.notify(`REFUND.${status}`, 'refund', plain, refund.notifyUrl)
}

/** Finishes refunds when they are due. */
export function moveRefunds(world: World): void {
  for (const refund of world.refunds.values())
    if (refund.status === 'PROCESSING' && world.now() >= refund.since + world.pace.refund)
      finish(world, refund, refund.ending)
}

const find = (world: World, outNo: string): Refund =>
  world.refunds.get(outNo) ?? refuse(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')

/** Redirects an abnormal refund, whose card is closed, to another card. */
function toOtherCard(world: World, { params: [id], body }: WechatSimRequest) {
  const refund = find(world, String(body.out_refund_no))
  if (refund.id !== id || refund.status !== 'ABNORMAL') return refuse(400, 'INVALID_REQUEST', '退款单状态不允许')
  if (body.type === 'USER_BANK_CARD' && unsealed(body.bank_account, world.publicKey.privateKey) === undefined)
    return refuse(400, 'PARAM_ERROR', 'bank_account 未使用微信支付公钥加密', '268435461')
  Object.assign(refund, { status: 'PROCESSING', ending: 'SUCCESS', since: world.now() })
  return shown(world, refund)
}

const REFUNDS = String.raw`^\/v3\/refund\/domestic\/refunds`
export const refundRoutes: Routes = [
  ['POST', new RegExp(`${REFUNDS}$`), createRefund],
  ['POST', new RegExp(`${REFUNDS}\\/([^/]+)\\/apply-abnormal-refund$`), toOtherCard],
  ['GET', new RegExp(`${REFUNDS}\\/([^/]+)$`), (world, { params: [no] }) => shown(world, find(world, no!))],
]
