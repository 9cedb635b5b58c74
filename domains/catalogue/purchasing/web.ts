import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/supplier/supplierCart': () => import('./supplier-cart.page.tsx'),
    '/supplier/supplierOrder': () => import('./supplier-order.page.tsx'),
    '/supplier/supplierInfo': () => import('./supplier-info.page.tsx'),
    '/supplier/supplierGoodsInfo': () => import('./supplier-goods-info.page.tsx'),
  },
  resources: {
    '/supplier/supplierOrderDetail': () =>
      import('./supplier-order-detail.resource.ts').then((m) => ({
        resource: m.supplierOrderDetail,
        intro: {
          zh: '每张采购单订了什么、收了多少',
          en: 'What each purchase order contains and how much was received',
        },
      })),
  },
} satisfies ModulePages
