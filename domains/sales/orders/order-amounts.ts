import { formatYuan } from '#kit/fields/money/cents.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { OrderLineBenefit, PayType } from './dictionaries.ts'

/** One line of an order to be; amounts in cents. `goodId` null: sold, but unknown to the back office. */
export type OrderLineDraft = {
  goodId: string | null
  upc: string
  name: string
  spec?: string | null
  picture?: string | null
  price: number
  listPrice?: number | null
  vipPrice?: number | null
  quantity: number
  discount: number
  amount: number
  /** Parts of the discount, if known; then they must add up to it. */
  benefits?: readonly OrderLineBenefit[]
}

/** The amounts of an order to be written. Those left out are taken from the lines. */
export type OrderAmountsDraft = {
  lines: readonly OrderLineDraft[]
  ticketAmount?: number
  vipAmount?: number
  integralAmount?: number
  freight?: number
  payAmount: number
  balanceAmount?: number
  payType?: PayType
}

/**
 * Computes and checks an order's amounts: payAmount = goods − discounts + freight = sum of the lines + freight, to the
 * cent. Refuses, naming what does not add up.
 */
export function computeOrderAmounts(draft: OrderAmountsDraft) {
  const { lines, freight = 0, payAmount } = draft
  const { ticketAmount, vipAmount, integralAmount } = explained(draft)
  for (const line of lines) {
    if (line.price * line.quantity - line.discount !== line.amount)
      throw orderAmountsRefusal(
        `${line.name}: ${formatYuan(line.price)} × ${line.quantity} − ${formatYuan(line.discount)} ` +
          `≠ ${formatYuan(line.amount)}`,
      )
    if (line.amount < 0) throw orderAmountsRefusal(`${line.name}: ${formatYuan(line.amount)}`)
  }
  const goodsAmount = lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
  const lineDiscounts = lines.reduce((sum, line) => sum + line.discount, 0)
  // Tickets, member prices and points are borne by the lines too; what remains is the ordinary discount.
  const discountAmount = lineDiscounts - ticketAmount - vipAmount - integralAmount
  if (discountAmount < 0)
    throw orderAmountsRefusal(`${formatYuan(ticketAmount + vipAmount + integralAmount)} > ${formatYuan(lineDiscounts)}`)
  const due = goodsAmount - lineDiscounts + freight
  if (due !== payAmount) throw orderAmountsRefusal(`${formatYuan(due)} ≠ ${formatYuan(payAmount)}`)
  const balanceAmount = requireBalanceAmount(draft, payAmount)
  return { goodsAmount, discountAmount, ticketAmount, vipAmount, integralAmount, freight, payAmount, balanceAmount }
}

/**
 * Returns what tickets, member prices and points took off according to the lines. Refuses an order whose totals differ.
 */
function explained(draft: Pick<OrderAmountsDraft, 'lines' | 'ticketAmount' | 'vipAmount' | 'integralAmount'>) {
  const { lines } = draft
  for (const { name, discount, benefits = [] } of lines) {
    const known = benefits.reduce((sum, one) => sum + one.amount, 0)
    if (benefits.some((one) => one.amount < 0) || (benefits.length && known !== discount))
      throw orderAmountsRefusal(`${name}: ${formatYuan(known)} ≠ ${formatYuan(discount)}`)
  }
  const parts = {
    ticketAmount: benefitOf(lines, 'ticket'),
    vipAmount: benefitOf(lines, 'vipPrice', 'vipDay'),
    integralAmount: benefitOf(lines, 'points'),
  }
  const isKnown = lines.some((line) => line.benefits?.length)
  for (const key of Object.keys(parts) as (keyof typeof parts)[]) {
    const given = draft[key] ?? parts[key]
    if (isKnown && given !== parts[key])
      throw orderAmountsRefusal(`${key}: ${formatYuan(given)} ≠ ${formatYuan(parts[key])}`)
    parts[key] = given
  }
  return parts
}

const benefitOf = (lines: readonly OrderLineDraft[], ...kinds: OrderLineBenefit['kind'][]) =>
  lines
    .flatMap((line) => line.benefits ?? [])
    .reduce((sum, one) => (kinds.includes(one.kind) ? sum + one.amount : sum), 0)

type FromBalance = Pick<OrderAmountsDraft, 'payType' | 'balanceAmount'>

/** The part of an order paid from the customer's balance, as stated: all of it, or the given amount. */
export const statedBalanceAmount = ({ payType, balanceAmount = 0 }: FromBalance, payAmount: number): number =>
  payType === 'balance' ? payAmount : balanceAmount

/** The same, but refuses more than the order's amount and negative values. */
export function requireBalanceAmount(given: FromBalance, payAmount: number): number {
  const paid = statedBalanceAmount(given, payAmount)
  if (paid > payAmount) throw orderAmountsRefusal(`${formatYuan(paid)} > ${formatYuan(payAmount)}`)
  if (paid < 0) throw orderAmountsRefusal(`${formatYuan(paid)} < ${formatYuan(0)}`)
  return paid
}

export const orderAmountsRefusal = (detail: string) => new Refused('order_amounts', { detail })
