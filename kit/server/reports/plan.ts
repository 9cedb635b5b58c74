import type { Field } from '../../fields/base/field-kind.ts'
import { isTimeField } from '../../fields/kinds.ts'
import { dimensionsOf, measureFieldKeys, type Dimension } from '../../resource/measures.ts'
import type { Measure } from '../../resource/measure.ts'
import {
  comparisonDayRange,
  resolveTimeSpan,
  dayRangeFilter,
  isDayText,
  type DayRange,
  type ReportQuery,
} from '../../resource/report-query.ts'
import { baseFields, type Resource } from '../../resource/define-resource.ts'
import type { Caller } from '../base/caller.ts'
import { canReadField, canReadUnmasked } from '../database/data-scope.ts'
import { hasHiddenFieldFilter, parseListFilters } from '../query/filters.ts'
import { Refused } from '../base/refused.ts'
import './refusals.ts'

type Any = Resource<any, any>

const MEASURES_MAX = 8
const DIMENSIONS_MAX = 3
const TOP_MAX = 500
const KEY_MAX = 60
const FILTERS_MAX = 30

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const isAbsent = (given: unknown): given is undefined | null => given === undefined || given === null

function keysOf(name: string, given: unknown, max: number): string[] {
  const isList = Array.isArray(given) && given.length <= max && new Set(given).size === given.length
  if (!isList || !given.every((key) => typeof key === 'string' && key.length <= KEY_MAX))
    throw new Refused('report_part', { name })
  return given
}

function textsOf(name: string, given: unknown): Record<string, string> {
  if (!isObject(given) || Object.keys(given).length > FILTERS_MAX) throw new Refused('report_part', { name })
  const entries = Object.entries(given).filter(([, value]) => value !== '')
  if (!entries.every(([, value]) => typeof value === 'string')) throw new Refused('report_part', { name })
  return Object.fromEntries(entries) as Record<string, string>
}

const oneOf = <T>(name: string, given: unknown, known: readonly T[]): T | undefined => {
  if (isAbsent(given) || given === '') return undefined
  if (!known.includes(given as T)) throw new Refused('report_part', { name })
  return given as T
}

function timeOf(given: unknown): ReportQuery['time'] {
  if (isAbsent(given)) return undefined
  const { field, span }: Record<string, unknown> = isObject(given) ? given : {}
  if (typeof field !== 'string' || typeof span !== 'string') throw new Refused('report_part', { name: 'time' })
  return { field, span }
}

function topOf(given: unknown): number | undefined {
  if (isAbsent(given)) return undefined
  const top = Number(given)
  if (!Number.isInteger(given) || top < 1 || top > TOP_MAX) throw new Refused('report_part', { name: 'top' })
  return top
}

/** Parses a report query that was sent or saved. Refuses a malformed one, naming the part that is wrong. */
export function parseReportQuery(given: unknown): ReportQuery {
  if (!isObject(given) || typeof given.family !== 'string') throw new Refused('report_part', { name: 'family' })
  const time = timeOf(given.time)
  const top = topOf(given.top)
  const measures = keysOf('measures', given.measures, MEASURES_MAX)
  if (!measures.length) throw new Refused('report_part', { name: 'measures' })
  return {
    family: given.family,
    filters: textsOf('filters', given.filters ?? {}),
    ...(time ? { time } : {}),
    rows: keysOf('rows', given.rows ?? [], DIMENSIONS_MAX),
    columns: keysOf('columns', given.columns ?? [], DIMENSIONS_MAX),
    measures,
    compare: oneOf('compare', given.compare, ['before', 'lastYear'] as const),
    chart: oneOf('chart', given.chart, ['bar', 'line'] as const),
    sort: oneOf('sort', given.sort, measures),
    ...(top ? { top } : {}),
  }
}

/** A report query with its names resolved, for one caller and day. */
export type ReportPlan = {
  resource: Any
  question: ReportQuery
  rows: readonly Dimension[]
  columns: readonly Dimension[]
  measures: readonly (readonly [string, Measure])[]
  days?: DayRange
  before?: DayRange
}

const fieldOf = (resource: Any, key: string): Field | undefined =>
  Object.hasOwn(resource.fields, key) ? resource.fields[key] : key === 'createTime' ? baseFields.createTime : undefined

/** Whether the caller may read the field: neither hidden from them nor masked. */
const reads = (resource: Any, key: string, caller: Caller): boolean => {
  const field = fieldOf(resource, key)
  return (
    !!field && (key === 'createTime' || canReadField(resource, key, caller)) && canReadUnmasked(resource, field, caller)
  )
}

export const allowedDimensions = (resource: Any, caller: Caller): Dimension[] =>
  dimensionsOf(resource).filter(({ fieldKey }) => reads(resource, fieldKey, caller))

/** Measures the caller may use: all fields they compute from are readable, all fields they filter by are visible. */
export const allowedMeasures = (resource: Any, caller: Caller): [string, Measure][] =>
  Object.entries(resource.measures).filter(
    ([, measure]) =>
      measureFieldKeys(measure).every((key) => reads(resource, key, caller)) &&
      !hasHiddenFieldFilter(resource, measure.where ?? {}, caller),
  )

/** Time fields the caller may limit a report by. */
export const allowedTimeFields = (resource: Any, caller: Caller): string[] => [
  ...new Set(allowedDimensions(resource, caller).flatMap(({ part, fieldKey }) => (part ? [fieldKey] : []))),
]

/** Resolves a report query for a caller. Refuses names that are not declared or not allowed to the caller. */
export function planReport(resource: Any, question: ReportQuery, caller: Caller, today: string): ReportPlan {
  const dimensions = allowedDimensions(resource, caller)
  const known = new Map(allowedMeasures(resource, caller))
  const found = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw new Refused('report_unknown', { name })
    return value
  }
  const dimension = (key: string) =>
    found(
      dimensions.find((one) => one.key === key),
      key,
    )
  const { time, compare } = question
  if (time && !allowedTimeFields(resource, caller).includes(time.field))
    throw new Refused('report_unknown', { name: time.field })
  const days = time && resolveTimeSpan(time.span, today)
  if ((time && !days) || (compare && !time)) throw new Refused('report_part', { name: 'time' })
  const rows = question.rows.map(dimension)
  const columns = question.columns.map(dimension)
  if (question.rows.some((key) => question.columns.includes(key))) throw new Refused('report_part', { name: 'columns' })
  refuseHalfDays(resource, question, [...rows, ...columns])
  parseListFilters(resource, question.filters, caller)
  return {
    resource,
    question,
    rows,
    columns,
    measures: question.measures.map((key) => [key, found(known.get(key), key)] as const),
    ...(days && { days }),
    ...(days && compare && { before: comparisonDayRange(time.span, days, compare) }),
  }
}

/**
 * Refuses filters on a grouped or limited time field that are not whole days; one the report is limited by takes no
 * other filter at all.
 */
function refuseHalfDays(resource: Any, { filters, time }: ReportQuery, dimensions: readonly Dimension[]): void {
  const times = new Set([time?.field, ...dimensions.filter(({ part }) => part).map(({ fieldKey }) => fieldKey)])
  for (const field of times) {
    if (!field || !isTimeField(fieldOf(resource, field)!)) continue
    const keys = Object.keys(dayRangeFilter(resource, field, { from: '', to: '' }))
    for (const [key, value] of Object.entries(filters)) {
      if ((key !== field && !key.startsWith(`${field}_`)) || /_(not)?null$/.test(key)) continue
      if (!keys.includes(key) || !isDayText(value) || field === time?.field)
        throw new Refused('report_part', { name: key })
    }
  }
}
