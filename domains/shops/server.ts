import { limits } from '#domains/identity/doors.ts'
import './refusals.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineRoom, needOf } from '#kit/server/room.ts'
import { balanceLogServer, integralLogServer } from './account-log.server.ts'
import { basicShopInfoServer, shopRoutes } from './basic-shop-info.server.ts'
import { shopDictionaries } from './dictionaries.ts'
import { eventDictionaries, event } from './event.resource.ts'
import { eventReadTable, eventRoutes, eventServer } from './event.server.ts'
import { deliverJob, noticeSweepJob, notifyJob, remindJob } from './notice.job.ts'
import { noticeLogServer, noticeRoutes, noticeSubscribeServer } from './notice-subscribe.server.ts'
import { noticeDictionaries } from './notice-subscribe.resource.ts'
import { confDictionaries } from './shop-conf.resource.ts'
import { shopConfServer } from './shop-conf.server.ts'
import { silenceJob } from './silence.job.ts'
import { shopsOf, shopStaffTable } from './staff.ts'
import { unmannedDictionaries } from './unmanned-log.resource.ts'
import { unmannedHoursJob, unmannedLogServer } from './unmanned.server.ts'
import { wxShoperServer } from './wx-shoper.server.ts'
import { customerShopTable, wxUserServer } from './wx-user.server.ts'
import { shopParams } from './params.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'

const eventLine = { title: 'content', notes: ['type', 'shopId'], time: 'occurTime' } as const

export default defineRoom({
  name: 'shops',
  label: { zh: '门店', en: 'Shops' },
  params: shopParams,
  forgets: [
    {
      table: 'notice_log',
      param: keptDays('noticeLogDays', 365, { zh: '通知记录保留天数', en: 'Days the log of notices is kept' }, 30),
    },
  ],
  resources: [
    basicShopInfoServer,
    shopConfServer,
    eventServer,
    noticeSubscribeServer,
    noticeLogServer,
    unmannedLogServer,
    wxShoperServer,
    wxUserServer,
    balanceLogServer,
    integralLogServer,
  ],
  routes: [...shopRoutes, ...eventRoutes, ...noticeRoutes],
  tables: [shopStaffTable, customerShopTable, eventReadTable],
  jobs: [silenceJob, notifyJob, deliverJob, noticeSweepJob, remindJob, unmannedHoursJob],
  dictionaries: [
    ...shopDictionaries,
    ...confDictionaries,
    ...eventDictionaries,
    ...noticeDictionaries,
    ...unmannedDictionaries,
  ],
  needs: [
    needOf(event, {
      key: 'urgentEvents',
      label: { zh: '紧急事件', en: 'Urgent events' },
      icon: 'alert',
      tone: 'bad',
      query: () => ({ level: '3', status: '0,1' }),
      line: eventLine,
    }),
    needOf(event, {
      key: 'openEvents',
      label: { zh: '待处理事件', en: 'Events to look after' },
      icon: 'bell',
      tone: 'warn',
      query: () => ({ level: '2', status: '0' }),
      line: eventLine,
    }),
    needOf(basicShopInfo, {
      key: 'offlineShops',
      label: { zh: '门店离线', en: 'Shops offline' },
      icon: 'disconnect',
      tone: 'bad',
      own: ['isOffline'],
      query: () => ({ isOffline: 'true' }),
      line: { title: 'shopName', time: 'lastSeenTime' },
    }),
  ],
  menus: [{ code: 'shop', label: { zh: '门店', en: 'Shops' }, path: '/shop', icon: 'shop', sort: 10 }],
  start: async (services) => {
    services.slots.add(limits, 'shop', (person) => shopsOf(services, person))
  },
})
