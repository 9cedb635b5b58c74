/** The room's part of the demo story, loaded only by who tells it. */
export const developStory = () => import('./develop.demo.ts')
