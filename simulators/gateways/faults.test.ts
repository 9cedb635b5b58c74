import { describe, expect, test } from 'vitest'
import { FAULTS, faultOrderOf, faultValue } from './faults.ts'
import { createBench } from './test-bench.ts'

const open = { doorNo: 1, opt: 'open' }

describe('a fault', () => {
  test('offline: the line is gone with its will, and comes back when it is taken away', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ offline: true })
    bench.clock.pass(300_000)
    expect([bench.gateway.isOnline(), bench.opened()]).toEqual([false, 1])
    bench.gateway.setFaults({ offline: null })
    bench.clock.pass(100)
    expect(bench.gateway.isOnline()).toBe(true)
  })

  test('slow: a message is minded later, too late when it has ended by then', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ slow: 4_000 })
    const id = bench.command('door.control', open)
    const short = bench.command('door.control', open, { exp: bench.clock.now() + 3_000 })
    bench.clock.pass(3_900)
    expect(bench.acks(id)).toEqual([])
    bench.clock.pass(200)
    expect([bench.acks(id)[0]!.ok, bench.acks(short)[0]!.code]).toEqual([true, 4])
  })

  test('deafAck: it does what it is told and never says that it heard it', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ deafAck: true })
    const id = bench.command('door.control', open)
    bench.clock.pass(1_000)
    expect([bench.acks(id).length, bench.results(id).length]).toEqual([0, 1])
    expect(bench.gateway.ledger.commands.get(id)!.executed).toBe(1)
  })

  test('deafEvtack: events are sent for ever', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ deafEvtack: true })
    bench.gateway.parts.doors.force(1)
    bench.deliver('evtack', { eids: bench.events('door.forced').map(({ eid }) => eid) })
    bench.clock.pass(25_000)
    expect(bench.events('door.forced').length).toBe(3)
  })

  test('noResult: it takes and does, and says no more, until the fault is gone and it is asked', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ noResult: true })
    const id = bench.command('door.control', open)
    bench.clock.pass(1_000)
    bench.deliver('query', { ids: [id] })
    expect([bench.acks(id).length, bench.results(id)]).toEqual([2, []])
    bench.gateway.setFaults({ noResult: null })
    bench.deliver('query', { ids: [id] })
    expect(bench.results(id)).toEqual([expect.objectContaining({ code: 0 })])
  })

  test('lying: it says done and does nothing, and the ledger knows', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ lying: true })
    const id = bench.command('door.control', open)
    const reboot = bench.command('gw.reboot', { type: 1 })
    bench.clock.pass(10_000)
    expect(bench.results(id)).toEqual([
      expect.objectContaining({ code: 0, data: { lock: 'unlocked', mode: 'normal' } }),
    ])
    expect(bench.results(reboot)).toHaveLength(1)
    expect(bench.gateway.ledger.acts).toEqual([])
    expect(bench.gateway.ledger.commands.get(id)).toMatchObject({ executed: 0, code: 0 })
    expect(bench.gateway.figures().boots).toBe(1)
  })

  test('duplicates: everything is said twice', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ duplicates: true })
    const id = bench.command('door.status')
    expect([bench.acks(id).length, bench.results(id).length]).toEqual([2, 2])
  })

  test('drop: a share is lost both ways, and counted', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ drop: 0.5 })
    const ids = Array.from({ length: 100 }, () => bench.command('door.status'))
    const received = bench.gateway.ledger.commands.size
    const answered = ids.filter((id) => bench.results(id).length).length
    expect(received).toBeGreaterThan(30)
    expect(received).toBeLessThan(70)
    expect(answered).toBeLessThan(received)
    expect(answered).toBeGreaterThan(10)
    expect(bench.gateway.figures().lost).toBeGreaterThan(60)
  })

  test('reorder: nothing is lost, and it comes in another order', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ reorder: true })
    const ids = Array.from({ length: 10 }, () => bench.command('door.status'))
    bench.clock.pass(500)
    const order = bench.sentOn('res').map(({ id }) => id)
    expect(new Set(order)).toEqual(new Set(ids))
    expect(order).not.toEqual(ids)
  })

  test('lateWill: the will of the connection before is heard, retained, after the new one is there', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ lateWill: 5_000 })
    bench.clock.pass(6_000)
    const [first, second, late] = bench.sentOn('online')
    expect(second!.connId).not.toBe(first!.connId)
    expect(late).toMatchObject({ online: false, connId: first!.connId })
    expect(bench.sentOn('online')).toHaveLength(3)
    expect([bench.gateway.isOnline(), bench.gateway.faults()]).toEqual([true, {}])
  })

  test('paperOut: nothing is printed, and it is said', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ paperOut: true })
    const id = bench.command('print.raw', { printer: 'P1', data: 'QQ==', jobId: 'j1' })
    bench.clock.pass(1_000)
    expect(bench.results(id)[0]).toMatchObject({ code: 5, data: { state: 'paperOut' } })
    expect(bench.gateway.parts.printers.printed).toEqual([])
    bench.gateway.setFaults({ paperOut: null })
    expect(bench.events('printer.state').map(({ data }) => data)).toEqual([
      { printer: 'P1', state: 'paperOut' },
      { printer: 'P1', state: 'ready' },
    ])
  })

  test('tagRefuses: a tag does not take its picture', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ tagRefuses: 1 })
    const id = bench.command('tag.update', { tags: [{ tagId: 'GW000001-T01', hash: 'a' }] })
    bench.clock.pass(2_000)
    expect(bench.results(id)[0]).toMatchObject({ data: { tags: [{ tagId: 'GW000001-T01', hash: 'a', code: 5 }] } })
    expect(bench.events('tag.failed')).toHaveLength(1)
    expect(bench.gateway.parts.tags.all()[0]!.hash).toBe('')
  })

  test('lockStuck: the lock does not move, and says so', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ lockStuck: true })
    const id = bench.command('door.control', open)
    bench.clock.pass(1_000)
    expect(bench.results(id)[0]).toMatchObject({ code: 5, data: { lock: 'fault' } })
    expect(bench.events('lock.fault')).toHaveLength(1)
    expect(bench.events('door.opened')).toEqual([])
  })

  test('flood, malformed, huge: what no device of sense sends, until it is taken away', () => {
    const bench = createBench().begin()
    bench.gateway.setFaults({ flood: 50, malformed: true, huge: 100_000 })
    const before = bench.sent.length
    bench.clock.pass(2_100)
    const noise = bench.sent.slice(before)
    expect(noise.filter(({ topic }) => topic === 'up/hb').length).toBeGreaterThan(100)
    expect(noise.filter(({ payload }) => payload.length > 65_536)).toHaveLength(2)
    expect(noise.some(({ payload }) => payload === '{"ts":')).toBe(true)
    bench.gateway.setFaults({ flood: null, malformed: null, huge: null })
    const after = bench.sent.length
    bench.clock.pass(5_000)
    expect(bench.sent.length - after).toBeLessThan(5)
  })
})

describe('an order for faults', () => {
  test('says a fault, a value and for whom', () => {
    expect(faultOrderOf('drop=0.1@20%')).toEqual({ faults: { drop: 0.1 }, share: 0.2 })
    expect(faultOrderOf('offline@GW000001')).toEqual({ faults: { offline: true }, clientIds: ['GW000001'] })
    expect(faultOrderOf('upgrade=rollback')).toEqual({ faults: { upgrade: 'rollback' } })
    expect(faultOrderOf('clockError=-5000')).toEqual({ faults: { clockError: -5_000 } })
    expect(faultOrderOf('slow')).toEqual({ faults: { slow: 2_000 } })
  })

  test('that nobody understands is refused', () => {
    for (const text of ['', 'sulk', 'drop=2', 'drop=-1', 'upgrade=maybe', 'offline=7', 'drop@', 'toString'])
      expect([text, faultOrderOf(text)]).toEqual([text, undefined])
    expect(faultValue('drop', '0.1')).toBeUndefined()
    for (const name of FAULTS) expect([name, faultValue(name, null)]).toEqual([name, null])
  })
})
