import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/report/reportlist': () => import('./report-file.page.tsx') },
} satisfies RoomPages
