import { orderSidePanelSlot } from '#domains/sales/orders/web.ts'
import { rowSidePanelSlot } from '#kit/web/detail/side-panel-slot.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/merchant/tallyDay': () => import('./reconciliation-day.page.tsx'),
    '/merchant/tallyDifference': () => import('./reconciliation-difference.page.tsx'),
    '/merchant/tallyWay/:orderId': () => import('./money-trail.page.tsx'),
  },
  fills: [
    defineSlotFilling(orderSidePanelSlot, () => import('./money-trail-link.panel.tsx')),
    defineSlotFilling(rowSidePanelSlot, () => import('./bill-bridge.panel.tsx')),
  ],
} satisfies ModulePages
