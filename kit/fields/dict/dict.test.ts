import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { dictKind } from './dict.ts'

fieldKindContract(dictKind, {
  options: { dict: 'sex', numeric: true },
  accepts: [
    [1, 1],
    ['2', 2],
    [0, 0],
  ],
  refuses: [
    ['one', 'not_a_choice'],
    [1.5, 'not_a_choice'],
    [{}, 'not_a_choice'],
    [[1], 'not_a_choice'],
    ['9'.repeat(12), 'not_a_choice'],
    ['x'.repeat(65), 'not_a_choice', { numeric: false }],
    ['\u0000', 'not_a_choice', { numeric: false }],
  ],
  empty: -1,
  alsoEmpty: [-1, '-1'],
  sample: 'constant',
})
