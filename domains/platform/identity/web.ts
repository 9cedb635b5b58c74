import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/system/user': () => import('./user.page.tsx'),
  },
} satisfies ModulePages
