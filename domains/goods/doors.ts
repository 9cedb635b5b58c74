import './refusals.ts'

export { notePrices } from './prices.ts'
