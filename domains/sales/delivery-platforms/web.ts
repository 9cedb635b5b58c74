import { stockExplanationSlot } from '#domains/catalogue/inventory/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/base/thirdApi': () => import('./third-api.page.tsx'),
    '/order/platformParity': () => import('./parity.page.tsx'),
  },
  fills: [defineSlotFilling(stockExplanationSlot, () => import('./stock-figure.panel.tsx'))],
  resources: {
    '/order/platformDifference': () =>
      import('./platform-difference.resource.ts').then((m) => ({
        resource: m.platformDifference,
        intro: {
          zh: '每晚逐个商品和平台核对：哪里不一致，什么时候改回来的',
          en: 'Every night each listing is compared with the platforms: what differed and when it was corrected',
        },
      })),
    '/order/platformAsk': () =>
      import('./platform-ask.resource.ts').then((m) => ({
        resource: m.platformAsk,
        intro: {
          zh: '请外卖平台对订单做的操作，平台确认才算完成',
          en: 'Operations requested at delivery platforms for orders. They are complete once the platform confirms.',
        },
      })),
  },
} satisfies ModulePages
