import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/goods/goodPriceLog': () => import('./good-price-log.page.tsx'),
    '/goods/goodType': () => import('./good-type.page.tsx'),
    '/goods/barcodes': () => import('./barcodes.page.tsx'),
  },
} satisfies ModulePages
