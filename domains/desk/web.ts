import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/desk/notice': () => import('./notice.page.tsx'),
  },
} satisfies RoomPages
