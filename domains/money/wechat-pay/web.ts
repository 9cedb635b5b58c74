import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  resources: {
    '/resource/payAccount': () => import('./pay-account.resource.ts').then((m) => ({ resource: m.payAccount })),
  },
} satisfies ModulePages
