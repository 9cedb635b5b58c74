import { shopActs } from '#domains/shops/shops/web.ts'
import { fillsSlot } from '#kit/web/page-slots.ts'
import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: { '/shop/doorControlLog': () => import('./door-control-log.page.tsx') },
  fills: [fillsSlot(shopActs, () => import('./doors-of-shop.panel.tsx'))],
} satisfies RoomPages
