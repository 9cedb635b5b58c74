import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/goods/priceTag': () => import('./price-tag.page.tsx'),
    '/goods/tagTemplate': () => import('./tag-template.page.tsx'),
    '/goods/tagAccount': () => import('./tag-account.page.tsx'),
    '/goods/priceTagLog': () => import('./price-tag-log.page.tsx'),
  },
} satisfies RoomPages
