import type { ModulePages } from '#kit/web/base/module-pages.ts'

export { shopActionsSlot, shopSidePanelSlot } from './slots.ts'

export default {
  rowPages: { basicShopInfo: '/shop/basicShopInfo/:id' },
  pages: {
    '/shop/basicShopInfo': () => import('./basic-shop-info.page.tsx'),
    '/shop/shopConf': () => import('./shop-conf.page.tsx'),
    '/shop/unmannedLog': () => import('./unmanned-log.page.tsx'),
    '/shop/wxShoper': () => import('./wx-shoper.page.tsx'),
    '/shop/basicShopInfo/:id': () => import('./shop.page.tsx'),
  },
} satisfies ModulePages
