import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/desk/bin': () => import('#kit/web/list/bin-page.tsx'),
    '/desk/notice': () => import('./notice.page.tsx'),
  },
} satisfies ModulePages
