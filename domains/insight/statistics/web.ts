import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/wel/index': () => import('./home.page.tsx'),
    '/statistics/business': () => import('./business.page.tsx'),
  },
} satisfies ModulePages
