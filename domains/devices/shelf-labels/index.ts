export { priceTag } from './price-tag.resource.ts'
export { priceTagLog } from './price-tag-log.resource.ts'
export { TAG } from './dictionaries.ts'
