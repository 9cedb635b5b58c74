/** Demo data of this module, loaded only when it is seeded. */
export const importEleStory = () => import('./ele.demo.ts')
