/** Demo data of this module, loaded only when it is seeded. */
export const importMeituanStory = () => import('./meituan.demo.ts')
