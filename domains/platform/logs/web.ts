import type { ModulePages } from '#kit/web/base/module-pages.ts'

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
          en:
            'Who revealed the full phone number, name or photo of a customer, when and why. Entries are never ' +
            'changed.',
        },
      })),
  },
} satisfies ModulePages
