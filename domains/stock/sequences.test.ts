import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raw, sql } from '#kit/server/database/db.ts'
import { lowSql } from '#domains/goods/doors.ts'
import { Refused } from '#kit/server/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { RETURN, STOCKTAKE, TRANSFER } from './dictionaries.ts'
import { receiveGoods } from './receive-goods.ts'
import { returnLog } from './return-log.resource.ts'
import { moveReturned, undoReturned } from './returns.server.ts'
import { moveStock, type BatchShare, type StockResult } from './stock.ts'
import { linesOf, recallTransfer, receiveTransfer, sendTransfer } from './stock-transfer.server.ts'
import { stockTransfer } from './stock-transfer.resource.ts'
import { countGoods, openStocktake, postStocktake } from './stocktake.server.ts'
import { stocktake } from './stocktake.resource.ts'
import { isWhole } from '#kit/testing/whole.ts'
import { testStock, type TestStock } from './test-stock.ts'

/** Others every time; fewer in the quick run, and `SEQUENCES=10000` walks more of them at once. */
const SEQUENCES = Number(process.env.SEQUENCES ?? (isWhole ? 2000 : 300))
const CALLERS = 12
const GOODS = 20
/** So many of them have a warning line; the others are low when they are out. */
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

/** One caller's way through a sequence; answers by how much it says the stock of each good changed. */
async function walk(
  shopAt: number,
  steps: readonly Step[],
  tally: (goodId: string, change: number) => void,
  done: (kind: string) => void,
): Promise<void> {
  const shop = stage.shops[shopAt]!
  const other = stage.shops[1 - shopAt]!
  const idOf = (at: number) => shop.goods[at]!.id
  let sold: StockResult | undefined
  for (const one of steps) {
    await attempt(
      async () => {
        if (one.kind === 'sale') {
          const lines = one.lines.map((at) => ({ goodId: idOf(at), change: -one.quantity }))
          const moved = await stage.unit((db) =>
            moveStock(db, lines, { type: 'sale', refType: 'order', refId: newId() }),
          )
          sold = moved[0]
          for (const line of lines) tally(line.goodId, line.change)
        } else if (one.kind === 'refund') {
          if (!sold?.batches.length) return
          const {
            goodId,
            batches: [share, ...rest],
          } = sold as StockResult & { batches: [BatchShare, ...BatchShare[]] }
          const back = Math.min(one.quantity, share.quantity)
          sold = {
            ...sold,
            batches: share.quantity > back ? [{ ...share, quantity: share.quantity - back }, ...rest] : rest,
          }
          await stage.unit((db) =>
            moveStock(db, [{ goodId, change: back, batches: [{ ...share, quantity: back }] }], {
              type: 'refund',
              refType: 'refund',
              refId: newId(),
            }),
          )
          tally(goodId, back)
        } else if (one.kind === 'receipt') {
          await stage.unit((db) =>
            receiveGoods(db, {
              shopId: shop.id,
              lines: [{ goodId: idOf(one.good), quantity: one.quantity, expiryDate: one.expiry }],
              refType: 'goods',
              refId: idOf(one.good),
            }),
          )
          tally(idOf(one.good), one.quantity)
        } else if (one.kind === 'return') {
          const goodId = idOf(one.good)
          const row = await stage.unit(async (db) => {
            const made = await db.insert(returnLog, {
              returnNo: newId(),
              shopId: shop.id,
              goodId,
              direction: one.direction,
              quantity: one.quantity,
              reason: 'damaged',
              status: 1,
            })
            const { batches } = await moveReturned(db, made)
            return db.update(returnLog, made.id, { batches })
          })
          const change = one.direction === 'supplier' ? -one.quantity : one.quantity
          tally(goodId, change)
          if (one.isUndone) {
            await stage.unit(async (db) => {
              await undoReturned(db, row)
              await db.update(returnLog, row.id, { status: RETURN.undone })
            })
            tally(goodId, -change)
          }
        } else if (one.kind === 'loss') {
          await stage.unit((db) =>
            moveStock(db, [{ goodId: idOf(one.good), change: -one.quantity }], {
              type: 'loss',
              refType: 'goods',
              refId: idOf(one.good),
            }),
          )
          tally(idOf(one.good), -one.quantity)
        } else if (one.kind === 'count') {
          const take = await stage.unit(async (db) => {
            const made = await db.insert(stocktake, {
              countNo: newId(),
              shopId: shop.id,
              scope: 'all',
              rule: 'last',
              status: STOCKTAKE.counting,
            })
            for (const at of one.goods) await openStocktake(db, made, idOf(at))
            return made
          })
          const counted = new Map<string, number>()
          for (const [n, at] of one.goods.entries()) {
            await stage.unit(
              async (db) => {
                const { stock } = (await db.one<{ stock: number }>(
                  sql`select stock from good_info where id = ${idOf(at)} for no key update`,
                ))!
                const line = await countGoods(
                  db,
                  take,
                  { goodId: idOf(at), quantity: Math.max(0, stock + one.off), mode: 'set' },
                  NOW,
                )
                counted.set(idOf(at), line.difference!)
              },
              String(n + 1),
            )
          }
          await stage.unit((db) => postStocktake(db, take, false, NOW))
          for (const line of await stage.unit((db) =>
            db.query<{ goodId: string; posted: number }>(
              sql`select good_id, posted from stocktake_line where stocktake_id = ${take.id}`,
            ),
          ))
            tally(line.goodId, line.posted)
        } else {
          const lines = one.goods.map((at) => ({
            goodId: idOf(at),
            quantity: one.quantity,
            upc: shop.goods[at]!.upc,
            name: shop.goods[at]!.name,
          }))
          const sent = await stage.unit(async (db) => {
            const made = await db.insert(stockTransfer, {
              transferNo: newId(),
              status: TRANSFER.draft,
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
          await stage.unit((db) =>
            receiveTransfer(db, sent, new Map(linesOf(sent).map((line) => [line.goodId, arrived])), remainder, NOW),
          )
          for (const at of one.goods) {
            if (arrived) tally(other.goods[at]!.id, arrived)
            if (one.end === 'unsent') tally(idOf(at), 1)
          }
        }
      },
      () => done(one.kind),
    )
  }
}

/** A step the rules refuse has done nothing. Anything else that goes wrong is a fault. */
async function attempt(step: () => Promise<void>, done: () => void): Promise<void> {
  try {
    await step()
    done()
  } catch (error) {
    if (!(error instanceof Refused) || !['stock_short', 'invalid', 'batch_too_small'].includes(error.code)) throw error
  }
}

type LedgerRow = { goodId: string; batchId: string; type: string; change: number }

/** Replays the ledger: a sale that took from a batch while one before it still held something broke the order. */
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
      // Batches before this one are empty, but those later in the list may fill up before it.
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
      const tally = (goodId: string, change: number) => void expected.set(goodId, (expected.get(goodId) ?? 0) + change)
      const done = (kind: string) => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      // All above their warning line, so that every event comes from what follows.
      for (const shop of stage.shops) {
        for (const { id } of shop.goods) {
          await stage.receive(shop.id, id, 30, '2027-02-01')
          tally(id, 30)
        }
      }
      let next = 0
      const caller = async () => {
        while (next < queue.length) {
          const { shop, steps } = queue[next++]!
          await walk(shop, steps, tally, done)
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
      having count(e.id) <> case when ${raw(lowSql('g'))} then 1 else 0 end`),
      )
      expect(events, context).toEqual([])
    },
    600_000,
  )
})
