import './refusals.ts'
import './refund-payables.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { registerPayableRefunds } from './give-back.ts'
import { moneyDictionaries, moneyMove } from './money-move.resource.ts'
import { moneyMoveServer } from './money-moves.ts'
import { DUAL_APPROVAL_THRESHOLD_PARAM } from './params.ts'
import { checkPaymentRefundNow, paymentRefundCall } from './payment-refund.job.ts'
import { PAYMENT_REFUND_STATE, paymentRefund, paymentRefundDictionaries } from './payment-refund.resource.ts'
import { paymentRefundServer } from './payment-refund.server.ts'
import { onRefundNotification } from './refund-providers.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'

export default defineModule({
  name: 'money/payment-channels',
  label: { zh: '支付', en: 'Payments' },
  params: [DUAL_APPROVAL_THRESHOLD_PARAM],
  resources: [moneyMoveServer, paymentRefundServer],
  jobs: paymentRefundCall.jobs,
  dictionaries: [...moneyDictionaries, ...paymentRefundDictionaries],
  tables: [orderPaymentTable, refundPaymentTable],
  todos: [
    defineTodo(moneyMove, {
      key: 'moneyWaits',
      label: { zh: '资金待第二人确认', en: 'Awaiting second approval' },
      query: () => ({ state: 'waiting' }),
      icon: 'safety',
      tone: 'warn',
      sort: 21,
      amount: 'amount',
      can: 'moneyMove_confirm',
      line: { title: 'subjectNo', notes: ['kind', 'amount', 'askUser'], time: 'createTime' },
    }),
    defineTodo(paymentRefund, {
      key: 'paymentRefundsByHand',
      label: { zh: '充值年费退款待处理', en: 'Top-up and membership refunds to process' },
      query: () => ({ state: `${PAYMENT_REFUND_STATE.byHand},${PAYMENT_REFUND_STATE.failed}` }),
      icon: 'close-circle',
      tone: 'bad',
      sort: 22,
      amount: 'amount',
      can: 'paymentRefund_handOver',
      line: { title: 'payableNo', notes: ['state', 'amount', 'note'], time: 'createTime' },
    }),
  ],
  start: async (services) => {
    registerPayableRefunds(services)
    onRefundNotification(services, 'payments', checkPaymentRefundNow)
  },
})
