import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { tagsKind } from './tags.ts'

fieldKindContract(tagsKind, {
  options: { maxCount: 3 },
  accepts: [
    ['新品,热卖', '新品,热卖'],
    [['a', 'b', 'a'], 'a,b'],
    [' a , ', 'a'],
  ],
  refuses: [
    ['a,b,c,d', 'too_many'],
    ['x'.repeat(41), 'too_long'],
    [{}, 'not_a_list'],
    [['a', {}], 'not_a_list'],
    ['a\u0000', 'bad_characters'],
  ],
  empty: '',
})
