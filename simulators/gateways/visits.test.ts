import { describe, expect, test } from 'vitest'
import { createRandom } from '#kit/server/base/random.ts'
import { createCustomers } from './customers.ts'
import { createBench, type Bench } from './test-bench.ts'

const visitor = {
  doorNo: 1,
  openid: 'demo-0001',
  picks: [{ upc: '6901', quantity: 2, returned: 1 }],
  stayMs: 20_000,
}
const startVisit = (bench: Bench) => {
  const came: boolean[] = []
  bench.gateway.parts.visits.arrive(visitor, (isIn) => came.push(isIn))
  return { came, ask: bench.sentOn('ask').at(-1)! }
}

describe('a customer', () => {
  test('who is let in opens the door, takes things and leaves, each told under the number of the visit', () => {
    const bench = createBench({ tags: 0, switches: 0 }).begin()
    const { came, ask } = startVisit(bench)
    expect(ask).toMatchObject({ type: 'entry', data: { doorNo: 1, openid: 'demo-0001' } })
    bench.deliver('answer', { id: ask.id, code: 0, data: { allow: true, visitId: 'v1', seconds: 5 } })
    bench.clock.pass(1_000)
    expect(bench.events('door.opened')[0]!.data).toEqual({ doorNo: 1, by: 'demo-0001', visitId: 'v1' })
    expect(bench.sentOn('state').at(-1)).toMatchObject({ inside: 1 })
    bench.clock.pass(30_000)
    const once = [...new Map(bench.sentOn('evt').map((one) => [one.eid, one])).values()]
    expect(once.filter(({ type }) => String(type).startsWith('visit')).map(({ type, data }) => [type, data])).toEqual([
      ['visit.entered', { visitId: 'v1', doorNo: 1 }],
      ['visit.picked', { visitId: 'v1', upc: '6901', quantity: 2 }],
      ['visit.returned', { visitId: 'v1', upc: '6901', quantity: 1 }],
      ['visit.left', { visitId: 'v1', doorNo: 1 }],
    ])
    expect([came, bench.gateway.parts.visits.inside()]).toEqual([[true], 0])
  })

  test('who is refused stays outside', () => {
    const bench = createBench().begin()
    const { came, ask } = startVisit(bench)
    bench.deliver('answer', { id: ask.id, code: 0, data: { allow: false, reason: 'blocked', say: { zh: '', en: '' } } })
    bench.clock.pass(10_000)
    expect(came).toEqual([false])
    expect(bench.events('door.opened')).toEqual([])
  })

  test('before an office that is silent for 3 seconds is treated as the settings say', () => {
    const bench = createBench().begin()
    const first = startVisit(bench)
    bench.clock.pass(3_100)
    bench.deliver('answer', { id: first.ask.id, code: 0, data: { allow: true, visitId: 'late' } })
    bench.clock.pass(2_000)
    expect([first.came, bench.events('door.opened')]).toEqual([[false], []])
    bench.deliver('desired', { ver: 1, conf: { absentOffice: 'open' } })
    bench.clock.pass(1_000)
    const second = startVisit(bench)
    bench.clock.pass(5_000)
    expect(second.came).toEqual([true])
    expect(bench.events('door.opened')[0]!.data).toEqual({ doorNo: 1, by: 'demo-0001' })
  })

  test('inside when the power fails still finds the way out', () => {
    const bench = createBench().begin()
    const { ask } = startVisit(bench)
    bench.deliver('answer', { id: ask.id, code: 0, data: { allow: true, visitId: 'v1' } })
    bench.gateway.setFaults({ powerCut: 5 })
    bench.clock.pass(60_000)
    expect(bench.events('visit.left')[0]!.data).toEqual({ visitId: 'v1', doorNo: 1 })
    expect(bench.gateway.parts.visits.inside()).toBe(0)
  })
})

test('customers of a town come to shops that are there, the same for the same seed', () => {
  const town = () => {
    const shops = ['GW000001', 'GW000002', 'PW000001'].map((clientId) =>
      createBench({
        clientId,
        kind: clientId.startsWith('PW') ? 'power' : 'gateway',
        customers: { prefix: 'demo-', count: 40 },
        upcs: ['6901', '6902'],
      }),
    )
    for (const shop of shops.slice(1)) shop.begin()
    const customers = createCustomers(() => shops.map(({ gateway }) => gateway), createRandom(3))
    return Array.from({ length: 20 }, () => customers.next())
  }
  const came = town()
  expect(came).toEqual(town())
  expect(new Set(came.map((one) => one!.clientId))).toEqual(new Set(['GW000002']))
  expect(came[0]!.visitor.openid).toMatch(/^demo-\d{4}$/)
  expect(createCustomers(() => [], createRandom(1)).next()).toBeUndefined()
})
