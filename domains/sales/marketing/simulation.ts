import { formatYuan } from '#kit/fields/money/cents.ts'
import type { BasketLine, CampaignOffer, PricedBasket } from './basket.ts'
import { priceBasket } from './pricing.ts'

export const SIMULATION_DAYS = 30
const GOODS_MAX = 200

/** What a draft would have done to the orders of the last days, if customers had bought the same; amounts in cents. */
export type CampaignSimulation = {
  state: 'running' | 'done'
  askedAt: string
  doneAt: string | null
  /** Days gone through. */
  progress: number
  days: number
  orders: number
  hitOrders: number
  cost: number
  payBefore: number
  payAfter: number
  goodsCost: number
  byDay: { date: string; orders: number; hitOrders: number; cost: number }[]
  goods: SimulatedProduct[]
  shops: { id: string; name: string; orders: number; hitOrders: number; cost: number }[]
  /** Other campaigns of that time: how many orders they would share, and how many cents less they would give. */
  clashes: { id: string; name: string; orders: number; displaced: number }[]
  belowCost: { lines: number; loss: number }
  budgetGone: string | null
}
type SimulatedProduct = {
  upc: string
  name: string
  quantity: number
  discount: number
  salesBefore: number
  salesAfter: number
  cost: number
  belowCost: number
}

export const createEmptySimulation = (requestedAt: string): CampaignSimulation => ({
  state: 'running',
  askedAt: requestedAt,
  doneAt: null,
  progress: 0,
  days: SIMULATION_DAYS,
  orders: 0,
  hitOrders: 0,
  cost: 0,
  payBefore: 0,
  payAfter: 0,
  goodsCost: 0,
  byDay: [],
  goods: [],
  shops: [],
  clashes: [],
  belowCost: { lines: 0, loss: 0 },
  budgetGone: null,
})

export type PastOrder = {
  id: string
  shopId: string
  shopName: string
  wxUserId: string | null
  isMember: boolean
  lines: {
    upc: string
    goodId: string | null
    name: string
    price: number
    vipPrice: number | null
    quantity: number
    cost: number
    typeIds: string[]
  }[]
}

type Sums = {
  sum: CampaignSimulation
  goods: Map<string, SimulatedProduct>
  shops: Map<string, CampaignSimulation['shops'][number]>
  clashes: Map<string, CampaignSimulation['clashes'][number]>
}

/** Simulates a draft campaign on past orders, together with the other campaigns of that time. */
export function createCampaignSimulation(
  draft: CampaignOffer & { perUser: number; budget: number | null },
  others: readonly CampaignOffer[],
  requestedAt: string,
) {
  const sums: Sums = { sum: createEmptySimulation(requestedAt), goods: new Map(), shops: new Map(), clashes: new Map() }
  const { sum } = sums
  const turns = new Map<string, number>()
  let spent = 0
  return {
    /** Adds an order. `isHere` tells whether another campaign applies in its shop. */
    add: (date: string, order: PastOrder, isHere: (campaignId: string) => boolean): void => {
      const here = others.filter((one) => isHere(one.id))
      const before = pricedAgain(order, here)
      const used = order.wxUserId ? (turns.get(order.wxUserId) ?? 0) : 0
      const times = draft.perUser ? (order.wxUserId ? draft.perUser - used : 0) : null
      const left = draft.budget === null ? null : draft.budget - spent
      const after = pricedAgain(order, [...here, { ...draft, times, left }])
      const mine = after.campaigns.find((one) => one.id === draft.id)
      if (!sum.budgetGone && after.missed.some((one) => one.refId === draft.id && one.why === 'budget'))
        sum.budgetGone = date
      if (mine && order.wxUserId) turns.set(order.wxUserId, used + 1)
      if (mine) spent += mine.amount
      addOrder(sums, date, order, { before, after, isHit: mine !== undefined })
      addGoods(sums, order, before, after)
      if (mine) addClashes(sums, before, after)
    },
    /** The result so far; final when `doneAt` is given. */
    result: (progress: number, doneAt: string | null): CampaignSimulation => resultOf(sums, progress, doneAt),
  }
}

const pricedAgain = (order: PastOrder, campaigns: readonly CampaignOffer[]): PricedBasket =>
  priceBasket(
    order.lines.map((line): BasketLine => ({
      ...line,
      member:
        line.vipPrice !== null && line.vipPrice < line.price ? { price: line.vipPrice, refId: line.goodId } : null,
    })),
    {
      ...(order.isMember ? { member: { levelId: '0', name: '', rate: 10_000 } } : {}),
      campaigns,
      tickets: [],
      ticketChoice: 'all',
    },
  )

function addOrder(
  { sum, shops }: Sums,
  date: string,
  order: PastOrder,
  { before, after, isHit }: { before: PricedBasket; after: PricedBasket; isHit: boolean },
): void {
  const cost = before.payAmount - after.payAmount
  const day =
    sum.byDay.at(-1)?.date === date
      ? sum.byDay.at(-1)!
      : (sum.byDay.push({ date, orders: 0, hitOrders: 0, cost: 0 }), sum.byDay.at(-1)!)
  const shop =
    shops.get(order.shopId) ??
    shops
      .set(order.shopId, { id: order.shopId, name: order.shopName, orders: 0, hitOrders: 0, cost: 0 })
      .get(order.shopId)!
  for (const one of [sum, day, shop]) {
    one.orders++
    one.hitOrders += isHit ? 1 : 0
    one.cost += cost
  }
  sum.payBefore += before.payAmount
  sum.payAfter += after.payAmount
  sum.goodsCost += order.lines.reduce((all, line) => all + line.cost, 0)
}

function addGoods({ sum, goods }: Sums, order: PastOrder, before: PricedBasket, after: PricedBasket): void {
  const costs = new Map<string, number>()
  for (const line of order.lines) costs.set(line.upc, (costs.get(line.upc) ?? 0) + line.cost)
  const paid = Map.groupBy(before.lines, (line) => line.upc)
  for (const [upc, lines] of Map.groupBy(after.lines, (line) => line.upc)) {
    const now = lines.reduce((all, line) => all + line.amount, 0)
    const was = (paid.get(upc) ?? []).reduce((all, line) => all + line.amount, 0)
    const cost = costs.get(upc) ?? 0
    const row =
      goods.get(upc) ??
      goods
        .set(upc, {
          upc,
          name: lines[0]!.name,
          quantity: 0,
          discount: 0,
          salesBefore: 0,
          salesAfter: 0,
          cost: 0,
          belowCost: 0,
        })
        .get(upc)!
    row.quantity += lines.reduce((all, line) => all + line.quantity, 0)
    row.discount += was - now
    row.salesBefore += was
    row.salesAfter += now
    row.cost += cost
    if (cost > 0 && now < cost && now < was) {
      row.belowCost++
      sum.belowCost.lines++
      sum.belowCost.loss += cost - now
    }
  }
}

function addClashes({ clashes }: Sums, before: PricedBasket, after: PricedBasket): void {
  for (const other of before.campaigns) {
    const still = after.campaigns.find((one) => one.id === other.id)
    const clash =
      clashes.get(other.id) ??
      clashes.set(other.id, { id: other.id, name: other.name, orders: 0, displaced: 0 }).get(other.id)!
    clash.orders++
    clash.displaced += Math.max(0, other.amount - (still?.amount ?? 0))
  }
}

const resultOf = (
  { sum, goods, shops, clashes }: Sums,
  progress: number,
  doneAt: string | null,
): CampaignSimulation => ({
  ...sum,
  progress,
  doneAt,
  state: doneAt ? 'done' : 'running',
  goods: [...goods.values()]
    .filter((row) => row.discount !== 0)
    .sort((a, b) => b.discount - a.discount || (a.upc < b.upc ? -1 : 1))
    .slice(0, GOODS_MAX),
  shops: [...shops.values()].sort((a, b) => b.cost - a.cost || (a.id < b.id ? -1 : 1)),
  clashes: [...clashes.values()].sort((a, b) => b.orders - a.orders || (a.id < b.id ? -1 : 1)),
})

/** Converts the result for the answer; amounts in yuan. */
export const campaignSimulationToWire = (row: CampaignSimulation) => ({
  ...row,
  cost: formatYuan(row.cost),
  payBefore: formatYuan(row.payBefore),
  payAfter: formatYuan(row.payAfter),
  goodsCost: formatYuan(row.goodsCost),
  byDay: row.byDay.map((day) => ({ ...day, cost: formatYuan(day.cost) })),
  shops: row.shops.map((shop) => ({ ...shop, cost: formatYuan(shop.cost) })),
  goods: row.goods.map((one) => ({
    ...one,
    discount: formatYuan(one.discount),
    salesBefore: formatYuan(one.salesBefore),
    salesAfter: formatYuan(one.salesAfter),
    cost: formatYuan(one.cost),
  })),
  clashes: row.clashes.map((clash) => ({ ...clash, displaced: formatYuan(clash.displaced) })),
  belowCost: { ...row.belowCost, loss: formatYuan(row.belowCost.loss) },
  doneAt: row.doneAt ?? '',
  budgetGone: row.budgetGone ?? '',
})
