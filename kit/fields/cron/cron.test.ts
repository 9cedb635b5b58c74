import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { cronKind } from './cron.ts'

fieldKindContract(cronKind, {
  accepts: [
    ['0 8 * * 1-5', '0 8 * * 1-5'],
    ['*/5 * * * *', '*/5 * * * *'],
    [' 0  0 1 1 0 ', '0 0 1 1 0'],
    ['0,30 8-18/2 * * *', '0,30 8-18/2 * * *'],
  ],
  refuses: [
    ['* * * *', 'not_a_schedule'],
    ['60 * * * *', 'not_a_schedule'],
    ['* 24 * * *', 'not_a_schedule'],
    ['*/0 * * * *', 'not_a_schedule'],
    ['5-1 * * * *', 'not_a_schedule'],
    ['@daily', 'not_a_schedule'],
    ['* * * * * *', 'not_a_schedule'],
    [5, 'not_a_schedule'],
    [{}, 'not_a_schedule'],
  ],
  empty: '',
})
