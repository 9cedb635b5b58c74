import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CastMember } from '#kit/testing/server.ts'
import { createTestWorld } from '#kit/testing/world.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#kit/testing/test-tenants.ts'

let street: TestTenants
let boss: CastMember
let otherBoss: CastMember
let register: Register
let good: { id: string; upc: string }

beforeAll(async () => {
  street = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
  const [first, second] = street.north.shops as [string, string]
  register = await street.register(street.north, first)
  good = await street.good(street.north, first)
  await street.receive(street.north, first, good.id, 500)
  boss = await street.boss(street.north, first)
  otherBoss = await street.boss(street.north, second)
})
afterAll(() => street.close())

const asked = async (pieces: number) => {
  const body = saleBodyOf(good.upc, { payType: 'wechat' }, pieces)
  const { orderId } = await street.must(street.beep(register, 'POST', 'sale', { body }))
  const refund = { orderId, full: true, reason: '拿错商品' }
  return (await street.must(street.call(street.north.admin, 'POST', '/api/shop/refunds/submit', { body: refund })))
    .id as string
}
const bulk = (person: CastMember, body: object, step: '' | '/preview' = '') =>
  street.call(person, 'POST', `/api/kit/bulk/refunds${step}`, { body })
const sum = (person: CastMember, query: Record<string, string> = {}) =>
  street.call(person, 'GET', '/api/shop/refunds/sum', { query })

describe('many refunds', () => {
  it(
    'are agreed at once with a preview: what is above the reader’s limit is ' + 'refused and stays, nothing else',
    async () => {
      const ids = [await asked(1), await asked(2), await asked(50)]
      const ask = { operation: 'approve', ids, input: {} }
      const seen = await street.must(bulk(boss, ask, '/preview'))
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
      await street.server.jobs.runDue()
      const states = async () =>
        (
          await street.must(
            street.call(boss, 'GET', '/api/shop/refunds/list', { query: { id_in: ids.join(','), ascs: 'id' } }),
          )
        ).records.map((row: { status: number }) => row.status)
      expect(await states()).toEqual([0, 0, 0])
      expect(await street.must(bulk(boss, { ...ask, expectedCount: 3, expectedSet: seen.set }))).toMatchObject({
        done: 2,
        failed: 1,
      })
      await street.server.jobs.runDue()
      expect(await states()).toEqual([3, 3, 0])
    },
  )

  it('are headed by what they come to: of the set as it is, within the shops and fields of who looks', async () => {
    const ids = [await asked(2), await asked(3)]
    const { records } = await street.must(
      street.call(street.north.admin, 'GET', '/api/shop/refunds/list', { query: { status: '0', size: 100 } }),
    )
    const all = records.reduce(
      (cents: number, row: { amount: string }) => cents + Math.round(Number(row.amount) * 100),
      0,
    )
    const whole = { operation: 'approve', filter: { status: '0' }, input: {} }
    const seen = await street.must(bulk(street.north.admin, whole, '/preview'))
    expect(seen).toMatchObject({ count: records.length, amounts: { amount: (all / 100).toFixed(2) } })
    const some = { operation: 'approve', ids, input: {} }
    expect((await street.must(bulk(boss, some, '/preview'))).amounts).toEqual({ amount: '25.00' })
    // Neither refunds of other shops, nor for readers who may not see amounts.
    expect((await bulk(otherBoss, some, '/preview')).data?.amounts?.amount ?? '0.00').toBe('0.00')
    const world = createTestWorld(street.server)
    const who = (fields: string) =>
      world.be({
        tenantId: street.north.tenantId,
        permissions: new Set(['refunds', 'refunds_approve']),
        dataScopes: [{ resourceCode: 'refunds', type: 1, column: null, value: null, fields }],
      })
    const told = (fields: string) => world.ask(who(fields), 'POST', '/api/kit/bulk/refunds/preview', { body: some })
    expect((await told('*')).data.amounts).toEqual({ amount: '25.00' })
    expect((await told('refundNo,status')).data.amounts).toEqual({})
  })

  it('are refused at once with one reason, which must be given', async () => {
    const ids = [await asked(1), await asked(1)]
    expect((await bulk(boss, { operation: 'reject', ids, input: {}, expectedCount: 2 })).status).toBe(400)
    await street.must(bulk(boss, { operation: 'reject', ids, input: { auditRemark: '商品完好' }, expectedCount: 2 }))
    const { records } = await street.must(
      street.call(boss, 'GET', '/api/shop/refunds/list', { query: { id_in: ids.join(',') } }),
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
      const before = await street.must(sum(boss, { status: '0' }))
      await asked(3)
      await asked(60)
      const now = await street.must(sum(boss, { status: '0' }))
      const more = (key: string) => [
        now[key].count - before[key].count,
        (Number(now[key].amount) - Number(before[key].amount)).toFixed(2),
      ]
      expect([more('mine'), more('waiting'), more('failed')]).toEqual([
        [1, '15.00'],
        [2, '315.00'],
        [0, '0.00'],
      ])
      expect(await street.must(sum(boss, { status: '4' }))).toMatchObject({ waiting: { count: 0, amount: '0.00' } })
      for (const person of [otherBoss, street.south.admin])
        expect(await street.must(sum(person))).toMatchObject({ waiting: { count: 0, amount: '0.00' } })
    },
  )
})
