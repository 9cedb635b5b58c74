import './refusals.ts'

export { freeQuote, giveBack, QUOTE_MINUTES, quoteFor, quoteOfSale, settleQuote, type GivenBack, type Quote, type QuoteAsk, type Settlement } from './quote.ts'
export { PIECES_MAX } from './pricing.ts'

/** The demo story of this room, told once the shops have their history. */
export const marketingStory = () => import('./marketing.story.ts')
