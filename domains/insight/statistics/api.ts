/** Imports the demo data of this module, only when it is seeded. */
export const importStatisticsDemo = () => import('./statistics.demo.ts')
export { findRollupDifferences, foldRollupDeltas, rebuildRollups } from './fold.job.ts'
export { rebuildDailyVisitorsSql } from './rollups.ts'
export { salesRollupSource } from './sales-keeper.ts'
