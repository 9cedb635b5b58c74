export { advertising } from './advertising.resource.ts'
export { bannerConf } from './banner-conf.resource.ts'
export {
  campaignTypes,
  parseCampaignRule,
  campaignPromiseText,
  campaignRuleToWire,
  type CampaignRule,
  type CampaignType,
} from './campaign-rules.ts'
export { customerTicket } from './customer-ticket.resource.ts'
export { CAMPAIGN_STATE, COUPON_STATE } from './dictionaries.ts'
export { discountConf } from './discount-conf.resource.ts'
export { discountTicket } from './discount-ticket.resource.ts'
export { marketingInfo } from './marketing-info.resource.ts'
export type {
  BasketLine,
  PriceBenefit,
  CampaignOffer,
  BasketOffers,
  PricedBasket,
  PricedLine,
  CouponOffer,
} from './basket.ts'
export { priceBasket } from './pricing.ts'
export { shopMarkting } from './shop-markting.resource.ts'
