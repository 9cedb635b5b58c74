/** Demo data of this module, loaded only when it is seeded. */
export const eleStory = () => import('./ele.demo.ts')
