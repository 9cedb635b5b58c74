import './refusals.ts'

export { notePrices } from './prices.ts'
export { drawBarcode } from './read-barcode.ts'
