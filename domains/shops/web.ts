import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/basicShopInfo': () => import('./basic-shop-info.page.tsx'),
    '/shop/wxUser': () => import('./wx-user.page.tsx'),
  },
  resources: {
    '/shop/event': () => import('./event.resource.ts').then(({ event }) => ({ resource: event })),
  },
} satisfies RoomPages
