import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { encrypted, newNonce, sealedFor } from './keys.ts'
import { refuse, shanghai, type WechatSimRequest, type Flow, type Routes, type Trade, type World } from './world.ts'

const TRADE =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,' +
  '应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,' +
  '手续费,费率,订单金额,申请退款金额,费率备注'
const TRADE_SUM = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
const FLOW =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),' +
  '资金变更提交申请人,备注,业务凭证号'
const FLOW_SUM = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'
const SHARE =
  '分账时间,分账发起方,分账方,微信订单号,微信分账单号,分账明细单号,商户分账单号,订单金额,分账接收方,分账金额,' +
  '业务类型,处理状态,分账描述,备注'
const SHARE_SUM = '分账总笔数,分账总金额'
const FILE_MS = 300_000
/** Hour of the following day at which a bill is ready. */
const READY_HOUR = 10
const HOUR_MS = 3_600_000

const yuan = (cents: number) => (cents / 100).toFixed(2)
const line = (...values: (string | number)[]) => values.map((value) => `\`${value}`).join(',')
const csv = (head: string, lines: readonly string[], sumHead: string, sums: string) =>
  Buffer.from(`\uFEFF${[head, ...lines, sumHead, sums].join('\r\n')}\r\n`)
const total = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((sum, one) => sum + of(one), 0)

function tradeLine({ merchant }: World, { at, payment, refund, fee }: Trade): string {
  const time = shanghai(at).replace('T', ' ')
  const own = [time, merchant.appid, merchant.mchid, payment.subMchid, '', payment.transactionId, payment.outTradeNo]
  const back = refund ? [refund.id, refund.outNo, yuan(refund.amount), '0.00', 'ORIGINAL', 'SUCCESS'] : undefined
  return line(
    ...own,
    'o-user',
    payment.way,
    refund ? 'REFUND' : 'SUCCESS',
    'OTHERS',
    'CNY',
    yuan(refund ? 0 : payment.total),
    '0.00',
    ...(back ?? ['0', '0', '0.00', '0.00', '', '']),
    payment.description,
    '',
    yuan(fee),
    '0.60%',
    yuan(refund ? 0 : payment.total),
    yuan(refund?.amount ?? 0),
    '',
  )
}

const isTrade = (kind: string | null) => (one: Trade) =>
  kind === 'SUCCESS' ? !one.refund : kind === 'REFUND' ? one.refund !== undefined : true

function tradeFile(world: World, trades: readonly Trade[]): Buffer {
  const [paid, back] = [trades.filter((one) => !one.refund), trades.filter((one) => one.refund)]
  const [income, refunded] = [total(paid, (one) => one.payment.total), total(back, (one) => one.refund!.amount)]
  const fees = total(trades, (one) => one.fee)
  return csv(
    TRADE,
    trades.map((one) => tradeLine(world, one)),
    TRADE_SUM,
    line(trades.length, ...[income, refunded, 0, fees, income, refunded].map(yuan)),
  )
}

function flowFile(flows: readonly Flow[]): Buffer {
  const [ins, outs] = [flows.filter((one) => one.amount >= 0), flows.filter((one) => one.amount < 0)]
  const rows = flows.map(({ at, bizNo, voucherNo, kind, amount, balance }, n) =>
    line(
      shanghai(at).replace('T', ' '),
      bizNo,
      `F${bizNo}${n}`,
      kind,
      kind,
      amount < 0 ? '支出' : '收入',
      yuan(Math.abs(amount)),
      yuan(balance),
      'system',
      '',
      voucherNo,
    ),
  )
  const sums = [ins.length, yuan(total(ins, (one) => one.amount)), outs.length, yuan(-total(outs, (one) => one.amount))]
  return csv(FLOW, rows, FLOW_SUM, line(flows.length, ...sums))
}

function shareFile({ shares, merchant }: World, day: string, subMchid: string | null): Buffer {
  const lines = [...shares.values()]
    .filter(({ payment }) => !subMchid || payment.subMchid === subMchid)
    .flatMap((share) => share.lines.map((one) => ({ share, one })))
    .filter(({ one }) => one.finishedAt && shanghai(one.finishedAt).startsWith(day))
  const rows = lines.map(({ share, one }) =>
    line(
      shanghai(one.finishedAt!).replace('T', ' '),
      merchant.mchid,
      share.payment.subMchid,
      share.payment.transactionId,
      share.id,
      one.detailId,
      share.outNo,
      yuan(share.payment.total),
      one.account,
      yuan(one.amount),
      share.isUnfreeze ? '解冻' : '分账',
      one.result === 'SUCCESS' ? '处理成功' : '已关闭',
      one.description,
      one.failReason ?? '',
    ),
  )
  if (!rows.length) return none()
  return csv(SHARE, rows, SHARE_SUM, line(rows.length, yuan(total(lines, ({ one }) => one.amount))))
}

const none = () => refuse(404, 'NO_STATEMENT_EXIST', '账单不存在')

/** Returns the day asked for; refuses one that is not over or whose bill is not ready. */
function dayOf(world: World, { query }: WechatSimRequest): string {
  const day = query.get('bill_date') ?? ''
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return refuse(400, 'PARAM_ERROR', '账单日期格式错误', '268435461')
  const ready = new Date(`${day}T00:00:00+08:00`).getTime() + (24 + READY_HOUR) * HOUR_MS
  if (world.now() >= ready) return day
  return shanghai(world.now()).slice(0, 10) <= day
    ? refuse(400, 'INVALID_REQUEST', '账单日期必须早于今天')
    : refuse(500, 'STATEMENT_CREATING', '账单生成中')
}

/** Keeps the compressed file at an address of its own for some minutes. */
function offer(world: World, file: Buffer, packed: Buffer = gzipSync(file)) {
  const token = randomBytes(16).toString('hex')
  world.files.set(token, { bytes: packed, until: world.now() + FILE_MS })
  const hash_value = createHash('sha1').update(file).digest('hex')
  return { hash_type: 'SHA1', hash_value, download_url: `${world.url}/v3/billdownload/file?token=${token}` }
}

const flowsOf = ({ flows }: World, mchid: string, day: string) =>
  flows.filter((one) => one.mchid === mchid && shanghai(one.at).startsWith(day))

function tradeBill(world: World, request: WechatSimRequest) {
  const day = dayOf(world, request)
  const subMchid = request.query.get('sub_mchid')
  const found = world.trades
    .filter((one) => shanghai(one.at).startsWith(day) && (!subMchid || one.payment.subMchid === subMchid))
    .filter(isTrade(request.query.get('bill_type')))
  return found.length ? offer(world, tradeFile(world, found)) : none()
}

function fundBill(world: World, request: WechatSimRequest) {
  const found = flowsOf(world, world.merchant.mchid, dayOf(world, request))
  return found.length ? offer(world, flowFile(found)) : none()
}

/** Returns a sub-merchant's bill, encrypted with a key that only the service provider can decrypt. */
function subFundBill(world: World, request: WechatSimRequest) {
  const found = flowsOf(world, request.query.get('sub_mchid') ?? '', dayOf(world, request))
  if (!found.length) return none()
  const [file, key, nonce] = [flowFile(found), randomBytes(32), newNonce()]
  const { download_url, hash_value } = offer(world, file, encrypted(gzipSync(file), key, nonce, ''))
  const encrypt_key = sealedFor(key, world.merchant.publicKey)
  return {
    download_bill_count: 1,
    download_bill_list: [{ bill_sequence: 1, download_url, encrypt_key, nonce, hash_type: 'SHA1', hash_value }],
  }
}

export const billRoutes: Routes = [
  ['GET', /^\/v3\/bill\/tradebill$/, tradeBill],
  ['GET', /^\/v3\/bill\/fundflowbill$/, fundBill],
  ['GET', /^\/v3\/bill\/sub-merchant-fundflowbill$/, subFundBill],
  [
    'GET',
    /^\/v3\/profitsharing\/bills$/,
    (world, request) => offer(world, shareFile(world, dayOf(world, request), request.query.get('sub_mchid'))),
  ],
]

/** Returns the file of a download address; undefined when it expired. */
export function fileAt(world: World, token: string | null): Buffer | undefined {
  const file = world.files.get(token ?? '')
  return file && file.until > world.now() ? file.bytes : undefined
}
