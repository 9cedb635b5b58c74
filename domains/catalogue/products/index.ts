export {
  findBarcodeFault,
  BarcodeMap,
  checkDigit,
  listBarcodeForms,
  isBarcode,
  isSameBarcode,
  barcodeFormats,
  normalizeBarcode,
  toPrintedBarcode,
  findUpcEFault,
} from './barcode.ts'
export { barcodes, upcField } from './barcodes.resource.ts'
export { costOf } from './cost-of.ts'
export { goodIdField, goodInfo } from './good-info.resource.ts'
export { isLowStock } from './low-stock.ts'
export { goodType } from './good-type.resource.ts'
export { goodPriceLog } from './good-price-log.resource.ts'
