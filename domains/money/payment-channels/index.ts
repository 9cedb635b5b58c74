export { moneyMove } from './money-move.resource.ts'
export { BACK_STATE, paymentRefund } from './payment-refund.resource.ts'
export { transactionNo } from './transaction-no.ts'
