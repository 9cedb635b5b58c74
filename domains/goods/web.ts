import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/goods/goodInfo': () => import('./good-info.page.tsx'),
    '/goods/goodType': () => import('./good-type.page.tsx'),
    '/goods/storageBatch': () => import('./storage-batch.page.tsx'),
    '/goods/storageLog': () => import('./storage-log.page.tsx'),
    '/goods/barcodes': () => import('./barcodes.page.tsx'),
  },
} satisfies RoomPages
