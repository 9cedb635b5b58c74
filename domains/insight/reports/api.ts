/** Demo data of this module, loaded only when it is seeded. */
export const importReportsStory = () => import('./report-files.demo.ts')
