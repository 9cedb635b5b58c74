import type { RowOf } from '#kit/resource/index.ts'
import { empty, join, raw, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import type { paymentRefund } from './payment-refund.resource.ts'

/** What every payment says, whatever was paid by it: expressions over the tables of its `from`. */
const PAYMENT_COLUMNS = {
  tenantId: 'tenant_id',
  /** Of what was paid for: an order, a recharge, a fee. */
  id: 'id',
  /** The number people know it by. */
  no: 'no',
  shopId: 'shop_id',
  /** Whose it is where no shop says so, and the number at WeChat Pay it was taken by; null where terms say it. */
  merchantId: 'merchant_id',
  subMchid: 'sub_mchid',
  payTime: 'pay_time',
  /** The number the whole of it was paid under, and that of this payment (null for cash and balance). */
  transactionNo: 'transaction_no',
  paymentNo: 'payment_no',
  paymentId: 'payment_id',
  channel: 'channel',
  amount: 'amount',
  /** What the platform took for it, where it is known; null where the rate of its term says it. In cents. */
  fee: 'known_fee',
  /** When what was paid for was written down, and when this payment was: a register may have been offline. */
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
  /** Of the part of the refund that goes back to one payment. */
  partId: 'part_id',
  refundNo: 'refund_no',
  /** The platform's own number of it. */
  numberThere: 'number_there',
  channel: 'channel',
  amount: 'amount',
  fee: 'known_fee',
  isDone: 'is_done',
  isUnderWay: 'is_under_way',
  askedTime: 'asked_time',
  doneTime: 'done_time',
  /** Cents of the same payment that went back before. */
  backBefore: 'back_before',
} as const

export type PaymentColumns = Record<keyof typeof PAYMENT_COLUMNS, Sql>
export type RefundColumns = Record<keyof typeof REFUND_COLUMNS, Sql>

/** Money that went back at the platform, of something that is no order: the module books what follows from it. */
export type ExternalPayableRefund = { refundNo: string; numberThere: string; amount: number; reason: string }

/** What is asked back of something paid, in cents; with `refundedBefore` it is refused once more has gone back. */
export type PayableRefundRequest = { amount: number; reason: string; refundedBefore?: number | null }

/** A payment of which money goes back, as its module has it. */
export type PaymentToRefund = {
  payable: string
  payableId: string
  payableNo: string
  shopId: string | null
  channel: string
  transactionNo: string | null
  payTime: string
  /** Cents: of the payment, and what of it goes back. */
  paid: number
  amount: number
  reason: string
}

/** Writes how the money of a booking goes back. */
export type SendPayableRefund = (back: PaymentToRefund) => Promise<RowOf<typeof paymentRefund>>

/**
 * Something customers pay for over a channel, as its module registers it. What compares with the platforms, makes
 * bills,
 * sends money back and looks whether a number has paid already reads all of them, so that nothing is asked of one
 * table alone.
 */
type Payable = {
  /** The family of what is paid for. */
  name: string
  /** Where a number stands that has paid, or that went back: it never pays again. */
  numbers?: { from: Sql; tenantId: Sql; no: Sql; transactionNo: Sql; channel: Sql; when?: Sql }
  payments?: { from: Sql; columns: PaymentColumns; when?: Sql }
  refunds?: { from: Sql; columns: RefundColumns; when?: Sql }
  /**
   * How its module books that money goes back. The money itself goes by what `book` is given, which only this module
   * has:
   * nobody sends money back beside the rule of the second person.
   */
  back?: {
    /** Locks it, and before it whose account changes with it. */
    lock: (db: Db, id: string) => Promise<void>
    /** Of one that is locked; refuses where it cannot be, and answers what who asked is told. */
    book: (db: Db, id: string, ask: PayableRefundRequest, send: SendPayableRefund, now: Date) => Promise<unknown>
  }
}

const payables = new Map<string, Payable>()

/** Adds something that is paid for to the list; called by its module as it is loaded. */
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
 * All payments that a condition finds, as a query to select from: each branch has its own tables, so that the condition
 * is answered by their indexes.
 */
export const paymentsWhereSql = (tenant: Sql, where: Where<PaymentColumns>): Sql =>
  join(
    parts(({ payments }) => payments).map(
      ([name, { from, columns, when }]) => sql`${selected(PAYMENT_COLUMNS, columns, name)} from ${from}
      where ${columns.tenantId} = ${tenant}${when ? sql` and ${when}` : empty} and ${where(columns)}`,
    ),
    ' union all ',
  )

/** All refunds, of whatever was paid, that a condition finds. */
export const refundsWhereSql = (tenant: Sql, where: Where<RefundColumns>): Sql =>
  join(
    parts(({ refunds }) => refunds).map(
      ([name, { from, columns, when }]) => sql`${selected(REFUND_COLUMNS, columns, name)} from ${from}
      where ${columns.tenantId} = ${tenant}${when ? sql` and ${when}` : empty} and ${where(columns)}`,
    ),
    ' union all ',
  )

/** Money that stays in the house: what somebody writes beside it is a note, not the number of a payment. */
export const IN_HOUSE_CHANNELS = ['cash', 'balance']

export const isOwnChannel = (channel: string): boolean => IN_HOUSE_CHANNELS.includes(channel)

/** Payments under a number of the platform's (or any of an array of them): notes beside cash are none. */
export const paymentsByTransactionNoSql = (tenant: Sql, isNumber: (column: Sql) => Sql): Sql =>
  paymentsWhereSql(
    tenant,
    ({ transactionNo, channel }) => sql`${isNumber(transactionNo)} and ${channel} <> all(${IN_HOUSE_CHANNELS}::text[])`,
  )

/** What a number has paid, or came back from, as a query of `payable` and `no`. */
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
