import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  rowPages: { customerVisitLog: '/shop/customerVisitLog/:id' },
  pages: {
    '/shop/customerVisitLog': () => import('./visit.page.tsx'),
    '/shop/customerVisitLog/:id': () => import('./whole-visit.page.tsx'),
  },
} satisfies RoomPages
