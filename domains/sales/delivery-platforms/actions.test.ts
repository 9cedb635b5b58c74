import { expect, test } from 'vitest'
import { platformActionCall } from './actions.job.ts'

const HOUR_S = 3_600

test('what is not confirmed is asked often for an hour, then more and more seldom, four times a day in the end', () => {
  const waits = Array.from({ length: 40 }, (_, at) => platformActionCall.sendJob.backoffSeconds!(at + 1))
  const after = (tries: number) => waits.slice(0, tries).reduce((sum, wait) => sum + wait, 0)
  expect(waits).toEqual(waits.toSorted((one, other) => one - other))
  expect(after(19)).toBeGreaterThan(HOUR_S)
  expect(after(19)).toBeLessThan(2 * HOUR_S)
  expect(waits.at(-1)).toBe(6 * HOUR_S)
  // Forty tries last longer than the three days an action is asked for.
  expect(after(40)).toBeGreaterThan(72 * HOUR_S)
})
