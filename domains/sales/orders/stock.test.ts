import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { moveStock } from '#domains/catalogue/inventory/api.ts'
import { checkLedgers } from './ledgers.ts'
import { testShop, type TestShop } from './test-shop.ts'

let shop: TestShop
beforeAll(async () => void (shop = await testShop()))
afterAll(() => shop.close())

const sell = (goodId: string, quantity: number) =>
  shop.unit((db) => moveStock(db, [{ goodId, change: -quantity }], { type: 'sale', refType: 'order', refId: '1' }))
const stockOf = async (goodId: string) =>
  (await shop.unit((db) => db.one<{ stock: number }>(sql`select stock from good_info where id = ${goodId}`)))!.stock
const differences = () => shop.unit(checkLedgers)

describe('stock', () => {
  it('a sale takes from the batch that expires first, then from the next, and undated batches last', async () => {
    const good = await shop.good()
    const late = await shop.receive(good, 5, '2030-06-01')
    const undated = await shop.receive(good, 5, null)
    const soon = await shop.receive(good, 5, '2029-01-01')
    const [taken] = await sell(good.id, 12)
    expect(taken!.batches).toEqual([
      { batchId: soon.id, quantity: 5 },
      { batchId: late.id, quantity: 5 },
      { batchId: undated.id, quantity: 2 },
    ])
  })

  it('a sale below zero is recorded, and what comes in later settles it', async () => {
    const good = await shop.good({ stock: 2 })
    const [taken] = await sell(good.id, 5)
    expect(taken!.batches.map((share) => share.quantity)).toEqual([2, 3])
    expect(await stockOf(good.id)).toBe(-3)
    const batch = await shop.receive(good, 10, '2031-01-01')
    expect(await stockOf(good.id)).toBe(7)
    const held = await shop.unit((db) =>
      db.one<{ remaining: number }>(sql`select remaining from storage_batch where id = ${batch.id}`),
    )
    expect(held!.remaining).toBe(7)
    expect(await differences()).toEqual([])
  })

  it('a ledger line can be neither changed nor removed, not even by the room itself', async () => {
    await shop.good({ stock: 1 })
    await expect(shop.unit((db) => db.run(sql`update storage_log set change = 99`))).rejects.toThrow(
      /permission denied/,
    )
    await expect(shop.unit((db) => db.run(sql`delete from storage_log`))).rejects.toThrow(/permission denied/)
  })

  it(
    'two hundred parallel sales of the same goods in crossing order lose nothing ' +
      'and wait for each other in no circle',
    async () => {
      const goods = await Promise.all([40, 40, 40].map((stock) => shop.good({ stock })))
      const ids = goods.map((good) => good.id)
      await Promise.all(
        Array.from({ length: 200 }, (_unused, n) => {
          const order = n % 2 ? ids : [...ids].reverse()
          return shop.unit((db) =>
            moveStock(
              db,
              order.map((goodId) => ({ goodId, change: -1 })),
              { type: 'sale', refType: 'order', refId: String(n + 1) },
            ),
          )
        }),
      )
      expect(await Promise.all(ids.map(stockOf))).toEqual([-160, -160, -160])
      expect(await differences()).toEqual([])
    },
  )

  it('whatever happens in parallel, stock = ledger = batches', async () => {
    const step = fc.record({
      good: fc.integer({ min: 0, max: 2 }),
      kind: fc.constantFrom('sale', 'receive', 'surplus', 'back'),
      quantity: fc.integer({ min: 1, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const goods = await Promise.all([0, 1, 2].map(() => shop.good({ stock: 5 })))
        const expected = [5, 5, 5]
        await Promise.all(
          steps.map(async ({ good: at, kind, quantity }) => {
            const good = goods[at]!
            const move = (change: number) =>
              shop.unit((db) =>
                moveStock(db, [{ goodId: good.id, change }], { type: 'stocktake', refType: 'goods', refId: good.id }),
              )
            if (kind === 'sale') await sell(good.id, quantity)
            else if (kind === 'receive') await shop.receive(good, quantity, `203${quantity}-01-01`)
            else if (kind === 'surplus') await move(quantity)
            else {
              const [taken] = await sell(good.id, quantity)
              await shop.unit((db) =>
                moveStock(db, [{ goodId: good.id, change: quantity, batches: taken!.batches }], {
                  type: 'refund',
                  refType: 'refund',
                  refId: '1',
                }),
              )
            }
            expected[at]! += kind === 'sale' ? -quantity : kind === 'back' ? 0 : quantity
          }),
        )
        expect(await Promise.all(goods.map((good) => stockOf(good.id)))).toEqual(expected)
      }),
      { numRuns: 15 },
    )
    expect(await differences()).toEqual([])
  }, 60_000)

  it('the check finds a stock that somebody typed', async () => {
    const good = await shop.good({ stock: 3 })
    await shop.unit((db) => db.run(sql`update good_info set stock = 4 where id = ${good.id}`))
    expect((await differences()).map((one) => one.id)).toContain(good.id)
    await shop.unit((db) => db.run(sql`update good_info set stock = 3 where id = ${good.id}`))
  })
})
