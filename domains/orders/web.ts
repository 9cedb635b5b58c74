import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/order/detail/:id': () => import('./order.page.tsx'),
    '/order/shoppingOrder': () => import('./shopping-order.page.tsx'),
    '/order/refunds': () => import('./refunds.page.tsx'),
  },
  resources: {
    '/order/deliveryAddress': () => import('./delivery-address.resource.ts').then((m) => ({ resource: m.deliveryAddress })),
    '/order/deliveryInfo': () => import('./delivery-info.resource.ts').then((m) => ({ resource: m.deliveryInfo })),
    '/order/refundLimit': () => import('./refund-limit.resource.ts').then((m) => ({ resource: m.refundLimit })),
    '/order/shoppingOrderDetail': () => import('./shopping-order-detail.resource.ts').then((m) => ({ resource: m.shoppingOrderDetail })),
  },
} satisfies RoomPages
