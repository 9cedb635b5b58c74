import type { CampaignRule } from './campaign-rules.ts'

/** Why cents went from a line: which member price, campaign, ticket or points took them. */
export const BENEFIT_KINDS = ['vipPrice', 'vipDay', 'campaign', 'ticket', 'points'] as const
export type Benefit = {
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
export type Scope = { upcs: readonly string[]; typeIds: readonly string[] }

export type CampaignOffer = Scope & {
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

export type TicketOffer = Scope & {
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

export type Offers = {
  /** The customer's level; undefined for somebody who is no member. */
  member?: { levelId: string; name: string; rate: number }
  memberDay?: { id: string; name: string; rate: number }
  campaigns: readonly CampaignOffer[]
  tickets: readonly TicketOffer[]
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
  benefits: Benefit[]
  discount: number
  amount: number
}

/** Why something on offer gave nothing. `lacking` in cents, or in pieces for `pieces`. */
export const MISSED_KINDS = ['campaign', 'ticket'] as const
export const MISSED_REASONS = [
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
export type Missed = {
  kind: (typeof MISSED_KINDS)[number]
  refId: string
  name: string
  why: (typeof MISSED_REASONS)[number]
  lacking?: number
}

export type Priced = {
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
  missed: Missed[]
}
