import type { OrderLineBenefit } from './dictionaries.ts'

type Priced = {
  goodsAmount: number | null
  discountAmount: number | null
  ticketAmount: number | null
  vipAmount: number | null
  integralAmount: number | null
  freight: number | null
}
type PricedLine = { name: string | null; discount: number | null; benefits: unknown }

/** A step from the shelf price to the amount paid, in cents; reductions are negative. */
type PriceStep = {
  kind: 'goods' | 'discount' | 'vip' | 'freight' | OrderLineBenefit['kind']
  /** Name of the campaign, ticket and so on; empty when unknown. */
  name: string
  refId: string
  amount: number
  /** Each line's share of the step. */
  lines: { name: string; amount: number }[]
}

/**
 * Explains an order's price to the cent: the steps add up to the amount paid. Reductions of the lines are listed by
 * name; what only the order's totals know (a sale without a quote) by kind.
 */
export function explainPrice(order: Priced, lines: readonly PricedLine[]): PriceStep[] {
  const steps = new Map<string, PriceStep>()
  for (const line of lines) {
    for (const { kind, name, refId, amount } of (line.benefits as OrderLineBenefit[] | null) ?? []) {
      if (!amount) continue
      const key = `${kind}/${refId ?? ''}/${name}`
      const step = steps.get(key) ?? { kind, name, refId: refId ?? '', amount: 0, lines: [] }
      step.amount -= amount
      step.lines.push({ name: line.name ?? '', amount: -amount })
      steps.set(key, step)
    }
  }
  const named = [...steps.values()]
  const knownOf = (...kinds: PriceStep['kind'][]) =>
    named.reduce((sum, one) => (kinds.includes(one.kind) ? sum + one.amount : sum), 0)
  // Parts of the order's totals that no line explains.
  const rest: [PriceStep['kind'], number][] = [
    ['vip', -(order.vipAmount ?? 0) - knownOf('vipPrice', 'vipDay')],
    ['discount', -(order.discountAmount ?? 0) - knownOf('campaign')],
    ['ticket', -(order.ticketAmount ?? 0) - knownOf('ticket')],
    ['points', -(order.integralAmount ?? 0) - knownOf('points')],
  ]
  const step = (kind: PriceStep['kind'], amount: number): PriceStep => ({
    kind,
    name: '',
    refId: '',
    amount,
    lines: [],
  })
  return [
    step('goods', order.goodsAmount ?? 0),
    ...named,
    ...rest.map(([kind, amount]) => step(kind, amount)),
    step('freight', order.freight ?? 0),
  ].filter(({ kind, amount }) => kind === 'goods' || amount !== 0)
}
