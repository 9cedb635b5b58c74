import './refusals.ts'

export { paymentChannelUrlSlot, paymentPortSlot } from './channels.ts'
export {
  chooseRefundProvider,
  onRefundNotification,
  DEFAULT_PROVIDER,
  refundProvidersSlot,
  sendRefund,
  emitRefundNotification,
  type RefundRedirectTarget,
  type RefundProvider,
} from './refund-providers.ts'
export {
  createPaymentPort,
  type ChannelRefundResult,
  type ChannelRefundRequest,
  type PaymentPort,
} from './payment.client.ts'
export { registerMoneyMove, requestMoneyMove, loadDualApprovalThresholdCents } from './money-moves.ts'
export { refundNoAfter } from './next-refund-no.ts'
export { lockTransactionNo, isSamePayment, requireUnusedTransactionNo, findTransactionUse } from './paid-once.ts'
export { requestPayableRefund, bookPayableRefund, bookExternalPayableRefund } from './give-back.ts'
export {
  definePayable,
  isOwnChannel,
  IN_HOUSE_CHANNELS,
  payableOf,
  paymentsByTransactionNoSql,
  paymentsWhereSql,
  refundsWhereSql,
  transactionUsesSql,
  type PayableRefundRequest,
  type PaymentColumns,
  type RefundColumns,
  type SendPayableRefund,
} from './payables.ts'
