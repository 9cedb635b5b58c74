import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { emailKind } from './email.ts'

fieldKindContract(emailKind, {
  accepts: [
    ['a.b+c@example.co.uk', 'a.b+c@example.co.uk'],
    ['王@例子.中国', '王@例子.中国'],
  ],
  refuses: [
    ['nobody', 'not_an_email'],
    ['a@b', 'not_an_email'],
    ['a@@b.c', 'not_an_email'],
    ['a b@c.d', 'not_an_email'],
    ['<a@b.c>', 'not_an_email'],
    [{}, 'not_text'],
    [`${'x'.repeat(100)}@b.c`, 'too_long'],
  ],
  empty: '',
})
