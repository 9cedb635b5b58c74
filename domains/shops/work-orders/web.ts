import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/shop/workInfo': () => import('./work-info.page.tsx'),
    '/shop/joinUs': () => import('./join-us.page.tsx'),
  },
} satisfies ModulePages
