export const importEleDemo = () => import('./ele.demo.ts')
