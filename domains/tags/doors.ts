import './refusals.ts'

export { confirmedPrices } from './confirmed-prices.ts'
export { queueTags } from './queue-tags.ts'
export { tagPromotions, type TagPromotion } from './tag-content.ts'
