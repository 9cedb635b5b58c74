import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/basicShopInfo': () => import('./basic-shop-info.page.tsx'),
    '/shop/wxUser': () => import('./wx-user.page.tsx'),
  },
  resources: {
    '/member/balanceLog': () => import('./account-log.resource.ts').then((m) => ({ resource: m.balanceLog })),
    '/member/integralLog': () => import('./account-log.resource.ts').then((m) => ({ resource: m.integralLog })),
    '/shop/event': () => import('./event.resource.ts').then(({ event }) => ({ resource: event })),
  },
} satisfies RoomPages
