import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/resource/oss': () => import('./oss.page.tsx'),
    '/resource/attach': () => import('./attach.page.tsx'),
  },
} satisfies ModulePages
