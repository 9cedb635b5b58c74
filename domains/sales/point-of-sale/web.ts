import { shopSidePanelSlot } from '#domains/shops/shops/web.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/cashRegister': () => import('./cash-register.page.tsx'),
    '/device/registerScreenshot': () => import('./register-screenshot.page.tsx'),
    '/goods/priceLoop': () => import('./price-loop.page.tsx'),
    '/goods/shoppingCart': () => import('./shopping-cart.page.tsx'),
    '/goods/shoppingCartOnline': () => import('./shopping-cart-online.page.tsx'),
  },
  resources: {
    '/monitor/log/screenshot': () =>
      import('./register-screenshot.resource.ts').then((m) => ({
        resource: m.screenshotOpening,
        intro: {
          zh: '谁在什么时候、为什么查看了哪张截屏；只能查看',
          en: 'Who viewed which screenshot, when and why. Read-only.',
        },
      })),
  },
  fills: [defineSlotFilling(shopSidePanelSlot, () => import('./registers-of-shop.panel.tsx'))],
} satisfies ModulePages
