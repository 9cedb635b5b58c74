import { goodFigure } from '#domains/stock/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/base/thirdApi': () => import('./third-api.page.tsx'),
    '/order/platformParity': () => import('./parity.page.tsx'),
  },
  fills: [fillsSlot(goodFigure, () => import('./stock-figure.panel.tsx'))],
  resources: {
    '/order/platformDifference': () =>
      import('./platform-difference.resource.ts').then((m) => ({
        resource: m.platformDifference,
        intro: {
          zh: '每晚和平台逐个商品核对：哪里不一致，什么时候已改回',
          en: 'Goods are compared with the platforms each night: what differed, and when it was put right',
        },
      })),
    '/order/platformAsk': () =>
      import('./platform-ask.resource.ts').then((m) => ({
        resource: m.platformAsk,
        intro: {
          zh: '我们请外卖平台对订单做的事，平台确认才算完成',
          en: 'What delivery platforms were asked to do to orders; done when they say so',
        },
      })),
  },
} satisfies RoomPages
