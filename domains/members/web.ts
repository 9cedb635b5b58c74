import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  resources: {
    '/member/vipInfo': () => import('./vip-info.resource.ts').then((m) => ({ resource: m.vipInfo })),
    '/member/vipLevel': () => import('./vip-level.resource.ts').then((m) => ({ resource: m.vipLevel })),
    '/member/annualFeeConf': () => import('./annual-fee-conf.resource.ts').then((m) => ({ resource: m.annualFeeConf })),
    '/member/vipPrice': () => import('./vip-price.resource.ts').then((m) => ({ resource: m.vipPrice })),
    '/member/vipDay': () => import('./vip-day.resource.ts').then((m) => ({ resource: m.vipDay })),
    '/member/rechargeConf': () => import('./recharge-conf.resource.ts').then((m) => ({ resource: m.rechargeConf })),
    '/member/rechargeLog': () => import('./recharge-log.resource.ts').then((m) => ({ resource: m.rechargeLog })),
    '/member/annualFeeLog': () => import('./annual-fee-log.resource.ts').then((m) => ({ resource: m.annualFeeLog })),
    '/member/wxUserMerge': () => import('./wx-user-merge.resource.ts').then((m) => ({ resource: m.wxUserMerge })),
    '/shop/blackList': () => import('./black-list.resource.ts').then((m) => ({ resource: m.blackList })),
  },
} satisfies RoomPages
