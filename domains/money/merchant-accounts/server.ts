import './refusals.ts'
import { registerMoneyMove, refundProvidersSlot } from '#domains/money/payment-channels/api.ts'
import { onWechatEvent } from '#domains/money/wechat-pay/api.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { applyCheckRoute } from './apply-check.server.ts'
import { submitApplyJob, checkApplyStatusJob, enqueueApplyStatusChecksJob } from './apply.job.ts'
import { bankRoutes } from './bank-lists.server.ts'
import { applySettlementChangeJob, enqueueSettlementChecksJob } from './settlement.job.ts'
import { settlementChangeServer } from './settlement-change.server.ts'
import { bindRoutes } from './bind-shop.server.ts'
import { makeDailyBillsJob, makeMonthlyBillsJob } from './bill.job.ts'
import { PROFIT_SHARE_MOVE_KIND, merchantDictionaries } from './dictionaries.ts'
import { merchantTodos } from './merchant-needs.ts'
import { billDetailServer, billServer, merchantInfoServer, merchantRoutes, shareLogServer } from './merchants.server.ts'
import { syncMerchantReceiversJob } from './merchant-receivers.job.ts'
import { payApplyServer } from './pay-apply.server.ts'

import { fetchStatementJob, enqueueStatementFetchesJob } from './statement.job.ts'
import { shareMoveCall } from './share.job.ts'
import { unfreezeOrderMoney } from './share-return.ts'
import { takenFeeTable } from './taken-fee.ts'
import { merchantTermTable } from './merchant-terms.ts'
import { handleWechatRefundEvent, wechatRefundProvider } from './wechat-refund.ts'

export default defineModule({
  name: 'money/merchant-accounts',
  label: { zh: '商户', en: 'Merchants & settlement' },
  resources: [merchantInfoServer, billServer, billDetailServer, shareLogServer, payApplyServer, settlementChangeServer],
  routes: [...merchantRoutes, ...bindRoutes, ...bankRoutes, applyCheckRoute],
  jobs: [
    makeDailyBillsJob,
    makeMonthlyBillsJob,
    enqueueStatementFetchesJob,
    fetchStatementJob,
    submitApplyJob,
    checkApplyStatusJob,
    enqueueApplyStatusChecksJob,
    syncMerchantReceiversJob,
    ...shareMoveCall.jobs,
    applySettlementChangeJob,
    enqueueSettlementChecksJob,
  ],
  tables: [merchantTermTable, takenFeeTable],
  dictionaries: merchantDictionaries,
  todos: merchantTodos,
  start: async (services) => {
    services.slots.add(refundProvidersSlot, 'wechat', wechatRefundProvider)
    registerMoneyMove(services, PROFIT_SHARE_MOVE_KIND.unfreeze, unfreezeOrderMoney)
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
