/** Demo data of this module, loaded only when it is seeded. */
export const meituanStory = () => import('./meituan.demo.ts')
