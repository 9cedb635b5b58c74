import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { locationKind } from './location.ts'

fieldKindContract(locationKind, {
  accepts: [
    ['120.130203,30.259324', '120.130203,30.259324'],
    [' 120 , 30 ', '120,30'],
    ['-0.5,0', '-0.5,0'],
    ['0.000001,0', '0.000001,0'],
  ],
  refuses: [
    ['120.13', 'not_a_location'],
    ['181,30', 'not_a_location'],
    ['120,91', 'not_a_location'],
    ['120,30,5', 'not_a_location'],
    ['a,b', 'not_a_location'],
    [{}, 'not_a_location'],
    [['120', '30'], 'not_a_location'],
    ['120.1234567,30', 'not_a_location'],
  ],
  empty: '',
})
