import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { refsKind } from './refs.ts'

fieldKindContract(refsKind, {
  options: { to: 'somewhere' },
  accepts: [
    ['1,2', '1,2'],
    [['1', 2], '1,2'],
    ['2,1,2', '2,1'],
    [7, '7'],
    ['-1,3', '3'],
  ],
  refuses: [
    ['1,x', 'not_an_id'],
    [{}, 'not_a_list'],
    [[{}], 'not_a_list'],
    [[['1']], 'not_a_list'],
    [Array.from({ length: 501 }, (_, at) => at), 'too_many'],
  ],
  empty: '',
  alsoEmpty: [-1, '-1'],
  sample: 'none',
})
