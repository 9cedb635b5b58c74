import './refusals.ts'

export { confirmedPrices } from './confirmed-prices.ts'
export { queueTags } from './goods-tags.server.ts'
export { tagPromotions, type TagPromotion } from './tag-content.ts'
