import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/noticeSubscribe': () => import('./notice-subscribe.page.tsx'),
    '/shop/noticeLog': () => import('./notice-log.page.tsx'),
    '/shop/event': () => import('./event.page.tsx'),
  },
} satisfies RoomPages
