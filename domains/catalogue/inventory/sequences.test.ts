import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raw, sql } from '#kit/server/database/db.ts'
import { lowStockSql } from '#domains/catalogue/products/api.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { STOCKTAKE_STATE, TRANSFER_STATE } from './dictionaries.ts'
import { receiveGoods } from './receive-goods.ts'
import { returnLog } from './return-log.resource.ts'
import { moveReturnStock, undoReturnStock } from './returns.server.ts'
import { moveStock, type BatchShare, type StockMoveResult } from './stock.ts'
import { transferLinesOf, recallTransfer, receiveTransfer, sendTransfer } from './stock-transfer.server.ts'
import { stockTransfer } from './stock-transfer.resource.ts'
import { recordStocktakeCount, addStocktakeLines, postStocktake } from './stocktake.server.ts'
import { stocktake } from './stocktake.resource.ts'
import { isWhole } from '#tests/support/whole.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { testStock, type TestStock } from './test-stock.ts'

/** Number of random sequences: fewer in the quick run, `SEQUENCES=10000` for more. */
const SEQUENCES = Number(process.env.SEQUENCES ?? (isWhole ? 2000 : 300))
const CALLERS = 12
const GOODS = 20
/** Number of products with a warning line; the others count as low at 0. */
const WATCHED = 3
const NOW = new Date('2026-11-20T09:00:00+08:00')

let stage: TestStock
beforeAll(async () => void (stage = await testStock({ goods: GOODS, lowStock: (at) => (at <= WATCHED ? 5 : 0) })))
afterAll(() => stage.close())

const good = fc.nat(GOODS - 1)
const quantity = fc.integer({ min: 1, max: 6 })
const expiry = fc.constantFrom('2027-01-01', '2027-03-01', '2027-06-01', '2028-01-01', null)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sale' as const),
      lines: fc.uniqueArray(good, { minLength: 1, maxLength: 3 }),
      quantity,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), quantity }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('receipt' as const),
      good,
      quantity: fc.integer({ min: 2, max: 20 }),
      expiry,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('return' as const),
      good,
      quantity,
      direction: fc.constantFrom('supplier' as const, 'customer' as const),
      isUndone: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('count' as const),
      goods: fc.uniqueArray(good, { minLength: 1, maxLength: 2 }),
      off: fc.integer({ min: -3, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      goods: fc.uniqueArray(good, { minLength: 1, maxLength: 2 }),
      quantity,
      end: fc.constantFrom(
        'whole' as const,
        'lost' as const,
        'unsent' as const,
        'recalled' as const,
        'onTheWay' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('loss' as const), good, quantity }) },
)
const sequence = fc.record({ shop: fc.nat(1), steps: fc.array(step, { minLength: 1, maxLength: 2 }) })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** One caller in one of the two shops; `tally` receives each stock change the caller expects. */
type Walker = {
  shop: Shop
  other: Shop
  tally: (goodId: string, change: number) => void
  /** The rest of the last sale, from which goods can be returned. */
  sold: StockMoveResult | undefined
}
type Shop = TestStock['shops'][number]
type StepOf<K extends Step['kind']> = Step & { kind: K }

const idOf = ({ shop }: Walker, at: number): string => shop.goods[at]!.id

/** Runs the steps of one sequence as one caller. */
async function walk(
  shopAt: number,
  steps: readonly Step[],
  counts: Walker['tally'],
  done: (kind: string) => void,
): Promise<void> {
  const walker: Walker = { shop: stage.shops[shopAt]!, other: stage.shops[1 - shopAt]!, tally: counts, sold: undefined }
  for (const one of steps)
    await attempt(
      () => runStep(walker, one),
      () => done(one.kind),
    )
}

function runStep(walker: Walker, one: Step): Promise<void> {
  switch (one.kind) {
    case 'sale':
      return sell(walker, one)
    case 'refund':
      return refund(walker, one)
    case 'receipt':
      return receive(walker, one)
    case 'return':
      return returnGoods(walker, one)
    case 'loss':
      return lose(walker, one)
    case 'count':
      return count(walker, one)
    case 'move':
      return move(walker, one)
  }
}

async function sell(walker: Walker, one: StepOf<'sale'>): Promise<void> {
  const lines = one.lines.map((at) => ({ goodId: idOf(walker, at), change: -one.quantity }))
  const moved = await stage.unit((db) => moveStock(db, lines, { type: 'sale', refType: 'order', refId: newId() }))
  walker.sold = moved[0]
  for (const line of lines) walker.tally(line.goodId, line.change)
}

async function refund(walker: Walker, one: StepOf<'refund'>): Promise<void> {
  if (!walker.sold?.batches.length) return
  const {
    goodId,
    batches: [share, ...rest],
  } = walker.sold as StockMoveResult & { batches: [BatchShare, ...BatchShare[]] }
  const back = Math.min(one.quantity, share.quantity)
  walker.sold = {
    ...walker.sold,
    batches: share.quantity > back ? [{ ...share, quantity: share.quantity - back }, ...rest] : rest,
  }
  await stage.unit((db) =>
    moveStock(db, [{ goodId, change: back, batches: [{ ...share, quantity: back }] }], {
      type: 'refund',
      refType: 'refund',
      refId: newId(),
    }),
  )
  walker.tally(goodId, back)
}

async function receive(walker: Walker, { good: at, quantity: pieces, expiry: expiryDate }: StepOf<'receipt'>) {
  const goodId = idOf(walker, at)
  const lines = [{ goodId, quantity: pieces, expiryDate }]
  await stage.unit((db) => receiveGoods(db, { shopId: walker.shop.id, lines, refType: 'goods', refId: goodId }))
  walker.tally(goodId, pieces)
}

async function returnGoods(walker: Walker, one: StepOf<'return'>): Promise<void> {
  const goodId = idOf(walker, one.good)
  const row = await stage.unit(async (db) => {
    const made = await db.insert(returnLog, {
      returnNo: newId(),
      shopId: walker.shop.id,
      goodId,
      direction: one.direction,
      quantity: one.quantity,
      reason: 'damaged',
      status: 1,
    })
    const { batches } = await moveReturnStock(db, made)
    return db.update(returnLog, made.id, { batches })
  })
  const change = one.direction === 'supplier' ? -one.quantity : one.quantity
  walker.tally(goodId, change)
  if (!one.isUndone) return
  await stage.unit(async (db) => {
    await undoReturnStock(db, row)
    await transition(db, returnLog, row.id, 'cancel')
  })
  walker.tally(goodId, -change)
}

async function lose(walker: Walker, one: StepOf<'loss'>): Promise<void> {
  const goodId = idOf(walker, one.good)
  const lines = [{ goodId, change: -one.quantity }]
  await stage.unit((db) => moveStock(db, lines, { type: 'loss', refType: 'goods', refId: goodId }))
  walker.tally(goodId, -one.quantity)
}

async function count(walker: Walker, one: StepOf<'count'>): Promise<void> {
  const ids = one.goods.map((at) => idOf(walker, at))
  const take = await stage.unit(async (db) => {
    const made = await db.insert(stocktake, {
      countNo: newId(),
      shopId: walker.shop.id,
      scope: 'all',
      rule: 'last',
      status: STOCKTAKE_STATE.counting,
    })
    for (const id of ids) await addStocktakeLines(db, made, id)
    return made
  })
  for (const [n, goodId] of ids.entries())
    await stage.unit(
      async (db) => {
        const { stock } = (await db.one<{ stock: number }>(
          sql`select stock from good_info where id = ${goodId} for no key update`,
        ))!
        await recordStocktakeCount(db, take, { goodId, quantity: Math.max(0, stock + one.off), mode: 'set' }, NOW)
      },
      String(n + 1),
    )
  await stage.unit((db) => postStocktake(db, take, false, NOW))
  const lines = await stage.unit((db) =>
    db.query<{ goodId: string; posted: number }>(
      sql`select good_id, posted from stocktake_line where stocktake_id = ${take.id}`,
    ),
  )
  for (const line of lines) walker.tally(line.goodId, line.posted)
}

async function move(walker: Walker, one: StepOf<'move'>): Promise<void> {
  const { shop, other, tally } = walker
  const lines = one.goods.map((at) => ({
    goodId: idOf(walker, at),
    quantity: one.quantity,
    upc: shop.goods[at]!.upc,
    name: shop.goods[at]!.name,
  }))
  const sent = await stage.unit(async (db) => {
    const made = await db.insert(stockTransfer, {
      transferNo: newId(),
      status: TRANSFER_STATE.draft,
      fromShopId: shop.id,
      toShopId: other.id,
      lines,
      pieces: lines.length * one.quantity,
      missing: 0,
    })
    return sendTransfer(db, made, NOW)
  })
  for (const line of lines) tally(line.goodId, -line.quantity)
  if (one.end === 'onTheWay') return
  if (one.end === 'recalled') {
    await stage.unit((db) => recallTransfer(db, sent))
    for (const line of lines) tally(line.goodId, line.quantity)
    return
  }
  const arrived = one.end === 'whole' ? one.quantity : one.quantity - 1
  const remainder = one.end === 'unsent' ? 'unsent' : 'lost'
  const came = new Map(transferLinesOf(sent).map((line) => [line.goodId, arrived]))
  await stage.unit((db) => receiveTransfer(db, sent, came, remainder, NOW))
  for (const at of one.goods) {
    if (arrived) tally(other.goods[at]!.id, arrived)
    if (one.end === 'unsent') tally(idOf(walker, at), 1)
  }
}

/** Runs a step. A refusal of the stock rules is expected and must change nothing; other errors fail the test. */
async function attempt(step: () => Promise<void>, done: () => void): Promise<void> {
  try {
    await step()
    done()
  } catch (error) {
    if (!(error instanceof Refused) || !['stock_short', 'invalid', 'batch_too_small'].includes(error.code)) throw error
  }
}

type LedgerRow = { goodId: string; batchId: string; type: string; change: number }

/** Replays the ledger and returns the sales that took from a batch while an earlier one still held pieces. */
async function outOfOrder(): Promise<LedgerRow[]> {
  return stage.unit(async (db) => {
    const batches = await db.query<{ id: string; goodId: string }>(
      sql`select id, good_id from storage_batch order by good_id, expiry_date nulls last, create_time, id`,
    )
    const ledger = await db.query<LedgerRow>(
      sql`select good_id, batch_id, type, change from storage_log order by good_id, seq`,
    )
    const rank = new Map<string, number>()
    const held = new Map<string, number[]>()
    for (const { id, goodId } of batches) {
      const own = held.get(goodId) ?? held.set(goodId, []).get(goodId)!
      rank.set(id, own.push(0) - 1)
    }
    const broken: LedgerRow[] = []
    const firstHeld = new Map<string, number>()
    for (const row of ledger) {
      const own = held.get(row.goodId)!
      const at = rank.get(row.batchId)!
      // Batches before this index are empty; a later return may fill one of them again.
      let first = firstHeld.get(row.goodId) ?? 0
      while (first < own.length && own[first]! <= 0) first++
      if (row.type === 'sale' && first < at) broken.push(row)
      own[at]! += row.change
      firstHeld.set(row.goodId, own[at]! > 0 && at < first ? at : first)
    }
    return broken
  })
}

describe('stock', () => {
  it(
    `${SEQUENCES} random sequences of sales, refunds, receipts, returns, counts and moves by parallel callers ` +
      'leave every rule true',
    async () => {
      const seed = Date.now()
      const queue = fc.sample(sequence, { numRuns: SEQUENCES, seed })
      const expected = new Map<string, number>()
      const kinds = new Map<string, number>()
      const addExpected = (goodId: string, change: number) =>
        void expected.set(goodId, (expected.get(goodId) ?? 0) + change)
      const done = (kind: string) => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      // All goods start above their warning line, so every event comes from the steps.
      for (const shop of stage.shops) {
        for (const { id } of shop.goods) {
          await stage.receive(shop.id, id, 30, '2027-02-01')
          addExpected(id, 30)
        }
      }
      let next = 0
      const caller = async () => {
        while (next < queue.length) {
          const { shop, steps } = queue[next++]!
          await walk(shop, steps, addExpected, done)
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))

      const context = `seed ${seed}`
      for (const kind of ['sale', 'refund', 'receipt', 'return', 'count', 'move', 'loss'])
        expect(kinds.get(kind), `${kind}, ${context}`).toBeGreaterThan(SEQUENCES / 100)
      const stocks = await stage.unit((db) =>
        db.query<{ id: string; stock: number }>(sql`select id, stock from good_info`),
      )
      for (const { id, stock } of stocks) expect(stock, `${id}, ${context}`).toBe(expected.get(id) ?? 0)
      expect(await stage.differences(), context).toEqual([])
      expect(await outOfOrder(), context).toEqual([])
      const events = await stage.unit((db) =>
        db.query(sql`select g.id from good_info g left join shop_event e on e.good_id = g.id and e.type = 'lowStock'
        and e.open_key is not null
     
      group by g.tenant_id, g.id, g.stock, g.low_stock
      having count(e.id) <> case when ${raw(lowStockSql('g'))} then 1 else 0 end`),
      )
      expect(events, context).toEqual([])
    },
    600_000,
  )
})
