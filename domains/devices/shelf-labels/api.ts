import './refusals.ts'

export { findConfirmedTagPrices } from './confirmed-prices.ts'
export { queueTagsOfGoods } from './queue-tags.ts'
export { tagPromotionsSlot, type TagPromotion } from './tag-content.ts'
export type { StoryEslProvider } from './tags.demo.ts'

/** Loads the module's demo data, only when it is seeded. */
export const importShelfLabelsStory = () => import('./tags.demo.ts')
