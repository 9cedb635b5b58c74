import { expect, test } from 'vitest'
import { isShownAsPercentChange } from './change.ts'

test('a change of few pieces is no share, one of an amount or of many is, and after nothing there is none', () => {
  expect([isShownAsPercentChange(1, true), isShownAsPercentChange(9, true), isShownAsPercentChange(10, true)]).toEqual([
    false,
    false,
    true,
  ])
  expect([
    isShownAsPercentChange(1, false),
    isShownAsPercentChange(0, false),
    isShownAsPercentChange(-5, false),
  ]).toEqual([true, false, false])
})
