import './refusals.ts'

export { hasLabel, joinGoodsByLabel, labelColumn, lockLabels, sameLabel } from './labels.ts'
export { lowSql } from './low-stock.ts'
export { pieceCost } from './piece-cost.ts'
export { notePrices } from './prices.ts'
