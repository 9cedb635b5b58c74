import './refusals.ts'

export { paymentChannelUrl, payments } from './channels.ts'
export {
  chooseWay,
  onRefundHeard,
  PORT,
  refundWays,
  sendRefund,
  tellRefundHeard,
  type RedirectTo,
  type RefundWay,
} from './refund-ways.ts'
export { createPaymentPort, type ChannelAnswer, type ChannelRefund, type PaymentPort } from './payment.client.ts'
export { doesMoneyMove, moveMoney, secondPersonAbove } from './money-moves.ts'
export { isSamePayment, requireUnused, whatNumberPaid } from './paid-once.ts'
export {
  definePayable,
  payableOf,
  paidUnder,
  paymentsWhere,
  refundsWhere,
  usesOf,
  type BackThere,
  type PaymentColumns,
  type RefundColumns,
} from './payables.ts'
export { giveBackPaid, isKnownBack, keepBackThere, type PaidBackOf } from './payment-refund.server.ts'
