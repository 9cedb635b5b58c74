import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { treeKind } from './tree.ts'

fieldKindContract(treeKind, {
  options: { to: 'somewhere' },
  accepts: [
    ['12', '12'],
    [0, '0'],
    ['0', '0'],
    [-1, '0'],
    ['-1', '0'],
  ],
  refuses: [
    ['abc', 'not_an_id'],
    [{}, 'not_an_id'],
    ['-2', 'not_an_id'],
  ],
  empty: '0',
  sample: 'constant',
})
