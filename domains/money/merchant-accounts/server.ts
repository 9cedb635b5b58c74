import './refusals.ts'
import { registerMoneyMove, refundProviders } from '#domains/money/payment-channels/api.ts'
import { onWechatEvent } from '#domains/money/wechat-pay/api.ts'
import { defineModule } from '#kit/server/module.ts'
import { applyCheckRoute } from './apply-check.server.ts'
import { applyJob, applyStatusJob, applySweepJob } from './apply.job.ts'
import { bankRoutes } from './bank-lists.server.ts'
import { settlementJob, settlementSweepJob } from './settlement.job.ts'
import { settlementChangeServer } from './settlement-change.server.ts'
import { bindRoutes } from './bind-shop.server.ts'
import { dailyBillJob, monthlyBillJob } from './bill.job.ts'
import { MOVE, merchantDictionaries } from './dictionaries.ts'
import { merchantNeeds } from './merchant-needs.ts'
import { billDetailServer, billServer, merchantInfoServer, merchantRoutes, shareLogServer } from './merchants.server.ts'
import { addReceiversJob } from './merchant-receivers.job.ts'
import { payApplyServer } from './pay-apply.server.ts'

import { statementJob, statementsJob } from './statement.job.ts'
import { shareMoveJob, shareSweepJob } from './share.job.ts'
import { unfreezeNow } from './share-return.ts'
import { takenFeeTable } from './taken-fee.ts'
import { merchantTerm } from './merchant-terms.ts'
import { handleWechatRefundEvent, wechatRefunds } from './wechat-refund.ts'

export default defineModule({
  name: 'money/merchant-accounts',
  label: { zh: '商户', en: 'Merchants & settlement' },
  resources: [merchantInfoServer, billServer, billDetailServer, shareLogServer, payApplyServer, settlementChangeServer],
  routes: [...merchantRoutes, ...bindRoutes, ...bankRoutes, applyCheckRoute],
  jobs: [
    dailyBillJob,
    monthlyBillJob,
    statementsJob,
    statementJob,
    applyJob,
    applyStatusJob,
    applySweepJob,
    addReceiversJob,
    shareMoveJob,
    shareSweepJob,
    settlementJob,
    settlementSweepJob,
  ],
  tables: [merchantTerm, takenFeeTable],
  dictionaries: merchantDictionaries,
  todos: merchantNeeds,
  start: async (services) => {
    services.slots.add(refundProviders, 'wechat', wechatRefunds)
    registerMoneyMove(services, MOVE.unfreeze, unfreezeNow)
    onWechatEvent(services, 'REFUND', handleWechatRefundEvent)
  },
  menus: [
    {
      code: 'merchant',
      label: { zh: '商户', en: 'Merchants & settlement' },
      path: '/merchant',
      icon: 'bank',
      sort: 70,
    },
  ],
})
