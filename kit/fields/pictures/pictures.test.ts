import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { picturesKind } from './pictures.ts'

fieldKindContract(picturesKind, {
  options: { maxCount: 3 },
  accepts: [
    ['/a.png,/b.png', '/a.png,/b.png'],
    [['/a.png', '/a.png'], '/a.png'],
    ['/a.png,', '/a.png'],
  ],
  refuses: [
    ['/a.png,javascript:alert(1)', 'not_a_link'],
    ['/a,/b,/c,/d', 'too_many'],
    [{}, 'not_a_list'],
    [[{}], 'not_a_list'],
  ],
  empty: '',
})
