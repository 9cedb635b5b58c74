import './refusals.ts'

/** The demo story of this room, told once the merchants have their bills. */
export const tallyStory = () => import('./tally.demo.ts')
export { compareDay, dayOf, type Fetched } from './compare-day.ts'
