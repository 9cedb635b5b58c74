import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { numberKind } from './number.ts'

fieldKindContract(numberKind, {
  accepts: [
    [5, 5],
    ['5', 5],
    ['005', 5],
    [-3, -3],
    ['0', 0],
    [2_147_483_647, 2_147_483_647],
    ['5.0', 5],
  ],
  refuses: [
    ['5.5', 'not_an_integer'],
    ['5.555', 'not_a_number', { decimals: 2 }],
    ['abc', 'not_an_integer'],
    ['1e3', 'not_an_integer'],
    ['0x10', 'not_an_integer'],
    [NaN, 'not_an_integer'],
    [{}, 'not_an_integer'],
    [true, 'not_an_integer'],
    [2_147_483_648, 'too_large'],
    [1, 'too_small', { min: 2 }],
    [9, 'too_large', { max: 8 }],
    ['9'.repeat(30), 'not_an_integer'],
  ],
  empty: -1,
})
