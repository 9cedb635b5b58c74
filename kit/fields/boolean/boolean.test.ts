import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { booleanKind } from './boolean.ts'

fieldKindContract(booleanKind, {
  accepts: [
    [true, true],
    ['true', true],
    [1, true],
    ['1', true],
    [false, false],
    ['false', false],
    [0, false],
    ['0', false],
  ],
  refuses: [
    ['maybe', 'not_yes_no'],
    [2, 'not_yes_no'],
    [{}, 'not_yes_no'],
    ['2', 'not_yes_no'],
  ],
  empty: false,
})
