import { describe, expect, test } from 'vitest'
import { createBench, type Bench } from './test-bench.ts'

const execution = ({ gateway }: Bench, id: string) => gateway.ledger.commands.get(id)?.executed
const unlocked = ({ gateway }: Bench) => gateway.ledger.acts.filter(({ what }) => what === 'door.unlocked').length

describe('a connection', () => {
  test('is said to be there, retained, then greeted, and its will carries the same number', () => {
    const bench = createBench().begin()
    const [online] = bench.sentOn('online')
    const [hello] = bench.sentOn('hello')
    expect(online).toMatchObject({ online: true, connId: hello!.connId, bootId: hello!.bootId })
    expect(bench.sent.map(({ topic }) => topic)).toEqual(['up/online', 'up/hello', 'up/state'])
    expect(bench.sent.map(({ qos, retain }) => [qos, retain])).toEqual([
      [1, true],
      [1, false],
      [1, true],
    ])
    expect(hello!.caps).toEqual(expect.arrayContaining(['gateway', 'door.control', 'gw.upgrade']))
    bench.gateway.setFaults({ offline: true })
    expect(bench.sentOn('online').at(-1)).toMatchObject({ online: false, reason: 'lwt', connId: online!.connId })
  })

  test('that breaks is tried again by itself, under a new number of the same boot', () => {
    const bench = createBench().begin()
    bench.breakLine()
    expect(bench.gateway.isOnline()).toBe(false)
    bench.clock.pass(3_000)
    const [first, second] = bench.sentOn('hello')
    expect(second).toMatchObject({ bootId: first!.bootId })
    expect(second!.connId).not.toBe(first!.connId)
  })

  test('that is left is said to be over before', () => {
    const bench = createBench().begin()
    bench.gateway.stop()
    expect(bench.sentOn('online').at(-1)).toMatchObject({ online: false, reason: 'clean' })
    bench.clock.pass(600_000)
    expect(bench.opened()).toBe(1)
  })

  test('carries a heartbeat every 30 seconds and the state at least every 5 minutes', () => {
    const bench = createBench({ tags: 0, switches: 0 }).begin()
    bench.clock.pass(600_000)
    expect(bench.sentOn('hb').length).toBe(20)
    expect(bench.sentOn('hb')[0]).toMatchObject({ fw: '1.0.0', queued: 0 })
    expect(bench.sentOn('state').length).toBe(3)
  })
})

describe('a command', () => {
  test('has one acknowledgement and one result', () => {
    const bench = createBench().begin()
    const id = bench.command('door.control', { doorNo: 1, opt: 'open', seconds: 3 })
    expect(bench.acks(id)).toEqual([{ id, ok: true, ts: bench.clock.now() }])
    expect(bench.results(id)).toEqual([])
    bench.clock.pass(1_000)
    expect(bench.results(id)).toEqual([
      expect.objectContaining({ code: 0, data: { lock: 'unlocked', mode: 'normal', until: expect.any(Number) } }),
    ])
    expect(bench.acks(id)).toHaveLength(1)
    expect(bench.gateway.ledger.commands.get(id)).toMatchObject({ received: 1, executed: 1, code: 0 })
  })

  test('that comes again is not done again: its answer is repeated', () => {
    const bench = createBench().begin()
    const id = bench.command('door.control', { doorNo: 1, opt: 'open' })
    bench.command('door.control', { doorNo: 1, opt: 'open' }, { id })
    expect(bench.acks(id)).toHaveLength(2)
    bench.clock.pass(1_000)
    bench.command('door.control', { doorNo: 1, opt: 'open' }, { id })
    bench.clock.pass(1_000)
    expect(bench.results(id)).toHaveLength(2)
    expect(bench.results(id)[0]).toEqual(bench.results(id)[1])
    expect(unlocked(bench)).toBe(1)
    expect(bench.gateway.ledger.commands.get(id)).toMatchObject({ received: 3, executed: 1 })
  })

  test('is remembered for 200 others, and not for more', () => {
    const bench = createBench().begin()
    const ids = Array.from({ length: 201 }, () => bench.command('door.status'))
    bench.deliver('query', { ids: [ids[0], ids[1]] })
    expect(bench.acks(ids[0]!).at(-1)).toMatchObject({ ok: false, code: 11 })
    expect(bench.results(ids[1]!)).toHaveLength(2)
  })

  test('at or after its end by the clock of the server is not done', () => {
    const bench = createBench().begin()
    const now = bench.clock.now()
    const late = bench.command('door.control', { doorNo: 1, opt: 'open' }, { ts: now - 5_000, exp: now })
    expect(bench.acks(late)).toEqual([expect.objectContaining({ ok: false, code: 4 })])
    bench.clock.pass(1_000)
    expect([bench.results(late), unlocked(bench), execution(bench, late)]).toEqual([[], 0, 0])
    const intime = bench.command('door.control', { doorNo: 1, opt: 'open' }, { exp: bench.clock.now() + 1 })
    expect(bench.acks(intime)).toEqual([expect.objectContaining({ ok: true })])
  })

  test('is measured by the server, however wrong the own clock is', () => {
    const bench = createBench()
    bench.gateway.setFaults({ clockError: 3_600_000 })
    bench.begin()
    const refused = bench.command('door.status')
    expect(bench.acks(refused)[0]).toMatchObject({ ok: false, code: 4 })
    const { ts } = bench.sentOn('hello')[0]!
    expect(ts).toBe(bench.clock.now() + 3_600_000 - 10)
    bench.deliver('hello', { ts, now: bench.clock.now(), offsetMs: 3_600_000 })
    expect(bench.acks(bench.command('door.status'))[0]).toMatchObject({ ok: true })
    const sync = bench.command('time.sync', { now: bench.clock.now(), tz: 'Asia/Shanghai' })
    expect(bench.results(sync)[0]).toMatchObject({ data: { offsetMs: 3_600_000 } })
    expect(bench.acks(bench.command('door.status'))[0]!.ts).toBe(bench.clock.now())
  })

  test('that was sent in the future of a slow clock counts from when it was sent', () => {
    const bench = createBench()
    bench.gateway.setFaults({ clockError: -3_600_000 })
    bench.begin()
    const now = bench.clock.now()
    expect(bench.acks(bench.command('door.status', {}, { ts: now, exp: now }))[0]).toMatchObject({ code: 4 })
    expect(bench.acks(bench.command('door.status', {}, { ts: now, exp: now + 1 }))[0]).toMatchObject({ ok: true })
  })

  test('nobody knows, with wrong parameters or for what is not there is refused with its code', () => {
    const bench = createBench().begin()
    const code = (method: string, params = {}) => bench.acks(bench.command(method, params))[0]!.code
    expect(code('gw.selfDestruct')).toBe(2)
    expect(code('toString')).toBe(2)
    expect(code('reg.screenshot', { putUrl: 'http://x' })).toBe(2)
    expect(code('door.control', { doorNo: 1, opt: 'explode' })).toBe(1)
    expect(code('door.control', { doorNo: 9, opt: 'open' })).toBe(9)
    expect(code('tag.update', { tags: Array.from({ length: 51 }, () => ({ tagId: 'x', hash: 'y' })) })).toBe(1)
    expect(code('sub.power', { clientId: 'nobody', opt: 'on' })).toBe(9)
  })

  test('the office asks about is answered by what became of it', () => {
    const bench = createBench().begin()
    const done = bench.command('door.status')
    const atWork = bench.command('tag.update', { tags: [{ tagId: 'GW000001-T01', hash: 'a' }] })
    const refused = bench.command('nothing')
    bench.deliver('query', { ids: [done, atWork, refused, 'unknown', 7] })
    expect(bench.results(done)).toHaveLength(2)
    expect([bench.acks(atWork), bench.results(atWork)]).toEqual([[expect.anything(), expect.anything()], []])
    expect(bench.acks(refused).map(({ code }) => code)).toEqual([2, 2])
    expect(bench.acks('unknown')).toEqual([expect.objectContaining({ ok: false, code: 11 })])
    const statesBefore = bench.sentOn('state').length
    bench.deliver('query', { ids: [], state: true })
    expect(bench.sentOn('state')).toHaveLength(statesBefore + 1)
    bench.deliver('query', { ids: [] })
    expect(bench.sentOn('state')).toHaveLength(statesBefore + 1)
  })

  test('whose result found no line is answered after the next greeting', () => {
    const bench = createBench().begin()
    const id = bench.command('door.control', { doorNo: 1, opt: 'open' })
    bench.breakLine()
    bench.clock.pass(200)
    expect(bench.results(id)).toEqual([])
    bench.clock.pass(3_000)
    expect(bench.results(id)).toEqual([expect.objectContaining({ code: 0 })])
  })
})

describe('events', () => {
  test('are sent again after 10 seconds and after a greeting until they are stored', () => {
    const bench = createBench({ tags: 0, switches: 0 }).begin()
    bench.gateway.parts.doors.force(1)
    const [{ eid }] = bench.events('door.forced') as [{ eid: string }]
    bench.clock.pass(9_000)
    expect(bench.events('door.forced')).toHaveLength(1)
    bench.clock.pass(2_000)
    expect(bench.events('door.forced').map((one) => one.eid)).toEqual([eid, eid])
    bench.breakLine()
    bench.clock.pass(3_000)
    expect(bench.events('door.forced')).toHaveLength(3)
    bench.deliver('evtack', { eids: [eid] })
    bench.clock.pass(30_000)
    expect(bench.events('door.forced')).toHaveLength(3)
    expect(bench.gateway.figures().queued).toBe(0)
  })

  test('beyond 1,000 push out the oldest', () => {
    const bench = createBench({ tags: 1_005, switches: 0 })
    bench.gateway.parts.tags.report()
    expect(bench.gateway.figures()).toMatchObject({ queued: 1_000, eventsLost: 5 })
  })

  test('have numbers that no other boot or device has', () => {
    const eids = [createBench().begin(), createBench().begin()].flatMap((bench) => {
      bench.gateway.parts.tags.report()
      bench.gateway.setFaults({ powerCut: 1 })
      bench.clock.pass(5_000)
      bench.gateway.parts.tags.report()
      return [...new Set(bench.sentOn('evt').map(({ eid }) => eid))]
    })
    expect(eids).toHaveLength(80)
    expect(new Set(eids).size).toBe(80)
  })
})

test('settings are said to be known once the device acts by them', () => {
  const bench = createBench().begin()
  bench.deliver('desired', { ver: 7, conf: { relockSeconds: 2 } })
  expect(bench.sentOn('state').at(-1)).not.toHaveProperty('confVersion')
  bench.clock.pass(1_000)
  expect(bench.sentOn('state').at(-1)).toMatchObject({ confVersion: 7 })
  bench.command('door.control', { doorNo: 1, opt: 'open' })
  bench.clock.pass(2_500)
  expect(bench.gateway.parts.doors.state()).toMatchObject([{ lock: 'locked' }])
})

describe('a restart', () => {
  test('is done when a greeting names another boot, and is answered after it', () => {
    const bench = createBench().begin()
    const id = bench.command('gw.reboot', { type: 1 })
    expect(bench.sentOn('online').at(-1)).toMatchObject({ online: false, reason: 'reboot' })
    bench.clock.pass(6_000)
    const [before, after] = bench.sentOn('hello')
    expect(after!.bootId).not.toBe(before!.bootId)
    expect(bench.results(id)).toEqual([expect.objectContaining({ code: 0 })])
    expect(bench.gateway.figures().boots).toBe(2)
  })

  test('without warning ends what was at work, and only that', () => {
    const bench = createBench().begin()
    const done = bench.command('door.status')
    const atWork = bench.command('tag.update', { tags: [{ tagId: 'GW000001-T01', hash: 'a' }] })
    bench.gateway.setFaults({ powerCut: 20 })
    expect(bench.sentOn('online').at(-1)).toMatchObject({ online: false, reason: 'lwt' })
    bench.clock.pass(19_000)
    expect(bench.opened()).toBe(1)
    bench.clock.pass(2_000)
    expect(bench.results(atWork)).toEqual([expect.objectContaining({ code: 99, msg: 'interrupted' })])
    expect(bench.results(done)).toHaveLength(1)
    bench.clock.pass(5_000)
    expect(bench.events('tag.shown')).toEqual([])
    bench.command('door.status', {}, { id: done })
    expect(execution(bench, done)).toBe(1)
  })
})
