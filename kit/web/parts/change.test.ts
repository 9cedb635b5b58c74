import { expect, test } from 'vitest'
import { isShared } from './change.ts'

test('a change of few pieces is no share, one of an amount or of many is, and after nothing there is none', () => {
  expect([isShared(1, true), isShared(9, true), isShared(10, true)]).toEqual([false, false, true])
  expect([isShared(1, false), isShared(0, false), isShared(-5, false)]).toEqual([true, false, false])
})
