import { shopBeside } from '#domains/shops/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/device/cashRegister': () => import('./cash-register.page.tsx'),
    '/goods/priceLoop': () => import('./price-loop.page.tsx'),
    '/goods/shoppingCart': () => import('./shopping-cart.page.tsx'),
    '/goods/shoppingCartOnline': () => import('./shopping-cart-online.page.tsx'),
  },
  fills: [fillsSlot(shopBeside, () => import('./registers-of-shop.panel.tsx'))],
} satisfies RoomPages
