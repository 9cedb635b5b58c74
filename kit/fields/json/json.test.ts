import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { jsonKind } from './json.ts'

fieldKindContract(jsonKind, {
  accepts: [
    [{ a: [1, 'x'] }, { a: [1, 'x'] }],
    ['{"a":1}', { a: 1 }],
    [
      [1, 2],
      [1, 2],
    ],
    [{}, {}],
  ],
  refuses: [
    ['{', 'not_json'],
    ['5', 'not_json'],
    ['null ', 'not_json'],
    [5, 'not_json'],
    [true, 'not_json'],
    [{ a: '\u0000' }, 'bad_characters'],
    [{ a: '\ud800' }, 'bad_characters'],
    [{ a: 'x'.repeat(200_001) }, 'too_long'],
  ],
  empty: {},
})
