import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { moneyKind } from './money.ts'

fieldKindContract(moneyKind, {
  accepts: [
    ['12.5', '12.50'],
    [12.5, '12.50'],
    ['0', '0.00'],
    ['0.10', '0.10'],
    ['999999999999.99', '999999999999.99'],
    [0.1, '0.10'],
  ],
  refuses: [
    ['1.234', 'not_money'],
    ['abc', 'not_money'],
    ['1,20', 'not_money'],
    ['-0.01', 'too_small'],
    ['-1.00', 'too_small'],
    ['-1.0', 'too_small'],
    ['-01', 'too_small'],
    [-0.01, 'too_small'],
    [1.001, 'not_money'],
    ['1000000000000', 'too_large'],
    [{}, 'not_money'],
    [NaN, 'not_money'],
    ['5.01', 'too_large', { max: 500 }],
    ['4.99', 'too_small', { min: 500 }],
  ],
  empty: -1,
  alsoEmpty: [-1, '-1'],
})
