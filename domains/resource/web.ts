import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/resource/oss': () => import('./oss.page.tsx'),
    '/resource/sms': () => import('./sms.page.tsx'),
    '/resource/attach': () => import('./attach.page.tsx'),
  },
  resources: {
    '/resource/smsrecord': () => import('./sms.resource.ts').then((m) => ({ resource: m.smsRecord })),
  },
} satisfies RoomPages
