import './refusals.ts'

export { hasBarcodeSql, joinGoodsByLabel, normalizedBarcodeSql, lockBarcodes, sameBarcodeSql } from './labels.ts'
export { lowStockSql } from './low-stock.ts'
export { pieceCostSql } from './piece-cost.ts'
export { recordPriceChange } from './prices.ts'
