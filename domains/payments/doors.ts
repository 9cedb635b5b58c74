import './refusals.ts'

export { paymentChannelUrl, payments, paymentsOf } from './channels.ts'
export { createPaymentPort, type ChannelAnswer, type ChannelRefund, type PaymentPort } from './payment.client.ts'
export { isSamePayment, requireUnused } from './paid-once.ts'
