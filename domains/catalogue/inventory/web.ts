import type { ModulePages } from '#kit/web/base/module-pages.ts'

export { stockExplanationSlot } from './slots.ts'

export default {
  rowPages: { goodInfo: '/goods/good/:id', stocktake: '/goods/count/:id' },
  pages: {
    '/goods/good/:id': () => import('./good.page.tsx'),
    '/goods/scan/:action?': () => import('./scan.page.tsx'),
    '/goods/count/:id': () => import('./count.page.tsx'),
    '/goods/stocktake': () => import('./stocktake.page.tsx'),
    '/goods/stocktakeLine': () => import('./stocktake-line.page.tsx'),
    '/goods/stockTransfer': () => import('./stock-transfer.page.tsx'),
    '/goods/returnLog': () => import('./return-log.page.tsx'),
    '/goods/goodInfo': () => import('./good-info.page.tsx'),
    '/goods/storageBatch': () => import('./storage-batch.page.tsx'),
    '/goods/storageLog': () => import('./storage-log.page.tsx'),
  },
} satisfies ModulePages
