import type { ModulePages } from '#kit/web/module-pages.ts'

export default {
  pages: {
    '/wel/index': () => import('./home.page.tsx'),
    '/statistics/business': () => import('./business.page.tsx'),
  },
} satisfies ModulePages
