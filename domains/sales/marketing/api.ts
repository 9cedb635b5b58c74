import './refusals.ts'

export { BENEFIT_KINDS, MISSED_KINDS, MISSED_REASONS } from './basket.ts'
export { marketingChecks } from './marketing-checks.ts'
export { releaseQuote, reserveQuote, QUOTE_MINUTES, quoteFor, quoteOfSale, type Quote, type QuoteAsk } from './quote.ts'
export { reverseRedemption, redeemQuote, type ReversedRedemption, type Redemption } from './redeem-quote.ts'
export { closeOverdue, sweepMarketing } from './marketing.job.ts'
export { pricedWire } from './preview.server.ts'
export { ticketsOf } from './tickets.server.ts'
export { parseWanted, WANTED_MAX } from './wanted.ts'

/** Demo data of this module, loaded only when it is seeded. */
export const marketingStory = () => import('./marketing.demo.ts')
