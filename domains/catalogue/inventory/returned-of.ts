import { formatYuan } from '#kit/fields/money/cents.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { invalidFieldRefusal } from '#kit/server/module/module.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { RETURN_STATE } from './dictionaries.ts'
import { returnLog } from './return-log.resource.ts'

type Return = RowOf<typeof returnLog>
type ReturnInput = Pick<Return, 'direction' | 'refId' | 'shopId' | 'goodId' | 'quantity' | 'amount'>

/** Returns the pieces of each product that completed returns of this order or purchase moved, by product id. */
export async function countReturnedPieces(db: Db, refId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ goodId: string; pieces: number }>(
    sql`select good_id, sum(quantity)::int as pieces from return_log where tenant_id = ${db.tenantId}
      and ref_id = ${refId} and status = ${RETURN_STATE.done} group by good_id`,
  )
  return new Map(rows.map((row) => [row.goodId, row.pieces]))
}

/**
 * Pieces of a product in an order, their amount in cents, and the pieces its refunds have put back into stock
 * (`restored`) or still will (`waiting`).
 */
const soldIn = (db: Db, { refId, goodId }: ReturnInput) =>
  db.one<{ pieces: number; cents: number; restored: number; waiting: number }>(sql`
    select coalesce(sum(d.quantity), 0)::int as pieces, coalesce(sum(d.amount), 0) as cents,
      coalesce(sum((select sum((a ->> 'restored')::int) from jsonb_array_elements(d.allocations) a)),
      0)::int as restored,
      coalesce((select sum((l ->> 'quantity')::int) from refunds r cross join lateral jsonb_array_elements(r.lines) l
        where r.tenant_id = ${db.tenantId} and r.order_id = ${refId} and r.restock and r.status in (0, 1, 2, 4)
        and l ->> 'goodId' = ${goodId}), 0)::int as waiting
    from shopping_order_detail d where d.tenant_id = ${db.tenantId} and d.order_id = ${refId}
    and d.good_id = ${goodId}`)

/**
 * Locks the order of a customer's return and checks the return against it: the same shop, a product of the order, no
 * more pieces than were sold and have not come back. Returns the paid amount of the pieces in cents.
 */
async function againstOrder(db: Db, ask: ReturnInput): Promise<number> {
  const order = await db.one<{ shopId: string; isPaid: boolean }>(
    sql`select shop_id, status in (1, 2, 3, 4) as is_paid from shopping_order where tenant_id = ${db.tenantId}
      and id = ${ask.refId} for update`,
  )
  if (!order) throw invalidFieldRefusal(returnLog, 'refId', 'not_found')
  if (order.shopId !== ask.shopId)
    throw invalidFieldRefusal(returnLog, 'refId', 'of_other', { owner: returnLog.fields.shopId.label })
  if (!order.isPaid) throw new Refused('return_order_unpaid', {}, { field: 'refId' })
  const sold = (await soldIn(db, ask))!
  if (!sold.pieces) throw invalidFieldRefusal(returnLog, 'goodId', 'of_other', { owner: returnLog.fields.refId.label })
  const back = (await countReturnedPieces(db, ask.refId!)).get(ask.goodId) ?? 0
  const left = sold.pieces - back - sold.restored - sold.waiting
  if (ask.quantity > left) throw invalidFieldRefusal(returnLog, 'quantity', 'too_large', { max: Math.max(left, 0) })
  return worthOf(sold, ask)
}

/** Amount of the returned pieces in cents. Rounded down, so that all returns of an order together never exceed it. */
const worthOf = ({ cents, pieces }: { cents: number; pieces: number }, { quantity }: ReturnInput) =>
  Number((BigInt(cents) * BigInt(quantity)) / BigInt(pieces))

/**
 * Selects `id` and `cents`: the value of the goods returned to the supplier, one row for each purchase with returns.
 */
export const supplierReturnCentsSql = (purchaseIds: readonly string[]): Sql =>
  sql`select ref_id as id, sum(amount) as cents from return_log
    where ref_id = any(${purchaseIds}::bigint[]) and direction = 'supplier' and status = ${RETURN_STATE.done}
    group by ref_id`

/** Pieces of a product received with a purchase and their cost in cents. */
const receivedIn = async (db: Db, { refId, goodId }: ReturnInput) =>
  (await db.one<{ pieces: number; cents: number }>(sql`
    select coalesce(sum(received_quantity), 0)::int as pieces, coalesce(sum(received_amount), 0) as cents
    from supplier_order_detail where tenant_id = ${db.tenantId} and order_id = ${refId} and good_id = ${goodId}`))!

/**
 * Locks the purchase of a supplier return and checks the return against it: the same shop and no more pieces than were
 * received and have not gone back. Returns the cost of the pieces in cents.
 */
async function againstPurchase(db: Db, ask: ReturnInput): Promise<number> {
  const order = await db.one<{ shopId: string }>(
    sql`select shop_id from supplier_order where tenant_id = ${db.tenantId} and id = ${ask.refId} for update`,
  )
  if (!order) throw invalidFieldRefusal(returnLog, 'refId', 'not_found')
  if (order.shopId !== ask.shopId)
    throw invalidFieldRefusal(returnLog, 'refId', 'of_other', { owner: returnLog.fields.shopId.label })
  const received = await receivedIn(db, ask)
  if (!received.pieces)
    throw invalidFieldRefusal(returnLog, 'goodId', 'of_other', { owner: returnLog.fields.refId.label })
  const left = received.pieces - ((await countReturnedPieces(db, ask.refId!)).get(ask.goodId) ?? 0)
  if (ask.quantity > left) throw invalidFieldRefusal(returnLog, 'quantity', 'too_large', { max: Math.max(left, 0) })
  return worthOf(received, ask)
}

/**
 * Refuses a return its order or purchase does not cover, in pieces or amount. Returns the amount in cents, undefined
 * for a return that names neither.
 */
export async function requireReturnCovered(db: Db, ask: ReturnInput): Promise<number | undefined> {
  if (!ask.refId) return undefined
  const worth = await (ask.direction === 'supplier' ? againstPurchase : againstOrder)(db, ask)
  requireWorth(ask.amount, worth)
  return worth
}

/** Refuses an existing return whose new amount exceeds what its order or purchase covers. */
export async function requireReturnAmountCovered(db: Db, row: ReturnInput): Promise<void> {
  if (!row.refId) return
  const moved = row.direction === 'supplier' ? await receivedIn(db, row) : (await soldIn(db, row))!
  if (moved.pieces) requireWorth(row.amount, worthOf(moved, row))
}

function requireWorth(amount: number | null | undefined, worth: number): void {
  if ((amount ?? 0) > worth) throw invalidFieldRefusal(returnLog, 'amount', 'too_large', { max: formatYuan(worth) })
}
