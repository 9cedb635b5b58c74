import type { ModulePages } from '#kit/web/base/module-pages.ts'

export { customerActionsSlot, customerHistoriesSlot, type CustomerPageAction, type CustomerHistory } from './slots.ts'

export default {
  rowPages: { wxUser: '/shop/wxUser/:id' },
  pages: {
    '/shop/wxUser': () => import('./wx-user.page.tsx'),
    '/shop/wxUser/:id': () => import('./customer.page.tsx'),
    '/shop/blackAppeal': () => import('./black-appeal.page.tsx'),
    '/shop/blackList': () => import('./black-list.page.tsx'),
    '/member/vipInfo': () => import('./vip-info.page.tsx'),
    '/member/vipLevel': () => import('./vip-level.page.tsx'),
    '/member/annualFeeConf': () => import('./annual-fee-conf.page.tsx'),
    '/member/vipPrice': () => import('./vip-price.page.tsx'),
    '/member/vipDay': () => import('./vip-day.page.tsx'),
    '/member/rechargeConf': () => import('./recharge-conf.page.tsx'),
    '/member/rechargeLog': () => import('./recharge-log.page.tsx'),
    '/member/annualFeeLog': () => import('./annual-fee-log.page.tsx'),
    '/member/balanceLog': () => import('./balance-log.page.tsx'),
    '/member/integralLog': () => import('./integral-log.page.tsx'),
    '/member/wxUserMerge': () => import('./wx-user-merge.page.tsx'),
  },
} satisfies ModulePages
