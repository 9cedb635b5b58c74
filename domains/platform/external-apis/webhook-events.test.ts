import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { registerWebhookHandler, storeWebhookEvent, handleWebhookEventJob } from './webhook-events.ts'

let tenants: TestTenants
let handled: string[] = []
let fails = 0
let act: ((db: Db) => Promise<void>) | undefined

beforeAll(async () => {
  tenants = await createTestTenants()
  registerWebhookHandler(tenants.services, 'wechat', async ({ subject, body }) => {
    if (fails-- > 0) throw new Error('the platform is away')
    handled.push(`${subject} ${body}`)
    return act
  })
})
beforeEach(() => {
  handled = []
  fails = 0
  act = undefined
})
afterAll(() => tenants.close())

const unit = <T>(work: (db: Db) => Promise<T>, tenantId = tenants.north.tenantId) =>
  tenants.services.unit({ tenantId }, work)
const storeEvent = (eventKey: string, tenantId?: string) =>
  unit(
    (db) => storeWebhookEvent(db, { system: 'wechat', kind: 'paid', eventKey, subject: 'T1', body: '{"n":1}' }),
    tenantId,
  )
const rowOf = async (eventKey: string) =>
  (await unit((db) =>
    db.one<{ id: string; state: string; times: number; failReason: string | null }>(
      sql`select id, state, times, fail_reason from vendor_event where tenant_id = ${db.tenantId}
        and event_key = ${eventKey}`,
    ),
  ))!
const jobsOf = (id: string) =>
  unit((db) =>
    db.query(sql`select 1 from job where tenant_id = ${db.tenantId} and queue = 'vendor.event' and dedupe_key = ${id}`),
  )
const run = (id: string, attempt = 1) =>
  handleWebhookEventJob.run(
    { id },
    {
      tenantId: tenants.north.tenantId,
      services: tenants.services,
      signal: AbortSignal.timeout(9000),
      jobId: '1',
      attempt,
    },
  )

test('a message that comes three times is kept once, counted, and handled once', async () => {
  expect(await Promise.all([storeEvent('E1'), storeEvent('E1'), storeEvent('E1')])).toEqual(
    expect.arrayContaining([true, false, false]),
  )
  const { id, times } = await rowOf('E1')
  expect(times).toBe(3)
  expect(await jobsOf(id)).toHaveLength(1)
  await run(id)
  await run(id)
  expect(handled).toEqual(['T1 {"n":1}'])
  expect(await rowOf('E1')).toMatchObject({ state: 'done' })
})

test('the same number is another message for another tenant', async () => {
  expect(await storeEvent('E2')).toBe(true)
  expect(await storeEvent('E2', tenants.south.tenantId)).toBe(true)
})

test('what is written about a message and that it was handled are one commit', async () => {
  await storeEvent('E3')
  const { id } = await rowOf('E3')
  act = async (db) => {
    await db.run(sql`update vendor_event set subject = 'moved' where tenant_id = ${db.tenantId} and id = ${id}`)
    throw new Error('refused by the rows')
  }
  await expect(run(id)).rejects.toThrow('refused by the rows')
  expect(await rowOf('E3')).toMatchObject({ state: 'received', failReason: 'refused by the rows' })
  expect(
    await unit((db) =>
      db.query(sql`select 1 from vendor_event where tenant_id = ${db.tenantId} and subject = 'moved'`),
    ),
  ).toEqual([])
})

test('a message that cannot be handled says why in the end, and a person may have it handled again', async () => {
  await storeEvent('E4')
  const { id } = await rowOf('E4')
  fails = 2
  await expect(run(id)).rejects.toThrow()
  expect(await rowOf('E4')).toMatchObject({ state: 'received' })
  await expect(run(id, 8)).rejects.toThrow()
  expect(await rowOf('E4')).toMatchObject({ state: 'failed', failReason: 'the platform is away' })
  // The home page lists it.
  const { needs } = await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/home/today'))
  expect(needs.find(({ key }: { key: string }) => key === 'messageFailed')).toMatchObject({ count: 1 })
  const again = (id: string) =>
    tenants.call(tenants.north.admin, 'POST', '/api/thirdparty/vendorEvent/again', { query: { id } })
  expect((await again(id)).status).toBe(200)
  await run(id)
  expect(await rowOf('E4')).toMatchObject({ state: 'done' })
  expect((await again(id)).status).toBe(400)
})

test('what a platform said word for word is shown to nobody', async () => {
  await storeEvent('E5')
  const { body } = await tenants.call(tenants.north.admin, 'GET', '/api/thirdparty/vendorEvent/list')
  expect(JSON.stringify(body)).toContain('E5')
  expect(JSON.stringify(body)).not.toContain('{\\"n\\":1}')
})
