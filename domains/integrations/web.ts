import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  resources: {
    '/monitor/log/vendorEvent': () =>
      import('./vendor-event.resource.ts').then((m) => ({
        resource: m.vendorEvent,
        intro: {
          zh: '外部平台主动发来的消息：核实后先存下来，再各处理一次',
          en: 'What platforms told us by themselves: verified, kept first, then handled once each',
        },
      })),
  },
} satisfies RoomPages
