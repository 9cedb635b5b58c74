import './refusals.ts'
import './attempt-payable.ts'
import { onOrderCancelled } from '#domains/sales/orders/api.ts'
import { registerMoneyMove, onRefundNotification } from '#domains/money/payment-channels/api.ts'
import { onWechatEvent } from '#domains/money/wechat-pay/api.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { checkPaymentAttemptJob, requeuePaymentAttemptsJob, handleWechatPaymentEvent } from './attempt.job.ts'
import { checkoutRoutes, retryUnmatchedRefund, OVERPAYMENT_REFUND, payAttemptServer } from './checkout.server.ts'
import { checkoutDictionaries } from './dictionaries.ts'
import { cancelAttemptsOfOrder } from './end-of-order.ts'
import { unmatchedRefundCall, checkUnmatchedRefundNow } from './unmatched-refund.job.ts'
import { payAttempt } from './pay-attempt.resource.ts'

onOrderCancelled(cancelAttemptsOfOrder)

export default defineModule({
  name: 'money/checkout',
  label: { zh: '收款', en: 'Collect payment' },
  resources: [payAttemptServer],
  routes: checkoutRoutes,
  jobs: [checkPaymentAttemptJob, requeuePaymentAttemptsJob, ...unmatchedRefundCall.jobs],
  dictionaries: checkoutDictionaries,
  todos: [
    defineTodo(payAttempt, {
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
    onWechatEvent(services, 'TRANSACTION', handleWechatPaymentEvent)
    onRefundNotification(services, 'checkout', checkUnmatchedRefundNow)
    registerMoneyMove(services, OVERPAYMENT_REFUND, retryUnmatchedRefund)
  },
})
