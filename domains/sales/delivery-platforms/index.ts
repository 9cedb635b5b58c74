export { ELE_CALLBACK_PATH } from './ele-callback.ts'
export { SYNC_STATE } from './dictionaries.ts'
export {
  createDeliveryActions,
  followsPriceField,
  autoAcceptField,
  billedTimeField,
  shopDeliveryField,
  platformMarkupField,
  platformOpeningFields,
  localGoodIdField,
  platformSkuIdField,
  lineRefundAction,
  stockBufferField,
  platformStockField,
  syncFields,
  refundRefusalReasons,
} from './sync-fields.ts'
export { platformShopStatusFields } from './standing.ts'
export { thirdApi } from './third-api.resource.ts'
export { markWaitingForSync } from './change-waits.ts'
export { platformAsk } from './platform-ask.resource.ts'
export { platformDifference } from './platform-difference.resource.ts'
