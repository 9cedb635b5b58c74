import sql, { empty, join, type Sql } from 'sql-template-tag'
import { PART_SEARCH_CHARACTERS_MIN, type Field, type FilterOperator } from '../../fields/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { isCalendarDay } from '../../fields/date/days.ts'
import { baseFields, type Resource } from '../../resource/define-resource.ts'
import { operatorsByFilterSuffix } from '../../resource/suffixes.ts'
import type { Caller } from '../caller.ts'
import { canReadUnmasked, visibleFields } from '../database/data-scope.ts'
import { columnNameSql, hasTenantColumn, isSecretField, storedFields } from '../database/rows.ts'
import { Refused } from '../refused.ts'
import { shownEndMatchSql, operatorForMaskedField, type MaskedEndOperator } from './masked-filters.ts'

/** Text inside a LIKE pattern: its own signs stand for themselves. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/**
 * What is written alike in both cases (Chinese, digits) is compared as it stands: making each text of a million small
 * first takes five times as long.
 */
const hasOneCase = (text: string) => text.toLowerCase() === text.toUpperCase() && !/\p{M}/u.test(text)

const isAscii = (text: string) => !/[^\u0000-\u007f]/.test(text)
/** Letters of ASCII alone, in a fifth of the time the language's rules take. */
const smallLetters = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Two signs alone beyond ASCII have a small letter within it, where the database's language knows any. */
const withinAscii = (col: Sql): Sql => sql`replace(replace(${col}, 'İ', lower('İ')), '\u212a', lower('\u212a'))`

/** Rows whose text is like a pattern, in whatever case; `part` is what it says beside its `%`. */
function isLike(col: Sql, pattern: string, part: string): Sql {
  if (hasOneCase(part)) return sql`${col} like ${pattern}`
  const isPlain = hasOneCase([...part].filter((sign) => !isAscii(sign)).join(''))
  if (!isPlain) return sql`${col} ilike ${pattern}`
  const text = /[ik]/i.test(part) ? withinAscii(col) : col
  return sql`lower(${text} collate "C") like ${smallLetters(pattern)}`
}

/** Rows whose text holds another. */
export const containsTextSql = (col: Sql, part: string): Sql => isLike(col, `%${escapeLike(part)}%`, part)

export function findFilterField(resource: Resource<any, any>, key: string): Field | undefined {
  if (key === 'tenantId') return hasTenantColumn(resource) ? baseFields.tenantId : undefined
  if (Object.hasOwn(baseFields, key)) return baseFields[key as keyof typeof baseFields]
  const field = Object.hasOwn(resource.fields, key) ? (resource.fields as Record<string, Field>)[key] : undefined
  return field && !field.computed && !isSecretField(field) ? field : undefined
}

const isText = (field: Field) => fieldKindOf(field).readsAs === 'text'

/**
 * Name of the column that holds a number from its end. Kept by the database, so that an end is found as a beginning is.
 */
const tailColumn = (key: string): Sql => sql`r.${columnNameSql(`${key}_tail`)}`

const LAST_CHARACTER = '\u{10ffff}'
/**
 * Texts that begin with a part. Of letters and digits the order of texts is asked beside LIKE, since an index answers
 * it and LIKE may not choose rows on one (decision 0031).
 */
function beginsLike(col: Sql, part: string): Sql {
  const like = sql`${col} like ${`${escapeLike(part)}%`}`
  if (!/^[0-9A-Za-z]+$/.test(part)) return like
  // In orders of the C library's languages the last sign does not sort last. What is of constants alone a plan knows.
  const isLast = sql`'az' < 'a' || '\u{10ffff}'`
  return sql`((${col} >= ${part} and ${col} < ${part + LAST_CHARACTER} or not ${isLast}) and ${like})`
}

const beginsWith = (col: Sql, text: string): Sql => sql`(${col} >= ${text} and ${col} < ${text + LAST_CHARACTER})`

/**
 * Rows whose number ends or begins with a text; a shorter text is the whole number. Comparisons alone: what looks into
 * a text, as LIKE does, may not choose rows on an index before the tenant's policy has (decision 0031).
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

/** A text by what is asked of it, or, where other spellings mean the same, by any of them whole. */
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

/** A part of what a value reads as; `text` is the column as text. */
function partOfText(col: Sql, text: Sql, operator: TextOperator, part: string): Sql {
  if (operator === 'likeleft') return isLike(text, `%${escapeLike(part)}`, part)
  if (operator === 'likeright') return beginsLike(text, part)
  return operator === 'like' ? containsTextSql(text, part) : sql`(${col} is null or not ${containsTextSql(text, part)})`
}

/** Any of the values of a comma list. */
function oneOf(col: Sql, field: Field, list: string): Sql {
  const parts = list.split(',').filter((part) => part !== '')
  if (parts.length > 1000) throw new Refused('bad_filter', { label: field.label })
  // Most rows have none: the index holds the others alone.
  if (fieldKindOf(field).many)
    return sql`(${col} <> '{}' and ${col} && ${parts.map((part) => (parsed(field, part) as string[])[0])})`
  const values = parts.map((part) => parsed(field, part))
  return values.length ? sql`${col} in (${join(values)})` : sql`false`
}

/** One value, read as the field reads it; a day alone means all of it. */
function comparedWith(col: Sql, field: Field, operator: FilterOperator, input: string): Sql {
  const { many, readsAs, isParent } = fieldKindOf(field)
  if (many) return sql`(${col} <> '{}' and ${col} @> ${parsed(field, input)})`
  if (readsAs === 'text') return compare(col, operator, input)
  if (readsAs === 'moment' && isCalendarDay(input)) return wholeDay(col, operator, input)
  const value = parsed(field, input)
  if (readsAs === 'day') return ofDay(col, operator, value, input)
  // A row without parent reads as a child of "0".
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

/** A date alone as a bound means the whole day: from its first moment, up to its last. */
function wholeDay(col: Sql, operator: FilterOperator, day: string): Sql {
  const next = sql`(${day}::date + 1)::timestamptz`
  if (operator === 'gt' || operator === 'ge') return sql`${col} >= ${day}::date::timestamptz`
  if (operator === 'lt' || operator === 'le') return sql`${col} < ${next}`
  const inside = sql`(${col} >= ${day}::date::timestamptz and ${col} < ${next})`
  return operator === 'ne' ? sql`not ${inside}` : inside
}

/**
 * The same of a field that holds days, each of them a whole one: a bound takes the day it names in, whichever suffix it
 * has, as a day alone does of a moment. Only what is to be before a day's first moment leaves that day out.
 */
function ofDay(col: Sql, operator: FilterOperator, day: unknown, input: string): Sql {
  if (operator === 'gt') return sql`${col} >= ${day}`
  if (operator === 'lt' && !/[ T]00:00(:00)?$/.test(input)) return sql`${col} <= ${day}`
  return compare(col, operator, day)
}

/** A search over titles and codes by part of a text looks at those alone that the caller reads whole. */
export const isSearchableField = (
  resource: Resource<any, any>,
  key: string | undefined,
  caller: Caller,
): key is string => {
  const field = key === undefined ? undefined : findFilterField(resource, key)
  return field !== undefined && isSeen(resource, key!, caller) && canReadUnmasked(resource, field, caller)
}

/** Words of paging and order, whatever a family calls its fields: those are filtered by a suffix (`size_equal`). */
const RESERVED = new Set(['current', 'size', 'ascs', 'descs'])

/** What a search box asks for that a key without suffix asks for too. */
const BARE: ReadonlySet<FilterOperator> = new Set(['like', 'eq', 'likeright', 'part'])

const names = new WeakMap<object, ReadonlyMap<string, string>>()
/** Fields by the other names clients know them by. */
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

/**
 * The field a filter key is about, with the operator its suffix asks for; undefined for what is no filter of this list.
 */
function askedOf(
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

/** Whether a caller is shown a field at all. */
const isSeen = (resource: Resource<any, any>, key: string, caller: Caller): boolean =>
  key in baseFields || (visibleFields(resource, caller)?.has(key) ?? true)

/** Whether a query asks about a field that a data scope hides from the caller: its answer would tell the value. */
export const hasHiddenFieldFilter = (
  resource: Resource<any, any>,
  query: Record<string, string>,
  caller: Caller,
): boolean =>
  Object.entries(query).some(([name, input]) => {
    const asked = isBlank(input) ? undefined : askedOf(resource, name)
    return asked !== undefined && !isSeen(resource, asked.key, caller)
  })

export type Filter = { key: string; field: Field; operator: FilterOperator | MaskedEndOperator; input: string }

/**
 * What the query keys of a list call ask. Unknown keys are ignored, empty values skipped; refused is every question
 * about a field the caller may not see, and about a part of one that is masked.
 */
export function parseListFilters(
  resource: Resource<any, any>,
  query: Record<string, string>,
  caller: Caller,
): Filter[] {
  const filters: Filter[] = []
  for (const [name, input] of Object.entries(query)) {
    const asked = isBlank(input) ? undefined : askedOf(resource, name)
    if (!asked) continue
    const { key, field, operator } = asked
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

/** Filters as ` and …` conditions for alias `r`; a value that cannot be read is refused. */
export function filterSql(filters: readonly Filter[]): Sql {
  const parts = filters.map(({ key, field, operator, input }) => sql` and ${condition(key, field, operator, input)}`)
  return parts.length ? join(parts, '') : empty
}

/** What a list call asks, as conditions. */
export const queryFilterSql = (resource: Resource<any, any>, query: Record<string, string>, caller: Caller): Sql =>
  filterSql(parseListFilters(resource, query, caller))

const SORT_MAX = 5

/**
 * One column of an order. `isSure`: never empty, so that plain DESC is the order of its index read backwards.
 * `isSparse`: its index has only the rows that have something there.
 */
export type SortTerm = { key: string; isDescending: boolean; isSure: boolean; isSparse?: true }

/** Rows that were there before a field of the tenant's own may have nothing in it, whatever it requires. */
export const isNeverEmpty = (field: Field | undefined): boolean => !!field?.required && !field.own

const sortables = new WeakMap<object, ReadonlySet<string>>()
/** What a list may be sorted by at all. */
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
 * What `ascs` and `descs` (comma lists of fields) ask for, or the list's own order, ending in the id, so that pages
 * never overlap; in a big list its own order comes between, as in its indexes. An order by what the caller may not see,
 * or not whole, would tell it and is refused.
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
      // Columns that are never empty are sorted the way their indexes are built; elsewhere empty values come last.
      const isSure = key === usual || ['id', 'createTime', 'updateTime'].includes(key) || isNeverEmpty(field)
      terms.push({ key, isDescending, isSure, ...(field?.own ? { isSparse: true as const } : {}) })
    }
  }
  // Plain DESC, as the index is built: NULLS LAST would sort instead of scan.
  const own = { key: isSeen(resource, usual, caller) ? usual : 'id', isDescending, isSure: true }
  if (!terms.length || resource.indexedList) terms.push(own)
  return [...terms, { key: 'id', isDescending, isSure: true }].filter(
    ({ key }, at, all) => all.findIndex((term) => term.key === key) === at,
  )
}

const termSql = ({ key, isDescending, isSure }: SortTerm): Sql =>
  sql`r.${columnNameSql(key)}${isDescending ? (isSure ? sql` desc` : sql` desc nulls last`) : empty}`
export const orderSql = (terms: readonly SortTerm[]): Sql => join(terms.map(termSql))

/** What a list call is sorted by, as an ORDER BY list for alias `r`. */
export const queryOrderBySql = (resource: Resource<any, any>, query: Record<string, string>, caller: Caller): Sql =>
  orderSql(parseSortTerms(resource, query, caller))

/** Page numbers of a list call: current from 1, size 10 unless said, at most 1000 rows. */
export function parsePageRequest(query: Record<string, string>): { current: number; size: number } {
  const whole = (text: string | undefined, fallback: number, max: number) => {
    if (text === undefined || text === '' || text === 'undefined') return fallback
    if (!/^-?\d{1,9}$/.test(text))
      throw new Refused('bad_parameter', { name: text === query.size ? 'size' : 'current' })
    return Math.min(Math.max(Number(text), 1), max)
  }
  return { current: whole(query.current, 1, 100_000_000), size: whole(query.size, 10, 1000) }
}
