import { orderMoney } from '#domains/sales/orders/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { ModulePages } from '#kit/web/module-pages.ts'

export default {
  pages: { '/order/payAttempt': () => import('./pay-attempt.page.tsx') },
  fills: [fillsSlot(orderMoney, () => import('./order-money.panel.tsx'))],
} satisfies ModulePages
