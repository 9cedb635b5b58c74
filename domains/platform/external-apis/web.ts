import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  resources: {
    '/monitor/log/vendorEvent': () =>
      import('./vendor-event.resource.ts').then((m) => ({
        resource: m.vendorEvent,
        intro: {
          zh: '外部平台主动发来的消息：核实后先存下来，再各处理一次',
          en: 'Webhooks received from external platforms. They are verified, stored first and processed exactly once.',
        },
      })),
  },
} satisfies ModulePages
