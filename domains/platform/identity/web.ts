import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/system/user': () => import('./user.page.tsx'),
  },
} satisfies RoomPages
