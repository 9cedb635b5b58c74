import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  rowPages: { goodInfo: '/goods/good/:id', stocktake: '/goods/count/:id' },
  pages: {
    '/goods/good/:id': () => import('./good.page.tsx'),
    '/goods/scan/:deed?': () => import('./scan.page.tsx'),
    '/goods/count/:id': () => import('./count.page.tsx'),
    '/goods/stocktake': () => import('./stocktake.page.tsx'),
    '/goods/stocktakeLine': () => import('./stocktake-line.page.tsx'),
    '/goods/stockTransfer': () => import('./stock-transfer.page.tsx'),
    '/goods/returnLog': () => import('./return-log.page.tsx'),
    '/goods/priceTag': () => import('./price-tag.page.tsx'),
    '/goods/priceTagLog': () => import('./price-tag-log.page.tsx'),
    '/goods/goodPriceLog': () => import('./good-price-log.page.tsx'),
    '/goods/shoppingCart': () => import('./shopping-cart.page.tsx'),
    '/goods/shoppingCartOnline': () => import('./shopping-cart-online.page.tsx'),
    '/goods/goodInfo': () => import('./good-info.page.tsx'),
    '/goods/goodType': () => import('./good-type.page.tsx'),
    '/goods/storageBatch': () => import('./storage-batch.page.tsx'),
    '/goods/storageLog': () => import('./storage-log.page.tsx'),
    '/goods/barcodes': () => import('./barcodes.page.tsx'),
  },
} satisfies RoomPages
