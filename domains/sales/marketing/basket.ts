import type { CampaignRule } from './campaign-rules.ts'

/** Kinds of reductions of a line's price. */
export const BENEFIT_KINDS = ['vipPrice', 'vipDay', 'campaign', 'ticket', 'points'] as const
/** A reduction of a line: its cents, and the member price, campaign, ticket or points it comes from. */
export type PriceBenefit = {
  kind: (typeof BENEFIT_KINDS)[number]
  refId: string | null
  name: string
  amount: number
}

/** A product in a basket at its shelf price in cents. The same product may be on several lines. */
export type BasketLine = {
  upc: string
  goodId: string | null
  name: string
  price: number
  quantity: number
  /** The product's categories, including their parents. */
  typeIds: readonly string[]
  /** The product's member price in cents and the row it comes from; null without one. */
  member?: { price: number; refId: string | null } | null
}

/** The products an offer applies to: all when both lists are empty. `upcs` are normalised (`normalizeBarcode`). */
export type GoodsScope = { upcs: readonly string[]; typeIds: readonly string[] }

export type CampaignOffer = GoodsScope & {
  id: string
  name: string
  rule: CampaignRule
  priority: number
  membersOnly: boolean
  /** Whether other campaigns may reduce products reduced by this one, and the other way round. */
  stackable: boolean
  /** Counts on top of member prices. */
  withVip: boolean
  /** Goods it reduced may be paid with tickets. */
  withTicket: boolean
  /** Barcodes in its scope to which it does not apply yet, because their tags do not show it. */
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
  /** Hundredths of a per cent still to pay: 8000 means 80 %. */
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
  /** `best`: use the one ticket that saves most; `all`: use all tickets offered. */
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

/** What can be missed: a campaign or a ticket that was offered but took nothing off. */
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
/** An offer that took nothing off, and why. `lacking` is what was missing: cents, or pieces when `why` is `pieces`. */
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
