import './refusals.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { callerLimitsSlot } from '#domains/platform/identity/api.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { basicShopInfoServer, shopRoutes } from './basic-shop-info.server.ts'
import { shopDictionaries } from './dictionaries.ts'
import { shopConfDictionaries } from './shop-conf.resource.ts'
import { shopConfServer } from './shop-conf.server.ts'
import { findShopScopeIds, shopStaffTable } from './staff.ts'
import { unmannedDictionaries } from './unmanned-log.resource.ts'
import { applyUnmannedHoursJob, unmannedLogServer } from './unmanned.server.ts'
import { wxShoperServer } from './wx-shoper.server.ts'

export default defineModule({
  name: 'shops/shops',
  label: { zh: '门店', en: 'Stores' },
  resources: [basicShopInfoServer, shopConfServer, unmannedLogServer, wxShoperServer],
  routes: shopRoutes,
  tables: [shopStaffTable],
  jobs: [applyUnmannedHoursJob],
  dictionaries: [...shopDictionaries, ...shopConfDictionaries, ...unmannedDictionaries],
  todos: [
    defineTodo(basicShopInfo, {
      key: 'offlineShops',
      label: { zh: '门店离线', en: 'Stores offline' },
      icon: 'disconnect',
      tone: 'bad',
      own: ['isOffline'],
      query: () => ({ isOffline: 'true' }),
      line: { title: 'shopName', time: 'lastSeenTime' },
    }),
  ],
  menus: [{ code: 'shop', label: { zh: '门店', en: 'Stores' }, path: '/shop', icon: 'shop', sort: 10 }],
  start: async (services) => {
    services.slots.add(callerLimitsSlot, 'shop', (person) => findShopScopeIds(services, person))
  },
})
