import { wireYuanToCents, parseYuanToCents, formatYuan, formatAmount } from '#kit/fields/money/cents.ts'

/** A line as shown on the order page: what was paid and what is still refundable. */
type RefundableLine = { quantity: number; amount: string; refundableQuantity: number; refundableAmount: string }

/** Formats cents as yuan with separators: 1,234.50. */
export const formatCentsAsYuan = (cents: number): string => formatAmount(formatYuan(cents))

/**
 * What some pieces of a line are worth, in cents, shown before it is asked for: in proportion of what was paid, rounded
 * so that the parts add up to the whole. The server decides by the same rule.
 */
export function previewRefundCents(line: RefundableLine, pieces: number): number {
  const left = wireYuanToCents(line.refundableAmount)
  if (pieces <= 0) return 0
  if (pieces >= line.refundableQuantity) return left
  const amount = wireYuanToCents(line.amount)
  const share = (part: number) => Math.floor((2 * amount * part + line.quantity) / (2 * line.quantity))
  const before = line.quantity - line.refundableQuantity
  return Math.min(left, share(before + pieces) - share(before))
}

/**
 * The pieces chosen of a line and the cents for them: their worth, or less if typed. `isBad` when the typed amount is
 * invalid.
 */
export function pickRefundLine(line: RefundableLine, chosen: number, typed: string | undefined) {
  const pieces = Math.min(chosen, line.refundableQuantity)
  const worth = previewRefundCents(line, pieces)
  const cents = typed === undefined ? worth : parseYuanToCents(typed)
  const isBad = cents === undefined || cents < 0 || cents > worth
  return { pieces, worth, cents: isBad ? worth : cents, isBad }
}
