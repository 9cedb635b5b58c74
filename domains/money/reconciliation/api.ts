import './refusals.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const tallyStory = () => import('./tally.demo.ts')
export { compareDay, dayOf, type Fetched } from './compare-day.ts'
