import type { CampaignRule } from './campaign-rules.ts'

/** Why cents went from a line: which member price, campaign, ticket or points took them. */
export const BENEFIT_KINDS = ['vipPrice', 'vipDay', 'campaign', 'ticket', 'points'] as const
export type PriceBenefit = {
  kind: (typeof BENEFIT_KINDS)[number]
  refId: string | null
  name: string
  amount: number
}

/** Goods in a basket, at the shelf price; amounts in cents. The same goods may stand there several times. */
export type BasketLine = {
  upc: string
  goodId: string | null
  name: string
  price: number
  quantity: number
  /** Types the goods belong to, with those above. */
  typeIds: readonly string[]
  /** What members pay for these goods, and by which row; null without one. */
  member?: { price: number; refId: string | null } | null
}

/** Which goods something counts for: all when both lists are empty; `upcs` as barcodes are compared (`labelOf`). */
export type GoodsScope = { upcs: readonly string[]; typeIds: readonly string[] }

export type CampaignOffer = GoodsScope & {
  id: string
  name: string
  rule: CampaignRule
  priority: number
  membersOnly: boolean
  /** Goods it reduced may be reduced by other campaigns, and the other way round. */
  stackable: boolean
  /** Counts on top of member prices. */
  withVip: boolean
  /** Goods it reduced may be paid with tickets. */
  withTicket: boolean
  /** Goods in its scope it does not count for yet. */
  except?: readonly string[]
  /** What is left of its budget in cents; null without one. */
  left: number | null
  /** How often this customer may still use it; null without a limit. */
  times: number | null
}

export type CouponOffer = GoodsScope & {
  id: string
  name: string
  type: 'amount' | 'rate'
  threshold: number
  amount: number
  /** Hundredths of a per cent that are still paid. */
  rate: number
  cap: number | null
  stackable: boolean
  endTime: string
}

export type BasketOffers = {
  /** The customer's level; undefined for somebody who is no member. */
  member?: { levelId: string; name: string; rate: number }
  memberDay?: { id: string; name: string; rate: number }
  campaigns: readonly CampaignOffer[]
  tickets: readonly CouponOffer[]
  /** `best` takes the one ticket that saves most; otherwise those offered are meant to be used. */
  ticketChoice: 'best' | 'all'
  points?: { wanted: number; perYuan: number; shareRate: number }
}

export type PricedLine = {
  upc: string
  goodId: string | null
  name: string
  price: number
  quantity: number
  benefits: PriceBenefit[]
  discount: number
  amount: number
}

/** Why something on offer gave nothing. `lacking` in cents, or in pieces for `pieces`. */
export const MISSED_OFFER_KINDS = ['campaign', 'ticket'] as const
export const MISSED_OFFER_REASONS = [
  'membersOnly',
  'noGoods',
  'taken',
  'threshold',
  'pieces',
  'noGain',
  'budget',
  'limit',
  'member',
  'oneTicket',
] as const
export type MissedOffer = {
  kind: (typeof MISSED_OFFER_KINDS)[number]
  refId: string
  name: string
  why: (typeof MISSED_OFFER_REASONS)[number]
  lacking?: number
}

export type PricedBasket = {
  lines: PricedLine[]
  quantity: number
  goodsAmount: number
  vipAmount: number
  campaignAmount: number
  ticketAmount: number
  pointsAmount: number
  points: number
  payAmount: number
  /** What each campaign took off, and from how many pieces. */
  campaigns: { id: string; name: string; amount: number; quantity: number }[]
  tickets: { id: string; name: string; amount: number }[]
  missed: MissedOffer[]
}
