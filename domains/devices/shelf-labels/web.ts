import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/goods/priceTag': () => import('./price-tag.page.tsx'),
    '/goods/tagTemplate': () => import('./tag-template.page.tsx'),
    '/goods/tagAccount': () => import('./tag-account.page.tsx'),
    '/goods/priceTagLog': () => import('./price-tag-log.page.tsx'),
  },
} satisfies ModulePages
