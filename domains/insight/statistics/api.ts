/** Demo data of this module, loaded only when it is seeded. */
export const statisticsStory = () => import('./statistics.demo.ts')
export { differences, foldAll, rebuild } from './fold.job.ts'
export { visitorsAnewSql } from './rollups.ts'
export { salesKeeper } from './sales-keeper.ts'
