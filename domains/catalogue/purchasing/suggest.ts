import { daysOfStockLeft, type SalesRate } from '#domains/catalogue/inventory/api.ts'

/** Facts about one supplier product in one shop; quantities in pieces. */
export type ReorderFacts = {
  /** Stock now; negative counts as 0. */
  stock: number
  /** Pieces ordered but not delivered yet. */
  onOrder: number
  /** Sales of an average day by weekday (Monday first), and on average. */
  rate: Pick<SalesRate, 'perDay' | 'perWeekday'>
  /** Days from order to delivery. */
  leadDays: number
  /** Days a delivery must last. */
  coverDays: number
  /** Weekday of today, Monday 0. */
  today: number
  boxQty: number
  minOrder: number
  shelfDays: number | null
  /** Warning line: reserve that should always remain. */
  lowStock: number
  /** Stock of the supplier; null for unlimited. */
  available: number | null
}

/** One step of the calculation; `after` is the quantity after it. */
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
 * Computes how much to order: the sales expected during lead and cover days, plus the reserve, less stock and open
 * orders. Limited to what sells within the shelf life and what the supplier has, rounded to whole boxes and at least
 * the minimum order. 0 if nothing is needed.
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
  // After rounding up to boxes the quantity must still sell within the shelf life.
  if (quantity > sellable) step('shelfLife', shelfDays!, boxes(sellable, Math.floor), { days: shelfDays! })
  if (available !== null && quantity > available) step('available', available, boxes(available, Math.floor))
  return { quantity: quantity < minOrder ? 0 : quantity, perDay, lastsDays: lasts, reasons }
}
