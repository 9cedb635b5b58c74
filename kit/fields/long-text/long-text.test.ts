import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { longTextKind } from './long-text.ts'

fieldKindContract(longTextKind, {
  options: { max: 20 },
  accepts: [
    ['一行\n两行', '一行\n两行'],
    [' kept ', ' kept '],
    [5, '5'],
  ],
  refuses: [
    ['x'.repeat(21), 'too_long'],
    [{}, 'not_text'],
    ['\u0000x', 'bad_characters'],
    ['\udc00', 'bad_characters'],
  ],
  empty: '',
})
