import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/system/dict': () => import('./dict.page.tsx'),
    '/system/dictbiz': () => import('./dict-biz.page.tsx'),
    '/dict-horizontal/index': () => import('./dict-horizontal.page.tsx'),
    '/dict-vertical/index': () => import('./dict-vertical.page.tsx'),
    '/system/param': () => import('./param.page.tsx'),
    '/system/tenant': () => import('./tenant.page.tsx'),
    '/system/tenantremoval': () => import('./tenant-removal.page.tsx'),
    '/system/tenantpackage': () => import('./tenant-package.page.tsx'),
    '/system/client': () => import('./client.page.tsx'),
    '/system/status': () => import('./status.page.tsx'),
    '/base/region': () => import('./region.page.tsx'),
  },
} satisfies ModulePages
