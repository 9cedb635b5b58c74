import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/basicShopInfo': () => import('./basic-shop-info.page.tsx'),
  },
  resources: {
    '/shop/shopConf': () => import('./shop-conf.resource.ts').then(({ shopConf }) => ({ resource: shopConf })),
    '/shop/unmannedLog': () => import('./unmanned-log.resource.ts').then(({ unmannedLog }) => ({ resource: unmannedLog })),
    '/shop/wxShoper': () => import('./wx-shoper.resource.ts').then(({ wxShoper }) => ({ resource: wxShoper })),
    '/shop/noticeSubscribe': () => import('./notice-subscribe.resource.ts').then(({ noticeSubscribe }) => ({ resource: noticeSubscribe })),
    '/shop/noticeLog': () => import('./notice-log.resource.ts').then(({ noticeLog }) => ({ resource: noticeLog })),
    '/shop/event': () => import('./event.resource.ts').then(({ event }) => ({ resource: event })),
  },
} satisfies RoomPages
