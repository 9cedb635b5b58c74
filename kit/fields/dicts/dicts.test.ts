import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { dictsKind } from './dicts.ts'

fieldKindContract(dictsKind, {
  options: { dict: 'grant_type', without: ['gone'] },
  accepts: [
    ['a,b', 'a,b'],
    [['a', 'b'], 'a,b'],
    ['a,,a , b', 'a,b'],
    [1, '1'],
  ],
  refuses: [
    [{}, 'not_a_list'],
    [[{}], 'not_a_list'],
    ['x'.repeat(65), 'not_a_choice'],
    ['a\u0000', 'not_a_choice'],
    ['a,gone', 'not_a_choice'],
  ],
  empty: '',
  alsoEmpty: [',', [''], ' , '],
  sample: 'constant',
})
