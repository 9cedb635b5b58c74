import { expect, test } from 'vitest'
import { createAdmissionControl, PoolExhaustedError } from './admission.ts'
import type { AccessMode } from '../base/trace.ts'

const acquireRequest = (tenantId: string, lane: AccessMode = 'write', acquireTimeoutMs = 60_000) => ({
  tenantId,
  lane,
  acquireTimeoutMs,
})
/** Lets everything happen that needs no time to pass. */
const eventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test(
  'one tenant’s rush takes three quarters of the connections and leaves the last ' +
    'to others, who do not wait for it',
  async () => {
    const gate = createAdmissionControl(8)
    let rush = 0
    for (let n = 0; n < 20; n++)
      gate.enter(acquireRequest('100001', n % 2 ? 'read' : 'write')).then(
        () => rush++,
        () => {},
      )
    await eventLoopTurn()
    expect(rush).toBe(6)
    const other = await gate.enter(acquireRequest('100002'))
    other()
    await eventLoopTurn()
    expect(rush).toBe(6)
    gate.shut(new Error('the test is over'))
  },
)

test('writes that do not end leave connections to those who only look, and the other way round', async () => {
  for (const [slow, other] of [
    ['write', 'read'],
    ['read', 'write'],
  ] as const) {
    const gate = createAdmissionControl(8)
    for (let n = 0; n < 20; n++) gate.enter(acquireRequest(`1000${n}`, slow)).catch(() => {})
    await expect(gate.enter(acquireRequest('100001', other))).resolves.toBeTypeOf('function')
    gate.shut(new Error('the test is over'))
  }
})

test(
  'one tenant’s slow writes leave some of the writing to others, and its ' + 'slow reads some of the reading',
  async () => {
    for (const lane of ['write', 'read'] as const) {
      const gate = createAdmissionControl(12)
      let rush = 0
      for (let n = 0; n < 20; n++)
        gate.enter(acquireRequest('100001', lane)).then(
          () => rush++,
          () => {},
        )
      await eventLoopTurn()
      const other = gate.enter(acquireRequest('100002', lane, 1))
      await expect(other).resolves.toBeTypeOf('function')
      expect(rush).toBeGreaterThanOrEqual(6)
      gate.shut(new Error('the test is over'))
    }
  },
)

test('a place that becomes free goes to the tenant that holds fewest, however long the others’ queue is', async () => {
  const gate = createAdmissionControl(4)
  const held = await Promise.all(
    ['1', '1', '1'].map((tenantId, n) => gate.enter(acquireRequest(tenantId, n ? 'write' : 'read'))),
  )
  const last = await gate.enter(acquireRequest('2', 'read'))
  const order: string[] = []
  for (const tenantId of ['1', '1', '1', '3'])
    gate.enter(acquireRequest(tenantId)).then(
      () => order.push(tenantId),
      () => {},
    )
  held[1]!()
  await eventLoopTurn()
  expect(order).toEqual(['3'])
  last()
  await eventLoopTurn()
  expect(order).toEqual(['3', '1'])
  gate.shut(new Error('the test is over'))
})

test(
  'patience ends with a refusal, the queue has an end, and who rushes is ' + 'refused first: nobody waits for ever',
  async () => {
    const gate = createAdmissionControl(1)
    const leave = await gate.enter(acquireRequest('1'))
    await expect(gate.enter(acquireRequest('2', 'write', 1))).rejects.toBeInstanceOf(PoolExhaustedError)
    const refused: string[] = []
    for (let n = 0; n < 32; n++) void gate.enter(acquireRequest('1')).catch(() => refused.push('1'))
    await expect(gate.enter(acquireRequest('1'))).rejects.toBeInstanceOf(PoolExhaustedError)
    expect(refused).toEqual([])
    const quiet = gate.enter(acquireRequest('2'))
    await eventLoopTurn()
    expect(refused).toEqual(['1'])
    expect(gate.waiting()).toBe(32)
    gate.shut(new Error('the test is over'))
    await expect(quiet).rejects.toThrow('over')
    leave()
  },
)

test('while shut it refuses who comes and who waits with the reason, and opens again', async () => {
  const gate = createAdmissionControl(1)
  const leave = await gate.enter(acquireRequest('1'))
  const waiting = gate.enter(acquireRequest('1'))
  const why = new Error('away')
  gate.shut(why)
  await expect(waiting).rejects.toBe(why)
  await expect(gate.enter(acquireRequest('2'))).rejects.toBe(why)
  gate.shut(undefined)
  leave()
  await expect(gate.enter(acquireRequest('2'))).resolves.toBeTypeOf('function')
})

test('those who ask in one breath share places, spread over all that may be shared, in turns by tenant', async () => {
  const gate = createAdmissionControl(12)
  const places = async (...tenants: string[]) =>
    Promise.all(tenants.map((tenantId) => gate.share({ tenantId, acquireTimeoutMs: 60_000 })))
  const few = await places('1', '1', '1')
  expect(new Set(few.map(({ place }) => place)).size).toBe(3)
  for (const { leave } of few) leave()
  // Four places, all taken by a burst: a later tenant gets one before the burst gets its next.
  const rush = await places(...Array.from({ length: 32 }, () => '1'))
  expect(new Set(rush.map(({ place }) => place)).size).toBe(4)
  const order: string[] = []
  for (const tenantId of [...Array.from({ length: 20 }, () => '1'), '2', '3'])
    gate.share({ tenantId, acquireTimeoutMs: 60_000 }).then(
      () => order.push(tenantId),
      () => {},
    )
  await eventLoopTurn()
  expect(order).toEqual([])
  const [{ place: first }] = rush as [(typeof rush)[0]]
  for (const { place, leave } of rush) if (place === first) leave()
  await eventLoopTurn()
  expect(order).toEqual(['2', '3', '1', '1', '1', '1', '1', '1'])
  gate.shut(new Error('the test is over'))
})

test('a shared place is free when all have left it, whoever leaves twice, and the last tidies up before', async () => {
  const gate = createAdmissionControl(1)
  const [one, other] = await Promise.all([1, 2].map(() => gate.share({ tenantId: '1', acquireTimeoutMs: 60_000 })))
  const calls: string[] = []
  void gate.enter(acquireRequest('2')).then(() => calls.push('next'))
  one!.leave(() => calls.push('not the last'))
  one!.leave(() => calls.push('twice'))
  await eventLoopTurn()
  expect(calls).toEqual([])
  other!.leave(() => calls.push('last'))
  await eventLoopTurn()
  expect(calls).toEqual(['last', 'next'])
})

test('nobody rides whose tenant holds all it may, so slow readings take no more by riding', async () => {
  const gate = createAdmissionControl(4)
  await Promise.all([gate.enter(acquireRequest('1', 'read')), gate.enter(acquireRequest('1', 'read'))])
  const order: string[] = []
  for (const tenantId of ['1', '2', '1'])
    gate.share({ tenantId, acquireTimeoutMs: 60_000 }).then(
      () => order.push(tenantId),
      () => {},
    )
  await eventLoopTurn()
  expect(order).toEqual(['2'])
  gate.shut(new Error('the test is over'))
})

test('a burst is not refused while places are free, and is when none are', async () => {
  const gate = createAdmissionControl(12)
  const shareMany = (count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => gate.share({ tenantId: '1', acquireTimeoutMs: 1 })))
  const refused = (await shareMany(384 + 32)).filter(
    (one) => one.status === 'rejected' && one.reason.message.includes('full'),
  )
  expect(refused).toEqual([])
  expect((await shareMany(384 + 1)).filter((one) => one.status === 'rejected')).toHaveLength(385)
  gate.shut(new Error('the test is over'))
})

test('200 gateways that come back leave people connections, of their own tenant too', async () => {
  const gate = createAdmissionControl(16)
  const machine = { tenantId: 'a', lane: 'write', acquireTimeoutMs: 60_000, isOfMachines: true } as const
  const leaves: (() => void)[] = []
  const over = () => {}
  for (let n = 0; n < 200; n++) gate.enter(machine).then((leave) => leaves.push(leave), over)
  const people = Array.from({ length: 8 }, () => gate.enter({ tenantId: 'a', lane: 'write', acquireTimeoutMs: 0 }))
  const back = await Promise.all(people)
  expect(leaves).toHaveLength(8)
  // Machines' requests are admitted by tenant in turn; places released by people do not go to them.
  const other: string[] = []
  gate.enter({ ...machine, tenantId: 'b' }).then(() => other.push('b'), over)
  for (const leave of back) leave()
  await eventLoopTurn()
  expect([leaves.length, other]).toEqual([8, []])
  leaves.shift()!()
  await eventLoopTurn()
  expect(other).toEqual(['b'])
  gate.shut(new Error('the test is over'))
})
