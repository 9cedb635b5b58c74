import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/goods/good/:id': () => import('./good.page.tsx'),
    '/goods/goodInfo': () => import('./good-info.page.tsx'),
    '/goods/goodType': () => import('./good-type.page.tsx'),
    '/goods/storageBatch': () => import('./storage-batch.page.tsx'),
    '/goods/storageLog': () => import('./storage-log.page.tsx'),
    '/goods/barcodes': () => import('./barcodes.page.tsx'),
  },
  resources: {
    '/goods/returnLog': () => import('./return-log.resource.ts').then(({ returnLog }) => ({ resource: returnLog })),
    '/goods/stockTransfer': () => import('./stock-transfer.resource.ts').then(({ stockTransfer }) => ({ resource: stockTransfer })),
    '/goods/stocktake': () => import('./stocktake.resource.ts').then(({ stocktake }) => ({ resource: stocktake })),
    '/goods/stocktakeLine': () => import('./stocktake-line.resource.ts').then(({ stocktakeLine }) => ({ resource: stocktakeLine })),
    '/goods/goodPriceLog': () => import('./good-price-log.resource.ts').then(({ goodPriceLog }) => ({ resource: goodPriceLog })),
    '/goods/priceTag': () => import('./price-tag.resource.ts').then(({ priceTag }) => ({ resource: priceTag })),
    '/goods/priceTagLog': () => import('./price-tag-log.resource.ts').then(({ priceTagLog }) => ({ resource: priceTagLog })),
    '/goods/shoppingCart': () => import('./shopping-cart.resource.ts').then(({ shoppingCart }) => ({ resource: shoppingCart })),
    '/goods/shoppingCartOnline': () => import('./shopping-cart.resource.ts').then(({ shoppingCartOnline }) => ({ resource: shoppingCartOnline })),
  },
} satisfies RoomPages
