import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/printerInfo': () => import('./printer-info.page.tsx'),
    '/device/printJob': () => import('./print-job.page.tsx'),
    '/device/printAccount': () => import('./print-account.page.tsx'),
  },
} satisfies ModulePages
