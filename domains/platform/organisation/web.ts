import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/system/dept': () => import('./dept.page.tsx'),
    '/system/post': () => import('./post.page.tsx'),
  },
} satisfies ModulePages
