import './refusals.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { limits } from '#domains/platform/identity/api.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { basicShopInfoServer, shopRoutes } from './basic-shop-info.server.ts'
import { shopDictionaries } from './dictionaries.ts'
import { confDictionaries } from './shop-conf.resource.ts'
import { shopConfServer } from './shop-conf.server.ts'
import { shopsOf, shopStaffTable } from './staff.ts'
import { unmannedDictionaries } from './unmanned-log.resource.ts'
import { unmannedHoursJob, unmannedLogServer } from './unmanned.server.ts'
import { wxShoperServer } from './wx-shoper.server.ts'

export default defineModule({
  name: 'shops/shops',
  label: { zh: '门店', en: 'Stores' },
  resources: [basicShopInfoServer, shopConfServer, unmannedLogServer, wxShoperServer],
  routes: shopRoutes,
  tables: [shopStaffTable],
  jobs: [unmannedHoursJob],
  dictionaries: [...shopDictionaries, ...confDictionaries, ...unmannedDictionaries],
  todos: [
    todoOf(basicShopInfo, {
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
    services.slots.add(limits, 'shop', (person) => shopsOf(services, person))
  },
})
