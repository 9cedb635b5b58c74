import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/monitor/log/usual': () => import('./log-usual.page.tsx'),
    '/monitor/log/api': () => import('./log-api.page.tsx'),
    '/monitor/log/request': () => import('./request-log.page.tsx'),
    '/monitor/log/error': () => import('./log-error.page.tsx'),
  },
  resources: {
    '/monitor/log/personal': () =>
      import('./personal-opening.resource.ts').then((m) => ({
        resource: m.personalOpening,
        intro: {
          zh: '谁在什么时候、因为什么看了顾客的完整手机号、姓名或照片；只增不改',
          en: 'Who saw whose whole phone, name or picture, when and why; only ever added to',
        },
      })),
  },
} satisfies RoomPages
