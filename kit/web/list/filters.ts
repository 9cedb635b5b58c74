import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import type { FilterOperator } from '#kit/fields/base/options.ts'
import { isTimeField, fieldKindOf } from '#kit/fields/kinds.ts'
import { baseFields, type Resource } from '#kit/resource/define-resource.ts'
import { operatorsByFilterSuffix } from '#kit/resource/suffixes.ts'
import { shanghaiDayOf } from '../parts/when-words.ts'

/** Active filters by their wire key: `{ name_like: '茶', createTime_dategt: '2026-01-01' }`. */
export type ActiveFilters = Record<string, string>

/** Wire keys a search box fills: one, or two for a range. */
type SearchKeys = { one: string } | { from: string; to: string }

const SUFFIX: Partial<Record<FilterOperator, string>> = {
  like: '_like',
  likeleft: '_likeleft',
  likeright: '_likeright',
  notlike: '_notlike',
  eq: '_equal',
  ne: '_notequal',
  gt: '_gt',
  ge: '_ge',
  lt: '_lt',
  le: '_le',
  null: '_null',
  notnull: '_notnull',
}

/** Returns the filter keys (wire contract §1.6) that a field's search box fills. */
export function searchBoxFilterKeys(key: string, field: Field): SearchKeys {
  const { searchSuffix } = fieldKindOf(field)
  if (field.search === 'range') return rangeFilterKeys(key, field)
  if (searchSuffix !== undefined) return { one: key + searchSuffix }
  // Several values, as a comma list under the key without suffix.
  if (field.search === 'in') return { one: key }
  return { one: key + (SUFFIX[field.search ?? 'like'] ?? '') }
}

/** Returns the filter keys of the lower and upper bound of a range. */
export function rangeFilterKeys(key: string, field: Field): { from: string; to: string } {
  const [from, to] = fieldKindOf(field).rangeSuffixes ?? ['ge', 'le']
  return { from: `${key}_${from}`, to: `${key}_${to}` }
}

/** The time field that a list's day buttons filter by. */
export type ListTimeField = { key: string; field: Field }

/** Returns the time field that the day buttons of a list filter by; undefined if the resource declares none. */
export function timeFieldOfList({
  fields,
  list,
}: Pick<Resource<any, any>, 'fields' | 'list'>): ListTimeField | undefined {
  const field = list.time ? fieldOf(fields, list.time) : undefined
  return field && { key: list.time as string, field }
}

/** Returns the fields a list can be filtered by: its own, and the creation time if that is a column. */
export const filterableListFields = ({ fields, list }: Pick<Resource<any, any>, 'fields' | 'list'>): Fields =>
  list.columns.includes('createTime') ? { ...fields, createTime: baseFields.createTime } : fields

/**
 * Returns the fields that have a box in the search bar, in the order of the declaration. The time field has day buttons
 * instead.
 */
export const searchBarFields = (fields: Fields, time?: ListTimeField) =>
  Object.entries(fields).filter(([key, field]) => field.search && !field.computed && key !== time?.key)

const fieldOf = (fields: Fields, key: string): Field | undefined =>
  Object.hasOwn(fields, key)
    ? fields[key]
    : Object.hasOwn(baseFields, key)
      ? baseFields[key as keyof typeof baseFields]
      : undefined

/** Returns which field a filter key belongs to and its suffix; undefined if it is no filter. */
export function parseFilterKey(
  fields: Fields,
  wireKey: string,
): { key: string; field: Field; suffix: string } | undefined {
  const whole = fieldOf(fields, wireKey)
  if (whole) return { key: wireKey, field: whole, suffix: '' }
  const [, key = '', suffix = ''] = /^(\w+)_([a-z]+)$/.exec(wireKey) ?? []
  const field = Object.hasOwn(operatorsByFilterSuffix, suffix) ? fieldOf(fields, key) : undefined
  return field && { key, field, suffix }
}

export type FilterChip = {
  key: string
  field: Field
  /** Wire keys the chip stands for; removing the chip removes them. */
  keys: string[]
  /** Value of a filter that is no range. */
  one?: string
  /** Lower bound of a range. */
  from?: string
  /** Upper bound of a range. */
  to?: string
  /** The bounds are exclusive (`gt`, `lt`); never set for bounds that are days, which always count as included. */
  isStrict?: boolean
  negative?: boolean
  /** Whether the filter asks for any value (true) or for none (false); undefined for other filters. */
  filled?: boolean
}

const LOWER = new Set(['dategt', 'datege', 'ge', 'gt'])
const UPPER = new Set(['datelt', 'datele', 'le', 'lt'])
const STRICT = new Set(['gt', 'lt'])

/** Returns the active filters as chips: one for both bounds of a range, and one for filters without a search box. */
export function filterChipsOf(fields: Fields, filters: ActiveFilters): FilterChip[] {
  const chips = new Map<string, FilterChip>()
  for (const [wireKey, value] of Object.entries(filters)) {
    const read = value === '' ? undefined : parseFilterKey(fields, wireKey)
    if (!read) continue
    if (read.suffix === 'null' || read.suffix === 'notnull') {
      chips.set(wireKey, { key: read.key, field: read.field, keys: [wireKey], filled: read.suffix === 'notnull' })
      continue
    }
    const side = LOWER.has(read.suffix) ? 'from' : UPPER.has(read.suffix) ? 'to' : 'one'
    const place = side === 'one' ? wireKey : `${read.key}…`
    const chip = chips.get(place) ?? { key: read.key, field: read.field, keys: [] }
    chips.set(place, {
      ...chip,
      keys: [...chip.keys, wireKey],
      [side]: value,
      ...(read.suffix.startsWith('not') && { negative: true }),
      ...(STRICT.has(read.suffix) && !isTimeField(read.field) && { isStrict: true }),
    })
  }
  return [...chips.values()]
}

export type QuickRange = 'today' | 'yesterday' | 'week' | 'all'

/**
 * Returns the first and last day of a quick time filter in Asia/Shanghai, the time zone of all shops; "" for no bound.
 */
export function quickRangeBounds(range: QuickRange, now = new Date()): { from: string; to: string } {
  const back = (days: number) => shanghaiDayOf(now.getTime() - days * 86_400e3)
  if (range === 'today') return { from: back(0), to: back(0) }
  if (range === 'yesterday') return { from: back(1), to: back(1) }
  return range === 'week' ? { from: back(6), to: back(0) } : { from: '', to: '' }
}

/** Returns the quick time filter with these bounds; undefined if they were chosen by hand. */
export const findQuickRange = (from: string, to: string, now = new Date()) =>
  (['all', 'today', 'yesterday', 'week'] as const).find((range) => {
    const bounds = quickRangeBounds(range, now)
    return bounds.from === from && bounds.to === to
  })
