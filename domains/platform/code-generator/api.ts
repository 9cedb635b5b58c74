/** Demo data of the module, loaded only when it is seeded. */
export const developStory = () => import('./develop.demo.ts')
