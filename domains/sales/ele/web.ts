import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/ele/eleShopInfo': () => import('./ele-shop-info.page.tsx'),
    '/ele/eleSkuInfo': () => import('./ele-sku-info.page.tsx'),
    '/ele/eleOrder': () => import('./ele-order.page.tsx'),
    '/ele/eleAptitude': () => import('./ele-aptitude.page.tsx'),
    '/ele/eleAptitude/:eleShopId': () => import('./ele-aptitude.page.tsx'),
  },
  resources: {
    '/ele/eleGoodType': () =>
      import('./ele-good-type.resource.ts').then((m) => ({
        resource: m.eleGoodType,
        intro: { zh: '我们的分类在饿了么门店里对应的分类', en: 'How your categories map to categories at Ele.me' },
      })),
    '/ele/eleSync': () =>
      import('./ele-sync.resource.ts').then((m) => ({
        resource: m.eleSync,
        intro: {
          zh: '每家店与饿了么逐项核对到哪里、有多少不一致',
          en: 'Sync progress and discrepancies of each store at Ele.me',
        },
      })),
    '/ele/eleOrderDetail': () =>
      import('./ele-order-parts.resource.ts').then((m) => ({
        resource: m.eleOrderDetail,
        intro: { zh: '饿了么订单里的每一行商品', en: 'Lines of Ele.me orders' },
      })),
    '/ele/eleOrderDiscount': () =>
      import('./ele-order-parts.resource.ts').then((m) => ({
        resource: m.eleOrderDiscount,
        intro: {
          zh: '每单的优惠各由谁承担：商户还是平台',
          en: 'Who pays for the discounts of each order: merchant or platform',
        },
      })),
    '/ele/eleDeliveryAddress': () =>
      import('./ele-order-parts.resource.ts').then((m) => ({
        resource: m.eleDeliveryAddress,
        intro: { zh: '饿了么订单送到哪里', en: 'Delivery addresses of Ele.me orders' },
      })),
  },
} satisfies ModulePages
