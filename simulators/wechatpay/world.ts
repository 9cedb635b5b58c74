import type { Pair } from './keys.ts'

/** The merchant of the simulated WeChat Pay. Amounts in this file are in cents. */
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
  /** Frozen money that can still be shared or refunded. */
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
  fingerprint: string
  status: RefundStatus
  /** The status it will end with. */
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
  fingerprint: string
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
  fingerprint: string
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
/** A line of the fund flow bill. */
export type Flow = {
  at: number
  mchid: string
  bizNo: string
  /** The merchant's own number of the transaction. */
  voucherNo: string
  kind: string
  amount: number
  balance: number
}

/** Durations in ms of the simulator's clock. */
export type Pace = { audit: number; sign: number; open: number; refund: number; share: number; beforeShare: number }

export type World = {
  now: () => number
  url: string
  pace: Pace
  merchant: Merchant
  /** The platform's key pair in public-key mode. */
  publicKey: Pair & { no: string }
  /** The platform's key pair in certificate mode. */
  certificate: Pair & { serialNo: string; pem: string; from: Date; until: Date }
  media: Set<string>
  applyments: Map<string, Applyment>
  payments: Map<string, Payment>
  refunds: Map<string, Refund>
  shares: Map<string, Share>
  returns: Map<string, ShareReturn>
  /** Receivers of shares as `${subMchid}/${account}`. */
  receivers: Set<string>
  /** Receivers at whom a share fails, with the reason. */
  troubled: Map<string, string>
  /** Largest share in ten-thousandths, by sub-merchant. */
  ratios: Map<string, number>
  /** Money a merchant can use, frozen money excluded. */
  balances: Map<string, number>
  /** Money in a merchant's account, frozen or not, as in the fund flow. */
  accounts: Map<string, number>
  trades: Trade[]
  flows: Flow[]
  files: Map<string, { bytes: Buffer; until: number }>
  settlements: Map<string, SettlementChange>
  /** Every audit refuses. */
  isStrict?: boolean
  /** Status that refunds from now on will end with. */
  refundEnding?: Refund['ending']
  notify: (kind: string, original: string, plain: object, url: string | undefined) => void
  /** Looks up payments from before the start when they are named. */
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

/** A refusal with WeChat Pay's HTTP status, code, text and the number at the end of `Request-ID`. */
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

/** A requested change of a sub-merchant's settlement account, until it is reviewed. */
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
  /** An uploaded file with its `meta`. */
  file?: { name: string; bytes: Buffer; meta: { filename?: string; sha256?: string } }
}
type Handler = (world: World, request: WechatSimRequest) => unknown
export type Routes = readonly (readonly [method: string, path: RegExp, handle: Handler])[]

const FEE_OF_10000 = 60
export const feeOf = (cents: number): number => Math.round((cents * FEE_OF_10000) / 10_000)

export const shanghai = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19)
export const iso = (at: number): string => `${shanghai(at)}+08:00`

/** Adds to, or takes from, what a merchant can use. */
export const free = (world: World, mchid: string, amount: number): void =>
  void world.balances.set(mchid, (world.balances.get(mchid) ?? 0) + amount)

type Moved = { kind: string; bizNo: string; amount: number; voucherNo?: string; at?: number }

/** Books an amount in a merchant's account, with a line of its fund flow. */
export function book(world: World, mchid: string, moved: Moved): void {
  const { kind, bizNo, amount, voucherNo = bizNo, at = world.now() } = moved
  if (!amount) return
  const balance = (world.accounts.get(mchid) ?? 0) + amount
  world.accounts.set(mchid, balance)
  world.flows.push({ at, mchid, bizNo, voucherNo, kind, amount, balance })
}

/** Pays so many cents, or all the merchant can use, into its bank. */
export function withdraw(world: World, mchid: string, cents = world.balances.get(mchid) ?? 0): void {
  free(world, mchid, -cents)
  book(world, mchid, { kind: '提现', bizNo: `W${world.newNo()}`, amount: -cents })
}
