import { expect, test } from 'vitest'
import { createBench, type Bench } from './test-bench.ts'

const door = ({ gateway }: Bench) => gateway.parts.doors.state()[0]
const eventTypes = (bench: Bench) => bench.sentOn('evt').map(({ type }) => type)

function control(bench: Bench, opt: string, more = {}) {
  const id = bench.command('door.control', { doorNo: 1, opt, ...more })
  bench.clock.pass(200)
  return bench.results(id)[0] ?? bench.acks(id)[0]
}

test('a door that is opened swings, closes and locks again after its seconds', () => {
  const bench = createBench().begin()
  const id = bench.command('door.control', { doorNo: 1, opt: 'open', seconds: 4 })
  bench.clock.pass(1_000)
  expect(door(bench)).toMatchObject({ contact: 'open', lock: 'unlocked', mode: 'normal' })
  expect(bench.events('door.opened')[0]!.data).toEqual({ doorNo: 1, by: id })
  bench.clock.pass(4_000)
  expect(door(bench)).toEqual({ doorNo: 1, contact: 'closed', lock: 'locked', mode: 'normal' })
  expect(eventTypes(bench)).toEqual(['door.opened', 'door.closed'])
  expect(bench.sentOn('state').at(-1)).toMatchObject({ doors: [{ lock: 'locked' }] })
})

test('a door is held open or kept closed until it is released or the time is over', () => {
  const bench = createBench().begin()
  expect(control(bench, 'hold')).toMatchObject({ code: 0, data: { lock: 'unlocked', mode: 'hold' } })
  bench.clock.pass(3_600_000)
  expect(door(bench)).toMatchObject({ lock: 'unlocked', mode: 'hold' })
  expect(control(bench, 'release')).toMatchObject({ data: { lock: 'locked', mode: 'normal' } })
  expect(control(bench, 'keepClosed', { seconds: 60 })).toMatchObject({ data: { lock: 'locked', mode: 'keepClosed' } })
  expect(bench.gateway.parts.doors.openFor(1, { by: 'customer' })).toBe(false)
  expect(control(bench, 'open', { seconds: 2 })).toMatchObject({ data: { lock: 'unlocked', mode: 'keepClosed' } })
  bench.clock.pass(5_000)
  expect(door(bench)).toMatchObject({ lock: 'locked', mode: 'keepClosed', until: expect.any(Number) })
  bench.clock.pass(60_000)
  expect(door(bench)).toEqual({ doorNo: 1, contact: 'closed', lock: 'locked', mode: 'normal' })
})

test('one operation of a door is at work at a time', () => {
  const bench = createBench({ doors: 2 }).begin()
  bench.command('door.control', { doorNo: 1, opt: 'open' })
  const second = bench.command('door.control', { doorNo: 1, opt: 'close' })
  const other = bench.command('door.control', { doorNo: 2, opt: 'open' })
  expect([bench.acks(second)[0]!.code, bench.acks(other)[0]!.ok]).toEqual([3, true])
})

test('a door that does not close is said to be held, and locks once it is free', () => {
  const bench = createBench().begin()
  control(bench, 'open')
  bench.clock.pass(1_000)
  bench.gateway.parts.doors.block(1, true)
  bench.clock.pass(30_000)
  expect(door(bench)).toMatchObject({ contact: 'open', lock: 'unlocked' })
  bench.gateway.parts.doors.block(1, false)
  expect(door(bench)).toMatchObject({ contact: 'closed', lock: 'locked' })
  control(bench, 'hold')
  bench.gateway.parts.doors.force(1)
  bench.clock.pass(61_000)
  expect(eventTypes(bench).filter((type) => type === 'door.held').length).toBeGreaterThan(0)
})

test('a door that opens while it is locked was forced', () => {
  const bench = createBench().begin()
  bench.gateway.parts.doors.force(1)
  expect(eventTypes(bench)).toEqual(['door.forced'])
})

test('a shop is not locked while somebody is inside, but by force', () => {
  const bench = createBench().begin()
  bench.gateway.parts.visits.arrive({ doorNo: 1, openid: 'demo-0001', stayMs: 600_000 })
  const [ask] = bench.sentOn('ask')
  bench.deliver('answer', { id: ask!.id, code: 0, data: { allow: true, visitId: 'v1', seconds: 5 } })
  expect(control(bench, 'keepClosed')).toMatchObject({ ok: false, code: 10 })
  const id = bench.command('door.forceClose', { doorNo: 1 })
  bench.clock.pass(1_000)
  expect(bench.results(id)[0]).toMatchObject({ code: 0, data: { lock: 'locked', mode: 'normal' } })
})
