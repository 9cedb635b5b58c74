import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/ele/eleShopInfo': () => import('./ele-shop-info.page.tsx'),
    '/ele/eleSkuInfo': () => import('./ele-sku-info.page.tsx'),
    '/ele/eleOrder': () => import('./ele-order.page.tsx'),
    '/ele/eleAptitude': () => import('./ele-aptitude.page.tsx'),
    '/ele/eleAptitude/:eleShopId': () => import('./ele-aptitude.page.tsx'),
  },
  resources: {
    '/ele/eleGoodType': () => import('./ele-good-type.resource.ts').then((m) => ({ resource: m.eleGoodType })),
    '/ele/eleOrderDetail': () => import('./ele-order-parts.resource.ts').then((m) => ({ resource: m.eleOrderDetail })),
    '/ele/eleOrderDiscount': () => import('./ele-order-parts.resource.ts').then((m) => ({ resource: m.eleOrderDiscount })),
    '/ele/eleDeliveryAddress': () => import('./ele-order-parts.resource.ts').then((m) => ({ resource: m.eleDeliveryAddress })),
  },
} satisfies RoomPages
