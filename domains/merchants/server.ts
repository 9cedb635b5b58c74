import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import { dailyBillJob, monthlyBillJob } from './bill.job.ts'
import { merchantDictionaries } from './dictionaries.ts'
import { billDetailServer, billServer, merchantInfoServer, merchantRoutes, shareLogServer } from './merchants.server.ts'
import { payApplyServer } from './pay-apply.server.ts'

export default defineRoom({
  name: 'merchants',
  label: { zh: '商户', en: 'Merchants' },
  resources: [merchantInfoServer, billServer, billDetailServer, shareLogServer, payApplyServer],
  routes: merchantRoutes,
  jobs: [dailyBillJob, monthlyBillJob],
  dictionaries: merchantDictionaries,
  menus: [{ code: 'merchant', label: { zh: '商户', en: 'Merchants' }, path: '/merchant', icon: 'bank', sort: 70 }],
})
