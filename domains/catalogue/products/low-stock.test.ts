import { expect, test } from 'vitest'
import { isLow } from './low-stock.ts'

test('goods are low at their warning line and below it', () => {
  expect([isLow(6, 5), isLow(5, 5), isLow(-1, 0)]).toEqual([false, true, true])
})

test('goods without a warning line are never low, not even when none are left', () => {
  for (const none of [null, undefined, -1]) expect([isLow(0, none), isLow(-3, none)]).toEqual([false, false])
})
