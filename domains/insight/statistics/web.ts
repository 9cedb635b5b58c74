import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/wel/index': () => import('./home.page.tsx'),
    '/statistics/business': () => import('./business.page.tsx'),
  },
} satisfies RoomPages
