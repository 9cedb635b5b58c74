import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: { '/resource/sms': () => import('./sms.page.tsx') },
  resources: {
    '/resource/smsrecord': () => import('./sms.resource.ts').then((m) => ({ resource: m.smsRecord })),
  },
} satisfies ModulePages
