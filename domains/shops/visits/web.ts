import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  rowPages: { customerVisitLog: '/shop/customerVisitLog/:id' },
  pages: {
    '/shop/customerVisitLog': () => import('./visit.page.tsx'),
    '/shop/customerVisitLog/:id': () => import('./whole-visit.page.tsx'),
  },
} satisfies ModulePages
