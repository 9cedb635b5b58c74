import './refusals.ts'

export { endUncoveredShares } from './share.ts'
export { findWechatMerchant } from './wechat-refund.ts'
export { merchantConsistencySql } from './merchant-checks.ts'
export { visibleMerchantsSql } from './merchants.server.ts'
export { enqueueShare } from './enqueue-share.ts'
export {
  paymentFeeSql,
  refundedFeeSql,
  belongsToMerchantSql,
  makeBill,
  mayBelongToMerchantSql,
  billPeriodOf,
} from './make-bill.ts'
export {
  readFundFlow,
  readTradeBill,
  StatementUnreadableError,
  type FundFlowLine,
  type StatementLine,
} from './statement.ts'
export { bookPlatformFee } from './take-fee.ts'
export { findSubMerchantNumbers, shopsEverOfMerchantSql, shopsWithin, merchantAtPaymentSql } from './merchant-terms.ts'

/** Imports the demo data of this module, only when it is seeded. */
export const importMerchantsDemo = () => import('./merchants.demo.ts')

/** Imports the functions that tell the simulated WeChat Pay about the demo data. */
export const importWechatPayDemo = () => import('./wechat-pay-account.demo.ts')
