export {
  ALL_SHOPS_LABEL,
  basicShopInfo,
  recordedInShopField,
  allShopsIfEmptyFieldOptions,
  shopIdField,
  shopIdsField,
} from './basic-shop-info.resource.ts'
export { latitudeField, longitudeField } from './place-fields.ts'
export { shopConf } from './shop-conf.resource.ts'
export { unmannedLog } from './unmanned-log.resource.ts'
export { wxShoper } from './wx-shoper.resource.ts'
export { homeTopic } from './topics.ts'
