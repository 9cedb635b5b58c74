import { formatYuan } from '#kit/fields/money/cents.ts'
import { Refused } from '#kit/server/base/refused.ts'

/** A line of an order with the cents paid for it. */
type PaidLine = { id: string; name: string | null; quantity: number; amount: number }
/** A part of a line that is refunded, or reserved by an earlier refund. */
export type RefundLineShare = { detailId: string; quantity: number; amount: number }
/** What to refund. `amount` in cents; absent: in proportion to what was paid. */
export type RefundSelection = {
  full?: boolean
  lines: readonly { detailId: string; quantity: number; amount?: number }[]
}
type RefundPlan = { lines: RefundLineShare[]; freight: number; amount: number }

/** The part of an amount that `part` of `whole` pieces bear, rounded half up. */
export const proRata = (amount: number, part: number, whole: number): number => {
  if (whole <= 0) return amount
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
}

/** Adds up earlier refunds by line. */
export function refundedByLine(earlier: readonly RefundLineShare[]): Map<string, RefundedPart> {
  const taken = new Map<string, RefundedPart>()
  for (const { detailId, quantity, amount } of earlier) {
    const was = taken.get(detailId) ?? NOTHING
    taken.set(detailId, { quantity: was.quantity + quantity, amount: was.amount + amount })
  }
  return taken
}

type RefundedPart = { quantity: number; amount: number }
const NOTHING: RefundedPart = { quantity: 0, amount: 0 }

/**
 * Computes a refund, or refuses naming the line. Pieces are refunded in proportion to what was paid, rounded so that
 * partial refunds add up. A given amount may be smaller; it may be larger only up to what is left of the line.
 */
export function planRefund(
  order: { payAmount: number; freight: number },
  lines: readonly PaidLine[],
  earlier: { lines: readonly RefundLineShare[]; freight: number; amount: number },
  ask: RefundSelection,
): RefundPlan {
  const taken = refundedByLine(earlier.lines)
  const byId = new Map(lines.map((line) => [line.id, line]))
  const wanted = ask.full ? lines.map((line) => leftOfLine(line, taken.get(line.id))) : ask.lines
  const out: RefundLineShare[] = []
  for (const { detailId, quantity, amount } of wanted) {
    const line = byId.get(detailId)
    if (!line) throw new Refused('refund_line_unknown')
    const was = taken.get(detailId) ?? NOTHING
    const given = amountBack(line, was, quantity, amount)
    if (quantity === 0 && given === 0) continue
    out.push({ detailId, quantity, amount: given })
    // The same line twice in one request counts against itself.
    taken.set(detailId, { quantity: was.quantity + quantity, amount: was.amount + given })
  }
  const freight = ask.full ? order.freight - earlier.freight : 0
  if (!out.length && freight <= 0) throw new Refused('refund_no_lines', {}, { field: 'lines' })
  const amount = out.reduce((sum, line) => sum + line.amount, freight)
  // A free gift is refunded with amount 0.
  if (amount <= 0 && !out.some((line) => line.quantity > 0)) throw new Refused('refund_nothing')
  const left = order.payAmount - earlier.amount
  if (amount > left) throw new Refused('refund_over_paid', { left: formatYuan(left) })
  return { lines: out, freight, amount }
}

const leftOfLine = (line: PaidLine, was: RefundedPart = NOTHING): RefundLineShare => ({
  detailId: line.id,
  quantity: line.quantity - was.quantity,
  amount: line.amount - was.amount,
})

/**
 * Returns the cents for some pieces of a line: the amount given, else in proportion. Refuses more than is left of the
 * line.
 */
function amountBack(line: PaidLine, was: RefundedPart, quantity: number, amount: number | undefined): number {
  const name = line.name ?? ''
  if (!(quantity >= 0) || (amount !== undefined && !(amount >= 0))) throw new Refused('refund_line_bad', { name })
  const left = leftOfLine(line, was)
  if (quantity > left.quantity) throw new Refused('refund_too_many', { name, left: left.quantity })
  const given = amount ?? proportionalAmount(line, was, quantity)
  if (given > left.amount) throw new Refused('refund_too_much', { name, left: formatYuan(left.amount) })
  return given
}

/** Cents for further pieces of a line: the difference of rounded running sums; for the last pieces all that is left. */
function proportionalAmount(line: PaidLine, was: RefundedPart, quantity: number): number {
  if (quantity === 0) return 0
  const left = leftOfLine(line, was)
  if (quantity === left.quantity) return left.amount
  const [before, after] = [was.quantity, was.quantity + quantity]
  return Math.min(left.amount, proRata(line.amount, after, line.quantity) - proRata(line.amount, before, line.quantity))
}

/** Splits an amount over the payments of an order in proportion of what each paid, never more than each has left. */
export function splitByPayment(
  payments: readonly { id: string; amount: number; planned: number }[],
  amount: number,
): { id: string; amount: number }[] {
  const total = payments.reduce((sum, one) => sum + one.amount, 0)
  const planned = payments.reduce((sum, one) => sum + one.planned, 0)
  let rest = amount
  const parts = payments.map((one) => {
    const wanted = proRata(one.amount, planned + amount, total) - one.planned
    const part = Math.max(0, Math.min(wanted, one.amount - one.planned, rest))
    rest -= part
    return { id: one.id, amount: part }
  })
  for (const [at, one] of payments.entries()) {
    const more = Math.min(rest, one.amount - one.planned - parts[at]!.amount)
    parts[at]!.amount += more
    rest -= more
  }
  return parts.filter((part) => part.amount > 0)
}
