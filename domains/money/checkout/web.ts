import { orderMoneySlot } from '#domains/sales/orders/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: { '/order/payAttempt': () => import('./pay-attempt.page.tsx') },
  fills: [defineSlotFilling(orderMoneySlot, () => import('./order-money.panel.tsx'))],
} satisfies ModulePages
