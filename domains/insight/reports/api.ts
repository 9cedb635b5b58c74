/** The demo story of this room. */
export const reportStory = () => import('./report-files.demo.ts')
