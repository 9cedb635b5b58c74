import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { empty, join, raw, sql, type Sql } from '#kit/server/database/db.ts'
import { analyzeWrittenTables } from '#kit/server/database/analyze.ts'
import { createUpcomingPartitions } from '#kit/server/database/partition-maintenance.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { timeOfId } from '#kit/server/database/snowflake.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { productModules } from './modules.ts'

// Compares pages and totals of big lists with the plainest SQL for them (docs/decisions/0048).

const SEED = Number(process.env.PROPERTY_SEED ?? fc.readConfigureGlobal().seed)
/** Random queries per resource. */
const QUESTIONS = Number(process.env.PROPERTY_LISTS ?? 60)
/** More rows than a total is counted to, also with some filters. */
const MANY = 18_000
const FEW = 700
const TOTAL_MAX = 10_000

type ListUnderTest = {
  table: string
  path: string
  own: string
  columns: Record<string, string>
  sorts: readonly string[]
  /** Query parameters and the SQL conditions they stand for. */
  filters: readonly [Record<string, string>, Sql][]
}

/** Values of row `n`: many equal, many empty, and ids in another order than times. */
const lists: Record<string, ListUnderTest> = {
  visits: {
    table: 'customer_visit_log',
    path: '/api/shop/customerVisitLog/list',
    own: 'enterTime',
    columns: {
      enter_time: `timestamptz '2026-11-20 10:00+08' - make_interval(mins => (n * 7919) % 900)`,
      leave_time: `case when n % 3 > 0 then timestamptz '2026-11-20 11:00+08' - make_interval(hours => n % 40) end`,
      result: `(array['paid', 'left', 'inside', null])[1 + n % 4]`,
      paid_amount: `case when n % 4 = 0 then (n % 60) * 100 end`,
      entry_mode: `case when n % 5 > 0 then 'face' end`,
    },
    sorts: ['enterTime', 'leaveTime', 'paidAmount', 'result', 'entryMode', 'createTime', 'updateTime'],
    filters: [
      [{ result: 'paid' }, sql`result = 'paid'`],
      [{ result: 'paid,left' }, sql`result in ('paid', 'left')`],
      [{ entryMode_null: '1' }, sql`entry_mode is null`],
      [{ leaveTime_dategt: '2026-11-18' }, sql`leave_time >= timestamptz '2026-11-18 00:00+08'`],
      [{ paidAmount_ge: '20.00' }, sql`paid_amount >= 2000`],
      [{ enterTime_ge: '2026-11-19 22:00:00' }, sql`enter_time >= timestamptz '2026-11-19 22:00+08'`],
      [{ enterTime_ge: '2026-11-20 06:00:00' }, sql`enter_time >= timestamptz '2026-11-20 06:00+08'`],
      [{ entryMode: 'face' }, sql`entry_mode = 'face'`],
      [{ entryMode_notequal: 'face' }, sql`entry_mode is distinct from 'face'`],
    ],
  },
  orders: {
    table: 'shopping_order',
    path: '/api/shop/shoppingOrder/web/boss/list',
    own: 'createTime',
    columns: {
      order_no: `'SO' || (1000000 + n) || shop_id`,
      status: `n % 6`,
      source: `(array['register', 'mini'])[1 + n % 2]`,
      quantity: `case when n % 7 > 0 then n % 5 end`,
      pay_amount: `(n * 31 % 90) * 100`,
      pay_type: `case when n % 3 > 0 then 'cash' end`,
      pay_time: `case when n % 3 > 0 then timestamptz '2026-11-20 11:00+08' - make_interval(hours => n % 200) end`,
    },
    sorts: ['createTime', 'updateTime', 'status', 'quantity', 'payAmount', 'payTime', 'payType', 'orderNo', 'summary'],
    filters: [
      [{ status: '2' }, sql`status = 2`],
      [{ status: '1,2,3' }, sql`status in (1, 2, 3)`],
      [{ payType_null: '1' }, sql`pay_type is null`],
      [{ payType: 'cash' }, sql`pay_type = 'cash'`],
      [{ payAmount_ge: '30.00', payAmount_lt: '60.00' }, sql`pay_amount >= 3000 and pay_amount < 6000`],
      [{ payAmount_ge: '10.00' }, sql`pay_amount >= 1000`],
      [{ payTime_ge: '2026-11-13' }, sql`pay_time >= timestamptz '2026-11-13 00:00+08'`],
      [{ payTime_ge: '2026-11-15' }, sql`pay_time >= timestamptz '2026-11-15 00:00+08'`],
      [{ payTime_lt: '2026-11-15 00:00:00' }, sql`pay_time < timestamptz '2026-11-15 00:00+08'`],
      [{ orderNo: 'SO10001' }, sql`order_no like 'SO10001%'`],
    ],
  },
  ledger: {
    table: 'storage_log',
    path: '/api/shop/storageLog/list',
    own: 'createTime',
    columns: {
      good_id: `shop_id + n % 50`,
      seq: `n`,
      type: `(array['in', 'sale', 'refund'])[1 + n % 3]`,
      change: `n % 9 - 4`,
      ref_type: `case when n % 4 > 0 then 'order' end`,
      ref_id: `case when n % 4 > 0 then n % 11 end`,
      operator: `case when n % 2 = 0 then 1 end`,
    },
    sorts: ['createTime', 'updateTime', 'change', 'type', 'refType'],
    filters: [
      [{ type: 'sale' }, sql`type = 'sale'`],
      [{ type: 'sale,in' }, sql`type in ('sale', 'in')`],
      [{ refType_null: '1' }, sql`ref_type is null`],
      [{ change_ge: '-3' }, sql`change >= -3`],
      [{ change_gt: '0' }, sql`change > 0`],
      [{ refId: '7' }, sql`ref_id = 7`],
    ],
  },
}

let tenants: TestTenants
/** Callers with the condition for the rows they may see. */
let callers: Record<string, { person: CastMember; sees: Sql }>

/** Returns the first id of the second partition. */
async function borderOf(): Promise<string> {
  const [row] = await tenants.services.unit({ crossTenantReason: 'where months meet' }, (db) =>
    db.query<{
      border: string
    }>(sql`select (regexp_match(pg_get_expr(relpartbound, oid), 'TO \\(''(\\d+)''\\)'))[1] as border
      from pg_class where oid = 'shopping_order_past'::regclass`),
  )
  return row!.border
}

/** Inserts rows, half of them on each side of a partition boundary. */
async function fill(
  { table, columns }: ListUnderTest,
  border: string,
  tenantId: string,
  shopId: string,
  count: number,
) {
  const names = raw(Object.keys(columns).join(', '))
  const values = raw(Object.values(columns).join(', '))
  await tenants.services.unit({ tenantId }, async (db) => {
    await db.run(sql`insert into ${raw(table)} (id, tenant_id, shop_id, ${names}, create_time, update_time)
      select ${border}::bigint + (n * 7907 % 20011 - 10000) * 1000 + shop_id % 997, ${tenantId}, shop_id, ${values},
        timestamptz '2026-11-19 09:00+08' + make_interval(hours => n % 5), timestamptz '2026-11-19 20:00+08'
      from generate_series(1, ${count}::int) n, (select ${shopId}::bigint as shop_id) s`)
    // Autovacuum would do so within a minute.
    await analyzeWrittenTables(db)
  })
}

beforeAll(async () => {
  tenants = await createTestTenants()
  const { north, south } = tenants
  const [first, second] = [north.shops[0]!, north.shops[1]!]
  const tables = tablesOfModules(productModules)
  const border = await borderOf()
  await createUpcomingPartitions(tenants.server.databaseUrl, tables, new Date(timeOfId(border)))
  for (const list of Object.values(lists)) {
    await fill(list, border, north.tenantId, first, MANY)
    await fill(list, border, north.tenantId, second, FEW)
    await fill(list, border, south.tenantId, south.shops[0]!, FEW)
  }
  callers = {
    admin: { person: north.admin, sees: sql`tenant_id = ${north.tenantId}` },
    boss: { person: await tenants.boss(north, second), sees: sql`shop_id = ${second}::bigint` },
    bossOfMany: { person: await tenants.boss(north, first), sees: sql`shop_id = ${first}::bigint` },
    platform: { person: await tenants.server.as('admin'), sees: sql`true` },
  }
}, 120_000)
afterAll(() => tenants?.close())

type Question = { caller: string; sort?: string; isUp: boolean; filters: number[]; size: number; current: number }

const snakeOf = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the plainest SQL for a page: all matching rows, sorted and cut. */
function plainly({ table, own, filters }: ListUnderTest, ask: Question): { page: Sql; count: Sql } {
  const from = sql`from ${raw(table)} where ${callers[ask.caller]!.sees}${ask.filters
    .map((at) => filters[at]!)
    .reduce((all, [, condition]) => sql`${all} and ${condition}`, empty)}`
  const direction = ask.sort && ask.isUp ? '' : ' desc'
  const chosen = ask.sort && ask.sort !== own ? [raw(`${snakeOf(ask.sort)}${direction} nulls last`)] : []
  const order = join([...chosen, raw(`${snakeOf(own)}${direction}`), raw(`id${direction}`)])
  return {
    page: sql`select id::text as id ${from} order by ${order} limit ${ask.size}
      offset ${(ask.current - 1) * ask.size}`,
    count: sql`select count(*)::int as n ${from}`,
  }
}

async function requestPage(list: ListUnderTest, question: Question): Promise<{ ids: string[]; total: number }> {
  const { sort, isUp, size, current, filters, caller } = question
  const query = {
    size,
    current,
    ...(sort && { [isUp ? 'ascs' : 'descs']: sort }),
    ...Object.assign({}, ...filters.map((at) => list.filters[at]![0])),
  }
  const { records, total } = await tenants.must(tenants.call(callers[caller]!.person, 'GET', list.path, { query }))
  return { ids: records.map(({ id }: { id: string }) => id), total }
}

async function expectSameRows(list: ListUnderTest, question: Question): Promise<void> {
  const plain = plainly(list, question)
  const [rows, [counted]] = await tenants.services.unit(
    { crossTenantReason: 'what a list has to show' },
    async (db) => [await db.query<{ id: string }>(plain.page), await db.query<{ n: number }>(plain.count)],
  )
  const found = await requestPage(list, question)
  const context = JSON.stringify(question)
  expect([context, found.ids]).toEqual([context, rows.map(({ id }) => id)])
  // Until the background count is done, a big total is reported as far as it was counted.
  const totals = counted!.n > TOTAL_MAX ? [counted!.n, TOTAL_MAX] : [counted!.n]
  expect([context, totals]).toEqual([context, expect.arrayContaining([found.total])])
}

const questions = (list: ListUnderTest) =>
  fc.record({
    caller: fc.constantFrom('admin', 'boss', 'bossOfMany', 'platform'),
    sort: fc.option(fc.constantFrom(...list.sorts), { nil: undefined }),
    isUp: fc.boolean(),
    // Each parameter is used once.
    filters: fc.uniqueArray(fc.nat(list.filters.length - 1), {
      maxLength: 2,
      selector: (at) => Object.keys(list.filters[at]![0])[0],
    }),
    size: fc.constantFrom(1, 7, 10, 100, 1000),
    current: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
  })

describe('a page of a big list', () => {
  it('is asked of rows of two months, where tables are cut', async () => {
    for (const table of ['shopping_order', 'storage_log']) {
      const parts = await tenants.services.unit({ crossTenantReason: 'where months meet' }, (db) =>
        db.query(sql`select tableoid from ${raw(table)} group by tableoid`),
      )
      expect([table, parts.length]).toEqual([table, 2])
    }
  })

  for (const [name, list] of Object.entries(lists))
    it(`of ${name} has the rows a plain statement finds, for everybody who may ask, and no others`, async () => {
      for (const question of fc.sample(questions(list), { numRuns: QUESTIONS, seed: SEED }))
        await expectSameRows(list, question)
    }, 240_000)

  // From the second time on, a page starts at a position found in the background, where the sort order allows it.
  for (const [name, sort] of [
    ['visits', 'createTime'],
    ['visits', 'updateTime'],
    ['orders', 'createTime'],
    ['orders', 'updateTime'],
  ] as const)
    it(`far down ${name} by ${sort} is the same however it is found, though thousands are alike`, async () => {
      const question = { caller: 'bossOfMany', sort, filters: [], size: 10, current: 173 }
      for (let times = 0; times < 12; times++)
        for (const isUp of [true, false]) await expectSameRows(lists[name]!, { ...question, isUp })
    }, 120_000)
})
