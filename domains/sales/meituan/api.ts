export const importMeituanDemo = () => import('./meituan.demo.ts')
