import { afterEach, expect, test, vi } from 'vitest'
import { newId, timeOfId } from './snowflake.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('ids follow a clock that was wrong and is right again, and grow through one that is put back a little', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const now = Date.now()
  vi.setSystemTime(now + 40 * 86_400_000)
  const fromTheFuture = Array.from({ length: 5000 }, newId)
  vi.setSystemTime(now)
  expect(timeOfId(newId())).toBe(now)
  const before = newId()
  vi.setSystemTime(now - 5000)
  expect(BigInt(newId()) > BigInt(before)).toBe(true)
  // The clock reaches the wrong time again: none of its ids is made twice.
  vi.setSystemTime(now + 40 * 86_400_000)
  const again = Array.from({ length: 5000 }, newId)
  expect(new Set([...fromTheFuture, ...again]).size).toBe(10_000)
})
