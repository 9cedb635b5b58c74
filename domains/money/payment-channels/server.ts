import './refusals.ts'
import './refund-payables.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { givesBack } from './give-back.ts'
import { moneyDictionaries, moneyMove } from './money-move.resource.ts'
import { moneyMoveServer } from './money-moves.ts'
import { SECOND_PERSON } from './params.ts'
import { hearPaymentRefund, paymentRefundJob, paymentRefundSweepJob } from './payment-refund.job.ts'
import { BACK_STATE, paymentRefund, refundDictionaries } from './payment-refund.resource.ts'
import { paymentRefundServer } from './payment-refund.server.ts'
import { onRefundNotification } from './refund-providers.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'

export default defineModule({
  name: 'money/payment-channels',
  label: { zh: '支付', en: 'Payments' },
  params: [SECOND_PERSON],
  resources: [moneyMoveServer, paymentRefundServer],
  jobs: [paymentRefundJob, paymentRefundSweepJob],
  dictionaries: [...moneyDictionaries, ...refundDictionaries],
  tables: [orderPaymentTable, refundPaymentTable],
  todos: [
    todoOf(moneyMove, {
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
    todoOf(paymentRefund, {
      key: 'paymentRefundsByHand',
      label: { zh: '充值年费退款待处理', en: 'Top-up and membership refunds to process' },
      query: () => ({ state: `${BACK_STATE.byHand},${BACK_STATE.failed}` }),
      icon: 'close-circle',
      tone: 'bad',
      sort: 22,
      amount: 'amount',
      can: 'paymentRefund_handOver',
      line: { title: 'payableNo', notes: ['state', 'amount', 'note'], time: 'createTime' },
    }),
  ],
  start: async (services) => {
    givesBack(services)
    onRefundNotification(services, 'payments', hearPaymentRefund)
  },
})
