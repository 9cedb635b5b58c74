import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { moveStock } from './stock.ts'
import { testStock, type TestStock } from './test-stock.ts'

const GOODS = 150

let stage: TestStock
beforeAll(async () => void (stage = await testStock({ goods: GOODS, lowStock: () => 0 })))
afterAll(() => stage.close())

/** Returns the rows this transaction has read so far, by table. */
async function readSoFar(db: Db): Promise<Record<string, number>> {
  const rows = await db.query<{ name: string; read: number }>(sql`select relname::text as name,
    (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where relname in ('good_info', 'storage_batch')`)
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]))
}

test('a sale reads the goods it sells, however many the tenant has that PostgreSQL has not looked at yet', async () => {
  const [shop] = stage.shops
  const sold = shop!.goods.slice(0, 2).map(({ id }) => id)
  for (const { id } of shop!.goods) await stage.receive(shop!.id, id, 10)
  const read = await stage.unit(async (db) => {
    const before = await readSoFar(db)
    const lines = sold.map((goodId) => ({ goodId, change: -1 }))
    await moveStock(db, lines, { type: 'sale', refType: 'order', refId: newId() })
    const after = await readSoFar(db)
    return { goods: after.good_info! - before.good_info!, batches: after.storage_batch! - before.storage_batch! }
  })
  for (const [what, rows] of Object.entries(read)) expect(rows, what).toSatisfy((n: number) => n > 0 && n < GOODS / 5)
})
