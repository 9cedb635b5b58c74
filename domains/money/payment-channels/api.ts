import './refusals.ts'

export { paymentChannelUrl, payments } from './channels.ts'
export {
  chooseRefundProvider,
  onRefundNotification,
  DEFAULT_PROVIDER,
  refundProviders,
  sendRefund,
  emitRefundNotification,
  type RedirectTo,
  type RefundProvider,
} from './refund-providers.ts'
export { createPaymentPort, type ChannelAnswer, type ChannelRefund, type PaymentPort } from './payment.client.ts'
export { registerMoneyMove, requestMoneyMove, dualApprovalThreshold } from './money-moves.ts'
export { nextRefundNo } from './next-refund-no.ts'
export { holdNumber, isSamePayment, requireUnused, whatNumberPaid } from './paid-once.ts'
export { askBack, bookBack, bookBackThere } from './give-back.ts'
export {
  definePayable,
  isOwnChannel,
  OWN_CHANNELS,
  payableOf,
  paidUnder,
  paymentsWhere,
  refundsWhere,
  usesOf,
  type BackAsk,
  type PaymentColumns,
  type RefundColumns,
  type SendBack,
} from './payables.ts'
