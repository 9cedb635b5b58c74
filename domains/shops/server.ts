import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import type { Caller } from '#kit/server/caller.ts'
import { balanceLogServer, integralLogServer } from './account-log.server.ts'
import { basicShopInfoServer, shopRoutes } from './basic-shop-info.server.ts'
import { shopDictionaries } from './dictionaries.ts'
import { eventDictionaries } from './event.resource.ts'
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

type Limit = (caller: Caller) => Promise<readonly string[] | undefined>

const eventLine = { title: 'content', notes: ['typeName', 'shopName'], time: 'occurTime' } as const

export default defineRoom({
  name: 'shops',
  label: { zh: '门店', en: 'Shops' },
  params: shopParams,
  resources: [basicShopInfoServer, shopConfServer, eventServer, noticeSubscribeServer, noticeLogServer, unmannedLogServer, wxShoperServer, wxUserServer, balanceLogServer, integralLogServer],
  routes: [...shopRoutes, ...eventRoutes, ...noticeRoutes],
  tables: [shopStaffTable, customerShopTable, eventReadTable],
  jobs: [silenceJob, notifyJob, deliverJob, noticeSweepJob, remindJob, unmannedHoursJob],
  dictionaries: [...shopDictionaries, ...confDictionaries, ...eventDictionaries, ...noticeDictionaries, ...unmannedDictionaries],
  needs: [
    {
      key: 'urgentEvents', label: { zh: '紧急事件', en: 'Urgent events' }, resource: 'event', icon: 'alert', tone: 'bad',
      query: () => ({ level: '3', status: '0,1' }), line: eventLine,
    },
    {
      key: 'openEvents', label: { zh: '待处理事件', en: 'Events to look after' }, resource: 'event', icon: 'bell', tone: 'warn',
      query: () => ({ level: '2', status: '0' }), line: eventLine,
    },
    { key: 'offlineShops', label: { zh: '门店离线', en: 'Shops offline' }, resource: 'basicShopInfo', icon: 'disconnect', tone: 'bad', query: () => ({ isOffline: 'true' }), line: { title: 'shopName', time: 'lastSeenTime' } },
  ],
  menus: [{ code: 'shop', label: { zh: '门店', en: 'Shops' }, path: '/shop', icon: 'shop', sort: 10 }],
  start: async (services) => {
    services.extra.limits = {
      ...(services.extra.limits as Record<string, Limit> | undefined),
      shop: (caller: Caller) => shopsOf(services, caller),
    }
  },
})
