import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CastMember } from '#tests/support/server.ts'
import { createTestWorld } from '#tests/support/world.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let boss: CastMember
let otherBoss: CastMember
let register: Register
let good: { id: string; upc: string }

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
  const [first, second] = tenants.north.shops as [string, string]
  register = await tenants.register(tenants.north, first)
  good = await tenants.good(tenants.north, first)
  await tenants.receive(tenants.north, first, good.id, 500)
  boss = await tenants.boss(tenants.north, first)
  otherBoss = await tenants.boss(tenants.north, second)
})
afterAll(() => tenants.close())

const requestRefund = async (pieces: number) => {
  const body = saleBodyOf(good.upc, { payType: 'wechat' }, pieces)
  const { orderId } = await tenants.must(tenants.beep(register, 'POST', 'sale', { body }))
  const refund = { orderId, full: true, reason: '拿错商品' }
  return (await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/submit', { body: refund })))
    .id as string
}
const bulk = (person: CastMember, body: object, step: '' | '/preview' = '') =>
  tenants.call(person, 'POST', `/api/kit/bulk/refunds${step}`, { body })
const sum = (person: CastMember, query: Record<string, string> = {}) =>
  tenants.call(person, 'GET', '/api/shop/refunds/sum', { query })

describe('many refunds', () => {
  it(
    'are agreed at once with a preview: what is above the reader’s limit is ' + 'refused and stays, nothing else',
    async () => {
      const ids = [await requestRefund(1), await requestRefund(2), await requestRefund(50)]
      const ask = { operation: 'approve', ids, input: {} }
      const seen = await tenants.must(bulk(boss, ask, '/preview'))
      expect(seen).toMatchObject({ count: 3, dryRunCount: 3, refused: 1 })
      // The heading shows the sum of all refunds, not only the first.
      expect(seen.amounts).toEqual({ amount: '265.00' })
      expect(
        seen.rows.map((row: { isDone: boolean; was: { amount: string } }) => [row.isDone, row.was.amount]),
      ).toEqual([
        [true, '5.00'],
        [true, '10.00'],
        [false, '250.00'],
      ])
      // A preview moves no money.
      await tenants.server.jobs.runDue()
      const states = async () =>
        (
          await tenants.must(
            tenants.call(boss, 'GET', '/api/shop/refunds/list', { query: { id_in: ids.join(','), ascs: 'id' } }),
          )
        ).records.map((row: { status: number }) => row.status)
      expect(await states()).toEqual([0, 0, 0])
      expect(await tenants.must(bulk(boss, { ...ask, expectedCount: 3, expectedSet: seen.set }))).toMatchObject({
        done: 2,
        failed: 1,
      })
      await tenants.server.jobs.runDue()
      expect(await states()).toEqual([3, 3, 0])
    },
  )

  it('are headed by what they come to: of the set as it is, within the shops and fields of who looks', async () => {
    const ids = [await requestRefund(2), await requestRefund(3)]
    const { records } = await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/refunds/list', { query: { status: '0', size: 100 } }),
    )
    const all = records.reduce(
      (cents: number, row: { amount: string }) => cents + Math.round(Number(row.amount) * 100),
      0,
    )
    const whole = { operation: 'approve', filter: { status: '0' }, input: {} }
    const seen = await tenants.must(bulk(tenants.north.admin, whole, '/preview'))
    expect(seen).toMatchObject({ count: records.length, amounts: { amount: (all / 100).toFixed(2) } })
    const some = { operation: 'approve', ids, input: {} }
    expect((await tenants.must(bulk(boss, some, '/preview'))).amounts).toEqual({ amount: '25.00' })
    // Neither refunds of other shops, nor for readers who may not see amounts.
    expect((await bulk(otherBoss, some, '/preview')).data?.amounts?.amount ?? '0.00').toBe('0.00')
    const world = createTestWorld(tenants.server)
    const who = (fields: string) =>
      world.be({
        tenantId: tenants.north.tenantId,
        permissions: new Set(['refunds', 'refunds_approve']),
        dataScopes: [{ resourceCode: 'refunds', type: 1, column: null, value: null, fields }],
      })
    const preview = (fields: string) => world.ask(who(fields), 'POST', '/api/kit/bulk/refunds/preview', { body: some })
    expect((await preview('*')).data.amounts).toEqual({ amount: '25.00' })
    expect((await preview('refundNo,status')).data.amounts).toEqual({})
  })

  it('are refused at once with one reason, which must be given', async () => {
    const ids = [await requestRefund(1), await requestRefund(1)]
    expect((await bulk(boss, { operation: 'reject', ids, input: {}, expectedCount: 2 })).status).toBe(400)
    await tenants.must(bulk(boss, { operation: 'reject', ids, input: { auditRemark: '商品完好' }, expectedCount: 2 }))
    const { records } = await tenants.must(
      tenants.call(boss, 'GET', '/api/shop/refunds/list', { query: { id_in: ids.join(',') } }),
    )
    expect(records.map((row: Record<string, unknown>) => [row.status, row.auditRemark])).toEqual([
      [5, '商品完好'],
      [5, '商品完好'],
    ])
  })

  it(
    'come to a sum before they are decided: what the reader may sign apart from what ' +
      'waits for others, of his shops alone',
    async () => {
      const before = await tenants.must(sum(boss, { status: '0' }))
      await requestRefund(3)
      await requestRefund(60)
      const now = await tenants.must(sum(boss, { status: '0' }))
      const more = (key: string) => [
        now[key].count - before[key].count,
        (Number(now[key].amount) - Number(before[key].amount)).toFixed(2),
      ]
      expect([more('mine'), more('waiting'), more('failed')]).toEqual([
        [1, '15.00'],
        [2, '315.00'],
        [0, '0.00'],
      ])
      expect(await tenants.must(sum(boss, { status: '4' }))).toMatchObject({ waiting: { count: 0, amount: '0.00' } })
      for (const person of [otherBoss, tenants.south.admin])
        expect(await tenants.must(sum(person))).toMatchObject({ waiting: { count: 0, amount: '0.00' } })
    },
  )
})
