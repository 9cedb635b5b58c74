export { moneyMove, moneyMoveSchema, type MoneyMoveResult } from './money-move.resource.ts'
export { PAYMENT_REFUND_STATE, paymentRefund } from './payment-refund.resource.ts'
export { transactionNoField } from './transaction-no.ts'
