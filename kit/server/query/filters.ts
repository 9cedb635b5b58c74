import sql, { empty, join, type Sql } from 'sql-template-tag'
import { PART_SEARCH_CHARACTERS_MIN, type Field } from '../../fields/base/field-kind.ts'
import type { FilterOperator } from '../../fields/base/options.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { isCalendarDay } from '../../fields/date/days.ts'
import { baseFields, type Resource } from '../../resource/define-resource.ts'
import { operatorsByFilterSuffix } from '../../resource/suffixes.ts'
import type { Caller } from '../base/caller.ts'
import { canReadUnmasked, visibleFields } from '../database/data-scope.ts'
import { columnNameSql, hasTenantColumn, isSecretField, storedFields } from '../database/row-sql.ts'
import { Refused } from '../base/refused.ts'
import { shownEndMatchSql, operatorForMaskedField, type MaskedEndOperator } from './masked-filters.ts'

/** Escapes a text for use in a LIKE pattern. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/**
 * Whether a text has no upper and lower case (Chinese, digits): then LIKE is used instead of ILIKE, which takes five
 * times as long on a million rows.
 */
const hasOneCase = (text: string) => text.toLowerCase() === text.toUpperCase() && !/\p{M}/u.test(text)

const isAscii = (text: string) => !/[^\u0000-\u007f]/.test(text)
/**
 * Lower-cases ASCII letters only, as SQL `lower(… collate "C")` does; that takes a fifth of the time of language rules.
 */
const smallLetters = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * SQL that lower-cases the only two non-ASCII characters whose lower case is an ASCII letter, as far as the database's
 * locale does so.
 */
const withinAscii = (col: Sql): Sql => sql`replace(replace(${col}, 'İ', lower('İ')), '\u212a', lower('\u212a'))`

/** SQL condition for texts like a pattern, ignoring case; `part` is the pattern without its `%`. */
function isLike(col: Sql, pattern: string, part: string): Sql {
  if (hasOneCase(part)) return sql`${col} like ${pattern}`
  const isPlain = hasOneCase([...part].filter((sign) => !isAscii(sign)).join(''))
  if (!isPlain) return sql`${col} ilike ${pattern}`
  const text = /[ik]/i.test(part) ? withinAscii(col) : col
  return sql`lower(${text} collate "C") like ${smallLetters(pattern)}`
}

/** SQL condition for texts that contain another, ignoring case. */
export const containsTextSql = (col: Sql, part: string): Sql => isLike(col, `%${escapeLike(part)}%`, part)

export function findFilterField(resource: Resource<any, any>, key: string): Field | undefined {
  if (key === 'tenantId') return hasTenantColumn(resource) ? baseFields.tenantId : undefined
  if (Object.hasOwn(baseFields, key)) return baseFields[key as keyof typeof baseFields]
  const field = Object.hasOwn(resource.fields, key) ? (resource.fields as Record<string, Field>)[key] : undefined
  return field && !field.computed && !isSecretField(field) ? field : undefined
}

const isText = (field: Field) => fieldKindOf(field).readsAs === 'text'

/** Column with the reversed text, which the database maintains, so that an end can be searched like a beginning. */
const tailColumn = (key: string): Sql => sql`r.${columnNameSql(`${key}_tail`)}`

const LAST_CHARACTER = '\u{10ffff}'
/**
 * SQL condition for texts that begin with `part`. For letters and digits adds a range comparison, since row-level
 * security lets an index answer that but not LIKE (decision 0031).
 */
function beginsLike(col: Sql, part: string): Sql {
  const like = sql`${col} like ${`${escapeLike(part)}%`}`
  if (!/^[0-9A-Za-z]+$/.test(part)) return like
  // In C library locales the last code point does not sort last, so the range is skipped there. The planner evaluates
  // this constant.
  const isLast = sql`'az' < 'a' || '\u{10ffff}'`
  return sql`((${col} >= ${part} and ${col} < ${part + LAST_CHARACTER} or not ${isLast}) and ${like})`
}

const beginsWith = (col: Sql, text: string): Sql => sql`(${col} >= ${text} and ${col} < ${text + LAST_CHARACTER})`

/**
 * SQL condition for numbers that end or begin with a text; a text that is too short must equal the whole number. Uses
 * comparisons only, since with row-level security LIKE cannot use an index (decision 0031).
 */
export function beginsOrEndsWithSql(key: string, field: Field, input: string): Sql {
  const text = input.trim()
  const col = sql`r.${columnNameSql(key)}`
  if ([...text].length < PART_SEARCH_CHARACTERS_MIN) return sql`${col} = ${text}`
  const lead = field.numberPrefix ?? ''
  const ends = beginsWith(tailColumn(key), [...text].reverse().join(''))
  const begins = [text, ...(lead && !text.startsWith(lead) ? [lead + text] : [])].map((one) => beginsWith(col, one))
  return sql`(${join([ends, ...begins], ' or ')})`
}

function parsed(field: Field, input: string): unknown {
  const result = fieldKindOf(field).parse(input, {
    ...field,
    required: true,
    min: undefined,
    max: undefined,
    pattern: undefined,
    rule: undefined,
    isEnd: undefined,
  })
  if ('problem' in result) throw new Refused('bad_filter', { label: field.label })
  return fieldKindOf(field).many ? result.value : result.value
}

/** SQL condition of one filter. If the field has equivalent spellings (`forms`), any of them matches as a whole. */
function condition(key: string, field: Field, operator: FilterOperator | MaskedEndOperator, given: string): Sql {
  const plain = conditionOf(key, field, operator, given)
  if (!field.forms) return plain
  const forms = (operator === 'in' ? given.split(',') : [given.trim()]).flatMap((text) => field.forms!(text))
  if (forms.length < 2) return plain
  const same = sql`r.${columnNameSql(key)} = any(${forms}::text[])`
  if (operator === 'eq' || operator === 'in') return same
  if (operator === 'ne') return sql`${same} is not true`
  if (operator === 'notlike') return sql`(${plain} and ${same} is not true)`
  return ['like', 'likeleft', 'likeright'].includes(operator) ? sql`(${plain} or ${same})` : plain
}

function conditionOf(key: string, field: Field, operator: FilterOperator | MaskedEndOperator, given: string): Sql {
  const input = fieldKindOf(field).fromFilter?.(given) ?? given
  const col = sql`r.${columnNameSql(key)}`
  switch (operator) {
    case 'part':
      return beginsOrEndsWithSql(key, field, input)
    case 'shownend':
      return shownEndMatchSql(col, field, input)
    case 'null':
      return sql`${col} is null`
    case 'notnull':
      return sql`${col} is not null`
    case 'like':
    case 'likeleft':
    case 'likeright':
    case 'notlike':
      return partOfText(col, isText(field) ? col : sql`${col}::text`, operator, input)
    default:
  }
  if (operator === 'in' || (operator === 'eq' && input.includes(',') && !isText(field))) return oneOf(col, field, input)
  return comparedWith(col, field, operator, input)
}

type TextOperator = Extract<FilterOperator, 'like' | 'likeleft' | 'likeright' | 'notlike'>

/** SQL condition for a part of the value's text; `text` is the column cast to text. */
function partOfText(col: Sql, text: Sql, operator: TextOperator, part: string): Sql {
  if (operator === 'likeleft') return isLike(text, `%${escapeLike(part)}`, part)
  if (operator === 'likeright') return beginsLike(text, part)
  return operator === 'like' ? containsTextSql(text, part) : sql`(${col} is null or not ${containsTextSql(text, part)})`
}

/** SQL condition for any value of a comma-separated list. */
function oneOf(col: Sql, field: Field, list: string): Sql {
  const parts = list.split(',').filter((part) => part !== '')
  if (parts.length > 1000) throw new Refused('bad_filter', { label: field.label })
  // The partial index contains only rows with values.
  if (fieldKindOf(field).many)
    return sql`(${col} <> '{}' and ${col} && ${parts.map((part) => (parsed(field, part) as string[])[0])})`
  const values = parts.map((part) => parsed(field, part))
  return values.length ? sql`${col} in (${join(values)})` : sql`false`
}

/** SQL condition for one value, parsed by the field's rules; a date alone means the whole day. */
function comparedWith(col: Sql, field: Field, operator: FilterOperator, input: string): Sql {
  const { many, readsAs, isParent } = fieldKindOf(field)
  if (many) return sql`(${col} <> '{}' and ${col} @> ${parsed(field, input)})`
  if (readsAs === 'text') return compare(col, operator, input)
  if (readsAs === 'moment' && isCalendarDay(input)) return wholeDay(col, operator, input)
  const value = parsed(field, input)
  if (readsAs === 'day') return ofDay(col, operator, value, input)
  // A row without a parent is found under parent "0".
  if (isParent && value === '0' && operator === 'eq') return sql`(${col} = 0 or ${col} is null)`
  return compare(col, operator, value)
}

function compare(col: Sql, operator: FilterOperator, value: unknown): Sql {
  if (operator === 'ne') return sql`${col} is distinct from ${value}`
  if (operator === 'gt') return sql`${col} > ${value}`
  if (operator === 'ge') return sql`${col} >= ${value}`
  if (operator === 'lt') return sql`${col} < ${value}`
  if (operator === 'le') return sql`${col} <= ${value}`
  return sql`${col} = ${value}`
}

/** A date alone as a limit means the whole day: its start for lower limits, its end for upper ones. */
function wholeDay(col: Sql, operator: FilterOperator, day: string): Sql {
  const next = sql`(${day}::date + 1)::timestamptz`
  if (operator === 'gt' || operator === 'ge') return sql`${col} >= ${day}::date::timestamptz`
  if (operator === 'lt' || operator === 'le') return sql`${col} < ${next}`
  const inside = sql`(${col} >= ${day}::date::timestamptz and ${col} < ${next})`
  return operator === 'ne' ? sql`not ${inside}` : inside
}

/**
 * Like `wholeDay`, for fields that hold days: a limit always includes the named day, also with `gt` and `lt`. Only
 * "before a day's first moment" (00:00) excludes that day.
 */
function ofDay(col: Sql, operator: FilterOperator, day: unknown, input: string): Sql {
  if (operator === 'gt') return sql`${col} >= ${day}`
  if (operator === 'lt' && !/[ T]00:00(:00)?$/.test(input)) return sql`${col} <= ${day}`
  return compare(col, operator, day)
}

/** Whether a search over titles and codes may use the field: the caller must see it unmasked. */
export const isSearchableField = (
  resource: Resource<any, any>,
  key: string | undefined,
  caller: Caller,
): key is string => {
  const field = key === undefined ? undefined : findFilterField(resource, key)
  return field !== undefined && isSeen(resource, key!, caller) && canReadUnmasked(resource, field, caller)
}

/**
 * Query parameters for paging and sorting; fields with such names can be filtered only with a suffix (`size_equal`).
 */
const RESERVED = new Set(['current', 'size', 'ascs', 'descs'])

/** Search operators that also apply to a filter key without suffix. */
const BARE: ReadonlySet<FilterOperator> = new Set(['like', 'eq', 'likeright', 'part'])

const names = new WeakMap<object, ReadonlyMap<string, string>>()
/** Field keys by the other name clients may use (`wireAlias`). */
function otherNames(resource: Resource<any, any>): ReadonlyMap<string, string> {
  let known = names.get(resource)
  if (!known)
    names.set(
      resource,
      (known = new Map(
        Object.entries<Field>(resource.fields).flatMap(([key, { wireAlias }]) => (wireAlias ? [[wireAlias, key]] : [])),
      )),
    )
  return known
}

/** Returns the field and operator a filter key stands for; undefined if it is no filter of this list. */
function parseFilterName(
  resource: Resource<any, any>,
  name: string,
): { key: string; field: Field; operator?: FilterOperator } | undefined {
  if (RESERVED.has(name)) return undefined
  const [, named = '', suffix] = /^(\w+?)(?:_([a-z]+))?$/.exec(name) ?? []
  const key = otherNames(resource).get(named) ?? named
  const field = findFilterField(resource, key)
  const operator =
    suffix !== undefined && Object.hasOwn(operatorsByFilterSuffix, suffix) ? operatorsByFilterSuffix[suffix] : undefined
  if (!field || operator === 'ignore' || (suffix !== undefined && !operator)) return undefined
  return { key, field, operator }
}

const isBlank = (input: string): boolean => input === '' || input === 'undefined' || input === 'null'

/** Whether the caller may see the field. */
const isSeen = (resource: Resource<any, any>, key: string, caller: Caller): boolean =>
  key in baseFields || (visibleFields(resource, caller)?.has(key) ?? true)

/** Whether a query filters by a field hidden from the caller: the result would reveal its values. */
export const hasHiddenFieldFilter = (
  resource: Resource<any, any>,
  query: Record<string, string>,
  caller: Caller,
): boolean =>
  Object.entries(query).some(([name, input]) => {
    const filter = isBlank(input) ? undefined : parseFilterName(resource, name)
    return filter !== undefined && !isSeen(resource, filter.key, caller)
  })

export type Filter = { key: string; field: Field; operator: FilterOperator | MaskedEndOperator; input: string }

/**
 * Parses the filters of a list request. Ignores unknown keys and empty values. Refuses filters on fields the caller may
 * not see, and partial ones on masked fields.
 */
export function parseListFilters(
  resource: Resource<any, any>,
  query: Record<string, string>,
  caller: Caller,
): Filter[] {
  const filters: Filter[] = []
  for (const [name, input] of Object.entries(query)) {
    const filter = isBlank(input) ? undefined : parseFilterName(resource, name)
    if (!filter) continue
    const { key, field, operator } = filter
    if (!isSeen(resource, key, caller)) throw new Refused('filter_hidden', { label: field.label })
    if (input.includes('\u0000') || !input.isWellFormed() || input.length > 2000)
      throw new Refused('bad_filter', { label: field.label })
    const bare: FilterOperator = field.search && BARE.has(field.search) ? field.search : fieldKindOf(field).operator
    const wanted = operator ?? bare
    const isWhole = canReadUnmasked(resource, field, caller)
    filters.push({
      key,
      field,
      operator: isWhole ? wanted : operatorForMaskedField(field, wanted, input, caller),
      input,
    })
  }
  return filters
}

/** SQL of filters as ` and …` conditions for alias `r`; refuses values that cannot be parsed. */
export function filterSql(filters: readonly Filter[]): Sql {
  const parts = filters.map(({ key, field, operator, input }) => sql` and ${condition(key, field, operator, input)}`)
  return parts.length ? join(parts, '') : empty
}

/** SQL conditions of the filters of a list request. */
export const queryFilterSql = (resource: Resource<any, any>, query: Record<string, string>, caller: Caller): Sql =>
  filterSql(parseListFilters(resource, query, caller))

const SORT_MAX = 5

/**
 * One column of a sort order. `isSure`: never null, so that plain DESC can use its index backwards. `isSparse`: its
 * index contains only rows with a value.
 */
export type SortTerm = { key: string; isDescending: boolean; isSure: boolean; isSparse?: true }

/** Whether the field is never null. A required custom field may be: rows older than the field have no value. */
export const isNeverEmpty = (field: Field | undefined): boolean => !!field?.required && !field.own

const sortables = new WeakMap<object, ReadonlySet<string>>()
/** Fields a list can be sorted by. */
function sortableKeys(resource: Resource<any, any>): ReadonlySet<string> {
  let keys = sortables.get(resource)
  if (!keys) {
    const sorted = storedFields(resource).filter(([, field]) => fieldKindOf(field).sortable && !isSecretField(field))
    keys = new Set(['id', 'createTime', 'updateTime', 'createUser', ...sorted.map(([key]) => key)])
    sortables.set(resource, keys)
  }
  return keys
}

/**
 * Parses `ascs` and `descs` (comma-separated fields), or takes the list's default order. Always ends with the id, so
 * that pages never overlap; in large lists the default order comes before that, as in its indexes. Refuses fields the
 * caller may not see unmasked, as the order would reveal them.
 */
export function parseSortTerms(
  resource: Resource<any, any>,
  query: Record<string, string>,
  caller: Caller,
): SortTerm[] {
  const stored = sortableKeys(resource)
  const usual = resource.list.sort.replace(/^-/, '')
  const terms: SortTerm[] = []
  let isDescending = resource.list.sort.startsWith('-')
  for (const [keys, descending] of [
    [query.ascs, false],
    [query.descs, true],
  ] as const) {
    for (const raw of (keys ?? '').split(',').slice(0, SORT_MAX)) {
      const key = raw.includes('_') ? raw.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()) : raw
      if (!stored.has(key)) continue
      const field = findFilterField(resource, key)
      if (field && (!isSeen(resource, key, caller) || !canReadUnmasked(resource, field, caller)))
        throw new Refused('sort_hidden', { label: field.label })
      isDescending = descending
      // Columns that are never null are sorted as their indexes are built; in others nulls come last.
      const isSure = key === usual || ['id', 'createTime', 'updateTime'].includes(key) || isNeverEmpty(field)
      terms.push({ key, isDescending, isSure, ...(field?.own ? { isSparse: true as const } : {}) })
    }
  }
  // Plain DESC, as the index is built: NULLS LAST would need a sort.
  const own = { key: isSeen(resource, usual, caller) ? usual : 'id', isDescending, isSure: true }
  if (!terms.length || resource.indexedList) terms.push(own)
  return [...terms, { key: 'id', isDescending, isSure: true }].filter(
    ({ key }, at, all) => all.findIndex((term) => term.key === key) === at,
  )
}

const termSql = ({ key, isDescending, isSure }: SortTerm): Sql =>
  sql`r.${columnNameSql(key)}${isDescending ? (isSure ? sql` desc` : sql` desc nulls last`) : empty}`
export const orderSql = (terms: readonly SortTerm[]): Sql => join(terms.map(termSql))

/** ORDER BY list of a list request, for alias `r`. */
export const queryOrderBySql = (resource: Resource<any, any>, query: Record<string, string>, caller: Caller): Sql =>
  orderSql(parseSortTerms(resource, query, caller))

/** Parses the paging parameters: page from 1, size 10 if absent, at most 1000. */
export function parsePageRequest(query: Record<string, string>): { current: number; size: number } {
  const whole = (text: string | undefined, fallback: number, max: number) => {
    if (text === undefined || text === '' || text === 'undefined') return fallback
    if (!/^-?\d{1,9}$/.test(text))
      throw new Refused('bad_parameter', { name: text === query.size ? 'size' : 'current' })
    return Math.min(Math.max(Number(text), 1), max)
  }
  return { current: whole(query.current, 1, 100_000_000), size: whole(query.size, 10, 1000) }
}
