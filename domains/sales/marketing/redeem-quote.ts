import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { changeCustomerAccount, lockCustomer } from '#domains/sales/customers/api.ts'
import { customerTicket } from './customer-ticket.resource.ts'
import { COUPON_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import { discountTicket } from './discount-ticket.resource.ts'
import { sortById, lockQuoteRow, quoteColumnsSql, releaseCoupons, findCampaignUses, type QuoteRow } from './quote.ts'
import { addToCampaignShopResults } from './shop-results.ts'

export type Redemption = {
  quoteId: string
  order: { id: string; shopId: string; payAmount: number; costAmount: number }
  /** When it was paid ('yyyy-MM-dd HH:mm:ss', Shanghai). */
  paidAt: string
  /** When the payment is booked. */
  now: Date
}

/**
 * Redeems the quote of a paid order: takes the points, uses budgets and tickets. Call it in the order's transaction,
 * after stock and customer were booked. What was released meanwhile is used all the same, since the sale happened;
 * `isWhole` is false if something promised was no longer there.
 */
export async function redeemQuote(db: Db, { quoteId, order, paidAt, now }: Redemption): Promise<{ isWhole: boolean }> {
  const quote = (await lockQuoteRow(db, quoteId))!
  let isWhole = quote.state === 'open' && quote.validUntil >= paidAt
  if (quote.points && quote.wxUserId) {
    const { integral } = await lockCustomer(db, quote.wxUserId)
    const points = Math.min(quote.points, integral)
    if (points < quote.points) isWhole = false
    if (points)
      await changeCustomerAccount(db, 'integral', {
        wxUserId: quote.wxUserId,
        change: -points,
        type: 'consume',
        refType: 'order',
        refId: order.id,
        shopId: order.shopId,
      })
    if (points < quote.points)
      await db.run(sql`update price_quote set points = ${points} where id = ${quoteId} and tenant_id = ${db.tenantId}`)
  }

  const uses = await findCampaignUses(db, quoteId)
  for (const { campaignId, amount, state } of uses)
    await db.run(sql`update discount_conf set used_amount = coalesce(used_amount, 0) + ${amount},
      used_count = coalesce(used_count, 0) + 1, reserved_amount = coalesce(reserved_amount, 0) - case
      when budget is not null and ${state === 'reserved'} then ${amount} else 0 end
      where id = ${campaignId} and tenant_id = ${db.tenantId}`)
  if (uses.length) {
    await db.run(
      sql`update campaign_use set state = 'used', order_id = ${order.id}, sales_amount = ${order.payAmount},
        cost_amount = ${order.costAmount} where tenant_id = ${db.tenantId} and quote_id = ${quoteId}`,
    )
    publishRowsChanged(
      { db },
      discountConf,
      uses.map((use) => ({ id: use.campaignId })),
    )
  }

  if (!(await spendTickets(db, quote, order, paidAt))) isWhole = false
  for (const use of uses)
    await addToCampaignShopResults(db, {
      campaignId: use.campaignId,
      shopId: order.shopId,
      orders: 1,
      quantity: use.quantity,
      discount: use.amount,
      sales: order.payAmount,
      cost: order.costAmount,
      at: formatShanghaiTime(now),
    })

  await db.run(
    sql`update price_quote set state = 'used', order_id = ${order.id} where id = ${quoteId}
      and tenant_id = ${db.tenantId}`,
  )
  return { isWhole }
}

/**
 * Uses the quote's tickets. Returns false when one was used, promised elsewhere or taken back meanwhile; that one is
 * left alone.
 */
async function spendTickets(db: Db, quote: QuoteRow, order: Redemption['order'], paidAt: string): Promise<boolean> {
  if (!quote.ticketIds.length) return true
  const held = await db.query<{ id: string; ticketId: string; status: number; quoteId: string | null }>(
    sql`select id, ticket_id, status, quote_id from customer_ticket where tenant_id = ${db.tenantId}
      and id = any(${quote.ticketIds}::bigint[]) order by id for no key update`,
  )
  const mayUse = ({ status, quoteId }: (typeof held)[number]) =>
    status === COUPON_STATE.locked
      ? quoteId === quote.id
      : status === COUPON_STATE.unused || status === COUPON_STATE.expired
  const free = held.filter(mayUse)
  const amounts = new Map(quote.priced.tickets.map((ticket) => [ticket.id, ticket.amount]))
  for (const ticket of free)
    await transition(db, customerTicket, ticket.id, 'redeem', {
      quoteId: quote.id,
      orderId: order.id,
      shopId: order.shopId,
      usedTime: paidAt,
      usedAmount: amounts.get(ticket.id) ?? 0,
    })
  await countUsed(db, free, 1)
  return free.length === quote.ticketIds.length
}

async function countUsed(db: Db, tickets: readonly { ticketId: string }[], by: 1 | -1): Promise<void> {
  const counts = Map.groupBy(tickets, (ticket) => ticket.ticketId)
  for (const { id } of sortById([...counts.keys()].map((one) => ({ id: one }))))
    await db.run(
      sql`update discount_ticket set used = coalesce(used, 0) + ${by * counts.get(id)!.length} where id = ${id}
        and tenant_id = ${db.tenantId}`,
    )
  publishRowsChanged(
    { db },
    discountTicket,
    [...counts.keys()].map((id) => ({ id })),
  )
}

export type ReversedRedemption = {
  orderId: string
  refundId: string
  /** Nothing of the order is left. */ isWhole: boolean
  now: Date
}

/**
 * Reverses a redemption after a refund: points come back in proportion; tickets, budgets and uses only with the whole
 * order. Call it after the order's refunded amount, stock and customer were booked. Returns the points given back.
 */
export async function reverseQuoteRedemption(
  db: Db,
  { orderId, refundId, isWhole, now }: ReversedRedemption,
): Promise<number> {
  const quote = await db.one<QuoteRow>(
    sql`select ${quoteColumnsSql} from price_quote where tenant_id = ${db.tenantId} and order_id = ${orderId}
      and state = 'used' for update`,
  )
  if (!quote) return 0
  const back = quote.points ? await pointsBack(db, quote, orderId, isWhole) : 0
  if (back && quote.wxUserId) {
    await changeCustomerAccount(db, 'integral', {
      wxUserId: quote.wxUserId,
      change: back,
      type: 'refund',
      refType: 'refund',
      refId: refundId,
      shopId: quote.shopId,
    })
    await db.run(
      sql`update price_quote set points_returned = points_returned + ${back} where id = ${quote.id}
        and tenant_id = ${db.tenantId}`,
    )
  }

  if (!isWhole) return back
  const uses = await findCampaignUses(db, quote.id)
  for (const { campaignId, amount } of uses)
    await db.run(
      sql`update discount_conf set used_amount = used_amount - ${amount}, used_count = used_count - 1
        where id = ${campaignId} and tenant_id = ${db.tenantId}`,
    )
  await db.run(
    sql`update campaign_use set state = 'returned' where tenant_id = ${db.tenantId} and quote_id = ${quote.id}`,
  )
  if (uses.length)
    publishRowsChanged(
      { db },
      discountConf,
      uses.map((use) => ({ id: use.campaignId })),
    )
  await countUsed(
    db,
    await releaseCoupons(db, sql`order_id = ${orderId} and status = ${COUPON_STATE.used}`, formatShanghaiTime(now)),
    -1,
  )
  for (const use of uses)
    await addToCampaignShopResults(db, {
      campaignId: use.campaignId,
      shopId: quote.shopId,
      orders: -1,
      quantity: -use.quantity,
      discount: -use.amount,
      sales: -use.salesAmount,
      cost: -use.costAmount,
      at: null,
    })
  await db.run(sql`update price_quote set state = 'returned' where id = ${quote.id} and tenant_id = ${db.tenantId}`)
  return back
}

/**
 * Points to give back: each line's points in proportion to its refunded money, or to its pieces where points paid all
 * of it. Uses rounded running sums, so that partial refunds add up.
 */
async function pointsBack(db: Db, quote: QuoteRow, orderId: string, isWhole: boolean): Promise<number> {
  if (isWhole) return quote.points - quote.pointsReturned
  const { back } = (await db.one<{ back: number }>(sql`
    select coalesce(floor(round(${quote.points}::int * sum(p.cents * case
    when d.amount > 0 then coalesce(d.refund_amount, 0)::numeric / d.amount
    else coalesce(d.refund_quantity, 0)::numeric / d.quantity end) / nullif(sum(p.cents), 0), 6)), 0)::int as back
    from shopping_order_detail d cross join lateral (select sum((b ->> 'amount')::bigint) as cents
    from jsonb_array_elements(d.benefits) b where b ->> 'kind' = 'points') p where d.tenant_id = ${db.tenantId}
    and d.order_id = ${orderId}`))!
  return Math.max(0, back - quote.pointsReturned)
}
