import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/customerVisitLog': () => import('./visit.page.tsx'),
    '/shop/doorControlLog': () => import('./door-control-log.page.tsx'),
    '/shop/workInfo': () => import('./work-info.page.tsx'),
    '/shop/joinUs': () => import('./join-us.page.tsx'),
  },
} satisfies RoomPages
