import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { dateKind } from './date.ts'

fieldKindContract(dateKind, {
  accepts: [
    ['2024-02-29', '2024-02-29'],
    ['2026-01-31 10:00:00', '2026-01-31'],
    ['2026-01-31T10:00', '2026-01-31'],
  ],
  refuses: [
    ['2023-02-29', 'not_a_date'],
    ['2026-13-01', 'not_a_date'],
    ['31.01.2026', 'not_a_date'],
    ['2026-01-31x', 'not_a_date'],
    [20260131, 'not_a_date'],
    [{}, 'not_a_date'],
    ['0001-01-01', 'not_a_date'],
    ['2026-01-31 nonsense', 'not_a_date'],
  ],
  empty: '',
})
