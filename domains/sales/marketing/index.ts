export { advertising } from './advertising.resource.ts'
export { bannerConf } from './banner-conf.resource.ts'
export {
  campaignTypes,
  parseRules,
  rulePromise,
  rulesWire,
  type CampaignRule,
  type CampaignType,
} from './campaign-rules.ts'
export { customerTicket } from './customer-ticket.resource.ts'
export { CAMPAIGN, TICKET } from './dictionaries.ts'
export { discountConf } from './discount-conf.resource.ts'
export { discountTicket } from './discount-ticket.resource.ts'
export { marketingInfo } from './marketing-info.resource.ts'
export type { BasketLine, Benefit, CampaignOffer, Offers, Priced, PricedLine, TicketOffer } from './basket.ts'
export { priceBasket } from './pricing.ts'
export { shopMarkting } from './shop-markting.resource.ts'
