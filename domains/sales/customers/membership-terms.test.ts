import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { findLevelReachedBySpending } from './membership-terms.ts'

let server: TestServer
beforeAll(async () => void (server = await testServer({ storyDays: 2 })))
afterAll(() => server?.close())

/** Order rows this transaction has read so far, in all partitions. */
const ordersRead = async (db: Db): Promise<number> =>
  (await db.one<{ read: number }>(sql`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where relname like 'shopping_order%' and relname not like '%detail%'`))!.read

test('a sale reads what its customer has paid, and no order of others, by a plan made for any customer', async () => {
  const read = await server.services.unit({ tenantId: '100001', genericPlans: true }, async (db) => {
    const [who] = await db.query<{ id: string; orders: number }>(sql`select wx_user_id as id, count(*)::int as orders
      from shopping_order where tenant_id = ${db.tenantId} and wx_user_id is not null
      group by 1 order by 2 desc limit 1`)
    const before = await ordersRead(db)
    await findLevelReachedBySpending(db, who!.id, '2026-11-20 09:00:00')
    return { now: (await ordersRead(db)) - before, own: who!.orders }
  })
  expect(read.own).toBeGreaterThan(1)
  expect(read.now).toSatisfy((n: number) => n > 0 && n <= read.own)
})
