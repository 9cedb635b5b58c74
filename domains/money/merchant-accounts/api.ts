import './refusals.ts'

export { endUncoveredShares } from './share.ts'
export { wechatMerchantOf } from './wechat-refund.ts'
export { merchantChecks } from './merchant-checks.ts'
export { ofOwnMerchant } from './merchants.server.ts'
export { enqueueShare } from './enqueue-share.ts'
export { FEE, FEE_BACK, isOf, makeBill, mayBeOf, periodOf } from './make-bill.ts'
export { readFlows, readTrades, StatementProblem, type FlowLine, type StatementLine } from './statement.ts'
export { takeFee } from './take-fee.ts'
export { numbersOn, shopsOverTime, shopsWithin, MERCHANT_AT_PAYMENT } from './merchant-terms.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const merchantsStory = () => import('./merchants.demo.ts')

/** What the payment platform beside the story has to know of it. */
export const payStory = () => import('./pay-there.demo.ts')
