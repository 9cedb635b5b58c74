import { normalizeBarcode } from '#domains/catalogue/products/index.ts'
import type {
  BasketLine,
  PriceBenefit,
  CampaignOffer,
  MissedOffer,
  BasketOffers,
  PricedBasket,
  PricedLine,
  CouponOffer,
} from './basket.ts'
import {
  createScopeMatcher,
  amountAtRate,
  allocateDiscount,
  sumUnitPrices,
  computeCampaignDiscount,
  type BasketUnit,
  type CampaignUnitDiscount,
} from './match-basket.ts'

/** Most pieces in a basket. */
export const PIECES_MAX = 10_000

/**
 * Prices a basket and explains every cent. Pure: the result does not depend on the order of lines or how they are
 * split. Order (docs/decisions/0012): member price, campaigns by priority, tickets, points. Members get the cheapest of
 * three: with member prices, without them, or as a non-member, so that membership never costs more.
 */
export function priceBasket(basket: readonly BasketLine[], offers: BasketOffers): PricedBasket {
  const steps = priceBasketInSteps(basket, offers)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same in short steps, so that the caller can pause a large basket with many campaigns. */
export function* priceBasketInSteps(
  basket: readonly BasketLine[],
  offers: BasketOffers,
): Generator<void, PricedBasket> {
  const lines = merged(basket)
  yield
  const candidates = [yield* reduce(lines, offers, !!offers.member)]
  if (offers.member)
    candidates.push(yield* reduce(lines, offers, false), yield* reduce(lines, notForMembers(offers), false))
  const cheapest = candidates.reduce((low, one) => (owed(one) < owed(low) ? one : low))
  takePoints(cheapest, offers.points)
  yield
  return explain(lines, cheapest)
}

const notForMembers = (offers: BasketOffers): BasketOffers => ({
  ...offers,
  campaigns: offers.campaigns.filter((one) => !one.membersOnly),
})

/** Merges lines with the same product and price and sorts them. */
function merged(basket: readonly BasketLine[]): BasketLine[] {
  const keyOf = (line: BasketLine) => `${line.upc}\n${line.goodId ?? ''}\n${line.price}\n${line.member?.price ?? ''}`
  const groups = Map.groupBy(
    basket.filter((line) => line.quantity > 0),
    keyOf,
  )
  return [...groups.keys()].sort().map((key) => {
    const same = groups.get(key)!
    return {
      ...same[0]!,
      name: same.map((line) => line.name).sort()[0]!,
      quantity: same.reduce((sum, line) => sum + line.quantity, 0),
    }
  })
}

type Work = {
  pieces: BasketUnit[]
  cuts: Map<string, PriceBenefit>[]
  campaigns: PricedBasket['campaigns']
  tickets: PricedBasket['tickets']
  missed: MissedOffer[]
  points: number
}

const owed = (work: Work) => sumUnitPrices(work.pieces)
function cut(work: Work, takes: readonly CampaignUnitDiscount[], by: Omit<PriceBenefit, 'amount'>): number {
  let total = 0
  for (const [piece, amount] of takes) {
    if (amount <= 0) continue
    piece.now -= amount
    total += amount
    const key = `${by.kind} ${by.refId ?? ''}`
    const benefit = work.cuts[piece.line]!.get(key)
    if (benefit) benefit.amount += amount
    else work.cuts[piece.line]!.set(key, { ...by, amount })
  }
  return total
}

function* reduce(lines: readonly BasketLine[], offers: BasketOffers, isMember: boolean): Generator<void, Work> {
  const pieces = lines.flatMap((line, at) =>
    Array.from({ length: line.quantity }, (): BasketUnit => ({
      line: at,
      upc: normalizeBarcode(line.upc),
      typeIds: line.typeIds,
      now: line.price,
      isTouched: false,
      isClosed: false,
      noTicket: false,
    })),
  )
  const work: Work = { pieces, cuts: lines.map(() => new Map()), campaigns: [], tickets: [], missed: [], points: 0 }
  yield
  if (isMember) takeMemberPrices(work, lines, offers)
  yield
  const byPriority = offers.campaigns.toSorted((a, b) => b.priority - a.priority || compare(a.id, b.id))
  for (const campaign of byPriority) {
    takeCampaign(work, campaign, offers, isMember)
    yield
  }
  yield* takeTickets(work, offers)
  return work
}

const compare = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
/** Of a member's prices the lowest counts; they are not multiplied. */
function takeMemberPrices(work: Work, lines: readonly BasketLine[], { member, memberDay }: BasketOffers): void {
  for (const piece of work.pieces) {
    const { price, member: own, goodId } = lines[piece.line]!
    const candidates: { price: number; by: Omit<PriceBenefit, 'amount'> }[] = []
    if (own) candidates.push({ price: own.price, by: { kind: 'vipPrice', refId: own.refId ?? goodId, name: '' } })
    candidates.push({
      price: amountAtRate(price, member!.rate),
      by: { kind: 'vipPrice', refId: member!.levelId, name: member!.name },
    })
    if (memberDay)
      candidates.push({
        price: amountAtRate(price, memberDay.rate),
        by: { kind: 'vipDay', refId: memberDay.id, name: memberDay.name },
      })
    const best = candidates.reduce((low, one) => (one.price < low.price ? one : low))
    cut(work, [[piece, Math.max(0, price - best.price)]], best.by)
  }
}

function takeCampaign(work: Work, campaign: CampaignOffer, offers: BasketOffers, isMember: boolean): void {
  const { id: refId, name } = campaign
  const miss = (why: MissedOffer['why'], lacking?: number) =>
    void work.missed.push({ kind: 'campaign', refId, name, why, ...(lacking === undefined ? {} : { lacking }) })
  if (campaign.membersOnly && !offers.member) return miss('membersOnly')
  const [isMeant, except] = [createScopeMatcher(campaign), new Set(campaign.except)]
  const meant = work.pieces.filter((piece) => isMeant(piece) && !except.has(piece.upc))
  if (!meant.length) return miss('noGoods')
  if (isMember && !campaign.withVip) return miss('member')
  const open = meant.filter((piece) => piece.now > 0 && !piece.isClosed && (campaign.stackable || !piece.isTouched))
  if (!open.length) return miss('taken')
  if (campaign.times !== null && campaign.times <= 0) return miss('limit')
  const found = computeCampaignDiscount(campaign.rule, open)
  if ('why' in found) return miss(found.why, found.lacking)
  const amount = found.takes.reduce((sum, [, one]) => sum + one, 0)
  if (!amount) return miss('noGain')
  if (campaign.left !== null && amount > campaign.left) return miss('budget')
  cut(work, found.takes, { kind: 'campaign', refId, name })
  for (const piece of found.used) {
    piece.isTouched = true
    piece.isClosed ||= !campaign.stackable
    piece.noTicket ||= !campaign.withTicket
  }
  work.campaigns.push({ id: refId, name, amount, quantity: found.used.length })
}

/** Returns what a ticket would take off now, or why it takes nothing. */
function ticketTakes(
  ticket: CouponOffer,
  pieces: readonly BasketUnit[],
): CampaignUnitDiscount[] | Pick<MissedOffer, 'why' | 'lacking'> {
  const meant = pieces.filter(createScopeMatcher(ticket))
  if (!meant.length) return { why: 'noGoods' }
  const open = meant.filter((piece) => piece.now > 0 && !piece.noTicket)
  const sum = sumUnitPrices(open)
  if (!sum) return { why: 'taken' }
  if (sum < ticket.threshold) return { why: 'threshold', lacking: ticket.threshold - sum }
  const off = ticket.type === 'amount' ? Math.min(ticket.amount, sum) : sum - amountAtRate(sum, ticket.rate)
  const capped = ticket.cap === null ? off : Math.min(off, ticket.cap)
  return capped > 0 ? allocateDiscount(capped, open) : { why: 'noGain' }
}

const amountOf = (takes: readonly CampaignUnitDiscount[]) => takes.reduce((sum, [, amount]) => sum + amount, 0)

function* takeTickets(work: Work, { tickets, ticketChoice }: BasketOffers): Generator<void> {
  // Percentages before amounts, which is better for the customer; then by id.
  const inOrder = tickets.toSorted(
    (a, b) => Number(a.type === 'amount') - Number(b.type === 'amount') || compare(a.id, b.id),
  )
  const chosen = ticketChoice === 'all' ? inOrder : yield* bestOf(work, inOrder)
  for (const ticket of chosen) {
    yield
    const by = { kind: 'ticket' as const, refId: ticket.id, name: ticket.name }
    if (
      work.tickets.length &&
      !(ticket.stackable && work.tickets.every((one) => tickets.find(({ id }) => id === one.id)!.stackable))
    ) {
      work.missed.push({ ...by, why: 'oneTicket' })
      continue
    }
    const takes = ticketTakes(ticket, work.pieces)
    if ('why' in takes) work.missed.push({ ...by, ...takes })
    else work.tickets.push({ id: ticket.id, name: ticket.name, amount: cut(work, takes, by) })
  }
}

/** The ticket that saves most; among equals the one that ends first. */
function* bestOf(work: Work, tickets: readonly CouponOffer[]): Generator<void, CouponOffer[]> {
  const worth: { ticket: CouponOffer; amount: number }[] = []
  for (const ticket of tickets) {
    const takes = ticketTakes(ticket, work.pieces)
    if (!('why' in takes)) worth.push({ ticket, amount: amountOf(takes) })
    yield
  }
  worth.sort(
    (a, b) =>
      b.amount - a.amount ||
      (a.ticket.endTime < b.ticket.endTime
        ? -1
        : a.ticket.endTime > b.ticket.endTime
          ? 1
          : compare(a.ticket.id, b.ticket.id)),
  )
  return worth.slice(0, 1).map(({ ticket }) => ticket)
}

/**
 * Pays with points: at most the allowed share of what is left, in whole cents, with no more points than those cents
 * need.
 */
function takePoints(work: Work, points: BasketOffers['points']): void {
  if (!points || points.wanted <= 0 || points.perYuan <= 0) return
  const most = Math.floor((owed(work) * points.shareRate) / 10_000)
  const cents = Math.min(most, Math.floor((points.wanted * 100) / points.perYuan))
  if (cents <= 0) return
  cut(work, allocateDiscount(cents, work.pieces), { kind: 'points', refId: null, name: '' })
  work.points = Math.ceil((cents * points.perYuan) / 100)
}

function explain(lines: readonly BasketLine[], work: Work): PricedBasket {
  const priced = lines.map(({ upc, goodId, name, price, quantity }, at): PricedLine => {
    const benefits = [...work.cuts[at]!.values()]
    const discount = benefits.reduce((sum, one) => sum + one.amount, 0)
    return { upc, goodId, name, price, quantity, benefits, discount, amount: price * quantity - discount }
  })
  const taken = (...kinds: PriceBenefit['kind'][]) =>
    priced.flatMap((line) => line.benefits).reduce((sum, one) => (kinds.includes(one.kind) ? sum + one.amount : sum), 0)
  return {
    lines: priced,
    quantity: priced.reduce((sum, line) => sum + line.quantity, 0),
    goodsAmount: priced.reduce((sum, line) => sum + line.price * line.quantity, 0),
    vipAmount: taken('vipPrice', 'vipDay'),
    campaignAmount: taken('campaign'),
    ticketAmount: taken('ticket'),
    pointsAmount: taken('points'),
    points: work.points,
    payAmount: priced.reduce((sum, line) => sum + line.amount, 0),
    campaigns: work.campaigns,
    tickets: work.tickets,
    missed: work.missed,
  }
}
