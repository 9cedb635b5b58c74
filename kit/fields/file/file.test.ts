import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { fileKind } from './file.ts'

fieldKindContract(fileKind, {
  accepts: [
    ['/files/a.pdf', '/files/a.pdf'],
    ['http://cdn.example.com/a.pdf', 'http://cdn.example.com/a.pdf'],
  ],
  refuses: [
    ['file:///etc/passwd', 'not_a_link'],
    ['../a.pdf', 'not_a_link'],
    ['//evil.example', 'not_a_link'],
    [{}, 'not_text'],
  ],
  empty: '',
})
