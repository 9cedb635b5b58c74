import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

// With many suppliers, products and orders, purchasing reads them by index and never scans the whole table.

const MANY = 5_000
const ROWS_MAX = 300
const TABLES = ['supplier_info', 'supplier_goods_info', 'supplier_order', 'supplier_order_detail', 'good_info']

let tenants: TestTenants
let owner: pg.Client
let shopId: string
let tenantId: string
beforeAll(async () => {
  tenants = await createTestTenants()
  shopId = tenants.north.shops[0]!
  tenantId = tenants.north.tenantId
  owner = new pg.Client({ connectionString: tenants.server.databaseUrl, options: '-c search_path=public' })
  await owner.connect()
  const fill = (statement: string) => owner.query(statement.replaceAll(':tenant', `'${tenantId}'`))
  await fill(`insert into supplier_info (id, tenant_id, name, status, lead_days)
    select n, :tenant, '供应商' || n, 1, 2 from generate_series(1, ${MANY}) n`)
  await fill(`insert into good_info (id, tenant_id, shop_id, upc, name, sale_price, stock, stock_seq)
    select n, :tenant, ${shopId}, lpad(n::text, 12, '0'), '商品' || n, 500, 0, 0 from generate_series(1, ${MANY}) n`)
  await fill(`insert into supplier_goods_info (id, tenant_id, supplier_id, upc, name, price, box_qty, min_order)
    select n, :tenant, 1 + n % 500, '0' || lpad(n::text, 12, '0'), '商品' || n, 100, 1, 1
    from generate_series(1, ${MANY}) n`)
  await fill(`insert into supplier_order (id, tenant_id, order_no, shop_id, supplier_id, status)
    select n, :tenant, 'PO' || n, ${shopId}, 1 + n % 500, 3 from generate_series(1, ${MANY}) n`)
  await fill(`insert into supplier_order_detail (id, tenant_id, order_id, supplier_goods_id, shop_id, good_id,
      upc, name, price, quantity)
    select n, :tenant, n, n, ${shopId}, n, lpad(n::text, 12, '0'), '商品' || n, 100, 1
    from generate_series(1, ${MANY}) n`)
  for (const table of TABLES) await owner.query(`vacuum analyze "${table}"`)
}, 120_000)
afterAll(async () => {
  await owner?.end()
  await tenants?.close()
})

type Statement = { text: string; values?: unknown[] }
type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}
const COUNT = /^select count\(\*\)(::int)? as n /

/** Returns the statements on the tested tables that a call runs, except counts of rows. */
async function statementsOf(call: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: any[]) {
    for (const one of (args[0]?.statements ?? [args[0]]) as Statement[])
      if (
        /^\s*(select|with)/i.test(one?.text ?? '') &&
        !COUNT.test(one.text) &&
        TABLES.some((t) => one.text.includes(t))
      )
        seen.push(one)
    return query.apply(this, args)
  } as never
  try {
    await call()
  } finally {
    pg.Client.prototype.query = query as never
  }
  return seen
}

/** Returns how many rows of each table a statement reads. */
async function lookedAt({ text, values }: Statement): Promise<Record<string, number>> {
  await owner.query(`begin; set local role store_app; set local app.tenant = '${tenantId}'`)
  try {
    const { rows } = await owner.query({ text: `explain (analyze, format json) ${text}`, values: [...(values ?? [])] })
    const found: Record<string, number> = {}
    const walk = (node: Node): void => {
      const table = node['Relation Name']
      const each =
        node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      if (table) found[table] = (found[table] ?? 0) + Math.round(each * node['Actual Loops'])
      for (const part of node.Plans ?? []) walk(part)
    }
    walk(rows[0]['QUERY PLAN'][0].Plan as Node)
    return found
  } finally {
    await owner.query('rollback')
  }
}

const list = (resource: string, query: object) => () =>
  tenants.must(
    tenants.call(tenants.north.admin, 'GET', `/api/${resource}/list`, { query: query as Record<string, unknown> }),
  )
const post = (path: string, body: object) => () =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/${path}`, { body }))

test.each([
  ['purchase orders', list('supplier/supplierOrder', { size: 20 })],
  ['purchase orders of a supplier', list('supplier/supplierOrder', { supplierId: '7', size: 20 })],
  ['purchase orders on their way', list('supplier/supplierOrder', { status_in: '0,1,2', size: 20 })],
  ['lines of a purchase order', list('supplier/supplierOrderDetail', { orderId: '7' })],
  ["a supplier's goods", list('supplier/supplierGoodsInfo', { supplierId: '7', size: 20 })],
  ['goods of suppliers', list('supplier/supplierGoodsInfo', { size: 20 })],
  ['batches of a supplier', list('shop/storageBatch', { supplierId: '7', size: 20 })],
  ['the cart of a shop', list('supplier/supplierCart', { shopId: '1', size: 20 })],
  [
    'what is on its way of goods',
    () =>
      tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/supplier/supplierOrder/due', { query: { goodId: '7' } }),
      ),
  ],
  [
    'a purchase that is placed',
    () =>
      post('supplier/supplierOrder/submit', {
        shopId,
        supplierId: '8',
        lines: [{ supplierGoodsId: '7', quantity: 2 }],
      })(),
  ],
  [
    'goods put into a cart as they were seen',
    () =>
      post('supplier/supplierCart/fill', {
        shopId,
        lines: [{ supplierGoodsId: '9', quantity: 2, inCart: 0, onOrder: 0 }],
      })(),
  ],
])('%s: an index leads to what is read of suppliers, their goods and orders', async (_what, call) => {
  const statements = await statementsOf(call)
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements) {
    const looked = await lookedAt(statement)
    const many = Object.entries(looked).filter(([table, rows]) => TABLES.includes(table) && rows > ROWS_MAX)
    expect([statement.text.slice(0, 200), many]).toEqual([statement.text.slice(0, 200), []])
  }
})
