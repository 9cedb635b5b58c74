import './refusals.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importReconciliationDemo = () => import('./reconciliation.demo.ts')
export { compareDay, lockAccountDay, type FetchedStatement } from './compare-day.ts'
