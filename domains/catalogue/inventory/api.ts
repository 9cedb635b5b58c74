import './refusals.ts'

export { expiringBatchesSql } from './expiring.ts'
export { stockGrowthSinceSql } from './grown-since.ts'
export {
  lockStock,
  lockByBarcode,
  lockGoods,
  moveStock,
  planLockedMove,
  OPEN_BATCH_NO,
  type BatchShare,
  type LockedStock,
  type StockMovePlan,
  type StockMoveLine,
  type StockMove,
  type StockMoveResult,
} from './stock.ts'
export { newBatchNo, receiveGoods, type StockReceipt, type StockReceiptLine } from './receive-goods.ts'
export { daysOfStockLeft, weekdayOf, type SalesRate } from './sales-rate.ts'
export { loadSalesRates } from './sales-rates.ts'
export { countReturnedPieces, supplierReturnCentsSql } from './returned-of.ts'
export { stockConsistencySql } from './stock-checks.ts'
export type { ShelfBatchShare, ShelfGood, Shelves } from './goods.demo.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importStockDemo = () => import('./goods.demo.ts')

/** Imports the demo data that needs the shops' demo history and is therefore seeded after it. */
export const importShelvesDemo = () => import('./shelves.demo.ts')
