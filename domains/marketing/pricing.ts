import type { CampaignRule } from './campaign-rules.ts'

/** Why cents went from a line: which member price, campaign, ticket or points took them. */
export type Benefit = {
  kind: 'vipPrice' | 'vipDay' | 'campaign' | 'ticket' | 'points'
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

/** Which goods something counts for: all when both lists are empty. */
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
export type Missed = {
  kind: 'campaign' | 'ticket'
  refId: string
  name: string
  why:
    | 'membersOnly'
    | 'noGoods'
    | 'taken'
    | 'threshold'
    | 'pieces'
    | 'noGain'
    | 'budget'
    | 'limit'
    | 'member'
    | 'oneTicket'
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

/** More pieces than this are no basket. */
export const PIECES_MAX = 10_000

type Piece = {
  line: number
  upc: string
  typeIds: readonly string[]
  now: number
  isTouched: boolean
  isClosed: boolean
  noTicket: boolean
}
type Take = readonly [piece: Piece, amount: number]
type Found = { takes: Take[]; used: Piece[] } | Pick<Missed, 'why' | 'lacking'>

/**
 * The price of a basket, explained to the cent. Pure: the same goods and offers give the same answer, however the
 * basket's lines stand or are split. In this order (docs/decisions/0012): member price, campaigns by priority, tickets,
 * points. A member gets the cheapest of three: with member prices, without them, and as if he were none; so that being
 * one never costs anything.
 */
export function priceBasket(basket: readonly BasketLine[], offers: Offers): Priced {
  const lines = merged(basket)
  const ways = offers.member
    ? [reduce(lines, offers, true), reduce(lines, offers, false), reduce(lines, notForMembers(offers), false)]
    : [reduce(lines, offers, false)]
  const cheapest = ways.reduce((low, one) => (owed(one) < owed(low) ? one : low))
  takePoints(cheapest, offers.points)
  return explain(lines, cheapest)
}

const notForMembers = (offers: Offers): Offers => ({
  ...offers,
  campaigns: offers.campaigns.filter((one) => !one.membersOnly),
})

/** One line for the same goods at the same price, in one order. */
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
  pieces: Piece[]
  cuts: Map<string, Benefit>[]
  campaigns: Priced['campaigns']
  tickets: Priced['tickets']
  missed: Missed[]
  points: number
}

const owed = (work: Work) => sumOf(work.pieces)
const sumOf = (pieces: readonly Piece[]) => pieces.reduce((sum, piece) => sum + piece.now, 0)

function cut(work: Work, takes: readonly Take[], by: Omit<Benefit, 'amount'>): number {
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

function reduce(lines: readonly BasketLine[], offers: Offers, isMember: boolean): Work {
  const pieces = lines.flatMap((line, at) =>
    Array.from({ length: line.quantity }, (): Piece => ({
      line: at,
      upc: line.upc,
      typeIds: line.typeIds,
      now: line.price,
      isTouched: false,
      isClosed: false,
      noTicket: false,
    })),
  )
  const work: Work = { pieces, cuts: lines.map(() => new Map()), campaigns: [], tickets: [], missed: [], points: 0 }
  if (isMember) takeMemberPrices(work, lines, offers)
  const byPriority = offers.campaigns.toSorted((a, b) => b.priority - a.priority || compare(a.id, b.id))
  for (const campaign of byPriority) takeCampaign(work, campaign, offers, isMember)
  takeTickets(work, offers)
  return work
}

const compare = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
/** Half a cent goes up. */
const share = (amount: number, rate: number) => mulDiv(amount, rate, 10_000)

/** a × b ÷ c rounded, half up, exact also where the product leaves the safe integers. */
export function mulDiv(a: number, b: number, c: number): number {
  const product = a * b
  if (product <= Number.MAX_SAFE_INTEGER / 4) return Math.floor((2 * product + c) / (2 * c))
  return Number((2n * BigInt(a) * BigInt(b) + BigInt(c)) / (2n * BigInt(c)))
}

/** Of a member's prices the lowest counts; they are not multiplied. */
function takeMemberPrices(work: Work, lines: readonly BasketLine[], { member, memberDay }: Offers): void {
  for (const piece of work.pieces) {
    const { price, member: own, goodId } = lines[piece.line]!
    const candidates: { price: number; by: Omit<Benefit, 'amount'> }[] = []
    if (own) candidates.push({ price: own.price, by: { kind: 'vipPrice', refId: own.refId ?? goodId, name: '' } })
    candidates.push({
      price: share(price, member!.rate),
      by: { kind: 'vipPrice', refId: member!.levelId, name: member!.name },
    })
    if (memberDay)
      candidates.push({
        price: share(price, memberDay.rate),
        by: { kind: 'vipDay', refId: memberDay.id, name: memberDay.name },
      })
    const best = candidates.reduce((low, one) => (one.price < low.price ? one : low))
    cut(work, [[piece, Math.max(0, price - best.price)]], best.by)
  }
}

const isIn = (scope: Scope, piece: Piece) =>
  (!scope.upcs.length && !scope.typeIds.length) ||
  scope.upcs.includes(piece.upc) ||
  scope.typeIds.some((id) => piece.typeIds.includes(id))

function takeCampaign(work: Work, campaign: CampaignOffer, offers: Offers, isMember: boolean): void {
  const { id: refId, name } = campaign
  const miss = (why: Missed['why'], lacking?: number) =>
    void work.missed.push({ kind: 'campaign', refId, name, why, ...(lacking === undefined ? {} : { lacking }) })
  if (campaign.membersOnly && !offers.member) return miss('membersOnly')
  const meant = work.pieces.filter((piece) => isIn(campaign, piece))
  if (!meant.length) return miss('noGoods')
  if (isMember && !campaign.withVip) return miss('member')
  const open = meant.filter((piece) => piece.now > 0 && !piece.isClosed && (campaign.stackable || !piece.isTouched))
  if (!open.length) return miss('taken')
  if (campaign.times !== null && campaign.times <= 0) return miss('limit')
  const found = apply(campaign.rule, open)
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

const dearest = (pieces: readonly Piece[]) => pieces.toSorted((a, b) => b.now - a.now)

/**
 * `total` over the pieces in proportion to what they still cost; a share is the difference of rounded running sums, so
 * that nothing is lost.
 */
function spread(total: number, pieces: readonly Piece[]): Take[] {
  const sum = sumOf(pieces)
  let run = 0
  let given = 0
  return pieces.map((piece) => {
    run += piece.now
    const amount = sum ? mulDiv(total, run, sum) - given : 0
    given += amount
    return [piece, amount]
  })
}

/** What a rule takes from the pieces open to it, and which of them it used. */
function apply(rule: CampaignRule, open: readonly Piece[]): Found {
  switch (rule.type) {
    case 'fullReduction': {
      const sum = sumOf(open)
      const tier = rule.tiers.findLast((one) => sum >= one.over)
      if (!tier) return { why: 'threshold', lacking: rule.tiers[0]!.over - sum }
      const off = rule.repeat ? Math.floor(sum / tier.over) * tier.off : tier.off
      return { takes: spread(Math.min(off, sum), open), used: [...open] }
    }
    case 'percentage': {
      const takes = open.map((piece): Take => [piece, piece.now - share(piece.now, rule.rate)])
      const sum = takes.reduce((all, [, amount]) => all + amount, 0)
      return { takes: rule.cap !== null && sum > rule.cap ? spread(rule.cap, open) : takes, used: [...open] }
    }
    case 'fixedPrice': {
      const dear = dearest(open.filter((piece) => piece.now > rule.price)).slice(0, rule.maxPieces ?? undefined)
      return { takes: dear.map((piece): Take => [piece, piece.now - rule.price]), used: dear }
    }
    case 'nthPiece': {
      const groups = rule.mixed ? [open] : [...Map.groupBy(open, (piece) => piece.upc).values()]
      const used = groups.flatMap((group) => {
        const sorted = dearest(group)
        return sorted
          .slice(0, sorted.length - (sorted.length % rule.n))
          .map((piece, at) => ({ piece, isNth: (at + 1) % rule.n === 0 }))
      })
      if (!used.length) return { why: 'pieces', lacking: rule.n - Math.max(...groups.map((group) => group.length)) }
      return {
        takes: used.flatMap(({ piece, isNth }): Take[] =>
          isNth ? [[piece, piece.now - share(piece.now, rule.rate)]] : [],
        ),
        used: used.map(({ piece }) => piece),
      }
    }
    case 'bundle': {
      const takes: Take[] = []
      const used: Piece[] = []
      const sets = rule.items.length ? setsOf(rule.items, open) : groupsOf(dearest(open), rule.pieces)
      if (!sets.length)
        return rule.items.length
          ? { why: 'pieces', lacking: lackingOf(rule.items, open) }
          : { why: 'pieces', lacking: rule.pieces - open.length }
      for (const set of sets) {
        const gain = sumOf(set) - rule.price
        if (gain <= 0) continue
        takes.push(...spread(gain, set))
        used.push(...set)
      }
      return { takes, used }
    }
  }
}

const groupsOf = (pieces: readonly Piece[], size: number): Piece[][] =>
  Array.from({ length: Math.floor(pieces.length / size) }, (_unused, at) => pieces.slice(at * size, (at + 1) * size))

type Item = { upc: string; quantity: number }
function setsOf(items: readonly Item[], open: readonly Piece[]): Piece[][] {
  const stacks = items.map(({ upc, quantity }) => ({
    quantity,
    pieces: dearest(open.filter((piece) => piece.upc === upc)),
  }))
  const count = Math.min(...stacks.map(({ quantity, pieces }) => Math.floor(pieces.length / quantity)))
  return Array.from({ length: count }, (_unused, at) =>
    stacks.flatMap(({ quantity, pieces }) => pieces.slice(at * quantity, (at + 1) * quantity)),
  )
}
const lackingOf = (items: readonly Item[], open: readonly Piece[]) =>
  items.reduce(
    (sum, { upc, quantity }) => sum + Math.max(0, quantity - open.filter((piece) => piece.upc === upc).length),
    0,
  )

/** What a ticket would take now; a reason when nothing. */
function ticketTakes(ticket: TicketOffer, pieces: readonly Piece[]): Take[] | Pick<Missed, 'why' | 'lacking'> {
  const meant = pieces.filter((piece) => isIn(ticket, piece))
  if (!meant.length) return { why: 'noGoods' }
  const open = meant.filter((piece) => piece.now > 0 && !piece.noTicket)
  const sum = sumOf(open)
  if (!sum) return { why: 'taken' }
  if (sum < ticket.threshold) return { why: 'threshold', lacking: ticket.threshold - sum }
  const off = ticket.type === 'amount' ? Math.min(ticket.amount, sum) : sum - share(sum, ticket.rate)
  const capped = ticket.cap === null ? off : Math.min(off, ticket.cap)
  return capped > 0 ? spread(capped, open) : { why: 'noGain' }
}

const amountOf = (takes: readonly Take[]) => takes.reduce((sum, [, amount]) => sum + amount, 0)

function takeTickets(work: Work, { tickets, ticketChoice }: Offers): void {
  // Per cents before amounts: the customer's way round. The order of ids settles the rest.
  const inOrder = tickets.toSorted(
    (a, b) => Number(a.type === 'amount') - Number(b.type === 'amount') || compare(a.id, b.id),
  )
  const chosen = ticketChoice === 'all' ? inOrder : bestOf(work, inOrder)
  for (const ticket of chosen) {
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
function bestOf(work: Work, tickets: readonly TicketOffer[]): TicketOffer[] {
  const worth = tickets.flatMap((ticket) => {
    const takes = ticketTakes(ticket, work.pieces)
    return 'why' in takes ? [] : [{ ticket, amount: amountOf(takes) }]
  })
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

/** Points pay at most their share of what is left, in whole cents, and never more of them than the cents need. */
function takePoints(work: Work, points: Offers['points']): void {
  if (!points || points.wanted <= 0 || points.perYuan <= 0) return
  const most = Math.floor((owed(work) * points.shareRate) / 10_000)
  const cents = Math.min(most, Math.floor((points.wanted * 100) / points.perYuan))
  if (cents <= 0) return
  cut(work, spread(cents, work.pieces), { kind: 'points', refId: null, name: '' })
  work.points = Math.ceil((cents * points.perYuan) / 100)
}

function explain(lines: readonly BasketLine[], work: Work): Priced {
  const priced = lines.map(({ upc, goodId, name, price, quantity }, at): PricedLine => {
    const benefits = [...work.cuts[at]!.values()]
    const discount = benefits.reduce((sum, one) => sum + one.amount, 0)
    return { upc, goodId, name, price, quantity, benefits, discount, amount: price * quantity - discount }
  })
  const taken = (...kinds: Benefit['kind'][]) =>
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
