import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Field, Operator } from '../fields/field-kind.ts'
import { kindOf } from '../fields/kinds.ts'
import { isDay } from '../fields/date/date.ts'
import { baseFields, type Resource } from '../resource/define-resource.ts'
import { suffixes } from '../resource/suffixes.ts'
import { column, hasTenant, storedFields } from './rows.ts'
import { Refused } from './refused.ts'

/** Text inside a LIKE pattern: its own signs stand for themselves. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

export function filterField(resource: Resource<any, any>, key: string): Field | undefined {
  if (key === 'tenantId') return hasTenant(resource) ? baseFields.tenantId : undefined
  if (Object.hasOwn(baseFields, key)) return baseFields[key as keyof typeof baseFields]
  const field = Object.hasOwn(resource.fields, key) ? (resource.fields as Record<string, Field>)[key] : undefined
  return field && !field.computed && !field.secret && field.kind !== 'password' ? field : undefined
}

const isText = (field: Field) => ['text', 'longText', 'richText', 'email', 'url', 'phone', 'icon', 'picture', 'file', 'region', 'location', 'cron', 'colour'].includes(field.kind)

function parsed(field: Field, input: string): unknown {
  const result = kindOf(field).parse(input, { ...field, required: true, min: undefined, max: undefined, pattern: undefined })
  if ('problem' in result) throw new Refused('bad_filter', { label: field.label })
  return kindOf(field).many ? (result.value as string[]) : result.value
}

function condition(key: string, field: Field, operator: Operator, input: string): Sql {
  const col = sql`r.${column(key)}`
  const text = () => sql`${col}::text`
  switch (operator) {
    case 'null': return sql`${col} is null`
    case 'notnull': return sql`${col} is not null`
    case 'like': return sql`${isText(field) ? col : text()} ilike ${`%${escapeLike(input)}%`}`
    case 'likeleft': return sql`${isText(field) ? col : text()} ilike ${`%${escapeLike(input)}`}`
    case 'likeright': return sql`${isText(field) ? col : text()} like ${`${escapeLike(input)}%`}`
    case 'notlike': return sql`(${col} is null or ${isText(field) ? col : text()} not ilike ${`%${escapeLike(input)}%`})`
    default:
  }
  if (operator === 'in' || (operator === 'eq' && input.includes(',') && !isText(field) && field.kind !== 'location')) {
    const parts = input.split(',').filter((part) => part !== '')
    if (parts.length > 1000) throw new Refused('bad_filter', { label: field.label })
    if (kindOf(field).many) return sql`${col} && ${parts.map((part) => (parsed(field, part) as string[])[0])}`
    const values = parts.map((part) => parsed(field, part))
    return values.length ? sql`${col} in (${join(values)})` : sql`false`
  }
  if (kindOf(field).many) return sql`${col} @> ${parsed(field, input)}`
  if (isText(field)) {
    const value = input
    if (operator === 'ne') return sql`${col} is distinct from ${value}`
    return operator === 'eq' ? sql`${col} = ${value}` : compare(col, operator, value)
  }
  if (field.kind === 'datetime' && isDay(input)) return wholeDay(col, operator, input)
  const value = parsed(field, input)
  // A row without parent reads as a child of "0".
  if (field.kind === 'tree' && value === '0' && operator === 'eq') return sql`(${col} = 0 or ${col} is null)`
  return operator === 'ne' ? sql`${col} is distinct from ${value}` : compare(col, operator, value)
}

function compare(col: Sql, operator: Operator, value: unknown): Sql {
  if (operator === 'gt') return sql`${col} > ${value}`
  if (operator === 'ge') return sql`${col} >= ${value}`
  if (operator === 'lt') return sql`${col} < ${value}`
  if (operator === 'le') return sql`${col} <= ${value}`
  return sql`${col} = ${value}`
}

/** A date alone as a bound means the whole day: from its first moment, up to its last. */
function wholeDay(col: Sql, operator: Operator, day: string): Sql {
  const next = sql`(${day}::date + 1)::timestamptz`
  if (operator === 'gt' || operator === 'ge') return sql`${col} >= ${day}::date::timestamptz`
  if (operator === 'lt' || operator === 'le') return sql`${col} < ${next}`
  const inside = sql`(${col} >= ${day}::date::timestamptz and ${col} < ${next})`
  return operator === 'ne' ? sql`not ${inside}` : inside
}

/** Words of paging and order, whatever a family calls its fields: those are filtered by a suffix (`size_equal`). */
const RESERVED = new Set(['current', 'size', 'ascs', 'descs'])

/** Query keys of a list call to ` and …` conditions for alias `r`. Unknown keys are ignored, empty values skipped, bad values refused. */
export function filtersOf(resource: Resource<any, any>, query: Record<string, string>, visible?: ReadonlySet<string>): Sql {
  const parts: Sql[] = []
  for (const [name, input] of Object.entries(query)) {
    if (input === '' || input === 'undefined' || input === 'null' || RESERVED.has(name)) continue
    const match = /^(\w+?)(?:_([a-z]+))?$/.exec(name)
    if (!match) continue
    const [, key = '', suffix] = match
    const field = filterField(resource, key)
    const operator = suffix !== undefined && Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined
    // A filter on a field one may not see would tell its value.
    if (visible && !visible.has(key) && !(key in baseFields)) continue
    if (!field || operator === 'ignore' || (suffix !== undefined && !operator)) continue
    if (input.includes('\u0000') || !input.isWellFormed() || input.length > 2000) throw new Refused('bad_filter', { label: field.label })
    const bare: Operator = field.search === 'like' || field.search === 'eq' || field.search === 'likeright' ? field.search : kindOf(field).operator
    parts.push(sql` and ${condition(key, field, operator ?? bare, input)}`)
  }
  return parts.length ? join(parts, '') : empty
}

const SORT_MAX = 5

/** `ascs` and `descs` (comma lists of fields) to an ORDER BY list ending in the id, so that pages never overlap. */
export function orderOf(resource: Resource<any, any>, query: Record<string, string>, visible?: ReadonlySet<string>): Sql {
  const stored = new Set(['id', 'createTime', 'updateTime', 'createUser', ...storedFields(resource).filter(([, field]) => field.sortable !== false && kindOf(field).sortable).map(([key]) => key)])
  const terms: Sql[] = []
  let isDescending = resource.list.sort.startsWith('-')
  for (const [keys, descending] of [[query.ascs, false], [query.descs, true]] as const) {
    for (const raw of (keys ?? '').split(',').slice(0, SORT_MAX)) {
      const key = raw.includes('_') ? raw.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()) : raw
      if (!stored.has(key) || (visible && !visible.has(key) && !(key in baseFields))) continue
      isDescending = descending
      // Columns that are never empty are sorted the way their indexes are built; elsewhere empty values come last.
      const isSure = key === resource.list.sort.replace(/^-/, '') || ['id', 'createTime', 'updateTime'].includes(key)
      terms.push(sql`r.${column(key)}${descending ? (isSure ? sql` desc` : sql` desc nulls last`) : empty}`)
    }
  }
  if (!terms.length) {
    const key = resource.list.sort.replace(/^-/, '')
    // Plain DESC, as the index is built: NULLS LAST would sort instead of scan.
    terms.push(isDescending ? sql`r.${column(key)} desc` : sql`r.${column(key)}`)
  }
  return join([...terms, isDescending ? sql`r.id desc` : sql`r.id`])
}

/** Page numbers of a list call: current from 1, size 10 unless said, at most 1000 rows. */
export function pageOf(query: Record<string, string>): { current: number; size: number } {
  const whole = (text: string | undefined, fallback: number, max: number) => {
    if (text === undefined || text === '' || text === 'undefined') return fallback
    if (!/^-?\d{1,9}$/.test(text)) throw new Refused('bad_parameter', { name: text === query.size ? 'size' : 'current' })
    return Math.min(Math.max(Number(text), 1), max)
  }
  return { current: whole(query.current, 1, 100_000_000), size: whole(query.size, 10, 1000) }
}
