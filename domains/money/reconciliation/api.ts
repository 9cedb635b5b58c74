import './refusals.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const importReconciliationStory = () => import('./tally.demo.ts')
export { compareDay, lockAccountDay, type FetchedStatement } from './compare-day.ts'
