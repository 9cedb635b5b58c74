import { expect, test } from 'vitest'
import { isMeaningfulReason } from './personal-reason.ts'

test.each([
  ['顾客来电', true],
  ['a refund', true],
  ['核对手机', true],
  ['顾客', false],
  ['核对中', false],
  ['xxxx', false],
  ['1234', false],
  ['顾客顾客', false],
  ['😀😀😀😀', false],
  ['', false],
])('%s says why: %s', (reason, isEnough) => {
  expect(isMeaningfulReason(reason)).toBe(isEnough)
})
