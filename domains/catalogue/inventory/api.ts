import './refusals.ts'

export { expiringAt } from './expiring.ts'
export { grownSince } from './grown-since.ts'
export {
  lockStock,
  lockByBarcode,
  lockGoods,
  moveStock,
  planLockedMove,
  OPEN_BATCH,
  type BatchShare,
  type LockedStock,
  type StockMovePlan,
  type StockLine,
  type StockMove,
  type StockResult,
} from './stock.ts'
export { newBatchNo, receiveGoods, type Receipt, type ReceiptLine } from './receive-goods.ts'
export { lastsDays, weekdayOf, type SalesRate } from './sales-rate.ts'
export { salesRates } from './sales-rates.ts'
export { returnedOf, worthReturned } from './returned-of.ts'
export { stockChecks } from './stock-checks.ts'
export type { Share, ShelfGood, Shelves } from './goods.demo.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const stockStory = () => import('./goods.demo.ts')

/** Demo data that needs the shops' history, seeded after it. */
export const shelvesStory = () => import('./shelves.demo.ts')
