import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/merchant/merchantInfo': () => import('./merchant-info.page.tsx'),
    '/merchant/bill': () => import('./bill.page.tsx'),
    '/merchant/billDetail': () => import('./bill-detail.page.tsx'),
    '/merchant/shareLog': () => import('./share-log.page.tsx'),
    '/merchant/settlementChange': () => import('./settlement-change.page.tsx'),
    '/pay/payApply': () => import('./pay-apply.page.tsx'),
    '/pay/payApply/:merchantId': () => import('./pay-apply.page.tsx'),
    '/pay/payApplyEdit/:merchantId/:id/:type': () => import('./pay-apply-edit.page.tsx'),
  },
} satisfies ModulePages
