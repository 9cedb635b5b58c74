import './refusals.ts'

export { confirmedPrices } from './confirmed-prices.ts'
export { queueTags } from './queue-tags.ts'
export { tagPromotions, type TagPromotion } from './tag-content.ts'
export type { StoryCarrier } from './tags.demo.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const tagsStory = () => import('./tags.demo.ts')
