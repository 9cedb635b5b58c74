import { shopActs } from '#domains/shops/shops/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { ModulePages } from '#kit/web/module-pages.ts'

export default {
  pages: { '/shop/doorControlLog': () => import('./door-control-log.page.tsx') },
  fills: [fillsSlot(shopActs, () => import('./doors-of-shop.panel.tsx'))],
} satisfies ModulePages
