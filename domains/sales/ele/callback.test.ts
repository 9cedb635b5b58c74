import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createManualClock } from '#simulators/gateways/clock.ts'
import { startEle, type EleSimulator } from '#simulators/ele/ele.simulator.ts'
import type { Push } from '#simulators/ele/pushes.ts'

const clock = createManualClock()
const secret = 'secret of a test'
const source = '60001'
let tenants: TestTenants
let ele: EleSimulator
let address: string

beforeAll(async () => {
  ;[tenants, ele] = await Promise.all([
    createTestTenants({ now: () => new Date(clock.now()), listen: true }),
    startEle({ clock }),
  ])
  const { id } = await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/thirdparty/thirdApi/submit', {
      body: { name: '饿了么零售', platform: 'ele', appKey: source, appSecret: secret, status: 1 },
    }),
  )
  address = `${tenants.server.url}/api/ele/callback/${tenants.north.tenantId}-${id}`
  const { callbackUrl } = await tenants.must(
    tenants.call(tenants.north.admin, 'GET', '/api/thirdparty/thirdApi/detail', { query: { id } }),
  )
  expect(callbackUrl).toBe(address.replace(tenants.server.url, tenants.services.config.publicUrl))
  ele.world.accounts.set(source, { secret, callback: address })
  ele.pushes.mood.isHeld = true
})
afterAll(() => Promise.all([tenants.close(), ele.close()]))

const push = (cmd: string, body: object): Push => {
  ele.world.tell(source, cmd, body)
  return ele.pushes.outbox.at(-1)!
}
const kept = (tenantId = tenants.north.tenantId) =>
  tenants.services.unit({ tenantId }, (db) =>
    db.query<{ kind: string; subject: string; times: number }>(
      sql`select kind, subject, times from vendor_event where tenant_id = ${tenantId} and system = 'ele' order by id`,
    ),
  )

test('a message is kept before it is answered, in the words and with the signature the platform asks for', async () => {
  const message = push('order.create', { order_id: '5000000000000000001', platform_shop_id: '32001' })
  expect(await ele.pushes.deliver(message)).toBe(200)
  expect(message).toMatchObject({ taken: true })
  expect(comparedAnswers(tenants.server.http)).toContain('POST /api/ele/callback/:key')
  expect(message.failure).toBeUndefined()
  expect(await kept()).toEqual([{ kind: 'order.create', subject: '5000000000000000001', times: 1 }])
})

test('a message that comes again is answered again and kept once', async () => {
  const message = push('shop.msg.push', { shop_id: 'S1', baidu_shop_id: 32002, msg_type: 'shop_open' })
  expect(await Promise.all([1, 2, 3].map(() => ele.pushes.deliver(message)))).toEqual([200, 200, 200])
  expect((await kept()).at(-1)).toEqual({ kind: 'shop.msg.push', subject: '32002', times: 3 })
})

test('what is forged, or told about credentials that are not its own, is neither kept nor acknowledged', async () => {
  const before = await kept()
  const message = push('order.create', { order_id: '5000000000000000002' })
  expect(await ele.pushes.deliver(message, true)).toBe(403)
  const account = ele.world.accounts.get(source)!
  for (const other of [address.replace(/\d+$/, '1'), address.replace('100001', '100002'), `${address}x`]) {
    account.callback = other
    expect(await ele.pushes.deliver(message)).toBe(403)
  }
  account.callback = address
  expect(message.taken).toBeUndefined()
  expect([await kept(), await kept(tenants.south.tenantId)]).toEqual([before, []])
})

test('two messages with the same words are two, for what they tell of may have happened twice', async () => {
  const before = (await kept()).length
  for (const message of [push('order.remind.push', { order_id: '7' }), push('order.remind.push', { order_id: '7' })])
    await ele.pushes.deliver(message)
  expect(await kept()).toHaveLength(before + 2)
})

test('a burst of a thousand messages is taken in seconds', async () => {
  const before = (await kept()).length
  const started = performance.now()
  const many = Array.from({ length: 1000 }, (_one, n) => push('order.status.push', { order_id: `9${n}`, status: 5 }))
  for (let n = 0; n < many.length; n += 50)
    await Promise.all(many.slice(n, n + 50).map((one) => ele.pushes.deliver(one)))
  expect(performance.now() - started).toBeLessThan(40_000)
  expect(many.filter((one) => one.failure)).toEqual([])
  expect(await kept()).toHaveLength(before + 1000)
})
