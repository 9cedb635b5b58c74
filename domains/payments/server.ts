import './refusals.ts'
import { defineRoom, needOf } from '#kit/server/room.ts'
import { moneyDictionaries, moneyMove } from './money-move.resource.ts'
import { moneyMoveServer } from './money-moves.ts'
import { SECOND_PERSON } from './params.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'

export default defineRoom({
  name: 'payments',
  label: { zh: '支付', en: 'Payments' },
  params: [SECOND_PERSON],
  resources: [moneyMoveServer],
  dictionaries: moneyDictionaries,
  tables: [orderPaymentTable, refundPaymentTable],
  needs: [
    needOf(moneyMove, {
      key: 'moneyWaits',
      label: { zh: '资金待第二人确认', en: 'Money that needs a second person' },
      query: () => ({ state: 'waiting' }),
      icon: 'safety',
      tone: 'warn',
      sort: 21,
      amount: 'amount',
      can: 'moneyMove_confirm',
      line: { title: 'subjectNo', notes: ['kind', 'amount', 'askUser'], time: 'createTime' },
    }),
  ],
})
