export const importMeituanStory = () => import('./meituan.demo.ts')
