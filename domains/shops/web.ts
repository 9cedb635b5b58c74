import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/basicShopInfo': () => import('./basic-shop-info.page.tsx'),
    '/shop/wxUser': () => import('./wx-user.page.tsx'),
  },
  resources: {
    '/shop/shopConf': () => import('./shop-conf.resource.ts').then(({ shopConf }) => ({ resource: shopConf })),
    '/shop/unmannedLog': () => import('./unmanned-log.resource.ts').then(({ unmannedLog }) => ({ resource: unmannedLog })),
    '/shop/wxShoper': () => import('./wx-shoper.resource.ts').then(({ wxShoper }) => ({ resource: wxShoper })),
    '/shop/noticeSubscribe': () => import('./notice-subscribe.resource.ts').then(({ noticeSubscribe }) => ({ resource: noticeSubscribe })),
    '/shop/noticeLog': () => import('./notice-log.resource.ts').then(({ noticeLog }) => ({ resource: noticeLog })),
    '/member/balanceLog': () => import('./account-log.resource.ts').then((m) => ({ resource: m.balanceLog })),
    '/member/integralLog': () => import('./account-log.resource.ts').then((m) => ({ resource: m.integralLog })),
    '/shop/event': () => import('./event.resource.ts').then(({ event }) => ({ resource: event })),
  },
} satisfies RoomPages
