import './refusals.ts'
import './attempt-payable.ts'
import { onOrderCancelled } from '#domains/sales/orders/api.ts'
import { registerMoneyMove, onRefundNotification } from '#domains/money/payment-channels/api.ts'
import { onWechatEvent } from '#domains/money/wechat-pay/api.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { attemptJob, attemptSweepJob, checkPaymentNow } from './attempt.job.ts'
import { checkoutRoutes, giveBackAgainNow, OVERPAID, payAttemptServer } from './checkout.server.ts'
import { checkoutDictionaries } from './dictionaries.ts'
import { endOfOrder } from './end-of-order.ts'
import { unmatchedRefundJob, checkUnmatchedRefundNow } from './unmatched-refund.job.ts'
import { payAttempt } from './pay-attempt.resource.ts'

onOrderCancelled(endOfOrder)

export default defineModule({
  name: 'money/checkout',
  label: { zh: '收款', en: 'Collect payment' },
  resources: [payAttemptServer],
  routes: checkoutRoutes,
  jobs: [attemptJob, attemptSweepJob, unmatchedRefundJob],
  dictionaries: checkoutDictionaries,
  todos: [
    todoOf(payAttempt, {
      key: 'paymentsNotGivenBack',
      label: { zh: '多付款退款失败', en: 'Failed overpayment refunds' },
      query: () => ({ backState: 'failed' }),
      icon: 'close-circle',
      tone: 'bad',
      amount: 'amount',
      can: 'payAttempt_giveBackAgain',
      line: { title: 'backNote', notes: ['amount', 'shopId'], time: 'paidTime' },
    }),
  ],
  start: async (services) => {
    onWechatEvent(services, 'TRANSACTION', checkPaymentNow)
    onRefundNotification(services, 'checkout', checkUnmatchedRefundNow)
    registerMoneyMove(services, OVERPAID, giveBackAgainNow)
  },
})
