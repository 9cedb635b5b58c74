import { normalizeBarcode } from '#domains/catalogue/products/index.ts'
import type { MissedOffer, GoodsScope } from './basket.ts'
import type { CampaignRule, RuleOf } from './campaign-rules.ts'

export type BasketUnit = {
  line: number
  upc: string
  typeIds: readonly string[]
  now: number
  isTouched: boolean
  isClosed: boolean
  noTicket: boolean
}
export type CampaignUnitDiscount = readonly [piece: BasketUnit, amount: number]
type MatchOutcome = { takes: CampaignUnitDiscount[]; used: BasketUnit[] } | Pick<MissedOffer, 'why' | 'lacking'>

/** Returns what a rule takes off the given pieces, and which pieces it used. */
export function computeCampaignDiscount(rule: CampaignRule, open: readonly BasketUnit[]): MatchOutcome {
  switch (rule.type) {
    case 'fullReduction':
      return matchReduction(rule, open)
    case 'percentage':
      return matchPercentage(rule, open)
    case 'fixedPrice':
      return matchFixedPrice(rule, open)
    case 'nthPiece':
      return matchNthPiece(rule, open)
    case 'bundle':
      return matchBundle(rule, open)
  }
}

function matchReduction({ tiers, repeat }: RuleOf<'fullReduction'>, open: readonly BasketUnit[]): MatchOutcome {
  const sum = sumUnitPrices(open)
  const tier = tiers.findLast((one) => sum >= one.over)
  if (!tier) return { why: 'threshold', lacking: tiers[0]!.over - sum }
  const off = repeat ? Math.floor(sum / tier.over) * tier.off : tier.off
  return { takes: allocateDiscount(Math.min(off, sum), open), used: [...open] }
}

function matchPercentage({ rate, cap }: RuleOf<'percentage'>, open: readonly BasketUnit[]): MatchOutcome {
  const takes = open.map((piece): CampaignUnitDiscount => [piece, piece.now - amountAtRate(piece.now, rate)])
  const sum = takes.reduce((all, [, amount]) => all + amount, 0)
  return { takes: cap !== null && sum > cap ? allocateDiscount(cap, open) : takes, used: [...open] }
}

function matchFixedPrice({ price, maxPieces }: RuleOf<'fixedPrice'>, open: readonly BasketUnit[]): MatchOutcome {
  const dear = dearest(open.filter((piece) => piece.now > price)).slice(0, maxPieces ?? undefined)
  return { takes: dear.map((piece): CampaignUnitDiscount => [piece, piece.now - price]), used: dear }
}

function matchNthPiece({ n, rate, mixed }: RuleOf<'nthPiece'>, open: readonly BasketUnit[]): MatchOutcome {
  const groups = mixed ? [open] : [...Map.groupBy(open, (piece) => piece.upc).values()]
  const used = groups.flatMap((group) => {
    const sorted = dearest(group)
    return sorted
      .slice(0, sorted.length - (sorted.length % n))
      .map((piece, at) => ({ piece, isNth: (at + 1) % n === 0 }))
  })
  if (!used.length) return { why: 'pieces', lacking: n - Math.max(...groups.map((group) => group.length)) }
  return {
    takes: used.flatMap(({ piece, isNth }): CampaignUnitDiscount[] =>
      isNth ? [[piece, piece.now - amountAtRate(piece.now, rate)]] : [],
    ),
    used: used.map(({ piece }) => piece),
  }
}

function matchBundle({ items, pieces, price }: RuleOf<'bundle'>, open: readonly BasketUnit[]): MatchOutcome {
  const sets = items.length ? setsOf(items, open) : groupsOf(dearest(open), pieces)
  if (!sets.length) return { why: 'pieces', lacking: items.length ? lackingOf(items, open) : pieces - open.length }
  const takes: CampaignUnitDiscount[] = []
  const used: BasketUnit[] = []
  for (const set of sets) {
    const gain = sumUnitPrices(set) - price
    if (gain <= 0) continue
    takes.push(...allocateDiscount(gain, set))
    used.push(...set)
  }
  return { takes, used }
}

const groupsOf = (pieces: readonly BasketUnit[], size: number): BasketUnit[][] =>
  Array.from({ length: Math.floor(pieces.length / size) }, (_unused, at) => pieces.slice(at * size, (at + 1) * size))

type Item = { upc: string; quantity: number }
function piecesOf({ upc }: Item, open: readonly BasketUnit[]): BasketUnit[] {
  const label = normalizeBarcode(upc)
  return open.filter((piece) => piece.upc === label)
}
function setsOf(items: readonly Item[], open: readonly BasketUnit[]): BasketUnit[][] {
  const stacks = items.map((item) => ({ quantity: item.quantity, pieces: dearest(piecesOf(item, open)) }))
  const count = Math.min(...stacks.map(({ quantity, pieces }) => Math.floor(pieces.length / quantity)))
  return Array.from({ length: count }, (_unused, at) =>
    stacks.flatMap(({ quantity, pieces }) => pieces.slice(at * quantity, (at + 1) * quantity)),
  )
}
const lackingOf = (items: readonly Item[], open: readonly BasketUnit[]) =>
  items.reduce((sum, item) => sum + Math.max(0, item.quantity - piecesOf(item, open).length), 0)

const dearest = (pieces: readonly BasketUnit[]) => pieces.toSorted((a, b) => b.now - a.now)

/**
 * Shares `total` over the pieces in proportion to their present price. Shares are differences of rounded running sums,
 * so that they add up.
 */
export function allocateDiscount(total: number, pieces: readonly BasketUnit[]): CampaignUnitDiscount[] {
  const sum = sumUnitPrices(pieces)
  let run = 0
  let given = 0
  return pieces.map((piece) => {
    run += piece.now
    const amount = sum ? mulDiv(total, run, sum) - given : 0
    given += amount
    return [piece, amount]
  })
}

/** Makes a function that tells whether a product is in a scope; made once for many products. */
export function createScopeMatcher({
  upcs,
  typeIds,
}: GoodsScope): (goods: Pick<BasketUnit, 'upc' | 'typeIds'>) => boolean {
  if (!upcs.length && !typeIds.length) return () => true
  const [barcodes, types] = [new Set(upcs), new Set(typeIds)]
  return (goods) => barcodes.has(goods.upc) || goods.typeIds.some((id) => types.has(id))
}

export const sumUnitPrices = (pieces: readonly BasketUnit[]) => pieces.reduce((sum, piece) => sum + piece.now, 0)

/** Rounds half a cent up. */
export const amountAtRate = (amount: number, rate: number) => mulDiv(amount, rate, 10_000)

/** a × b ÷ c rounded, half up, exact also where the product leaves the safe integers. */
function mulDiv(a: number, b: number, c: number): number {
  const product = a * b
  if (product <= Number.MAX_SAFE_INTEGER / 4) return Math.floor((2 * product + c) / (2 * c))
  return Number((2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c)))
}
