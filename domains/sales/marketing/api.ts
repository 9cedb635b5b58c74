import './refusals.ts'

export { BENEFIT_KINDS, MISSED_OFFER_KINDS, MISSED_OFFER_REASONS } from './basket.ts'
export { marketingConsistencySql } from './marketing-checks.ts'
export {
  releaseQuote,
  reserveQuote,
  QUOTE_MINUTES,
  createQuote,
  requireQuoteOfSale,
  type Quote,
  type QuoteRequest,
} from './quote.ts'
export { reverseQuoteRedemption, redeemQuote, type ReversedRedemption, type Redemption } from './redeem-quote.ts'
export { endOverdueCampaignsAndCoupons, endOverdueMarketing } from './marketing.job.ts'
export { pricedBasketToWire } from './preview.server.ts'
export { findUsableCoupons } from './tickets.server.ts'
export { parseQuoteLines, QUOTE_LINES_MAX } from './wanted.ts'

export const importMarketingDemo = () => import('./marketing.demo.ts')
