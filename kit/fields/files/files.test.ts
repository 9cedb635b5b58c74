import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { filesKind } from './files.ts'

fieldKindContract(filesKind, {
  options: { maxCount: 3 },
  accepts: [
    ['/a.pdf,/b.pdf', '/a.pdf,/b.pdf'],
    [['/a.pdf'], '/a.pdf'],
  ],
  refuses: [
    ['/a.pdf,nowhere', 'not_a_link'],
    ['/a,/b,/c,/d', 'too_many'],
    [{}, 'not_a_list'],
  ],
  empty: '',
})
