export const importCodeGeneratorDemo = () => import('./develop.demo.ts')
