import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { empty, join, raw, sql, awaitBatch, type Db, type Sql } from '#kit/server/database/db.ts'
import { isLowStock } from '#domains/catalogue/products/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { resolveExpiryAlerts, checkLowStock } from './stock-alerts.ts'
import type { StockMovementSource, StockMovementType } from './dictionaries.ts'
import { storageBatch } from './storage-batch.resource.ts'

/** Number of the open batch: it takes movements that belong to no receipt (docs/decisions/0009). */
export const OPEN_BATCH_NO = 'OPEN'

export type BatchShare = { batchId: string; quantity: number }

/**
 * One movement of a product. Out (`change` negative): first expired, first out, or from the named batches. In: back to
 * the named batches (quantities add up to `change`), into one received batch (`into`), or else into the open batch.
 */
export type StockMoveLine = { goodId: string; change: number; batches?: readonly BatchShare[]; into?: string }

export type StockMove = {
  type: StockMovementType
  refType: StockMovementSource
  refId: string
  operator?: string | null
  remark?: string | null
  /** `passOver` skips goods in the recycle bin, for events that happened outside. Without it they are refused. */
  removed?: 'passOver'
}

/** Result of one movement: the pieces by batch, their cost in cents and the stock afterwards (0 for no movement). */
export type StockMoveResult = {
  goodId: string
  batches: BatchShare[]
  cost: number
  after: number
  isRemoved?: boolean
}

type StockGood = {
  id: string
  shopId: string
  upc: string
  stock: number
  stockSeq: number
  costPrice: number | null
  salePrice: number | null
  lowStock: number | null
  name: string
  isRemoved: boolean
}
type Batch = {
  id: string
  goodId: string
  batchNo: string
  remaining: number
  costPrice: number | null
  isOpen: boolean
  isWarned?: boolean
  isNew?: boolean
}
type Entry = { good: StockGood; batch: Batch; change: number; before: number; seq: number }

/**
 * Moves stock; all changes of stock go through here. Locks the goods by ascending id, so that two callers never
 * deadlock, and writes goods, batches and ledger together. Never refuses for lack of stock, as the sale has already
 * happened: the open batch goes negative. Refuses goods in the recycle bin.
 */
export async function moveStock(db: Db, lines: readonly StockMoveLine[], move: StockMove): Promise<StockMoveResult[]> {
  const { results, commitMove } = planLockedMove(db, await lockStock(db, lines), lines, move)
  await commitMove()
  return results
}

/** A movement whose goods are locked and whose result is known; `commitMove` writes it. */
export type StockMovePlan = { results: StockMoveResult[]; commitMove: () => Promise<void> }

/** Locked goods, with the batches of each in the order in which sales take from them. */
export type LockedStock<G extends StockGood = StockGood> = {
  goods: ReadonlyMap<string, G>
  batches: ReadonlyMap<string, Batch[]>
}

/** Locks the goods of a movement and reads their batches. */
export async function lockStock(db: Db, lines: readonly StockMoveLine[]): Promise<LockedStock> {
  const changing = lines.filter((line) => line.change !== 0)
  const ids = [...new Set(changing.map((line) => line.goodId))]
  if (!ids.length) return { goods: new Map(), batches: new Map() }
  // Both statements are sent together; the second starts, and takes its snapshot, after the first has its locks.
  const [goods, batches] = await awaitBatch([lockGoods(db, ids), batchesOf(db, ids, changing)])
  return { goods, batches }
}

/**
 * Locks the goods of a shop with these barcodes that are not removed and reads their batches. Selects `more` of each
 * (alias `g`). Skips barcodes the shop does not have.
 */
export async function lockByBarcode<More extends object>(
  db: Db,
  { shopId, upcs }: { shopId: string; upcs: readonly string[] },
  more: Sql,
): Promise<LockedStock<StockGood & More>> {
  const scanned = sql`g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and ${hasBarcodeSql(sql`g.upc`, upcs)}
    and g.is_deleted = 0`
  const [goods, batches] = await awaitBatch([
    db.query<StockGood & More>(sql`select ${STOCK_GOOD}, ${more} from good_info g where ${scanned} order by g.id
      for no key update of g`),
    sellable(db, sql`= any(array(select g.id from good_info g where ${scanned}))`),
  ])
  const locked = new Map(goods.map((good) => [good.id, good]))
  // Goods created under a barcode between the two statements are not locked and not part of this sale.
  return { goods: locked, batches: byGood(locked.keys(), batches) }
}

/**
 * Computes a movement of locked goods without writing it: the second half of `moveStock`, for callers that lock more.
 */
export function planLockedMove(
  db: Db,
  { goods, batches }: LockedStock,
  lines: readonly StockMoveLine[],
  move: StockMove,
): StockMovePlan {
  const removed = [...goods.values()].find((good) => good.isRemoved)
  if (removed && move.removed !== 'passOver') throw new Refused('good_removed', { name: removed.name })

  const entries: Entry[] = []
  const post = (good: StockGood, batch: Batch, change: number) => {
    if (!change) return
    entries.push({ good, batch, change, before: good.stock, seq: ++good.stockSeq })
    good.stock += change
    batch.remaining += change
  }
  const open = (good: StockGood): Batch => {
    const own = batches.get(good.id)!
    const found = own.find((batch) => batch.isOpen)
    if (found) return found
    const made: Batch = {
      id: newId(),
      goodId: good.id,
      batchNo: OPEN_BATCH_NO,
      remaining: 0,
      costPrice: good.costPrice,
      isOpen: true,
      isNew: true,
    }
    own.push(made)
    return made
  }

  const results = lines.map((line): StockMoveResult => {
    if (line.change === 0) return { goodId: line.goodId, batches: [], cost: 0, after: 0 }
    const good = goods.get(line.goodId)!
    if (good.isRemoved) return { goodId: good.id, batches: [], cost: 0, after: 0, isRemoved: true }
    const shares =
      line.change < 0
        ? sharesOut(line, good, batches.get(good.id)!, open)
        : sharesIn(line, good, batches.get(good.id)!, open)
    for (const { batch, change } of shares) post(good, batch, change)
    const cost = shares.reduce(
      (sum, { batch, change }) => sum + Math.abs(change) * (batch.costPrice ?? good.costPrice ?? 0),
      0,
    )
    return {
      goodId: good.id,
      batches: shares.map(({ batch, change }) => ({ batchId: batch.id, quantity: Math.abs(change) })),
      cost,
      after: good.stock,
    }
  })

  const commitMove = async () => {
    if (!entries.length) return
    writeStockMove(db, entries, move)
    await watch(db, entries)
  }
  return { results, commitMove }
}

type Share = { batch: Batch; change: number }

const batchLabel = ({ isOpen, batchNo }: Batch) => (isOpen ? storageBatch.fields.isOpen.label : batchNo)

function sharesOut(line: StockMoveLine, good: StockGood, own: Batch[], open: (good: StockGood) => Batch): Share[] {
  if (line.batches) {
    return line.batches.map(({ batchId, quantity }) => {
      const batch = batchOf(own, batchId)
      if (batch.remaining < quantity)
        throw new Refused('batch_too_small', { batchNo: batchLabel(batch), remaining: batch.remaining, quantity })
      return { batch, change: -quantity }
    })
  }
  let wanted = -line.change
  const shares: Share[] = []
  for (const batch of own) {
    const taken = Math.min(wanted, batch.remaining)
    if (taken <= 0) continue
    shares.push({ batch, change: -taken })
    wanted -= taken
  }
  if (!wanted) return shares
  const short = open(good)
  const same = shares.find((share) => share.batch === short)
  if (same) same.change -= wanted
  else shares.push({ batch: short, change: -wanted })
  return shares
}

function sharesIn(line: StockMoveLine, good: StockGood, own: Batch[], open: (good: StockGood) => Batch): Share[] {
  if (line.batches)
    return line.batches.map(({ batchId, quantity }) => ({ batch: batchOf(own, batchId), change: quantity }))
  if (!line.into) return [{ batch: open(good), change: line.change }]
  const batch = batchOf(own, line.into)
  const debt = own.find((one) => one.isOpen && one.remaining < 0)
  const debtPart = Math.min(line.change, debt ? -debt.remaining : 0)
  return [
    ...(debtPart ? [{ batch: debt!, change: debtPart }] : []),
    ...(line.change - debtPart ? [{ batch, change: line.change - debtPart }] : []),
  ]
}

function batchOf(own: Batch[], id: string): Batch {
  const batch = own.find((one) => one.id === id)
  if (!batch) throw new Refused('batch_of_other_good')
  return batch
}

const STOCK_GOOD = raw(`g.id, g.shop_id, g.upc, coalesce(g.stock, 0) as stock, coalesce(g.stock_seq, 0) as stock_seq,
  g.cost_price, g.sale_price, g.low_stock, g.name, g.is_deleted = 1 as is_removed`)

/** Locks goods by ascending id and returns them by id. Callers that move goods of two shops lock all of them first. */
export async function lockGoods(db: Db, ids: readonly string[]): Promise<Map<string, StockGood>> {
  const rows = await db.query<StockGood>(sql`select ${STOCK_GOOD}
    from good_info g where g.tenant_id = ${db.tenantId} and g.id = any(${ids}::bigint[])
    order by g.id for no key update`)
  if (rows.length !== ids.length) throw new Refused('stock_unknown_good')
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads the batches for movements of these goods: those a sale may take from, and the named ones. */
async function batchesOf(db: Db, goodIds: string[], lines: readonly StockMoveLine[]): Promise<Map<string, Batch[]>> {
  const named = lines.flatMap((line) => [
    ...(line.batches ?? []).map((share) => share.batchId),
    ...(line.into ? [line.into] : []),
  ])
  return byGood(goodIds, await sellable(db, sql`= any(${goodIds}::bigint[])`, sql` or id = any(${named}::bigint[])`))
}

/**
 * Selects batches with pieces and open batches of goods whose id matches `ofGoods`, in the order in which sales take
 * from them. The lock of the goods protects the batches too.
 */
const sellable = (db: Db, ofGoods: Sql, orNamed: Sql = empty): Promise<Batch[]> =>
  db.query<Batch>(sql`select id, good_id, batch_no, coalesce(remaining, 0) as remaining, cost_price,
      coalesce(is_open, false) as is_open, coalesce(is_warned, false) as is_warned
    from storage_batch where tenant_id = ${db.tenantId} and good_id ${ofGoods} and (remaining <> 0
    or is_open${orNamed})
    order by good_id, expiry_date nulls last, create_time, id`)

function byGood(goodIds: Iterable<string>, batches: readonly Batch[]): Map<string, Batch[]> {
  const found = new Map<string, Batch[]>([...goodIds].map((id) => [id, []]))
  for (const batch of batches) found.get(batch.goodId)?.push(batch)
  return found
}

function writeStockMove(db: Db, entries: readonly Entry[], move: StockMove): void {
  const goods = [...new Set(entries.map((entry) => entry.good))]
  const batches = [...new Set(entries.map((entry) => entry.batch))]
  const made = batches.filter((batch) => batch.isNew)
  const operator = move.operator ?? (db.userId === '0' ? null : db.userId)
  const [goodIds, batchIds] = [goods.map((good) => good.id), batches.map((batch) => batch.id)]
  // A new batch is inserted first; then one statement writes all three tables, as every sale passes here. The ids are
  // given twice: with the join alone, the plan for small tenants reads all rows of the tenant.
  if (made.length) db.waitUntil(insertOpen(db, made, goods))
  const written = db.run(sql`with b as (
      update storage_batch b set remaining = d.remaining, update_time = now()
      from unnest(${batchIds}::bigint[],
      ${batches.map((batch) => batch.remaining)}::int[]) d(id, remaining)
      where b.id = d.id and b.id = any(${batchIds}::bigint[]) and b.tenant_id = ${db.tenantId}
    ), g as (
      update good_info g set stock = d.stock, stock_seq = d.seq
      from unnest(${goodIds}::bigint[], ${goods.map((good) => good.stock)}::int[],
      ${goods.map((good) => good.stockSeq)}::int[]) d(id, stock, seq)
      where g.id = d.id and g.id = any(${goodIds}::bigint[]) and g.tenant_id = ${db.tenantId}
    )
    insert into storage_log (id, tenant_id, shop_id, good_id, upc, type, change, before, after, batch_id, seq, ref_type,
    ref_id, operator, remark, create_user, create_time)
    select d.id, ${db.tenantId}, d.shop_id, d.good_id, d.upc, ${move.type}, d.change, d.before, d.before + d.change,
    d.batch_id, d.seq, ${move.refType}, ${move.refId}::bigint, ${operator}::bigint, ${move.remark ?? null},
    ${db.userId}::bigint, ${db.timestampSql}
    from unnest(${entries.map(() => newId())}::bigint[], ${entries.map((entry) => entry.good.shopId)}::bigint[],
    ${entries.map((entry) => entry.good.id)}::bigint[],
      ${entries.map((entry) => entry.good.upc)}::text[], ${entries.map((entry) => entry.change)}::int[],
      ${entries.map((entry) => entry.before)}::int[],
      ${entries.map((entry) => entry.batch.id)}::bigint[], ${entries.map((entry) => entry.seq)}::int[]) d(id, shop_id,
      good_id, upc, change, before, batch_id, seq)`)
  db.waitUntil(written)
}

const insertOpen = (db: Db, made: readonly Batch[], goods: readonly StockGood[]) =>
  db.run(
    sql`insert into storage_batch (id, tenant_id, batch_no, shop_id, good_id, upc, quantity, remaining, cost_price,
      is_open, create_user) values ${join(
        made.map((batch) => {
          const good = goods.find((one) => one.id === batch.goodId)!
          return sql`(${batch.id}::bigint, ${db.tenantId}::text, ${batch.batchNo}::text, ${good.shopId}::bigint,
          ${good.id}::bigint, ${good.upc}::text, 0, 0, ${good.costPrice}::bigint, true, ${db.userId}::bigint)`
        }),
      )}`,
  )

/** Updates the events of a movement: goods that became low or rose again, and warned batches that are used up. */
async function watch(db: Db, entries: readonly Entry[]): Promise<void> {
  const first = new Map<StockGood, number>()
  for (const { good, before } of entries) if (!first.has(good)) first.set(good, before)
  await checkLowStock(
    db,
    [...first].map(([good, before]) => ({ good, wasLow: isLowStock(before, good.lowStock), before })),
  )
  const gone = new Map(
    entries
      .filter(({ batch }) => batch.isWarned && batch.remaining <= 0)
      .map(({ batch, good }) => [batch.id, { id: batch.id, shopId: good.shopId }]),
  )
  await resolveExpiryAlerts(db, [...gone.values()])
}
