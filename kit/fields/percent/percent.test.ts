import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { percentKind } from './percent.ts'

fieldKindContract(percentKind, {
  accepts: [
    ['12.5', '12.50'],
    [0, '0.00'],
    [100, '100.00'],
    ['99.99', '99.99'],
  ],
  refuses: [
    ['100.01', 'too_large'],
    ['-5', 'too_small'],
    ['1.234', 'not_a_number'],
    ['half', 'not_a_number'],
    [{}, 'not_a_number'],
  ],
  empty: -1,
  alsoEmpty: [-1, '-1'],
})
