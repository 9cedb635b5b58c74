import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { textKind } from './text.ts'

fieldKindContract(textKind, {
  options: { max: 10 },
  accepts: [
    ['可乐', '可乐'],
    [' a b ', 'a b'],
    [12, '12'],
    ['<b>&', '<b>&'],
    ['😀😀😀😀😀😀😀😀😀😀', '😀😀😀😀😀😀😀😀😀😀'],
  ],
  refuses: [
    ['01234567890', 'too_long'],
    ['a', 'too_short', { min: 2 }],
    [' a ', 'too_short', { min: 2 }],
    ['x y', 'bad_format', { pattern: '^\\w+$' }],
    ['12ab', 'bad_format', { rule: () => ({ words: { zh: '{label}不对', en: '{label} is wrong' } }) }],
    ['a\u0000b', 'bad_characters'],
    ['\ud800', 'bad_characters'],
    [{}, 'not_text'],
    [true, 'not_text'],
    [['a'], 'not_text'],
  ],
  empty: '',
})
