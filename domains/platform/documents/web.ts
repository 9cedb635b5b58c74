import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/device/printTemplate': () => import('./print-template.page.tsx'),
    '/prints/sheet/:kind': () => import('./print.page.tsx'),
  },
} satisfies RoomPages
