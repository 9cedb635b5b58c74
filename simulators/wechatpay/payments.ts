import {
  book,
  feeOf,
  free,
  iso,
  refuse,
  type WechatSimRequest,
  type SimPayment,
  type Payment,
  type Routes,
  type World,
} from './world.ts'

const OUT_TRADE_NO = /^[0-9A-Za-z_\-|*@]{6,32}$/
const AUTH_CODE = /^1[0-5]\d{16}$/
/** Payment codes with this end ask the customer for the password first. */
const ENTERS_PASSWORD = '1111'
/** Payment codes with this end fail for lack of money. */
const HAS_NOT_ENOUGH = '0000'

const shownPayment = (payment: Payment) => ({
  out_trade_no: payment.outTradeNo,
  sub_mchid: payment.subMchid,
  ...(payment.paidAt
    ? { transaction_id: payment.transactionId, success_time: iso(payment.paidAt), bank_type: 'OTHERS' }
    : {}),
  trade_type: payment.way,
  trade_state: payment.state,
  trade_state_desc: payment.state,
  amount: { total: payment.total, payer_total: payment.total, currency: 'CNY', payer_currency: 'CNY' },
})

/** Marks a payment as paid and books it with its fee. */
export function completeWechatPayment(world: World, payment: Payment, at = world.now()): void {
  const fee = feeOf(payment.total)
  Object.assign(payment, { state: 'SUCCESS', paidAt: at })
  world.trades.push({ at, payment, fee })
  if (payment.isSharing) payment.frozen = payment.total - fee
  else free(world, payment.subMchid, payment.total - fee)
  const moved = { bizNo: payment.transactionId, voucherNo: payment.outTradeNo, at }
  book(world, payment.subMchid, { ...moved, kind: '交易', amount: payment.total })
  book(world, payment.subMchid, { ...moved, kind: '扣除交易手续费', amount: -fee })
  const plain = { sp_appid: world.merchant.appid, sp_mchid: world.merchant.mchid, ...shownPayment(payment) }
  world.notify('TRANSACTION.SUCCESS', 'transaction', plain, payment.notifyUrl)
}

/** Adds a payment from before the start, or from a register. */
export function know(world: World, known: SimPayment): Payment {
  const { transactionId, outTradeNo, subMchid, total, isSharing = true, paidAt } = known
  const payment: Payment = {
    transactionId,
    outTradeNo,
    subMchid,
    total,
    isSharing,
    way: 'MICROPAY',
    state: 'SUCCESS',
    frozen: 0,
    isFinished: false,
    shared: 0,
    refunded: 0,
    description: '',
  }
  world.payments.set(transactionId, payment)
  completeWechatPayment(world, payment, paidAt?.getTime())
  return payment
}

export async function paymentOf(world: World, transactionId: string): Promise<Payment> {
  const known = world.payments.get(transactionId)
  if (known) return known
  const found = await world.lookUp?.(transactionId)
  return found ? know(world, found) : refuse(404, 'RESOURCE_NOT_EXISTS', '订单不存在', '268512771')
}

const byOutNo = ({ payments }: World, outTradeNo: string) =>
  [...payments.values()].find((one) => one.outTradeNo === outTradeNo)

function createPayment(world: World, { params: [mode], body }: WechatSimRequest): Payment {
  const { merchant } = world
  if (body.sp_mchid !== merchant.mchid || body.sp_appid !== merchant.appid)
    return refuse(400, 'APPID_MCHID_NOT_MATCH', 'appid 和 mchid 不匹配', '268445527')
  if (!body.sub_mchid) return refuse(400, 'PARAM_ERROR', '缺少 sub_mchid', '268443704')
  if (!OUT_TRADE_NO.test(body.out_trade_no) || !(Number.isInteger(body.amount?.total) && body.amount.total > 0))
    return refuse(400, 'PARAM_ERROR', '参数错误', '268435461')
  const known = byOutNo(world, body.out_trade_no)
  if (known && known.state !== 'NOTPAY') return refuse(400, 'INVALID_REQUEST', '该订单已支付', '268449538')
  if (known && known.total !== body.amount.total)
    return refuse(400, 'INVALID_REQUEST', '商户订单号重复，参数不一致', '268498688')
  const payment: Payment = known ?? {
    transactionId: `42${world.newNo()}`,
    outTradeNo: body.out_trade_no,
    subMchid: body.sub_mchid,
    way: mode!.toUpperCase(),
    total: body.amount.total,
    state: 'NOTPAY',
    isSharing: body.settle_info?.profit_sharing === true,
    frozen: 0,
    isFinished: false,
    shared: 0,
    refunded: 0,
    notifyUrl: body.notify_url,
    description: String(body.description ?? ''),
  }
  world.payments.set(payment.transactionId, payment)
  return payment
}

function payByCode(world: World, request: WechatSimRequest) {
  const code = String(request.body.payer?.auth_code ?? '')
  if (!AUTH_CODE.test(code)) return refuse(400, 'PARAM_ERROR', '付款码无效', '268435461')
  const payment = createPayment(world, { ...request, params: ['micropay'] })
  if (code.endsWith(HAS_NOT_ENOUGH)) {
    payment.state = 'PAYERROR'
    return refuse(403, 'NOT_ENOUGH', '用户余额不足')
  }
  if (code.endsWith(ENTERS_PASSWORD)) payment.state = 'USERPAYING'
  else completeWechatPayment(world, payment)
  return shownPayment(payment)
}

function reverse(world: World, { params: [no] }: WechatSimRequest) {
  const payment = byOutNo(world, no!) ?? refuse(404, 'ORDER_NOT_EXIST', '订单不存在', '268512771')
  if (payment.state === 'SUCCESS') {
    const fee = feeOf(payment.total)
    if (payment.isSharing) payment.frozen = 0
    else free(world, payment.subMchid, fee - payment.total)
    book(world, payment.subMchid, { kind: '撤销', bizNo: payment.transactionId, amount: fee - payment.total })
    payment.refunded = payment.total
  }
  payment.state = 'REVOKED'
  return undefined
}

function close(world: World, { params: [no] }: WechatSimRequest) {
  const payment = byOutNo(world, no!) ?? refuse(404, 'ORDER_NOT_EXIST', '订单不存在', '268512771')
  if (payment.state === 'SUCCESS') return refuse(400, 'ORDER_PAID', '订单已支付', '268449538')
  payment.state = 'CLOSED'
  return undefined
}

const begun = (world: World, request: WechatSimRequest) => {
  const { outTradeNo, way } = createPayment(world, request)
  if (way === 'NATIVE') return { code_url: `weixin://wxpay/bizpayurl?pr=${outTradeNo}` }
  if (way === 'H5') return { h5_url: `${world.url}/checkmweb?prepay_id=${outTradeNo}` }
  return { prepay_id: `wx${outTradeNo}` }
}

const PARTNER = String.raw`^\/v3\/pay\/partner\/transactions`
export const paymentRoutes: Routes = [
  ['POST', new RegExp(`${PARTNER}\\/codepay$`), payByCode],
  ['POST', new RegExp(`${PARTNER}\\/(jsapi|native|h5|app)$`), begun],
  ['POST', new RegExp(`${PARTNER}\\/out-trade-no\\/([^/]+)\\/close$`), close],
  ['POST', new RegExp(`${PARTNER}\\/out-trade-no\\/([^/]+)\\/reverse$`), reverse],
  [
    'GET',
    new RegExp(`${PARTNER}\\/out-trade-no\\/([^/]+)$`),
    (world, { params: [no] }) =>
      shownPayment(byOutNo(world, no!) ?? refuse(404, 'ORDER_NOT_EXIST', '订单不存在', '268512771')),
  ],
  [
    'GET',
    new RegExp(`${PARTNER}\\/id\\/([^/]+)$`),
    async (world, { params: [no], query }) => {
      const payment = await paymentOf(world, no!)
      if (payment.subMchid !== query.get('sub_mchid')) return refuse(404, 'ORDER_NOT_EXIST', '订单不存在', '268512771')
      return shownPayment(payment)
    },
  ],
]
