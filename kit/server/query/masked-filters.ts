import sql, { type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import type { FilterOperator } from '../../fields/base/options.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { VISIBLE_MASK_ENDS } from '../../fields/base/mask-functions.ts'
import type { Resource } from '../../resource/define-resource.ts'
import type { Caller } from '../base/caller.ts'
import { canReadUnmasked } from '../database/data-scope.ts'
import { Refused } from '../base/refused.ts'
import { recordMaskedValueProbe } from './enumeration-limit.ts'

/** Matches the end of a value that its mask leaves visible. */
export type MaskedEndOperator = 'shownend'

/**
 * Operators allowed on masked fields, with the one used instead; text searches are allowed as comparison with a whole
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
 * Returns the operator to use for a filter on a masked field: only one whole value, or the end its mask shows. Refuses
 * other filters: searching for parts would reveal the rest digit by digit, and lists of values would narrow it down.
 */
export function operatorForMaskedField(
  field: Field,
  operator: FilterOperator,
  input: string,
  caller: Caller,
): FilterOperator | MaskedEndOperator {
  if (AT_END.has(operator) && isShownEnd(field, input)) return 'shownend'
  const whole = WHOLE[operator]
  const comparesValue = whole !== 'null' && whole !== 'notnull'
  const isSeveral = operator === 'in' && input.includes(',')
  if (!whole || isSeveral || (comparesValue && !asksForWhole(field, input, caller))) throw maskedFilterRefusal(field)
  return whole
}

function maskedFilterRefusal(field: Field): Refused {
  const end = shownEndOf(field)
  return end
    ? new Refused('filter_masked_end', { label: field.label, count: end.length })
    : new Refused('filter_masked', { label: field.label })
}

const isShownEnd = (field: Field, text: string): boolean => [...text.trim()].length === shownEndOf(field)?.length

/** SQL condition for values with this visible end; values too short to show their end do not match. */
export function shownEndMatchSql(col: Sql, field: Field, end: string): Sql {
  const { length, from } = shownEndOf(field)!
  return sql`(length(${col}) >= ${from} and right(${col}, ${length}) = ${end.trim()})`
}

/** Whether the text is a valid whole value; records it as one more guess of this person. */
function asksForWhole(field: Field, text: string, caller: Caller): boolean {
  if ('problem' in fieldKindOf(field).parse(text, field)) return false
  recordMaskedValueProbe(caller, text)
  return true
}

/** Records a wrong guess of a masked value by someone who may not see it; refuses when there are too many. */
export function recordMaskedValueMiss(resource: Resource<any, any>, key: string, text: string, caller: Caller): void {
  const field = (resource.fields as Record<string, Field>)[key]
  if (field && !canReadUnmasked(resource, field, caller)) asksForWhole(field, text, caller)
}

/**
 * SQL condition for masked values equal to the text, or ending with it if that end is visible; undefined for any other
 * text.
 */
export function maskedValueMatchSql(col: Sql, field: Field, text: string, caller: Caller): Sql | undefined {
  if (isShownEnd(field, text)) return shownEndMatchSql(col, field, text)
  return asksForWhole(field, text, caller) ? sql`${col}::text = ${text}` : undefined
}
