import { defineCall, type CallAnswerOf } from './define-call.ts'
import { f } from './f.ts'
import { arraySchema, integerSchema, objectSchema, textSchema } from './response-schema.ts'

/**
 * Number of a list's rows on each of some days, with the sum of their amount where the resource declares one as a
 * measure; `label` is that measure's, since it may count only some of the rows. Also takes the filters of the list.
 */
export const dayTotalsCall = defineCall({
  method: 'GET',
  path: '/api/kit/day-totals/:resource',
  input: { days: f.longText({ label: { zh: '日期', en: 'Days' }, required: true, max: 400 }) },
  answer: arraySchema(
    objectSchema({ day: textSchema, count: integerSchema, sum: textSchema, label: textSchema }, ['sum', 'label']),
  ),
})
export type DayTotal = CallAnswerOf<typeof dayTotalsCall>[number]
