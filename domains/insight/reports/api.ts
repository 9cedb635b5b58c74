/** Demo data of this module, loaded only when it is seeded. */
export const reportStory = () => import('./report-files.demo.ts')
