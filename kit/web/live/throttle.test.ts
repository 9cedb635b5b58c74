import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('many calls at once are one, those that keep coming are one in each interval, and the last is made', () => {
  const call = vi.fn<() => void>()
  const { later } = throttle(call, { waitMs: 100, everyMs: 1_000 })
  for (let n = 0; n < 40; n++) later()
  expect(call).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(call).toHaveBeenCalledTimes(1)
  for (let n = 0; n < 30; n++) {
    later()
    vi.advanceTimersByTime(100)
  }
  expect(call).toHaveBeenCalledTimes(4)
  later()
  vi.advanceTimersByTime(10_000)
  expect(call).toHaveBeenCalledTimes(5)
})

test('what was cancelled is not made, and a later one is', () => {
  const call = vi.fn<() => void>()
  const { later, cancel } = throttle(call, { waitMs: 100, everyMs: 1_000 })
  later()
  cancel()
  vi.advanceTimersByTime(10_000)
  expect(call).not.toHaveBeenCalled()
  later()
  vi.advanceTimersByTime(100)
  expect(call).toHaveBeenCalledTimes(1)
})
