import type { PlatformOrderLine, PlatformOrder } from './platform-order.ts'

type Money = Pick<PlatformOrder, 'lines' | 'userFee' | 'sendFee' | 'packageFee' | 'discounts'>
type PricedLine = PlatformOrderLine & {
  discount: number
  amount: number
  benefits: { kind: 'campaign'; refId: null; name: string; amount: number }[]
}

const NAME_MAX = 60

/**
 * Splits what the customer paid over lines and freight, to the cent. Discounts are shared by the lines in proportion,
 * and by the freight when they exceed the goods. `isOdd`: the platform's parts do not add up to its total; the total
 * counts.
 */
export function allocatePlatformDiscounts({ lines, userFee, sendFee, packageFee, discounts }: Money): {
  lines: PricedLine[]
  freight: number
  isOdd: boolean
} {
  const goods = lines.reduce((sum, one) => sum + one.price * one.quantity, 0)
  const fees = sendFee + packageFee
  const off = goods + fees - userFee
  const ofGoods = Math.min(Math.max(off, 0), goods)
  const name = discounts.join('、').slice(0, NAME_MAX)
  let [seen, given] = [0, 0]
  const priced = lines.map((line): PricedLine => {
    seen += line.price * line.quantity
    const until = goods ? Math.round((ofGoods * seen) / goods) : 0
    const discount = until - given
    given = until
    const amount = line.price * line.quantity - discount
    return {
      ...line,
      discount,
      amount,
      benefits: discount ? [{ kind: 'campaign', refId: null, name, amount: discount }] : [],
    }
  })
  return { lines: priced, freight: fees - (off - ofGoods), isOdd: off < 0 || (off > 0 && !discounts.length) }
}
