/** The demo story of this room, told once the shops have their history. */
export const statisticsStory = () => import('./statistics.demo.ts')
export { differences, foldAll, rebuild } from './fold.job.ts'
export { visitorsAnewSql } from './rollups.ts'
export { salesKeeper } from './sales-keeper.ts'
