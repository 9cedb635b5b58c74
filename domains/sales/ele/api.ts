export const importEleStory = () => import('./ele.demo.ts')
