import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { richTextKind } from './rich-text.ts'

fieldKindContract(richTextKind, {
  accepts: [['<p>好</p>', '<p>好</p>']],
  refuses: [
    ['x'.repeat(100_001), 'too_long'],
    [{}, 'not_text'],
    ['<p>\u0000', 'bad_characters'],
  ],
  empty: '',
})
