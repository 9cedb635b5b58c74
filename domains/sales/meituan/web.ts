import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/meituan/meituanShopInfo': () => import('./meituan-shop-info.page.tsx'),
    '/meituan/meituanSkuInfo': () => import('./meituan-sku-info.page.tsx'),
    '/meituan/meituanOrder': () => import('./meituan-order.page.tsx'),
    '/meituan/task': () => import('./meituan-task.page.tsx'),
    '/meituan/meituanAptitude': () => import('./meituan-aptitude.page.tsx'),
    '/meituan/meituanAptitude/:meituanShopId': () => import('./meituan-aptitude.page.tsx'),
  },
  resources: {
    '/meituan/meituanGoodType': () =>
      import('./meituan-good-type.resource.ts').then((m) => ({
        resource: m.meituanGoodType,
        intro: { zh: '我们的分类在美团门店里对应的分类', en: 'How your categories map to store categories at Meituan' },
      })),
    '/meituan/meituanOrderDetail': () =>
      import('./meituan-order-detail.resource.ts').then((m) => ({
        resource: m.meituanOrderDetail,
        intro: { zh: '美团订单里的每一行商品', en: 'Lines of Meituan orders' },
      })),
    '/meituan/meituanTagList': () =>
      import('./meituan-catalogue.resource.ts').then((m) => ({
        resource: m.meituanTagList,
        intro: {
          zh: '美团平台的商品类目，上架商品时从中选择',
          en: 'Meituan catalog categories to list products under',
        },
      })),
    '/meituan/meituanGeneralAttrs': () =>
      import('./meituan-catalogue.resource.ts').then((m) => ({
        resource: m.meituanGeneralAttrs,
        intro: { zh: '各类目要求填写的商品属性', en: 'Product attributes Meituan requires for each category' },
      })),
    '/meituan/meituanTokenInfo': () =>
      import('./meituan-running.resource.ts').then((m) => ({
        resource: m.meituanTokenInfo,
        intro: {
          zh: '每家店对美团的授权：何时授权、何时到期',
          en: 'Meituan authorizations of each store and when they expire',
        },
      })),
    '/meituan/meituanGoodsAuditStatus': () =>
      import('./meituan-running.resource.ts').then((m) => ({
        resource: m.meituanGoodsAuditStatus,
        intro: {
          zh: '商品在美团的审核结果，没过的写明原因',
          en: 'Review results of listings at Meituan with rejection reasons',
        },
      })),
  },
} satisfies ModulePages
