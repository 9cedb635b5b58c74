import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'

export default defineRoom({
  name: 'payments',
  label: { zh: '支付', en: 'Payments' },
  tables: [orderPaymentTable, refundPaymentTable],
})
