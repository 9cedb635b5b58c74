export { priceTag } from './price-tag.resource.ts'
export { priceTagLog } from './price-tag-log.resource.ts'
export { PRICE_TAG_STATE } from './dictionaries.ts'
