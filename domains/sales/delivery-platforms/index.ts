export { ELE_CALLBACK } from './ele-callback.ts'
export { SYNC } from './dictionaries.ts'
export {
  actionsOfDelivery,
  followsPrice,
  isAutoAccepted,
  billedTime,
  isOwnDelivery,
  markup,
  openFields,
  ourGoodId,
  platformSkuId,
  refundOfLine,
  stockBuffer,
  stockThere,
  syncFields,
  usualRefusals,
} from './sync-fields.ts'
export { standingFields } from './standing.ts'
export { thirdApi } from './third-api.resource.ts'
export { waitsForSync } from './change-waits.ts'
export { platformAsk } from './platform-ask.resource.ts'
export { platformDifference } from './platform-difference.resource.ts'
