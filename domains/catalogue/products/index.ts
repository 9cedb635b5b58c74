export {
  barcodeFault,
  ByLabel,
  checkDigit,
  formsOf,
  isBarcode,
  isSameLabel,
  labelKinds,
  labelOf,
  printedNumber,
  shortFault,
} from './barcode.ts'
export { barcodes, upc } from './barcodes.resource.ts'
export { costOf } from './cost-of.ts'
export { goodId, goodInfo } from './good-info.resource.ts'
export { isLow } from './low-stock.ts'
export { goodType } from './good-type.resource.ts'
export { goodPriceLog } from './good-price-log.resource.ts'
