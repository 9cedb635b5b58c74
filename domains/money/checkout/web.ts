import { orderMoney } from '#domains/sales/orders/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/order/payAttempt': () => import('./pay-attempt.page.tsx') },
  fills: [fillsSlot(orderMoney, () => import('./order-money.panel.tsx'))],
} satisfies RoomPages
