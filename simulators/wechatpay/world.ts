import type { Pair } from './keys.ts'

/** What the simulated WeChat Pay knows and has promised. Amounts in cents. */
type Merchant = { mchid: string; appid: string; serialNo: string; publicKey: string; apiv3Key: string }

export type Applyment = {
  code: string
  id: string
  form: Record<string, any>
  state: string
  since: number
  subMchid?: string
  message: string
  details: { field: string; field_name: string; reject_reason: string }[]
}

export type Payment = {
  transactionId: string
  outTradeNo: string
  subMchid: string
  way: string
  total: number
  state: 'NOTPAY' | 'USERPAYING' | 'SUCCESS' | 'REFUND' | 'CLOSED' | 'REVOKED' | 'PAYERROR'
  paidAt?: number
  isSharing: boolean
  /** What can still be shared or refunded of an order whose money is frozen. */
  frozen: number
  isFinished: boolean
  shared: number
  refunded: number
  notifyUrl?: string
  description: string
}

type RefundStatus = 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
export type Refund = {
  id: string
  outNo: string
  payment: Payment
  amount: number
  asked: string
  status: RefundStatus
  /** How it will end. */
  ending: Exclude<RefundStatus, 'PROCESSING'>
  since: number
  notifyUrl?: string
  doneAt?: number
  isFromFrozen: boolean
}

export type ShareLine = {
  type: string
  account: string
  amount: number
  description: string
  result: 'PENDING' | 'SUCCESS' | 'CLOSED'
  failReason?: string
  detailId: string
  returned: number
  finishedAt?: number
}
export type Share = {
  id: string
  outNo: string
  payment: Payment
  asked: string
  lines: ShareLine[]
  since: number
  isDone: boolean
  isUnfreeze: boolean
  endsOrder: boolean
}
export type ShareReturn = {
  id: string
  outNo: string
  share: Share
  line: ShareLine
  asked: string
  amount: number
  result: 'PROCESSING' | 'SUCCESS' | 'FAILED'
  failReason?: string
  since: number
}

/** A line of the trade bill. */
export type Trade = {
  at: number
  payment: Payment
  refund?: Refund
  fee: number
}
/** A line of a fund flow. */
export type Flow = {
  at: number
  mchid: string
  bizNo: string
  /** The number of whoever asked for it. */
  voucherNo: string
  kind: string
  amount: number
  balance: number
}

/** How long things take, in milliseconds of its clock. */
export type Pace = { audit: number; sign: number; open: number; refund: number; share: number; beforeShare: number }

export type World = {
  now: () => number
  url: string
  pace: Pace
  merchant: Merchant
  /** Its own keys: of the public-key mode and of the certificates. */
  publicKey: Pair & { no: string }
  certificate: Pair & { serialNo: string; pem: string; from: Date; until: Date }
  media: Set<string>
  applyments: Map<string, Applyment>
  payments: Map<string, Payment>
  refunds: Map<string, Refund>
  shares: Map<string, Share>
  returns: Map<string, ShareReturn>
  /** `${subMchid}/${account}`. */
  receivers: Set<string>
  /** Receivers a share to them fails at, with the reason. */
  troubled: Map<string, string>
  /** Of ten thousand, by sub-merchant. */
  ratios: Map<string, number>
  /** What a merchant has to pay refunds from, beside what is frozen. */
  balances: Map<string, number>
  /** What lies in a merchant's account, frozen or not: what the fund flow tells. */
  accounts: Map<string, number>
  trades: Trade[]
  flows: Flow[]
  files: Map<string, { bytes: Buffer; until: number }>
  settlements: Map<string, SettlementChange>
  /** Whatever it audits is refused. */
  isStrict?: boolean
  /** How refunds asked from now on will end. */
  refundEnding?: Refund['ending']
  notify: (kind: string, original: string, plain: object, url: string | undefined) => void
  /** Payments made before its start, asked for when somebody names them. */
  lookUp?: (transactionId: string) => Promise<SimPayment | undefined>
  newNo: () => string
}

export type SimPayment = {
  transactionId: string
  outTradeNo: string
  subMchid: string
  total: number
  isSharing?: boolean
  paidAt?: Date
}

/** It refuses as it does: a status, its code, its words, and the number its `Request-ID` ends with. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly numeric: string
  constructor(status: number, code: string, message: string, numeric = '0') {
    super(message)
    this.status = status
    this.code = code
    this.numeric = numeric
  }
}

export const refuse = (status: number, code: string, message: string, numeric?: string): never => {
  throw new Refusal(status, code, message, numeric)
}

/** Another account for a sub-merchant's money, until somebody there has looked at it. */
export type SettlementChange = {
  subMchid: string
  body: Record<string, any>
  accountName: string
  since: number
  result?: 'SUCCESS' | 'FAIL'
}

export type WechatSimRequest = {
  method: string
  path: string
  query: URLSearchParams
  body: Record<string, any>
  params: string[]
  /** A file with its `meta`. */
  file?: { name: string; bytes: Buffer; meta: { filename?: string; sha256?: string } }
}
type Handler = (world: World, asked: WechatSimRequest) => unknown
export type Routes = readonly (readonly [method: string, path: RegExp, handle: Handler])[]

const FEE_OF_10000 = 60
export const feeOf = (cents: number): number => Math.round((cents * FEE_OF_10000) / 10_000)

export const shanghai = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19)
export const iso = (at: number): string => `${shanghai(at)}+08:00`

/** Money moves to or from what a merchant can use. */
export const free = (world: World, mchid: string, amount: number): void =>
  void world.balances.set(mchid, (world.balances.get(mchid) ?? 0) + amount)

type Moved = { kind: string; bizNo: string; amount: number; voucherNo?: string; at?: number }

/** Money moves to or from a merchant's account: a line of its fund flow. */
export function book(world: World, mchid: string, moved: Moved): void {
  const { kind, bizNo, amount, voucherNo = bizNo, at = world.now() } = moved
  if (!amount) return
  const balance = (world.accounts.get(mchid) ?? 0) + amount
  world.accounts.set(mchid, balance)
  world.flows.push({ at, mchid, bizNo, voucherNo, kind, amount, balance })
}

/** To the merchant's bank: all of it, or so many cents. */
export function withdraw(world: World, mchid: string, cents = world.balances.get(mchid) ?? 0): void {
  free(world, mchid, -cents)
  book(world, mchid, { kind: '提现', bizNo: `W${world.newNo()}`, amount: -cents })
}
