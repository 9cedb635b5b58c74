/** Imports the demo data of this module, only when it is seeded. */
export const importReportsStory = () => import('./report-files.demo.ts')
