import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/desk/bin': () => import('#kit/web/list/bin-page.tsx'),
    '/desk/notice': () => import('./notice.page.tsx'),
  },
} satisfies RoomPages
