import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { colourKind } from './colour.ts'

fieldKindContract(colourKind, {
  accepts: [
    ['#409EFF', '#409eff'],
    ['#000000', '#000000'],
  ],
  refuses: [
    ['red', 'not_a_colour'],
    ['#fff', 'not_a_colour'],
    ['#12345g', 'not_a_colour'],
    [0x409eff, 'not_a_colour'],
    [{}, 'not_a_colour'],
  ],
  empty: '',
})
