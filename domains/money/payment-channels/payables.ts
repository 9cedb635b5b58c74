import type { RowOf } from '#kit/resource/index.ts'
import { empty, join, raw, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import type { paymentRefund } from './payment-refund.resource.ts'

/** Columns every payment has, whatever was paid: SQL expressions over the tables of its `from`. */
const PAYMENT_COLUMNS = {
  tenantId: 'tenant_id',
  /** Id of what was paid for: an order, a recharge, a fee. */
  id: 'id',
  /** Number people know it by. */
  no: 'no',
  shopId: 'shop_id',
  /** Merchant if it has no shop, and WeChat Pay number that received it; null when the shop's term determines them. */
  merchantId: 'merchant_id',
  subMchid: 'sub_mchid',
  payTime: 'pay_time',
  /** Number of the whole payment, and of this part; null for cash and balance. */
  transactionNo: 'transaction_no',
  paymentNo: 'payment_no',
  paymentId: 'payment_id',
  channel: 'channel',
  amount: 'amount',
  /** Fee the platform took, in cents; null when it follows from the rate of the term. */
  fee: 'known_fee',
  /** When what was paid for was recorded, and when this payment was reported: a register may have been offline. */
  createTime: 'create_time',
  heardTime: 'heard_time',
} as const

const REFUND_COLUMNS = {
  tenantId: 'tenant_id',
  id: 'id',
  no: 'no',
  shopId: 'shop_id',
  merchantId: 'merchant_id',
  subMchid: 'sub_mchid',
  payTime: 'pay_time',
  transactionNo: 'transaction_no',
  paymentNo: 'payment_no',
  /** Id of the part of a refund that belongs to one payment. */
  partId: 'part_id',
  refundNo: 'refund_no',
  /** The platform's own number of the refund. */
  numberThere: 'number_there',
  channel: 'channel',
  amount: 'amount',
  fee: 'known_fee',
  isDone: 'is_done',
  isUnderWay: 'is_under_way',
  askedTime: 'asked_time',
  doneTime: 'done_time',
  /** Cents of the same payment refunded before. */
  backBefore: 'back_before',
} as const

export type PaymentColumns = Record<keyof typeof PAYMENT_COLUMNS, Sql>
export type RefundColumns = Record<keyof typeof REFUND_COLUMNS, Sql>

/** A refund made at the platform, of something other than an order; the module books its consequences. */
export type ExternalPayableRefund = { refundNo: string; numberThere: string; amount: number; reason: string }

/** A requested refund in cents. With `refundedBefore` it is refused when more has been refunded meanwhile. */
export type PayableRefundRequest = { amount: number; reason: string; refundedBefore?: number | null }

/** A payment to be refunded, as its module describes it. */
export type PaymentToRefund = {
  payable: string
  payableId: string
  payableNo: string
  shopId: string | null
  channel: string
  transactionNo: string | null
  payTime: string
  /** In cents: the whole payment, and the part to refund. */
  paid: number
  amount: number
  reason: string
}

/** Writes the refund of a payment; passed to `book`. */
export type SendPayableRefund = (back: PaymentToRefund) => Promise<RowOf<typeof paymentRefund>>

/**
 * A kind of thing customers pay for, as its module registers it. Reconciliation, bills, refunds and the check of used
 * numbers read all kinds, so that none is forgotten.
 */
type Payable = {
  /** Name of its resource. */
  name: string
  /** Where used transaction numbers are stored: a number that paid or was refunded cannot pay again. */
  numbers?: { from: Sql; tenantId: Sql; no: Sql; transactionNo: Sql; channel: Sql; when?: Sql }
  payments?: { from: Sql; columns: PaymentColumns; when?: Sql }
  refunds?: { from: Sql; columns: RefundColumns; when?: Sql }
  /**
   * How its module books a refund. The money itself is sent by the function passed to `book`, so that no module can
   * refund without the dual-approval rule.
   */
  back?: {
    /** Locks the row, after the account that changes with it. */
    lock: (db: Db, id: string) => Promise<void>
    /** Books the refund of a locked row; refuses if it is not possible. Returns the response to the caller. */
    book: (db: Db, id: string, ask: PayableRefundRequest, send: SendPayableRefund, now: Date) => Promise<unknown>
  }
}

const payables = new Map<string, Payable>()

/** Registers a kind of payable; called when its module is loaded. */
export const definePayable = (payable: Payable): void => void payables.set(payable.name, payable)

export const payableOf = (name: string): Payable | undefined => payables.get(name)

const parts = <P>(pick: (payable: Payable) => P | undefined): (readonly [string, P])[] => {
  const found = [...payables.values()].flatMap((one) => {
    const part = pick(one)
    return part ? [[one.name, part] as const] : []
  })
  if (!found.length) throw new Error('no module has said what is paid for')
  return found
}

function selected<C extends Record<string, string>>(names: C, columns: Record<keyof C, Sql>, payable: string): Sql {
  const list = Object.entries(names).map(([key, name]) => sql`${columns[key]!} as ${raw(name)}`)
  return sql`select ${payable}::text as payable, ${join(list, ', ')}`
}

type Where<C> = (columns: C) => Sql

/**
 * Selects all payments that match a condition. A union with one branch for each kind, so that its own indexes are used.
 */
export const paymentsWhereSql = (tenant: Sql, where: Where<PaymentColumns>): Sql =>
  join(
    parts(({ payments }) => payments).map(
      ([name, { from, columns, when }]) => sql`${selected(PAYMENT_COLUMNS, columns, name)} from ${from}
      where ${columns.tenantId} = ${tenant}${when ? sql` and ${when}` : empty} and ${where(columns)}`,
    ),
    ' union all ',
  )

/** Selects all refunds that match a condition, of whatever was paid. */
export const refundsWhereSql = (tenant: Sql, where: Where<RefundColumns>): Sql =>
  join(
    parts(({ refunds }) => refunds).map(
      ([name, { from, columns, when }]) => sql`${selected(REFUND_COLUMNS, columns, name)} from ${from}
      where ${columns.tenantId} = ${tenant}${when ? sql` and ${when}` : empty} and ${where(columns)}`,
    ),
    ' union all ',
  )

/** Channels without a payment platform: a number entered with them is only a note. */
export const IN_HOUSE_CHANNELS = ['cash', 'balance']

export const isOwnChannel = (channel: string): boolean => IN_HOUSE_CHANNELS.includes(channel)

/** Selects payments by transaction number (or several numbers); excludes notes of in-house channels. */
export const paymentsByTransactionNoSql = (tenant: Sql, isNumber: (column: Sql) => Sql): Sql =>
  paymentsWhereSql(
    tenant,
    ({ transactionNo, channel }) => sql`${isNumber(transactionNo)} and ${channel} <> all(${IN_HOUSE_CHANNELS}::text[])`,
  )

/** Selects `payable` and `no` of what a number has paid or was refunded for. */
export const transactionUsesSql = (tenant: Sql, transactionNo: Sql): Sql =>
  join(
    parts(({ numbers }) => numbers).map(
      ([name, { from, tenantId, no, transactionNo: number, channel, when }]) =>
        sql`select ${name}::text as payable, ${no} as no from ${from} where ${tenantId} = ${tenant}
        and ${number} = ${transactionNo} and ${channel} <> all(${IN_HOUSE_CHANNELS}::text[])
        ${when ? sql` and ${when}` : empty}`,
    ),
    ' union all ',
  )
