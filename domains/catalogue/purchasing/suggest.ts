import { daysOfStockLeft, type SalesRate } from '#domains/catalogue/inventory/api.ts'

/** What is known of one of a supplier's goods in one shop; quantities in pieces as sold. */
export type ReorderFacts = {
  /** Stock now; below zero counts as nothing. */
  stock: number
  /** Ordered and not yet come. */
  onOrder: number
  /** What sells on an ordinary day of each weekday (Monday first), and on average. */
  rate: Pick<SalesRate, 'perDay' | 'perWeekday'>
  /** Days from order to delivery. */
  leadDays: number
  /** Days a delivery shall last. */
  coverDays: number
  /** Weekday of today, Monday 0. */
  today: number
  boxQty: number
  minOrder: number
  shelfDays: number | null
  /** Never to fall below. */
  lowStock: number
  /** The supplier's own stock; null: as much as is wanted. */
  available: number | null
}

/** Why a quantity is what it is, step by step; `after` is the quantity after the step. */
export type ReorderReason = {
  code: 'sales' | 'reserve' | 'stock' | 'onOrder' | 'shelfLife' | 'minOrder' | 'box' | 'available'
  amount: number
  days?: number
  after: number
}

export type ReorderSuggestion = { quantity: number; perDay: number; lastsDays: number | null; reasons: ReorderReason[] }

/** Expected sales of the `days` days that follow today, weekday by weekday. */
export function expectedSales({ rate, today }: Pick<ReorderFacts, 'rate' | 'today'>, days: number): number {
  let sum = 0
  for (let day = 1; day <= days; day++) sum += rate.perWeekday[(today + day) % 7] ?? 0
  return sum
}

/**
 * How much to order now: sales expected until the next delivery has been sold, plus the reserve, less what is there and
 * on its way; never more than sells within the shelf life; in whole boxes, from the smallest order on. 0 when nothing
 * is needed.
 */
export function suggestReorderQuantity(supply: ReorderFacts): ReorderSuggestion {
  const { leadDays, coverDays, boxQty, minOrder, shelfDays, available } = supply
  const reasons: ReorderReason[] = []
  const days = leadDays + coverDays
  const sales = Math.ceil(expectedSales(supply, days))
  let quantity = sales
  const step = (code: ReorderReason['code'], amount: number, after: number, more: { days?: number } = {}) => {
    quantity = after
    reasons.push({ code, amount, after, ...more })
  }
  step('sales', sales, sales, { days })
  if (supply.lowStock > 0) step('reserve', supply.lowStock, quantity + supply.lowStock)
  const stock = Math.max(supply.stock, 0)
  if (stock) step('stock', stock, quantity - stock)
  if (supply.onOrder > 0) step('onOrder', supply.onOrder, quantity - supply.onOrder)
  const { perDay } = supply.rate
  const lasts = daysOfStockLeft(stock, supply.rate)
  if (quantity <= 0) return { quantity: 0, perDay, lastsDays: lasts, reasons }
  const sellable =
    shelfDays === null
      ? Number.POSITIVE_INFINITY
      : Math.max(Math.floor(expectedSales(supply, leadDays + shelfDays)) - stock - Math.max(supply.onOrder, 0), 0)
  if (sellable < quantity) step('shelfLife', shelfDays!, sellable, { days: shelfDays! })
  if (quantity <= 0) return { quantity: 0, perDay, lastsDays: lasts, reasons }
  if (quantity < minOrder) step('minOrder', minOrder, minOrder)
  const boxes = (pieces: number, round: (n: number) => number) => round(pieces / boxQty) * boxQty
  if (quantity % boxQty) step('box', boxQty, boxes(quantity, Math.ceil))
  // Rounding up must not outlive the goods: what spoils is not bought to fill a box.
  if (quantity > sellable) step('shelfLife', shelfDays!, boxes(sellable, Math.floor), { days: shelfDays! })
  if (available !== null && quantity > available) step('available', available, boxes(available, Math.floor))
  return { quantity: quantity < minOrder ? 0 : quantity, perDay, lastsDays: lasts, reasons }
}
