import type { ModulePages } from '#kit/web/base/module-pages.ts'

export { guardSidePanelSlot } from './slots.ts'

export default {
  pages: {
    '/guard/desk': () => import('./desk.page.tsx'),
    '/guard/guardCase': () => import('./guard-case.page.tsx'),
    '/guard/guardShift': () => import('./guard-shift.page.tsx'),
    '/guard/shopLoss': () => import('./shop-loss.page.tsx'),
  },
  resources: {
    '/guard/guardPhrase': () =>
      import('./guard-phrase.resource.ts').then((m) => ({
        resource: m.guardPhrase,
        intro: {
          zh: '值守台上一键喊话的短语；按顺序对应数字键 1 到 9',
          en: 'One-key messages on the security desk. Their order sets the number keys 1 to 9.',
        },
      })),
  },
} satisfies ModulePages
