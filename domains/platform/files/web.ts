import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/resource/oss': () => import('./oss.page.tsx'),
    '/resource/attach': () => import('./attach.page.tsx'),
  },
} satisfies RoomPages
