import { BarcodeMap } from '#domains/catalogue/products/index.ts'
import { createHash } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transitionAll } from '#kit/server/resource/transition.ts'
import { lockCustomer } from '#domains/sales/customers/api.ts'
import { findConfirmedTagPrices } from '#domains/devices/shelf-labels/api.ts'
import { customerTicket } from './customer-ticket.resource.ts'
import { COUPON_STATE } from './dictionaries.ts'
import {
  applyMemberPrices,
  findGoodsByUpc,
  isCouponUsable,
  lockLimitedCampaigns,
  lockCoupons,
  findPointsRedemptionRule,
  findRunningCampaigns,
  toCouponOffer,
  type QuoteLineRequest,
} from './offers.ts'
import type { BasketLine, PricedBasket } from './basket.ts'
import { priceBasketWithoutBlocking } from './price-in-turns.ts'
import { PIECES_MAX } from './pricing.ts'

/** Minutes a quote is valid. */
export const QUOTE_MINUTES = 10

export type QuoteRequest = {
  shopId: string
  wxUserId?: string | null
  lines: readonly QuoteLineRequest[]
  /** Numbers of the customer's tickets, or `best` for the one that saves most. */
  tickets: readonly string[] | 'best'
  /** Points the customer is willing to spend. */
  points: number
  /** Who asks, for example `register/7`. */
  holder: string
  /** The asker's own number of the sale; with `holder` it identifies the quote. */
  key: string
  now: Date
}

export type Quote = {
  id: string
  shopId: string
  wxUserId: string | null
  priced: PricedBasket
  validUntil: string
  state: 'open' | 'used' | 'freed' | 'returned'
  orderId: string | null
}
export type QuoteRow = Quote & {
  digest: string
  holder: string
  holderKey: string
  ticketIds: string[]
  points: number
  pointsReturned: number
}

export const quoteColumnsSql = sql`id, shop_id, wx_user_id, priced, valid_until, state, order_id, digest, holder,
  holder_key, ticket_ids::text[] as ticket_ids, points, points_returned`
const textOf = (row: QuoteRow): Quote => ({
  id: row.id,
  shopId: row.shopId,
  wxUserId: row.wxUserId,
  priced: row.priced,
  validUntil: row.validUntil,
  state: row.state,
  orderId: row.orderId,
})

const digestOf = ({ shopId, wxUserId, lines, tickets, points }: QuoteRequest) => {
  const counts = new Map<string, number>()
  for (const { upc, quantity } of lines) counts.set(upc, (counts.get(upc) ?? 0) + quantity)
  return createHash('sha256')
    .update(
      JSON.stringify([
        shopId,
        wxUserId ?? '',
        [...counts].map(([upc, quantity]) => `${upc} ${quantity}`).sort(),
        tickets === 'best' ? tickets : [...tickets].sort(),
        points,
      ]),
    )
    .digest('hex')
}

/** Returns the customer and the accounts merged into theirs, whose tickets and points count as well. */
const peopleOf = async (db: Db, wxUserId: string): Promise<string[]> => {
  const rows = await db.query<{ id: string }>(sql`
    with recursive all_of as (select id from wx_user where id = ${wxUserId} and tenant_id = ${db.tenantId} union
    select w.id from all_of a join wx_user w on w.merged_into = a.id and w.tenant_id = ${db.tenantId})
    select id from all_of order by id`)
  return rows.map((row) => row.id)
}

async function basketOf(db: Db, shopId: string, lines: readonly QuoteLineRequest[]): Promise<BasketLine[]> {
  if (!lines.length) throw new Refused('quote_no_lines')
  if (lines.reduce((sum, line) => sum + line.quantity, 0) > PIECES_MAX)
    throw new Refused('quote_too_many', { max: PIECES_MAX })
  const found = await findGoodsByUpc(db, shopId, [...new Set(lines.map((line) => line.upc))])
  const goods = new BarcodeMap(found.map((good) => [good.upc, good] as const))
  const unknown = [...new Set(lines.filter((line) => !goods.has(line.upc)).map((line) => line.upc))]
  if (unknown.length) throw new Refused('quote_unknown_goods', { upcs: unknown.slice(0, 5).join('、') })
  const confirmed = await findConfirmedTagPrices(
    db,
    shopId,
    [...goods.values()].map(({ id }) => id),
  )
  return lines.map(({ upc, quantity }) => {
    const good = goods.get(upc)!
    const price = Math.min(good.salePrice, confirmed.get(good.id) ?? good.salePrice)
    return { upc, goodId: good.id, name: good.name, price, quantity, typeIds: good.typeIds }
  })
}

/**
 * Prices a basket and guarantees the price for some minutes: reserves campaign budgets and uses, locks tickets. The
 * same request under the same number returns the same quote while it is valid; other content replaces it. Locks quote,
 * customer, campaigns, tickets, in this order.
 */
export async function createQuote(db: Db, ask: QuoteRequest): Promise<Quote> {
  await db.advisoryLock(`quote/${ask.holder}/${ask.key}`)
  const digest = digestOf(ask)
  const at = formatShanghaiTime(ask.now)
  const before = await db.one<QuoteRow>(
    sql`select ${quoteColumnsSql} from price_quote where tenant_id = ${db.tenantId} and holder = ${ask.holder}
      and holder_key = ${ask.key} and state in ('open', 'used') for update`,
  )
  if (before?.state === 'used' || before?.orderId) throw new Refused('quote_used', { saleNo: ask.key })
  if (before && before.digest === digest && before.validUntil > at) return textOf(before)
  const holder = ask.wxUserId ? await lockCustomer(db, ask.wxUserId) : undefined
  const people = holder ? await peopleOf(db, holder.id) : []
  if (before) {
    await lockLimitedCampaigns(db, ask.shopId, at, before.id)
    await free(db, before, at)
  }
  const plain = await basketOf(db, ask.shopId, ask.lines)
  const campaigns = await findRunningCampaigns(db, ask.shopId, people, at)
  const tickets = await usableTickets(db, people, ask, at)
  const { basket, ...membership } = await applyMemberPrices(db, ask.shopId, holder?.id, plain, at)
  const priced = await priceBasketWithoutBlocking(basket, {
    ...membership,
    campaigns,
    tickets: tickets.map(toCouponOffer),
    ticketChoice: ask.tickets === 'best' ? 'best' : 'all',
    ...(await pointsToSpend(db, holder, people, ask)),
  })
  return promise(db, ask, { digest, at, priced, wxUserId: holder?.id ?? null })
}

/**
 * Locks and returns the tickets the price may use: those requested, or all of the customer. Refuses a requested one
 * that is not usable.
 */
async function usableTickets(db: Db, people: readonly string[], { shopId, tickets }: QuoteRequest, at: string) {
  const named = tickets === 'best' ? undefined : tickets
  const held = people.length ? await lockCoupons(db, people, shopId, named) : []
  const usable = held.filter((ticket) => isCouponUsable(ticket, at))
  const bad = named?.find((number) => !usable.some(({ ticketNo }) => ticketNo === number))
  if (bad !== undefined) throw new Refused('quote_ticket_bad', { ticketNo: bad })
  return usable
}

/** Returns the points the customer may spend, without those other quotes hold, and how they pay. */
async function pointsToSpend(
  db: Db,
  holder: { integral: number } | undefined,
  people: readonly string[],
  { points, shopId }: QuoteRequest,
) {
  if (!holder || points <= 0) return {}
  const wanted = Math.min(points, holder.integral - (await promisedPoints(db, people)))
  return wanted > 0 ? { points: { wanted, ...(await findPointsRedemptionRule(db, shopId)) } } : {}
}

const promisedPoints = async (db: Db, people: readonly string[]) =>
  (await db.one<{ points: number }>(
    sql`select coalesce(sum(points), 0) as points from price_quote where tenant_id = ${db.tenantId}
      and wx_user_id = any(${people}::bigint[]) and state = 'open'`,
  ))!.points

async function promise(
  db: Db,
  ask: QuoteRequest,
  made: { digest: string; at: string; priced: PricedBasket; wxUserId: string | null },
): Promise<Quote> {
  const { priced, wxUserId, at } = made
  const id = newId()
  const validUntil = formatShanghaiTime(new Date(ask.now.getTime() + QUOTE_MINUTES * 60_000))
  const ticketIds = priced.tickets.map((ticket) => ticket.id)
  await db.run(sql`insert into price_quote (id, tenant_id, shop_id, wx_user_id, holder, holder_key, digest, priced,
    ticket_ids, points, state, valid_until)
    values (${id}, ${db.tenantId}, ${ask.shopId}, ${wxUserId}, ${ask.holder}, ${ask.key}, ${made.digest},
    ${JSON.stringify(priced)}::jsonb, ${ticketIds}::bigint[], ${priced.points}, 'open', ${validUntil})`)
  for (const { id: campaignId, amount, quantity } of sortById(priced.campaigns)) {
    await db.run(sql`insert into campaign_use (id, tenant_id, campaign_id, quote_id, shop_id, wx_user_id, amount,
      quantity, state)
      values (${newId()}, ${db.tenantId}, ${campaignId}, ${id}, ${ask.shopId}, ${wxUserId}, ${amount}, ${quantity},
      'reserved')`)
    await db.run(
      sql`update discount_conf set reserved_amount = coalesce(reserved_amount, 0) + ${amount} where id = ${campaignId}
        and tenant_id = ${db.tenantId} and budget is not null`,
    )
  }
  if (ticketIds.length)
    await transitionAll(db, customerTicket, sql`r.id = any(${ticketIds}::bigint[])`, 'lock', {
      quoteId: id,
      lockTime: at,
    })
  return { id, shopId: ask.shopId, wxUserId, priced, validUntil, state: 'open', orderId: null }
}

export const sortById = <T extends { id: string }>(rows: readonly T[]) =>
  rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))

type Use = {
  id: string
  campaignId: string
  amount: number
  quantity: number
  state: string
  salesAmount: number
  costAmount: number
}
export const findCampaignUses = (db: Db, quoteId: string) =>
  db.query<Use>(
    sql`select id, campaign_id, amount, quantity, state, sales_amount,
      cost_amount from campaign_use where tenant_id = ${db.tenantId} and quote_id = ${quoteId}
      order by campaign_id`,
  )

/** Releases an open quote with all it holds. The caller has locked it. */
async function free(db: Db, quote: QuoteRow, at: string): Promise<void> {
  await db.run(sql`update price_quote set state = 'freed' where id = ${quote.id} and tenant_id = ${db.tenantId}`)
  for (const { campaignId, amount } of await findCampaignUses(db, quote.id))
    await db.run(
      sql`update discount_conf set reserved_amount = reserved_amount - ${amount} where id = ${campaignId}
        and tenant_id = ${db.tenantId} and budget is not null`,
    )
  await db.run(sql`update campaign_use set state = 'freed' where tenant_id = ${db.tenantId} and quote_id = ${quote.id}`)
  await releaseCoupons(db, sql`quote_id = ${quote.id} and status = ${COUPON_STATE.locked}`, at)
}

export async function releaseCoupons(
  db: Db,
  which: ReturnType<typeof sql>,
  at: string,
): Promise<{ id: string; ticketId: string }[]> {
  const rows = await db.query<{ id: string; ticketId: string }>(sql`
    with held as (select id from customer_ticket where tenant_id = ${db.tenantId} and ${which}
    order by id for no key update)
    update customer_ticket t set status = case when t.is_revoked then ${COUPON_STATE.takenBack}::int
    when t.end_time > ${at}::timestamptz then ${COUPON_STATE.unused}::int else ${COUPON_STATE.expired}::int
    end, quote_id = null, lock_time = null, order_id = null, used_time = null, used_amount = null, shop_id = null,
      update_time = now(), version = version + 1 from held where t.id = held.id and t.tenant_id = ${db.tenantId}
      returning t.id, t.ticket_id`)
  publishRowsChanged({ db }, customerTicket, rows)
  return rows
}

/** Frees a quote that will not be paid; nothing happens when it was used or freed already. */
export async function releaseQuote(db: Db, quoteId: string, now: Date): Promise<void> {
  const quote = await lockQuoteRow(db, quoteId)
  if (quote?.state === 'open') await free(db, quote, formatShanghaiTime(now))
}

export const lockQuoteRow = (db: Db, quoteId: string) =>
  db.one<QuoteRow>(
    sql`select ${quoteColumnsSql} from price_quote where id = ${quoteId} and tenant_id = ${db.tenantId} for update`,
  )

/** Locks and returns the quote a sale names. Refuses one of another sale. */
export async function requireQuoteOfSale(
  db: Db,
  quoteId: string,
  from: { holder: string; key: string },
): Promise<Quote> {
  const quote = await lockQuoteRow(db, quoteId)
  if (!quote) throw new Refused('quote_unknown', { quoteId })
  if (
    quote.holder !== from.holder ||
    quote.holderKey !== from.key ||
    quote.state === 'used' ||
    quote.state === 'returned'
  )
    throw new Refused('quote_of_other', { quoteId })
  return textOf(quote)
}

/**
 * Ties an open quote to an unpaid order: it stays valid at least until the order must be paid, and no other order may
 * use it. Refuses a quote that is not free.
 */
export async function reserveQuote(
  db: Db,
  quoteId: string,
  by: { orderId: string; until: string | null },
): Promise<void> {
  const held = await db.run(
    sql`update price_quote set order_id = ${by.orderId}, valid_until = greatest(valid_until, ${by.until}::timestamptz)
      where id = ${quoteId} and tenant_id = ${db.tenantId} and state = 'open' and order_id is null`,
  )
  if (!held) throw new Refused('quote_of_other', { quoteId })
}

/** Releases one expired quote; false when there is none. One per transaction keeps the order of locks. */
export async function releaseNextExpiredQuote(db: Db, now: Date): Promise<boolean> {
  const at = formatShanghaiTime(now)
  const over = await db.one<QuoteRow>(
    sql`select ${quoteColumnsSql} from price_quote where tenant_id = ${db.tenantId} and state = 'open'
      and valid_until <= ${at}::timestamptz order by valid_until, id limit 1 for update skip locked`,
  )
  if (over) await free(db, over, at)
  return over !== undefined
}
