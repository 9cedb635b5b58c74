import { tenantSharedKey } from '../shared/index.ts'
import { expect, test } from 'vitest'
import { shareProbeCountsAcrossProcesses, recordMaskedValueProbe } from './enumeration-limit.ts'

const HOUR = 3_600_000
const of = (userId: string) => ({ tenantId: '900001', userId })
const isRefused = (userId: string, value: string, now: number): boolean => {
  try {
    recordMaskedValueProbe(of(userId), value, now)
    return false
  } catch {
    return true
  }
}
const spend = (userId: string, now: number) => {
  for (let n = 0; n < 300; n++) recordMaskedValueProbe(of(userId), `${n}`, now)
}

test('one person asks for three hundred values in an hour and no more, for the same ones as often as they like', () => {
  spend('one', 0)
  expect([isRefused('one', '300', HOUR - 1), isRefused('one', '7', HOUR - 1)]).toEqual([true, false])
  expect([isRefused('two', '300', HOUR - 1), isRefused('one', '300', HOUR)]).toEqual([false, false])
})

test('within an hour no more than five thousand are kept: who goes on asking is not among those forgotten', () => {
  const now = 10 * HOUR
  spend('silent', now)
  spend('stubborn', now)
  for (let thousand = 0; thousand < 5; thousand++) {
    for (let n = 0; n < 1_000; n++) recordMaskedValueProbe(of(`other ${thousand} ${n}`), 'x', now)
    expect(isRefused('stubborn', '300', now)).toBe(true)
  }
  expect([isRefused('stubborn', '300', now), isRefused('silent', '300', now)]).toEqual([true, false])
})

test('asking several processes is as asking one; where they cannot be told, each has its own bound', async () => {
  const counts = new Map<string, number>()
  let isAway = false
  shareProbeCountsAcrossProcesses({
    increment: async (key) => {
      if (isAway) throw new Error('the database is away')
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return counts.get(key)!
    },
  })
  const now = 20 * HOUR
  // Counted by another process.
  counts.set(tenantSharedKey('900001', 'guess', 'three'), 200)
  for (let n = 0; n < 101; n++) expect([n, isRefused('three', `${n}`, now)]).toEqual([n, false])
  await Promise.resolve()
  expect([isRefused('three', '101', now), isRefused('three', '7', now)]).toEqual([true, false])
  expect(isRefused('three', '101', now + HOUR)).toBe(false)
  isAway = true
  spend('four', now)
  expect(isRefused('four', '300', now)).toBe(true)
})
