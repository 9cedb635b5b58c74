export {
  stockMovementSources,
  stockMovementTypes,
  type StockMovementSource,
  type StockMovementType,
} from './dictionaries.ts'
export { storageBatch } from './storage-batch.resource.ts'
export { storageLog } from './storage-log.resource.ts'
export { returnLog } from './return-log.resource.ts'
export { stocktake } from './stocktake.resource.ts'
export { stocktakeLine } from './stocktake-line.resource.ts'
export { stockTransfer } from './stock-transfer.resource.ts'
