import { shopActionsSlot } from '#domains/shops/shops/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: { '/shop/doorControlLog': () => import('./door-control-log.page.tsx') },
  fills: [defineSlotFilling(shopActionsSlot, () => import('./doors-of-shop.panel.tsx'))],
} satisfies ModulePages
