import './refusals.ts'

export { confirmedPrices } from './confirmed-prices.ts'
export { queueTags } from './queue-tags.ts'
export { tagPromotions, type TagPromotion } from './tag-content.ts'
export type { StoryCarrier } from './tags.demo.ts'

/** The demo story of this room, loaded when it is told. */
export const tagsStory = () => import('./tags.demo.ts')
