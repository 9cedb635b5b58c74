/** Imports the demo data of this module, only when it is seeded. */
export const importReportsDemo = () => import('./report-files.demo.ts')
