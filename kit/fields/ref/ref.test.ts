import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { refKind } from './ref.ts'

fieldKindContract(refKind, {
  options: { to: 'somewhere' },
  accepts: [
    ['123', '123'],
    [123, '123'],
    ['0123', '123'],
    ['9223372036854775807', '9223372036854775807'],
  ],
  refuses: [
    ['abc', 'not_an_id'],
    ['-5', 'not_an_id'],
    ['1.5', 'not_an_id'],
    ['9223372036854775808', 'not_an_id'],
    [{}, 'not_an_id'],
    [['1'], 'not_an_id'],
    ['1,2', 'not_an_id'],
    [{}, 'not_an_id', { keyType: 'text' }],
    ['a\u0000', 'not_an_id', { keyType: 'text' }],
  ],
  empty: '',
  alsoEmpty: [-1, '-1'],
  sample: 'none',
})
