import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/authority/role': () => import('./role.page.tsx'),
    '/authority/datascope': () => import('./data-scope.page.tsx'),
    '/authority/apiscope': () => import('./api-scope.page.tsx'),
    '/system/menu': () => import('./menu.page.tsx'),
    '/system/topmenu': () => import('./top-menu.page.tsx'),
  },
} satisfies ModulePages
