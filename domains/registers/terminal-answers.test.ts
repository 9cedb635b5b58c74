import { openApi } from '#kit/server/request/open-api.ts'
import { routesOfRooms } from '#kit/server/request/mount.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saleOf, testStreet, type Register, type Street } from '#kit/testing/street.ts'
import { answers } from './terminal-answers.ts'

const NOW = new Date('2026-11-20T09:00:00+08:00')
let street: Street
let register: Register
let upc: string
beforeAll(async () => {
  street = await testStreet({ now: () => NOW })
  const [shop] = street.north.shops
  register = await street.register(street.north, shop!)
  const good = await street.good(street.north, shop!)
  await street.receive(street.north, shop!, good.id, 100)
  upc = good.upc
  const wxUser = street.services.registry.resource('wxUser')
  await street.services.unit({ tenantId: street.north.tenantId }, (db) =>
    db.insert(wxUser as never, { nickname: '王小明', phone: '13800000001', balance: 0, integral: 0 } as never),
  )
})
afterAll(() => street.close())

type Schema = {
  type?: string
  enum?: string[]
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
}
/** Where a value is not as a schema says, or has what it does not name. */
function faults(value: unknown, schema: Schema, at = ''): string[] {
  if (schema.oneOf) return schema.oneOf.some((one) => !faults(value, one).length) ? [] : [`${at}: none of them`]
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const isType = schema.type === 'integer' ? Number.isInteger(value) : schema.type === undefined || schema.type === type
  if (!isType) return [`${at}: ${type}, not ${schema.type}`]
  if (schema.enum && !schema.enum.includes(value as string)) return [`${at}: ${String(value)} is none of the words`]
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(String(value))) return [`${at}: ${String(value)}`]
  if (schema.items) return (value as unknown[]).flatMap((one, n) => faults(one, schema.items!, `${at}[${n}]`))
  if (!schema.properties) return []
  const given = value as Record<string, unknown>
  return [
    ...(schema.required ?? []).filter((key) => !(key in given)).map((key) => `${at}.${key} is missing`),
    ...Object.entries(given).flatMap(([key, one]) =>
      schema.properties![key] ? faults(one, schema.properties![key], `${at}.${key}`) : [],
    ),
  ]
}

test('what a register is answered is what the description of the interface says', async () => {
  const time = '2026-11-20 09:00:00'
  const beep = (method: 'GET' | 'POST', path: string, more: object = {}) =>
    street.must(street.beep(register, method, path, more))
  const lines = [{ upc, quantity: 2 }]
  const answered = {
    hello: await beep('POST', 'hello', { body: { time, version: '1' } }),
    heartbeat: await beep('POST', 'heartbeat', { body: { time } }),
    settings: await beep('GET', 'settings'),
    goods: await beep('GET', 'goods'),
    customer: await beep('GET', 'customer', { query: { phone: '13800000001' } }),
    quote: await beep('POST', 'quote', { body: { saleNo: 'A-1', lines } }),
    sale: await beep('POST', 'sale', { body: saleOf(upc) }),
    sales: await beep('POST', 'sales', { body: { sales: [saleOf(upc), { saleNo: 'no sale' }] } }),
  }
  for (const [name, value] of Object.entries(answered))
    expect([name, faults(value, answers[name as keyof typeof answers] as Schema)]).toEqual([name, []])
})

test('the description says what inputs may be, in words where there are few', () => {
  const { registry } = street.services
  const { paths } = openApi(registry, routesOfRooms(registry), '1') as { paths: Record<string, any> }
  const sale = paths['/api/terminal/sale'].post.requestBody.content['application/json'].schema.properties
  expect(sale.payType.enum).toContain('wechat')
  expect(sale.saleNo.pattern).toBe('^[A-Za-z0-9_-]+$')
  const terminals = Object.entries<any>(paths).filter(
    ([path]) => path.startsWith('/api/terminal/') && path !== '/api/terminal/version',
  )
  for (const [path, methods] of terminals)
    for (const call of Object.values<any>(methods))
      expect([path, Object.keys(call.responses[200].content['application/json'].schema.properties.data)]).not.toEqual([
        path,
        [],
      ])
})
