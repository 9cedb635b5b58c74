import { expect, test } from 'vitest'
import { createRandom } from '#kit/server/base/random.ts'
import { createManualClock } from '../gateways/clock.ts'
import { dayOf, playDay, type PlayedAction } from './day.ts'

const MINUTE_MS = 100
const town = { shops: 2, customers: 5, goods: 3 }
const script = () => dayOf(createRandom(7), town)

test('a day is the same for the same seed, in order, and stays within its town', () => {
  expect(script()).toEqual(script())
  expect(dayOf(createRandom(8), town)).not.toEqual(script())
  const minutes = script().map(({ minute }) => minute)
  expect(minutes).toEqual(minutes.toSorted((one, other) => one - other))
  expect(minutes.every((minute) => minute >= 0 && minute < 24 * 60)).toBe(true)
  for (const action of script()) {
    expect(action.shop).toBeLessThan(town.shops)
    expect(action.what === 'visit' ? action.customer : 0).toBeLessThan(town.customers)
    expect(action.what === 'price' ? action.good : 0).toBeLessThan(town.goods)
  }
  expect(new Set(script().map(({ what }) => what))).toEqual(new Set(['lights', 'visit', 'sale', 'price']))
})

test('each action is done once at its minute, and a day that is stopped does no more', () => {
  const clock = createManualClock()
  const done: PlayedAction[] = []
  const day = playDay(script(), { clock, minuteMs: MINUTE_MS, act: (action) => void done.push(action) })
  clock.pass(12 * 60 * MINUTE_MS)
  expect(day.minute()).toBe(12 * 60)
  expect(done).toEqual(script().filter(({ minute }) => minute <= 12 * 60))
  clock.pass(12 * 60 * MINUTE_MS)
  expect(done).toEqual(script())
  expect(day.isOver()).toBe(true)

  const half: PlayedAction[] = []
  const other = playDay(script(), { clock, minuteMs: MINUTE_MS, act: (action) => void half.push(action) })
  clock.pass(12 * 60 * MINUTE_MS)
  other.stop()
  const sofar = half.length
  clock.pass(24 * 60 * MINUTE_MS)
  expect(half).toHaveLength(sofar)
  expect(sofar).toBeLessThan(script().length)
  expect([other.minute(), other.isOver()]).toEqual([12 * 60, true])
})
