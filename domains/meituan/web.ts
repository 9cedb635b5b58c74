import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/meituan/meituanShopInfo': () => import('./meituan-shop-info.page.tsx'),
    '/meituan/meituanSkuInfo': () => import('./meituan-sku-info.page.tsx'),
    '/meituan/meituanOrder': () => import('./meituan-order.page.tsx'),
    '/meituan/meituanAptitude': () => import('./meituan-aptitude.page.tsx'),
    '/meituan/meituanAptitude/:meituanShopId': () => import('./meituan-aptitude.page.tsx'),
  },
  resources: {
    '/meituan/meituanGoodType': () => import('./meituan-good-type.resource.ts').then((m) => ({ resource: m.meituanGoodType })),
    '/meituan/meituanOrderDetail': () => import('./meituan-order-detail.resource.ts').then((m) => ({ resource: m.meituanOrderDetail })),
    '/meituan/meituanTagList': () => import('./meituan-catalogue.resource.ts').then((m) => ({ resource: m.meituanTagList })),
    '/meituan/meituanGeneralAttrs': () => import('./meituan-catalogue.resource.ts').then((m) => ({ resource: m.meituanGeneralAttrs })),
    '/meituan/meituanTokenInfo': () => import('./meituan-running.resource.ts').then((m) => ({ resource: m.meituanTokenInfo })),
    '/meituan/meituanGoodsAuditStatus': () => import('./meituan-running.resource.ts').then((m) => ({ resource: m.meituanGoodsAuditStatus })),
    '/meituan/task': () => import('./meituan-running.resource.ts').then((m) => ({ resource: m.meituanTask })),
  },
} satisfies RoomPages
