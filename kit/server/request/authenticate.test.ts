import { expect, test } from 'vitest'
import type { Caller } from '../base/caller.ts'
import type { Services } from '../module/services.ts'
import { createAuthentication, publishPermissionsChanged } from './authenticate.ts'

/** Waits until all pending promises have settled. */
const eventLoopTurn = () => new Promise(setImmediate)

/** Creates an authentication whose reads end when the test says so, with a clock the test sets. */
function stage() {
  const readings: { end: (caller?: Partial<Caller>) => void; fail: (error: Error) => void }[] = []
  let now = 0
  const services = {
    access: {
      callerOf: () =>
        new Promise((resolve, reject) =>
          readings.push({
            end: (caller) => resolve(caller && { userId: 'wu', tenantId: '100001', ...caller }),
            fail: reject,
          }),
        ),
    },
    shared: { publish: async () => {}, subscribe: async () => {} },
    slots: { find: () => undefined },
    log: { warn: () => {} },
  } as unknown as Services
  const { callerOf, lastTenantOf } = createAuthentication(services, () => now)
  return {
    readings,
    lastTenantOf,
    ask: () => callerOf('token'),
    asks: (count: number) => Promise.all(Array.from({ length: count }, () => callerOf('token'))),
    pass: (ms: number) => void (now += ms),
    changeRights: () => publishPermissionsChanged(services, { afterCommit: (run) => run() }, {}),
  }
}

test('however many wait for one token, it is read once, and not again for who comes later', async () => {
  const { readings, asks } = stage()
  const waiting = asks(32)
  expect(readings.length).toBe(1)
  readings[0]!.end({ name: 'Wu' })
  expect((await waiting).map((caller) => caller?.name)).toEqual(Array.from({ length: 32 }, () => 'Wu'))
  await asks(32)
  expect(readings.length).toBe(1)
})

test('before the time of trust ends it is read again once, and nobody waits for that', async () => {
  const { readings, ask, asks, pass } = stage()
  const first = ask()
  readings[0]!.end({ name: 'before' })
  await first
  pass(7000)
  expect((await asks(32)).every((caller) => caller?.name === 'before')).toBe(true)
  expect(readings.length).toBe(2)
  readings[1]!.end({ name: 'after' })
  await eventLoopTurn()
  expect((await ask())?.name).toBe('after')
  // The cached entry expires counted from the newer read.
  pass(5000)
  expect((await ask())?.name).toBe('after')
  expect(readings.length).toBe(2)
})

test('nobody is believed longer than the time of trust, when the reading in between failed', async () => {
  const { readings, ask, pass } = stage()
  const first = ask()
  readings[0]!.end({})
  await first
  pass(7000)
  expect(await ask()).toBeDefined()
  readings[1]!.fail(new Error('no database'))
  await eventLoopTurn()
  pass(3000)
  const late = ask()
  expect(readings.length).toBe(3)
  readings[2]!.end(undefined)
  expect(await late).toBeUndefined()
})

test('a session that ended is forgotten when the reading in between says so', async () => {
  const { readings, ask, pass } = stage()
  const first = ask()
  readings[0]!.end({})
  await first
  pass(7000)
  expect(await ask()).toBeDefined()
  readings[1]!.end(undefined)
  await eventLoopTurn()
  const next = ask()
  expect(readings.length).toBe(3)
  readings[2]!.end(undefined)
  expect(await next).toBeUndefined()
})

test('a failed reading is not remembered: who waited hears of it, and the next one reads again', async () => {
  const { readings, ask, asks } = stage()
  const waiting = asks(32)
  readings[0]!.fail(new Error('no database'))
  await expect(waiting).rejects.toThrow('no database')
  const next = ask()
  expect(readings.length).toBe(2)
  readings[1]!.end({})
  expect(await next).toBeDefined()
})

test('rights that changed while they were read are read again by who asks after the change', async () => {
  const { readings, ask, changeRights } = stage()
  const before = ask()
  changeRights()
  const after = ask()
  expect(readings.length).toBe(2)
  readings[0]!.end({ name: 'before' })
  await before
  readings[1]!.end({ name: 'after' })
  expect((await after)?.name).toBe('after')
  expect((await ask())?.name).toBe('after')
  expect(readings.length).toBe(2)
})

test('a reading in the background does not bring back rights that were taken meanwhile', async () => {
  const { readings, ask, pass, changeRights } = stage()
  const first = ask()
  readings[0]!.end({ name: 'before' })
  await first
  pass(7000)
  await ask()
  changeRights()
  readings[1]!.end({ name: 'before' })
  await eventLoopTurn()
  const after = ask()
  expect(readings.length).toBe(3)
  readings[2]!.end({ name: 'after' })
  expect((await after)?.name).toBe('after')
})
