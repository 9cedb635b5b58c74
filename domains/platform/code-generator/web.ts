import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  rowPages: { model: '/tool/model/:id' },
  pages: {
    '/tool/code': () => import('./code.page.tsx'),
    '/tool/model': () => import('./model.page.tsx'),
    '/tool/model/:id': () => import('./columns.page.tsx'),
    '/tool/datasource': () => import('./data-source.page.tsx'),
  },
} satisfies ModulePages
