import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBurstCollector } from './gather.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test(
  'forty things at once are told of once, stragglers together with them, and ' + 'what comes after a silence by itself',
  () => {
    const bursts: number[] = []
    const take = createBurstCollector<number>((all) => bursts.push(all.length))
    for (let n = 0; n < 40; n++) take(n)
    expect(bursts).toEqual([])
    vi.advanceTimersByTime(500)
    expect(bursts).toEqual([40])
    take(40)
    take(41)
    vi.advanceTimersByTime(500)
    expect(bursts).toEqual([40, 42])
    vi.advanceTimersByTime(10_000)
    take(42)
    vi.advanceTimersByTime(500)
    expect(bursts).toEqual([40, 42, 1])
  },
)
