import { expect, test, vi } from 'vitest'
import { createRateCounter, createRateAggregator, type RateCountReport } from './worker-role.ts'
import { poolSizePerWorker, chooseWorkerCount } from './workers.ts'

const LIMIT = 1600

/** Several rate counters that exchange their counts, as the first process forwards them. */
function crew(size: number, clock: () => number) {
  const sums = createRateAggregator()
  const seats: ReturnType<typeof createRateCounter>[] = Array.from({ length: size }, (_, at) =>
    createRateCounter(
      LIMIT,
      (report: RateCountReport) => {
        sums.tell(at, report)
        seats.forEach((seat, who) => who !== at && seat.receive(sums.besides(who, Object.keys(report.counts))))
      },
      clock,
    ),
  )
  return seats
}

test('calls of an address are counted in all processes together, and nobody counts them twice', () => {
  const [one, other] = crew(2, () => 0)
  for (let n = 0; n < 300; n++) one?.count('a')
  for (let n = 0; n < 200; n++) other?.count('a')
  for (const round of [1, 2]) {
    one?.report()
    other?.report()
    expect(one?.count('a'), `round ${round}`).toBe(500 + (round === 1 ? 1 : 3))
    expect(other?.count('a'), `round ${round}`).toBe(500 + (round === 1 ? 1 : 3))
  }
  expect(one?.count('b'), 'another address').toBe(1)
})

test('with a new minute the count starts anew, and late news of the last is not heard', () => {
  let now = 0
  const [one, other] = crew(2, () => now)
  for (let n = 0; n < 300; n++) one?.count('a')
  one?.report()
  now = 60_000
  expect(other?.count('a')).toBe(1)
  other?.receive({ minute: 0, counts: { a: 300 } })
  expect(other?.count('a')).toBe(2)
})

test('addresses far from the limit are not told of', () => {
  const report = vi.fn<(report: RateCountReport) => void>()
  const counts = createRateCounter(LIMIT, report, () => 0)
  counts.count('a')
  counts.report()
  expect(report).not.toHaveBeenCalled()
})

test('a machine runs as many processes as it has cores and memory for, beside a database of its own fewer', () => {
  const much = 64e9
  expect(chooseWorkerCount(0, true, { cores: 1, bytes: much })).toBe(1)
  expect(chooseWorkerCount(0, true, { cores: 2, bytes: much })).toBe(2)
  expect(chooseWorkerCount(0, true, { cores: 8, bytes: much })).toBe(6)
  expect(chooseWorkerCount(0, false, { cores: 8, bytes: much })).toBe(8)
  expect(chooseWorkerCount(0, false, { cores: 8, bytes: 2e9 })).toBe(2)
  expect(chooseWorkerCount(0, false, { cores: 8, bytes: 0.5e9 })).toBe(1)
  expect(chooseWorkerCount(3, false, { cores: 1, bytes: 1e9 }), 'who says a number gets it').toBe(3)
})

test('all processes together never ask the embedded database for more connections than it has', () => {
  for (let connections = 1; connections <= 64; connections++) {
    const workers = chooseWorkerCount(connections, true, { cores: 64, bytes: 1e12 })
    const pool = poolSizePerWorker(500, workers)
    expect(pool).toBeGreaterThanOrEqual(2)
    expect(workers * (pool + 9)).toBeLessThanOrEqual(130)
  }
  expect(poolSizePerWorker(16, 2)).toBe(16)
})
