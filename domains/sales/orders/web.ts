import { customerHistoriesSlot } from '#domains/sales/customers/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export { orderSidePanelSlot, orderMoneySlot } from './slots.ts'

export default {
  rowPages: { shoppingOrder: '/order/shoppingOrder/:id' },
  pages: {
    '/order/shoppingOrder/:id': () => import('./order.page.tsx'),
    '/order/shoppingOrder': () => import('./shopping-order.page.tsx'),
    '/order/refunds': () => import('./refunds.page.tsx'),
    '/order/refundLimit': () => import('./refund-limit.page.tsx'),
    '/order/deliveryInfo': () => import('./deliveries.page.tsx'),
    '/order/deliveryAddress': () => import('./delivery-address.page.tsx'),
  },
  fills: [defineSlotFilling(customerHistoriesSlot, () => import('./customer-orders.panel.tsx'))],
  resources: {
    '/order/shoppingOrderDetail': () =>
      import('./shopping-order-detail.resource.ts').then((m) => ({ resource: m.shoppingOrderDetail })),
  },
} satisfies ModulePages
