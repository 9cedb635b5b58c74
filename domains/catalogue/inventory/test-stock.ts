import './refusals.ts'
import { createPool, sql, systemActor, unitOfWork, type Db } from '#kit/server/database/db.ts'
import { testDatabase } from '#tests/support/database.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { receiveGoods } from './receive-goods.ts'
import { stockConsistencySql } from './stock-checks.ts'

const tenantId = '100001'

/** Two shops with the same goods in a database of their own, without HTTP: for tests of parallel stock movements. */
export async function testStock({ goods, lowStock }: { goods: number; lowStock: (at: number) => number }) {
  const database = await testDatabase()
  const pool = createPool(database.url, { max: 16 })
  const unit = <T>(work: (db: Db) => Promise<T>, userId = systemActor.userId): Promise<T> =>
    unitOfWork(pool, { tenantId }, { userId, deptId: null }, work)

  const shops = await unit(async (db) => {
    const made = []
    for (const n of [1, 2]) {
      const shop = await db.insert(basicShopInfo, { shopName: `西溪${n}号店`, shopCode: `T${n}`, status: 1 })
      const own = []
      for (let at = 1; at <= goods; at++) {
        own.push(
          await db.insert(goodInfo, {
            shopId: shop.id,
            upc: `G${100 + at}`,
            name: `商品${at}`,
            salePrice: 500,
            costPrice: 300,
            stock: 0,
            stockSeq: 0,
            lowStock: lowStock(at),
            onSale: true,
            shelfNo: `A${at}`,
          }),
        )
      }
      made.push({ id: shop.id, goods: own })
    }
    return made
  })

  return {
    pool,
    unit,
    shops,
    receive: (shopId: string, goodId: string, quantity: number, expiryDate: string | null = '2030-01-01') =>
      unit(
        async (db) =>
          (
            await receiveGoods(db, {
              shopId,
              lines: [{ goodId, quantity, expiryDate, costPrice: 300 }],
              refType: 'goods',
              refId: goodId,
            })
          )[0]!.batchId,
      ),
    /** Returns rows that break a rule of `stockConsistencySql`, at most five for each. */
    differences: () =>
      unit(async (db) => {
        const found: Record<string, unknown>[] = []
        for (const [check, statement] of Object.entries(stockConsistencySql))
          found.push(...(await db.query(sql`select * from (${statement}) d limit 5`)).map((row) => ({ check, ...row })))
        return found
      }),
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

export type TestStock = Awaited<ReturnType<typeof testStock>>
