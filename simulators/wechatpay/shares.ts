import { unsealed } from './keys.ts'
import { paymentOf } from './payments.ts'
import { book, free, iso, refuse } from './world.ts'
import type { WechatSimRequest, Payment, Routes, Share, ShareLine, ShareReturn, World } from './world.ts'

const RATIO = 3000
const RECEIVERS_MAX = 50

const ratioOf = ({ ratios }: World, subMchid: string) => ratios.get(subMchid) ?? RATIO

function shown({ payment, outNo, id, isDone, lines, since }: Share) {
  return {
    sub_mchid: payment.subMchid,
    transaction_id: payment.transactionId,
    out_order_no: outNo,
    order_id: id,
    state: isDone ? 'FINISHED' : 'PROCESSING',
    receivers: lines.map((line) => ({
      type: line.type,
      account: line.account,
      amount: line.amount,
      description: line.description,
      result: line.result,
      ...(line.failReason ? { fail_reason: line.failReason } : {}),
      detail_id: line.detailId,
      create_time: iso(since),
      ...(line.finishedAt ? { finish_time: iso(line.finishedAt) } : {}),
    })),
  }
}

function requireName(world: World, { name, type }: { name?: unknown; type: string }): void {
  const isOpen = name === undefined ? type !== 'MERCHANT_ID' : unsealedName(world, name)
  if (!isOpen) refuse(400, 'PARAM_ERROR', 'name 未使用微信支付公钥加密', '268435461')
}
const unsealedName = ({ publicKey, certificate }: World, name: unknown) =>
  unsealed(name, publicKey.privateKey) ?? unsealed(name, certificate.privateKey)

function addReceiver(world: World, { body }: WechatSimRequest) {
  requireName(world, body as { type: string })
  if (!body.relation_type || (body.relation_type === 'CUSTOM' && !body.custom_relation))
    return refuse(400, 'PARAM_ERROR', '缺少 relation_type', '268435461')
  world.receivers.add(`${body.sub_mchid}/${body.account}`)
  const { sub_mchid, type, account, relation_type } = body
  return { sub_mchid, type, account, relation_type }
}

function removeReceiver(world: World, { body }: WechatSimRequest) {
  world.receivers.delete(`${body.sub_mchid}/${body.account}`)
  return { sub_mchid: body.sub_mchid, type: body.type, account: body.account }
}

/**
 * Refuses a profit share the payment does not allow: it is not for sharing, finished, refunded, too early or too large.
 */
function requireShare(world: World, payment: Payment, wanted: number): void {
  if (!payment.isSharing) refuse(400, 'INVALID_REQUEST', '非分账订单不支持分账')
  if (payment.isFinished) refuse(400, 'INVALID_REQUEST', '订单已完结分账')
  if (payment.refunded >= payment.total) refuse(400, 'INVALID_REQUEST', '订单已全额退款')
  if (world.now() < (payment.paidAt ?? 0) + world.pace.beforeShare) refuse(403, 'RULE_LIMIT', '订单处理中，请稍后再试')
  if (payment.shared + wanted > Math.floor((payment.total * ratioOf(world, payment.subMchid)) / 10_000))
    refuse(403, 'RULE_LIMIT', '分账金额超出最大分账比例')
  if (wanted > payment.frozen) refuse(403, 'NOT_ENOUGH', '分账金额不足')
}

const lineOf = (
  world: World,
  one: { type: string; account: string; amount: number; description?: string },
): ShareLine => ({
  type: one.type,
  account: one.account,
  amount: one.amount,
  description: one.description ?? '',
  result: 'PENDING',
  detailId: `36${world.newNo()}`,
  returned: 0,
})

async function share(world: World, { body }: WechatSimRequest) {
  const { sub_mchid, transaction_id, out_order_no, receivers = [], unfreeze_unsplit = false } = body
  const lines = receivers as { type: string; account: string; amount: number; name?: unknown; description: string }[]
  // Names are left out of the comparison, since their encryption differs each time.
  const named = lines.map(({ type, account, amount, description }) => [type, account, amount, description])
  const fingerprint = JSON.stringify([sub_mchid, transaction_id, named, unfreeze_unsplit])
  const known = world.shares.get(out_order_no)
  if (known && known.fingerprint !== fingerprint)
    return refuse(400, 'INVALID_REQUEST', '分账接收方与原请求不一致', '268498688')
  if (known) return shown(known)
  if (!lines.length || lines.length > RECEIVERS_MAX)
    return refuse(400, 'PARAM_ERROR', '分账接收方数量错误', '268435461')
  const payment = await paymentOf(world, String(transaction_id))
  if (payment.subMchid !== sub_mchid) return refuse(400, 'INVALID_REQUEST', '商户号与订单不匹配', '268447843')
  for (const one of lines) {
    if (one.name !== undefined) requireName(world, one)
    if (!world.receivers.has(`${sub_mchid}/${one.account}`)) refuse(400, 'INVALID_REQUEST', '分账接收方关系不存在')
    if (!(Number.isInteger(one.amount) && one.amount > 0)) refuse(400, 'PARAM_ERROR', '分账金额错误', '268435461')
  }
  const wanted = lines.reduce((sum, one) => sum + one.amount, 0)
  requireShare(world, payment, wanted)
  payment.frozen -= wanted
  payment.shared += wanted
  const made: Share = {
    id: `30${world.newNo()}`,
    outNo: out_order_no,
    payment,
    fingerprint,
    since: world.now(),
    isDone: false,
    isUnfreeze: false,
    endsOrder: unfreeze_unsplit,
    lines: lines.map((one) => lineOf(world, one)),
  }
  world.shares.set(made.outNo, made)
  return shown(made)
}

async function unfreeze(world: World, { body }: WechatSimRequest) {
  const { sub_mchid, transaction_id, out_order_no } = body
  const known = world.shares.get(out_order_no)
  // A known number returns that share, and nothing is unfrozen.
  if (known) return shown(known)
  const payment = await paymentOf(world, String(transaction_id))
  if (!payment.isSharing) return refuse(400, 'INVALID_REQUEST', '非分账订单不支持分账')
  if (payment.isFinished) return refuse(400, 'INVALID_REQUEST', '订单已完结分账')
  const made: Share = {
    id: `30${world.newNo()}`,
    outNo: out_order_no,
    payment,
    fingerprint: '',
    lines: [],
    since: world.now(),
    isDone: false,
    isUnfreeze: true,
    endsOrder: true,
  }
  const rest = { type: 'MERCHANT_ID', account: sub_mchid, amount: payment.frozen, description: '解冻给分账方' }
  made.lines.push(lineOf(world, rest))
  world.shares.set(made.outNo, made)
  return shown(made)
}

/** Finishes an order: its remaining frozen money goes to the merchant. */
function endOrder(world: World, payment: Payment): void {
  if (payment.isFinished) return
  payment.isFinished = true
  free(world, payment.subMchid, payment.frozen)
  payment.frozen = 0
}

function finish(world: World, one: Share): void {
  one.isDone = true
  for (const line of one.lines) {
    line.failReason = one.isUnfreeze ? undefined : world.troubled.get(line.account)
    line.result = line.failReason ? 'CLOSED' : 'SUCCESS'
    line.finishedAt = world.now()
    if (one.isUnfreeze) line.amount = one.payment.frozen
    else if (line.failReason) {
      // It stays frozen until the order is finished.
      one.payment.frozen += line.amount
      one.payment.shared -= line.amount
    } else {
      free(world, line.account, line.amount)
      const moved = { kind: '分账', bizNo: one.id, voucherNo: one.outNo }
      book(world, line.account, { ...moved, amount: line.amount })
      book(world, one.payment.subMchid, { ...moved, amount: -line.amount })
    }
  }
  if (one.endsOrder) endOrder(world, one.payment)
}

function createReturn(world: World, { body }: WechatSimRequest) {
  const { out_order_no, out_return_no, return_mchid, amount } = body
  const fingerprint = JSON.stringify([out_order_no, return_mchid, amount])
  const known = world.returns.get(out_return_no)
  if (known && known.fingerprint !== fingerprint)
    return refuse(400, 'INVALID_REQUEST', '回退单号重复，参数不一致', '268498688')
  if (known) return shownReturn(known)
  const from = world.shares.get(out_order_no) ?? refuse(404, 'RESOURCE_NOT_EXISTS', '分账单不存在')
  const line = from.lines.find((one) => one.account === return_mchid && one.result === 'SUCCESS')
  if (!line || line.type !== 'MERCHANT_ID') return refuse(400, 'INVALID_REQUEST', '该接收方不能回退')
  if (!(Number.isInteger(amount) && amount > 0) || line.returned + amount > line.amount)
    return refuse(400, 'INVALID_REQUEST', '回退金额超过分账金额')
  line.returned += amount
  const made: ShareReturn = {
    id: `31${world.newNo()}`,
    outNo: out_return_no,
    share: from,
    line,
    fingerprint,
    amount,
    result: 'PROCESSING',
    since: world.now(),
  }
  world.returns.set(made.outNo, made)
  return shownReturn(made)
}

function finishReturn(world: World, one: ShareReturn): void {
  if ((world.balances.get(one.line.account) ?? 0) < one.amount) {
    Object.assign(one, { result: 'FAILED', failReason: 'BALANCE_NOT_ENOUGH' })
    one.line.returned -= one.amount
    return
  }
  one.result = 'SUCCESS'
  const { line, amount, share } = one
  const { subMchid } = share.payment
  const moved = { kind: '分账回退', bizNo: one.id, voucherNo: one.outNo }
  free(world, line.account, -amount)
  book(world, line.account, { ...moved, amount: -amount })
  // It goes to the merchant's balance and cannot be shared again.
  free(world, subMchid, amount)
  book(world, subMchid, { ...moved, amount })
}

const shownReturn = ({ id, outNo, share: from, line, amount, result, failReason, since }: ShareReturn) => ({
  sub_mchid: from.payment.subMchid,
  order_id: from.id,
  out_order_no: from.outNo,
  out_return_no: outNo,
  return_id: id,
  return_mchid: line.account,
  amount,
  result,
  create_time: iso(since),
  ...(failReason ? { fail_reason: failReason } : {}),
})

/** Finishes shares and returns when they are due. */
export function moveShares(world: World): void {
  const isDue = ({ since }: { since: number }) => world.now() >= since + world.pace.share
  for (const one of world.shares.values()) if (!one.isDone && isDue(one)) finish(world, one)
  for (const one of world.returns.values()) if (one.result === 'PROCESSING' && isDue(one)) finishReturn(world, one)
}

const SHARING = String.raw`^\/v3\/profitsharing`
export const shareRoutes: Routes = [
  ['POST', new RegExp(`${SHARING}\\/receivers\\/add$`), addReceiver],
  ['POST', new RegExp(`${SHARING}\\/receivers\\/delete$`), removeReceiver],
  ['POST', new RegExp(`${SHARING}\\/orders$`), share],
  ['POST', new RegExp(`${SHARING}\\/orders\\/unfreeze$`), unfreeze],
  [
    'GET',
    new RegExp(`${SHARING}\\/orders\\/([^/]+)$`),
    ({ shares }, { params: [no] }) => shown(shares.get(no!) ?? refuse(404, 'RESOURCE_NOT_EXISTS', '分账单不存在')),
  ],
  ['POST', new RegExp(`${SHARING}\\/return-orders$`), createReturn],
  [
    'GET',
    new RegExp(`${SHARING}\\/return-orders\\/([^/]+)$`),
    ({ returns }, { params: [no] }) =>
      shownReturn(returns.get(no!) ?? refuse(404, 'RESOURCE_NOT_EXISTS', '回退单不存在')),
  ],
  [
    'GET',
    new RegExp(`${SHARING}\\/transactions\\/([^/]+)\\/amounts$`),
    async (world, { params: [no] }) => ({ transaction_id: no, unsplit_amount: (await paymentOf(world, no!)).frozen }),
  ],
  [
    'GET',
    new RegExp(`${SHARING}\\/merchant-configs\\/([^/]+)$`),
    (world, { params: [no] }) => ({ sub_mchid: no, max_ratio: ratioOf(world, no!) }),
  ],
]
