import { expect, test } from 'vitest'
import { isLowStock } from './low-stock.ts'

test('goods are low at their warning line and below it', () => {
  expect([isLowStock(6, 5), isLowStock(5, 5), isLowStock(-1, 0)]).toEqual([false, true, true])
})

test('goods without a warning line are never low, not even when none are left', () => {
  for (const none of [null, undefined, -1]) expect([isLowStock(0, none), isLowStock(-3, none)]).toEqual([false, false])
})
