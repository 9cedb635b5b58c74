import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  resources: {
    '/order/moneyMove': () =>
      import('./money-move.resource.ts').then((m) => ({
        resource: m.moneyMove,
        intro: {
          zh: '超过限额的资金操作要由另一位有权限的人确认；提出的人不能自己确认',
          en: 'Money above the limit moves when another person who may confirms it, never whoever asked',
        },
      })),
  },
} satisfies RoomPages
