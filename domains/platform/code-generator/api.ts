/** Demo data of the module, loaded only when it is seeded. */
export const importCodeGeneratorStory = () => import('./develop.demo.ts')
