import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { deviceCommand } from '#domains/devices/device-messaging/index.ts'
import { customerVisitLog } from './visit.resource.ts'
import { addVisitMoments, createVisit, recomputeRefundedVisit, type VisitMoment } from './visit.server.ts'
import { sql } from '#kit/server/database/db.ts'
import { determineVisitResult } from './visit-result.ts'

let tenants: TestTenants
let here: string
beforeAll(async () => {
  tenants = await createTestTenants()
  here = tenants.north.shops[0]!
})
afterAll(() => tenants?.close())

const inNorth = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: '100001' }, work)
const NINE = new Date('2026-11-20T09:00:00+08:00').getTime()
const after = (seconds: number) => new Date(NINE + seconds * 1000)
const open = () => inNorth((db) => createVisit(db, { shopId: here, entryMode: 'scan', at: after(0) }))
const addMoments = (id: string, ...moments: VisitMoment[]) => inNorth((db) => addVisitMoments(db, id, moments))
const events = async (id: string) =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/event/list', { query: { type: 'unpaidLeave', size: 100 } }),
    )
  ).records.filter((row: { subject: string }) => row.subject === `visit/${id}`) as { status: number }[]

describe('what came of a visit', () => {
  const goods = fc.constantFrom('1', '2', '3')
  const taken = fc.record({
    kind: fc.constantFrom('picked', 'returned', 'scanned', 'entered'),
    goodId: goods,
    quantity: fc.integer({ min: 1, max: 3 }),
  })
  const bought = fc.record({ goodId: goods, quantity: fc.integer({ min: 1, max: 3 }) })

  test('is unpaid or suspicious exactly when more of some goods was taken than bought, or nobody let them in', () => {
    fc.assert(
      fc.property(fc.array(taken, { maxLength: 10 }), fc.array(bought, { maxLength: 5 }), (records, lines) => {
        const result = determineVisitResult(records, lines)
        const left = (good: string) =>
          records.reduce(
            (sum, one) =>
              sum +
              (one.goodId !== good
                ? 0
                : one.kind === 'picked'
                  ? one.quantity
                  : one.kind === 'returned'
                    ? -one.quantity
                    : 0),
            0,
          ) - lines.reduce((sum, one) => sum + (one.goodId === good ? one.quantity : 0), 0)
        const isShort = ['1', '2', '3'].some((good) => left(good) > 0)
        const whenShort = lines.length ? ['suspicious'] : ['unpaid']
        const whenPaid = lines.length ? ['bought'] : ['left', 'suspicious']
        expect(isShort ? whenShort : whenPaid).toContain(result)
        expect(determineVisitResult(records.toReversed(), lines.toReversed())).toBe(result)
      }),
    )
  })
})

describe('a visit', () => {
  test('ties to the orders paid in it, and is unpaid until they are', async () => {
    const { id: goodId, upc } = await tenants.good(tenants.north, here)
    const register = await tenants.register(tenants.north, here)
    const id = await open()
    await addMoments(
      id,
      { kind: 'scanned', at: after(-5) },
      { kind: 'entered', at: after(0) },
      { kind: 'picked', at: after(20), goodId, quantity: 2 },
    )
    expect(await addMoments(id, { kind: 'left', at: after(60) })).toMatchObject({
      result: 'unpaid',
      leaveTime: '2026-11-20 09:01:00',
      paidAmount: 0,
    })
    expect(await events(id)).toMatchObject([{ status: 0 }])
    await expect(addMoments(id, { kind: 'picked', at: after(70), goodId })).rejects.toMatchObject({
      code: 'visit_over',
    })
    await tenants.must(tenants.beep(register, 'POST', 'sales', { body: { sales: [saleBodyOf(upc, {}, 2)] } }))
    const [order] = (
      await tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/shop/shoppingOrder/web/boss/list', {
          query: { shopId: here, size: 1 },
        }),
      )
    ).records
    expect(await addMoments(id, { kind: 'paid', at: after(90), orderId: order.id })).toMatchObject({
      result: 'bought',
      orderIds: [order.id],
      paidAmount: 1000,
    })
    expect(await events(id)).toMatchObject([{ status: 2 }])
    const turn = (refundAmount: number, status: number) =>
      inNorth(async (db) => {
        await db.run(sql`update shopping_order set status = ${status}, refund_amount = ${refundAmount}
          where tenant_id = ${db.tenantId} and id = ${order.id}`)
        await recomputeRefundedVisit(db, id)
        return db.get(customerVisitLog, id)
      })
    // A part of the money back leaves it a purchase; all of it does not make the customer a thief either.
    expect(await turn(500, 3)).toMatchObject({ result: 'bought', paidAmount: 1000 })
    expect(await turn(1000, 4)).toMatchObject({ result: 'refunded', paidAmount: 1000 })
    expect(await events(id)).toMatchObject([{ status: 2 }])
  })

  test('has a timeline in the order it happened, for who may see the shop', async () => {
    const id = await open()
    await addMoments(
      id,
      { kind: 'entered', at: after(2), deviceName: '进门摄像头' },
      { kind: 'scanned', at: after(0) },
      { kind: 'opened', at: after(1) },
    )
    const boss = await tenants.boss(tenants.north, here)
    const timeline = (who = boss, lang: 'zh' | 'en' = 'zh') =>
      tenants.call(who, 'GET', '/api/shop/customerVisitLog/record/list', { query: { id }, lang })
    const { data } = await timeline()
    expect(data.map((one: { kind: string; kindName: string }) => [one.kind, one.kindName])).toEqual([
      ['scanned', '扫码'],
      ['opened', '开门'],
      ['entered', '进店'],
    ])
    expect((await timeline(boss, 'en')).data[2]).toMatchObject({
      kindName: 'Entered',
      time: '2026-11-20 09:00:02',
      deviceName: '进门摄像头',
    })
    expect((await timeline(await tenants.boss(tenants.north, tenants.north.shops[1]!))).status).toBe(404)
    expect((await timeline(tenants.south.admin)).status).toBe(404)
  })

  test('shows what the shop said to who was in it, the farewell too, and not what it said to the next', async () => {
    const id = await inNorth((db) =>
      createVisit(db, { shopId: tenants.north.shops[1]!, entryMode: 'scan', at: after(0) }),
    )
    await addMoments(id, { kind: 'entered', at: after(2) }, { kind: 'left', at: after(100) })
    const spokenCommands = await inNorth(async (db) => {
      const made: string[] = []
      for (const seconds of [3, 102, 200]) {
        const { id: command } = await db.withTimestamp(after(seconds), (then) =>
          then.insert(deviceCommand, {
            method: 'audio.play',
            linkId: tenants.north.shops[1]!,
            clientId: 'GW-said',
            shopId: tenants.north.shops[1]!,
            state: 'done',
            source: 'event',
            params: {},
            tries: 1,
          }),
        )
        made.push(command)
      }
      return made
    })
    const whole = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/customerVisitLog/whole', { query: { id } }),
    )
    expect(whole.commands.map((one: { id: string }) => one.id)).toEqual(spokenCommands.slice(0, 2))
  })

  test('counts everything noted in parallel, and ends once', async () => {
    const { id: goodId } = await tenants.good(tenants.north, here)
    const id = await open()
    await Promise.all(
      Array.from({ length: 6 }, (_unused, n) =>
        addMoments(id, { kind: n % 2 ? 'returned' : 'picked', at: after(n), goodId }),
      ),
    )
    const ends = await Promise.allSettled([
      addMoments(id, { kind: 'left', at: after(30) }),
      addMoments(id, { kind: 'left', at: after(30) }),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(
      await tenants.must(
        tenants.call(tenants.north.admin, 'GET', '/api/shop/customerVisitLog/detail', { query: { id } }),
      ),
    ).toMatchObject({ result: 'left' })
    expect(await events(id)).toEqual([])
  })
})
