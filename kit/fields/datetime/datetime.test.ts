import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { datetimeKind } from './datetime.ts'

fieldKindContract(datetimeKind, {
  accepts: [
    ['2026-01-31 08:05:09', '2026-01-31 08:05:09'],
    ['2026-01-31', '2026-01-31 00:00:00'],
    ['2026-01-31T08:05', '2026-01-31 08:05:00'],
  ],
  refuses: [
    ['2026-01-31 24:00:00', 'not_a_datetime'],
    ['2026-01-31 10:60:00', 'not_a_datetime'],
    ['2026-02-30 10:00:00', 'not_a_datetime'],
    [0, 'not_a_datetime'],
    [{}, 'not_a_datetime'],
    ['now', 'not_a_datetime'],
    ['someday', 'not_a_date', { asDay: true }],
    ['2026-01-31 08:05:09Z', 'not_a_datetime'],
  ],
  empty: '',
})
