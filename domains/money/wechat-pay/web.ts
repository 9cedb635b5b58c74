import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  resources: {
    '/resource/payAccount': () => import('./pay-account.resource.ts').then((m) => ({ resource: m.payAccount })),
  },
} satisfies RoomPages
