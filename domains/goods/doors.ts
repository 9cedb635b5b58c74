import './refusals.ts'

export { hasLabel, isFormOf, labelColumn, labelForms, lockLabels, sameLabel } from './labels.ts'
export { lowSql } from './low-stock.ts'
export { pieceCost } from './piece-cost.ts'
export { notePrices } from './prices.ts'
