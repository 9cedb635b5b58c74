import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/system/dept': () => import('./dept.page.tsx'),
    '/system/post': () => import('./post.page.tsx'),
  },
} satisfies RoomPages
