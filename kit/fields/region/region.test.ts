import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { regionKind } from './region.ts'

fieldKindContract(regionKind, {
  accepts: [
    ['330106', '330106'],
    [330106, '330106'],
    ['00', '00'],
    ['330000', '33'],
    ['330100', '3301'],
    ['33', '33'],
    ['330106001000', '330106001000'],
  ],
  refuses: [
    ['Hangzhou', 'not_a_region'],
    ['1', 'not_a_region'],
    ['3'.repeat(13), 'not_a_region'],
    [{}, 'not_a_region'],
    [['330106'], 'not_a_region'],
    ['-33', 'not_a_region'],
  ],
  empty: '',
  sample: 'constant',
})
