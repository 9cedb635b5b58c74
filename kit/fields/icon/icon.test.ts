import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { iconKind } from './icon.ts'

fieldKindContract(iconKind, {
  accepts: [
    ['shop', 'shop'],
    ['iconfont iconicon_user', 'iconfont iconicon_user'],
    ['el-icon-user', 'el-icon-user'],
  ],
  refuses: [
    ['<svg>', 'bad_format'],
    ['"onload', 'bad_format'],
    ['x'.repeat(101), 'too_long'],
    [{}, 'not_text'],
  ],
  empty: '',
  sample: 'constant',
})
