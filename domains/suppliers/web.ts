import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/supplier/supplierCart': () => import('./supplier-cart.page.tsx'),
    '/supplier/supplierOrder': () => import('./supplier-order.page.tsx'),
    '/supplier/supplierInfo': () => import('./supplier-info.page.tsx'),
    '/supplier/supplierGoodsInfo': () => import('./supplier-goods-info.page.tsx'),
  },
  resources: {
    '/supplier/supplierOrderDetail': () => import('./supplier-order-detail.resource.ts').then((m) => ({ resource: m.supplierOrderDetail })),
  },
} satisfies RoomPages
