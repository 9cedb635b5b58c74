export const importCodeGeneratorStory = () => import('./develop.demo.ts')
