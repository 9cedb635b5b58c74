import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/workInfo': () => import('./work-info.page.tsx'),
    '/shop/joinUs': () => import('./join-us.page.tsx'),
  },
} satisfies RoomPages
