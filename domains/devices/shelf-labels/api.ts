import './refusals.ts'

export { findConfirmedTagPrices } from './confirmed-prices.ts'
export { queueTagsOfGoods } from './queue-tags.ts'
export { tagPromotionsSlot, type TagPromotion } from './tag-content.ts'
export type { DemoEslProvider as StoryEslProvider } from './tags.demo.ts'

/** Loads the module's demo data, only when it is seeded. */
export const importShelfLabelsDemo = () => import('./tags.demo.ts')
