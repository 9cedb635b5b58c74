import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve } from '#kit/server/module/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { PatchOf, UpdateOf, RowOf } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { UNSELLABLE_RETURN_REASONS, RETURN_STATE } from './dictionaries.ts'
import { requireReturnCovered, requireReturnAmountCovered } from './returned-of.ts'
import { returnLog } from './return-log.resource.ts'
import { lockGoods, moveStock, type BatchShare, type StockMoveResult } from './stock.ts'

type Return = RowOf<typeof returnLog>

/** Returns a document number such as `TH261120-12345678`: letters of the kind, the date, the end of a new id. */
export const newDocumentNo = (letters: string, now: Date): string =>
  `${letters}${formatShanghaiTime(now).slice(2, 10).replaceAll('-', '')}-${newId().slice(-8)}`

/** Whether a return moves stock: pieces from customers that cannot be sold again do not go back on the shelf. */
const movesStock = ({ direction, reason }: Pick<Return, 'direction' | 'reason'>): boolean =>
  direction === 'supplier' || !UNSELLABLE_RETURN_REASONS.includes(reason)

/** Refuses a new reason that would change whether the pieces are in stock, and a new amount beyond the order's. */
async function requireSameCourse(db: Db, draft: PatchOf<typeof returnLog>, was: Return): Promise<void> {
  const row = { ...was, ...draft }
  // Older rows show only by their batches whether stock was moved.
  const hasMoved = ((was.batches ?? []) as BatchShare[]).length > 0
  if (was.status === RETURN_STATE.done && row.reason !== was.reason && movesStock(row) !== hasMoved)
    throw new Refused('return_reason_decides', {}, { field: 'reason' })
  // Forms send the whole row, also one whose amount was entered before amounts were checked against orders.
  if (row.amount !== was.amount) await requireReturnAmountCovered(db, row)
}

/**
 * Moves the stock of a return: to a supplier out of the named batch or first expired first out, from a customer into
 * stock. Refuses to send back more than there is.
 */
export async function moveReturnStock(
  db: Db,
  row: Pick<Return, 'id' | 'goodId' | 'direction' | 'quantity' | 'batchId' | 'remark'>,
): Promise<StockMoveResult> {
  const quantity = row.quantity
  const isOut = row.direction === 'supplier'
  const good = (await lockGoods(db, [row.goodId])).get(row.goodId)!
  if (isOut && !row.batchId && quantity > good.stock)
    throw new Refused(
      'stock_short',
      { name: good.name, stock: Math.max(good.stock, 0), quantity },
      { field: 'quantity' },
    )
  const batches = row.batchId ? [{ batchId: row.batchId, quantity }] : undefined
  const [moved] = await moveStock(db, [{ goodId: row.goodId, change: isOut ? -quantity : quantity, batches }], {
    type: 'return',
    refType: 'return',
    refId: row.id,
    remark: row.remark,
  })
  return moved!
}

/** Reverses `moveReturnStock` in the batches it used; does nothing when no stock was moved. */
export async function undoReturnStock(db: Db, row: Return): Promise<void> {
  const isOut = row.direction === 'supplier'
  const batches = (row.batches ?? []) as BatchShare[]
  if (!batches.length) return
  await moveStock(
    db,
    [
      {
        goodId: row.goodId,
        change: isOut ? row.quantity : -row.quantity,
        batches: isOut ? batches : await withStockLeft(db, row, batches),
      },
    ],
    {
      type: 'return',
      refType: 'return',
      refId: row.id,
      remark: row.remark,
    },
  )
}

/**
 * Returns the batches of a customer return if they still hold its pieces. Undefined when some have been sold again:
 * then they are taken from any batch, first expired first.
 */
async function withStockLeft(db: Db, row: Return, batches: BatchShare[]): Promise<BatchShare[] | undefined> {
  await lockGoods(db, [row.goodId])
  const held = await db.query<{ id: string; remaining: number }>(
    sql`select id, remaining from storage_batch where tenant_id = ${db.tenantId}
      and id = any(${batches.map((one) => one.batchId)}::bigint[])`,
  )
  const fits = batches.every((one) => (held.find((batch) => batch.id === one.batchId)?.remaining ?? 0) >= one.quantity)
  return fits ? batches : undefined
}

export const returnLogServer = serve(returnLog, {
  beforeSave: async (draft, was, call) => {
    if (was) return requireSameCourse(call.db, draft, was)
    // The order is locked before the product, as refunds do.
    const worth = await requireReturnCovered(call.db, draft as Return)
    const good = (await lockGoods(call.db, [draft.goodId!])).get(draft.goodId!)!
    if (good.shopId !== draft.shopId) throw new Refused('good_of_other_shop')
    draft.returnNo = newDocumentNo('TH', call.services.now())
    draft.upc = good.upc
    draft.status = RETURN_STATE.done
    draft.amount ??= worth
    if (draft.direction === 'customer') draft.amount ??= (good.salePrice ?? 0) * draft.quantity!
  },
  afterSave: async (row, was, call) => {
    if (was) return
    const moved = movesStock(row) ? await moveReturnStock(call.db, row) : undefined
    const patch: UpdateOf<typeof returnLog> = { batches: moved?.batches ?? [], amount: row.amount ?? moved?.cost }
    Object.assign(row, await call.db.update(returnLog, row.id, patch))
  },
  actions: {
    cancel: async (row, _input, call) => {
      await undoReturnStock(call.db, row)
      const { status } = await requireTransition(call, returnLog, row.id, 'cancel')
      return { id: row.id, status }
    },
  },
})
