import './refusals.ts'

export { lowSql } from './low-stock.ts'
export { notePrices } from './prices.ts'
