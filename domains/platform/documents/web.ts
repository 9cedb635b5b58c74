import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/printTemplate': () => import('./print-template.page.tsx'),
    '/prints/sheet/:kind': () => import('./print.page.tsx'),
  },
} satisfies ModulePages
