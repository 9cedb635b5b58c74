import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { wxUser } from '#domains/sales/customers/index.ts'

// In the future, so that no job is due by the database's clock before the test runs it.
let now = new Date('2036-11-20T10:00:00+08:00').getTime()
const MINUTE = 60_000
const pass = (ms: number) => void (now += ms)
const openid = 'o-lin'
let tenants: TestTenants
let shopId: string
let lin: string
let gateway: ReturnType<typeof testGateway>
let register: Awaited<ReturnType<TestTenants['register']>>
let good: { id: string; upc: string }
let conn = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  shopId = tenants.north.shops[0]!
  await must('basicShopInfo/submit', { id: shopId, clientId: 'GW-late' })
  await must('basicShopInfo/open', {}, { id: shopId })
  gateway = testGateway(tenants.services, { tenantId: tenants.north.tenantId, clientId: 'GW-late' })
  register = await tenants.register(tenants.north, shopId)
  good = await tenants.good(tenants.north, shopId)
  lin = await unit(async (db) => (await db.insert(wxUser, { nickname: '林小满', openid })).id)
})
afterAll(() => tenants?.close())
beforeEach(async () => {
  pass(MINUTE)
  await comes()
})

const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const must = (path: string, body: object, query: Record<string, string> = {}) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body, query }))
const runDue = async () => {
  const due = `update job set run_at = now() where state = 'asked' and run_at <= $1`
  await tenants.services.systemPool.query(due, [new Date(now)])
  await tenants.server.jobs.runDue()
}
const comes = () => gateway.say('online', { online: true, connId: `c${++conn}` })
const goes = () => gateway.say('online', { online: false, connId: `c${conn}` })
/** Sends an event late, when the gateway is online again, with its original time. */
const sendLateEvent = (visitId: string, type: string, ts: number, data: object = {}) =>
  gateway.say('evt', { eid: `late-${visitId}-${type}`, type, ts, data: { visitId, doorNo: 1, ...data } })
const timeText = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const whole = (id: string) =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/customerVisitLog/whole', { query: { id } }))
const unpaid = async (visitId: string) =>
  unit((db) => db.query<{ status: number }>(sql`select status from shop_event where subject = ${`visit/${visitId}`}`))

it('a customer a gateway without a line tells of later has come, bought and left when they did', async () => {
  const enteredAt = now
  const { visitId } = (await gateway.ask({ openid })).data
  await goes()
  pass(11 * MINUTE)
  await runDue()
  expect((await whole(visitId)).visit.leaveTime).toBe('')
  await tenants.must(
    tenants.beep(register, 'POST', 'sale', {
      body: { ...saleBodyOf(good.upc), customerId: lin, saleTime: timeText(now) },
    }),
  )
  pass(4 * MINUTE)
  await comes()
  await sendLateEvent(visitId, 'visit.entered', enteredAt + 10_000)
  await sendLateEvent(visitId, 'visit.picked', enteredAt + MINUTE, { upc: good.upc, quantity: 1 })
  await sendLateEvent(visitId, 'visit.left', enteredAt + 12 * MINUTE)
  expect(await whole(visitId)).toMatchObject({
    visit: { result: 'bought', paidAmount: '5.00', leaveTime: timeText(enteredAt + 12 * MINUTE) },
    moments: [{ kind: 'scanned' }, { kind: 'entered' }, { kind: 'picked' }, { kind: 'paid' }, { kind: 'left' }],
  })
  expect(await unpaid(visitId)).toEqual([])
})

it('a visit taken for over goes on when the gateway tells of it, and nobody is accused meanwhile', async () => {
  const { visitId } = (await gateway.ask({ openid })).data
  pass(11 * MINUTE)
  await runDue()
  expect((await whole(visitId)).visit).toMatchObject({ result: 'left' })
  await sendLateEvent(visitId, 'visit.entered', now - 5 * MINUTE)
  await sendLateEvent(visitId, 'visit.picked', now - 4 * MINUTE, { upc: good.upc, quantity: 1 })
  expect((await whole(visitId)).visit).toMatchObject({ result: '', leaveTime: '' })
  expect(await unpaid(visitId)).toEqual([])
  await sendLateEvent(visitId, 'visit.left', now)
  expect(await whole(visitId)).toMatchObject({
    visit: { result: 'unpaid', leaveTime: timeText(now) },
    moments: [{ kind: 'scanned' }, { kind: 'entered' }, { kind: 'picked' }, { kind: 'left', note: '' }],
  })
  expect(await unpaid(visitId)).toMatchObject([{ status: 0 }])
})

it('a visit of a gateway that never comes back ends after hours, as one whose end nobody saw', async () => {
  const { visitId } = (await gateway.ask({ openid })).data
  await goes()
  pass(11 * MINUTE)
  await runDue()
  const kinds = () =>
    unit((db) => db.query(sql`select kind, note from visit_record where visit_id = ${visitId} order by id`))
  expect(await kinds()).toMatchObject([{ kind: 'scanned' }])
  pass(3 * 60 * MINUTE)
  await runDue()
  expect(await kinds()).toMatchObject([
    { kind: 'scanned' },
    { kind: 'left', note: expect.stringContaining('未见离店') },
  ])
})
