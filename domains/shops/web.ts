import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/basicShopInfo': () => import('./basic-shop-info.page.tsx'),
    '/shop/wxUser': () => import('./wx-user.page.tsx'),
  },
} satisfies RoomPages
