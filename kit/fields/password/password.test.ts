import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { passwordKind } from './password.ts'

fieldKindContract(passwordKind, {
  accepts: [['s3cret-Long', '']],
  refuses: [
    ['      ', 'only_blanks'],
    ['x'.repeat(129), 'too_long'],
    ['short', 'too_short', { min: 8 }],
    [{}, 'not_text'],
    ['a\u0000b', 'bad_characters'],
  ],
  empty: '',
})
