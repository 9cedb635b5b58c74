import './refusals.ts'
import { defineModule, defineTodo, serve } from '#kit/server/module/module.ts'
import { terminalResolverSlot } from '#domains/platform/identity/api.ts'
import { cashRegister } from './cash-register.resource.ts'
import { cashRegisterServer } from './cash-register.server.ts'
import { createRegisterAuthenticator, registerKeyTable } from './credentials.ts'
import {
  pushConfToRegistersExtension,
  pushPicturesToRegistersExtension,
  pushRegisterDesiredStateJob,
} from './desired.ts'
import { registerDictionaries } from './dictionaries.ts'
import { priceAuditRoute } from './price-loop.ts'
import {
  registerScreenshotServer,
  screenshotRetentionRules,
  screenshotOpeningServer,
  screenshotRoutes,
} from './register-screenshot.server.ts'
import { registerSaleTable } from './sale.ts'
import { shoppingCart, shoppingCartOnline } from './shopping-cart.resource.ts'
import { terminalRoutes } from './terminal.server.ts'

export default defineModule({
  name: 'sales/point-of-sale',
  label: { zh: '收银', en: 'Point of sale' },
  resources: [
    cashRegisterServer,
    registerScreenshotServer,
    screenshotOpeningServer,
    serve(shoppingCart),
    serve(shoppingCartOnline),
  ],
  extends: [pushPicturesToRegistersExtension, pushConfToRegistersExtension],
  jobs: [pushRegisterDesiredStateJob],
  routes: [...terminalRoutes, ...screenshotRoutes, priceAuditRoute],
  retention: screenshotRetentionRules,
  menus: [
    {
      code: 'priceLoop',
      under: 'goods',
      label: { zh: '价格核对', en: 'Price audit' },
      path: '/goods/priceLoop',
      icon: 'sync',
      sort: 64,
    },
  ],
  tables: [registerKeyTable, registerSaleTable],
  dictionaries: registerDictionaries,
  todos: [
    defineTodo(cashRegister, {
      key: 'offlineRegisters',
      label: { zh: '收银机离线', en: 'Registers offline' },
      icon: 'desktop',
      tone: 'warn',
      own: ['isOffline'],
      query: () => ({ isOffline: 'true' }),
      line: { title: 'name', notes: ['sn', 'shopId'], time: 'lastHeartbeat' },
    }),
  ],
  start: async (services) => {
    services.slots.fill(terminalResolverSlot, createRegisterAuthenticator(services))
  },
})
