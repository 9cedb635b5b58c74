import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import type { CampaignRule } from './campaign-rules.ts'
import type { BasketLine, CampaignOffer, PricedBasket } from './basket.ts'
import { priceBasket } from './pricing.ts'

/** A product in an example: one per barcode, at the lowest price of all shops; amounts in cents. */
export type CampaignGoods = { upc: string; name: string; price: number; cost: number }

const MOST = 60

/** Adds one piece of each product in turn until `isEnough`. */
function inTurn(
  goods: readonly CampaignGoods[],
  isEnough: (sum: number, count: number) => boolean,
): Map<CampaignGoods, number> {
  const taken = new Map<CampaignGoods, number>()
  let [sum, count] = [0, 0]
  while (goods.length && count < MOST && !isEnough(sum, count)) {
    const next = goods[count % goods.length]!
    taken.set(next, (taken.get(next) ?? 0) + 1)
    sum += next.price
    count++
  }
  return taken
}

const KINDS = 3

/** The smallest basket of goods at hand that shows what a rule does. */
function basketFor(rule: CampaignRule, goods: readonly CampaignGoods[]): Map<CampaignGoods, number> {
  const some = goods.slice(0, KINDS)
  switch (rule.type) {
    case 'fullReduction':
      return inTurn(some, (sum) => sum >= rule.tiers[0]!.over)
    case 'percentage':
      return inTurn(some, (_sum, count) => count >= some.length)
    case 'fixedPrice':
      // One piece more than the limit shows that further pieces cost the normal price.
      return inTurn(
        goods.filter((one) => one.price > rule.price).slice(0, 1),
        (_sum, count) => count >= (rule.maxPieces && rule.maxPieces < 5 ? rule.maxPieces + 1 : 2),
      )
    case 'nthPiece':
      return inTurn(rule.mixed ? some : goods.slice(0, 1), (_sum, count) => count >= rule.n)
    case 'bundle': {
      if (!rule.items.length) return inTurn(some, (_sum, count) => count >= rule.pieces)
      const items = rule.items.flatMap((item) =>
        goods.filter((one) => isSameBarcode(one.upc, item.upc)).map((one) => [one, item.quantity] as const),
      )
      return items.length === rule.items.length ? new Map(items) : new Map()
    }
  }
}

type Example = { lines: { name: string; quantity: number }[]; priced: PricedBasket; cost: number }

/** A basket the rule counts for, priced by the engine itself; undefined without goods to show it on. */
export function createCampaignExample(rule: CampaignRule, goods: readonly CampaignGoods[]): Example | undefined {
  const basket = basketFor(
    rule,
    goods.filter((one) => one.price > 0),
  )
  if (!basket.size) return undefined
  const lines = [...basket].map(([one, quantity]): BasketLine => ({
    upc: one.upc,
    goodId: null,
    name: one.name,
    price: one.price,
    quantity,
    typeIds: [],
  }))
  const draft: CampaignOffer = {
    id: '0',
    name: '',
    rule,
    priority: 0,
    membersOnly: false,
    stackable: false,
    withVip: true,
    withTicket: true,
    left: null,
    times: null,
    upcs: [],
    typeIds: [],
  }
  return {
    lines: lines.map(({ name, quantity }) => ({ name, quantity })),
    priced: priceBasket(lines, { campaigns: [draft], tickets: [], ticketChoice: 'all' }),
    cost: [...basket].reduce((sum, [one, quantity]) => sum + one.cost * quantity, 0),
  }
}
