import sql, { type Sql } from 'sql-template-tag'
import type { Field, FilterOperator } from '../../fields/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { VISIBLE_MASK_ENDS } from '../../fields/masks.ts'
import type { Resource } from '../../resource/define-resource.ts'
import type { Caller } from '../caller.ts'
import { canReadUnmasked } from '../database/data-scope.ts'
import { Refused } from '../refused.ts'
import { recordMaskedValueProbe } from './enumeration-limit.ts'

/** Ends as the mask of a field shows it. */
export type MaskedEndOperator = 'shownend'

/**
 * Operators that compare a whole value, or none at all; a text operator is taken for one when it is given a whole
 * value.
 */
const WHOLE: Partial<Record<FilterOperator, FilterOperator>> = {
  eq: 'eq',
  in: 'in',
  ne: 'ne',
  null: 'null',
  notnull: 'notnull',
  like: 'eq',
  likeleft: 'eq',
  likeright: 'eq',
}

/** Operators by which a text may be the end of a value. */
const AT_END: ReadonlySet<FilterOperator> = new Set(['like', 'likeleft'])

const shownEndOf = ({ mask }: Field) => (mask ? VISIBLE_MASK_ENDS[mask] : undefined)

/**
 * A masked field is asked about by one whole value at a time, or by the end its mask leaves open: other parts of it
 * would find out the rest digit by digit, and lists of values which of those that the mask leaves open it is.
 */
export function operatorForMaskedField(
  field: Field,
  operator: FilterOperator,
  input: string,
  caller: Caller,
): FilterOperator | MaskedEndOperator {
  if (AT_END.has(operator) && isShownEnd(field, input)) return 'shownend'
  const whole = WHOLE[operator]
  const isAsked = whole !== 'null' && whole !== 'notnull'
  const isSeveral = operator === 'in' && input.includes(',')
  if (!whole || isSeveral || (isAsked && !asksForWhole(field, input, caller))) throw notAsked(field)
  return whole
}

function notAsked(field: Field): Refused {
  const end = shownEndOf(field)
  return end
    ? new Refused('filter_masked_end', { label: field.label, count: end.length })
    : new Refused('filter_masked', { label: field.label })
}

const isShownEnd = (field: Field, text: string): boolean => [...text.trim()].length === shownEndOf(field)?.length

/** Values that end as their mask shows: what is too short to be shown at all is not found. */
export function shownEndMatchSql(col: Sql, field: Field, end: string): Sql {
  const { length, from } = shownEndOf(field)!
  return sql`(length(${col}) >= ${from} and right(${col}, ${length}) = ${end.trim()})`
}

/** Whether a text is a whole value of a masked field and may be compared with it: one more that a person asks for. */
function asksForWhole(field: Field, text: string, caller: Caller): boolean {
  if ('problem' in fieldKindOf(field).parse(text, field)) return false
  recordMaskedValueProbe(caller, text)
  return true
}

/**
 * Notes that somebody held a whole value against one they are not shown whole, and that it was not that: a few may be
 * wrong, and whoever tries all is refused.
 */
export function recordMaskedValueMiss(resource: Resource<any, any>, key: string, text: string, caller: Caller): void {
  const field = (resource.fields as Record<string, Field>)[key]
  if (field && !canReadUnmasked(resource, field, caller)) asksForWhole(field, text, caller)
}

/** Rows whose masked value is what somebody typed, or ends so where its end is shown; undefined for any other text. */
export function maskedValueMatchSql(col: Sql, field: Field, text: string, caller: Caller): Sql | undefined {
  if (isShownEnd(field, text)) return shownEndMatchSql(col, field, text)
  return asksForWhole(field, text, caller) ? sql`${col}::text = ${text}` : undefined
}
