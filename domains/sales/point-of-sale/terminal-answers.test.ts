import { buildOpenApiDocument } from '#kit/server/mount/open-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'

const NOW = new Date('2026-11-20T09:00:00+08:00')
let tenants: TestTenants
let register: Register
let upc: string
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => NOW })
  const [shop] = tenants.north.shops
  register = await tenants.register(tenants.north, shop!)
  const good = await tenants.good(tenants.north, shop!)
  await tenants.receive(tenants.north, shop!, good.id, 100)
  upc = good.upc
  const wxUser = tenants.services.registry.resource('wxUser')
  await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
    db.insert(wxUser as never, { nickname: '王小明', phone: '13800000001', balance: 0, integral: 0 } as never),
  )
})
afterAll(() => tenants.close())

test('what a register is answered is what the description of the interface says', async () => {
  const time = '2026-11-20 09:00:00'
  const beep = (method: 'GET' | 'POST', path: string, more: object = {}) =>
    tenants.must(tenants.beep(register, method, path, more))
  const lines = [{ upc, quantity: 2 }]
  const answered = {
    hello: await beep('POST', 'hello', { body: { time, version: '1' } }),
    heartbeat: await beep('POST', 'heartbeat', { body: { time } }),
    settings: await beep('GET', 'settings'),
    goods: await beep('GET', 'goods'),
    customer: await beep('GET', 'customer', { query: { phone: '13800000001' } }),
    quote: await beep('POST', 'quote', { body: { saleNo: 'A-1', lines } }),
    sale: await beep('POST', 'sale', { body: saleBodyOf(upc) }),
    version: await beep('GET', 'version'),
    sales: await beep('POST', 'sales', { body: { sales: [saleBodyOf(upc), { saleNo: 'no sale' }] } }),
  }
  expect(answered.version).toEqual({})
  // The test server compares each answer with its schema.
  const compared = comparedAnswers(tenants.server.http).map((call) => call.split('/').at(-1))
  expect(compared).toEqual(expect.arrayContaining(Object.keys(answered)))
})

test('the description says what inputs may be, in words where there are few', () => {
  const { registry } = tenants.services
  const { paths } = buildOpenApiDocument(registry, registry.routes, '1') as { paths: Record<string, any> }
  const sale = paths['/api/terminal/sale'].post.requestBody.content['application/json'].schema.properties
  expect(sale.payType.enum).toContain('wechat')
  expect(sale.saleNo.pattern).toBe('^[A-Za-z0-9_-]+$')
})
