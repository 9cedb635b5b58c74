import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import type { Caller } from '#kit/server/caller.ts'
import { balanceLogServer, integralLogServer } from './account-log.server.ts'
import { basicShopInfoServer, shopRoutes } from './basic-shop-info.server.ts'
import { shopDictionaries } from './dictionaries.ts'
import { shopsOf, shopStaffTable } from './staff.ts'
import { customerShopTable, wxUserServer } from './wx-user.server.ts'

type Limit = (caller: Caller) => Promise<readonly string[] | undefined>

export default defineRoom({
  name: 'shops',
  label: { zh: '门店', en: 'Shops' },
  resources: [basicShopInfoServer, wxUserServer, balanceLogServer, integralLogServer],
  routes: shopRoutes,
  tables: [shopStaffTable, customerShopTable],
  dictionaries: shopDictionaries,
  menus: [{ code: 'shop', label: { zh: '门店', en: 'Shops' }, path: '/shop', icon: 'shop', sort: 10 }],
  start: async (services) => {
    services.extra.limits = {
      ...(services.extra.limits as Record<string, Limit> | undefined),
      shop: (caller: Caller) => shopsOf(services, caller),
    }
  },
})
