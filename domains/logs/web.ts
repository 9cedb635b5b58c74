import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/monitor/log/usual': () => import('./log-usual.page.tsx'),
    '/monitor/log/api': () => import('./log-api.page.tsx'),
    '/monitor/log/request': () => import('./request-log.page.tsx'),
    '/monitor/log/error': () => import('./log-error.page.tsx'),
  },
} satisfies RoomPages
