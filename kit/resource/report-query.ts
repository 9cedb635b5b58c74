import { fieldKindOf } from '../fields/kinds.ts'
import { dimensionsOf, type TimeGranularity } from './measures.ts'
import { baseFields, type Resource } from './define-resource.ts'

/** A report as a client requests and saves it. All names in it refer to declarations; nothing in it is SQL. */
export type ReportQuery = {
  family: string
  /** Filter of the resource's list. */
  filters: Record<string, string>
  /** Time field and span of days the report is limited to. */
  time?: { field: string; span: string }
  rows: readonly string[]
  columns: readonly string[]
  measures: readonly string[]
  compare?: 'before' | 'lastYear'
  chart?: 'bar' | 'line'
  /** Measure the rows are sorted by, largest first; in order of their dimensions if absent. */
  sort?: string
  /** Maximum number of rows, the first ones in sort order. */
  top?: number
}

export const reportTimeSpans = [
  'today',
  'yesterday',
  'last7',
  'last30',
  'last90',
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'lastYear',
] as const

/** Range of days, both ends included. */
export type DayRange = { from: string; to: string }

const DAY_MS = 86_400_000
const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const addDays = (day: string, days: number) => dayOf(msOf(day) + days * DAY_MS)
export const isDayText = (text: string | undefined): text is string =>
  !!text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(msOf(text)) && dayOf(msOf(text)) === text
const daysBetween = (from: string, to: string) => Math.round((msOf(to) - msOf(from)) / DAY_MS)
const firstOf = (day: string) => `${day.slice(0, 7)}-01`
const monday = (day: string) => addDays(day, -((new Date(msOf(day)).getUTCDay() + 6) % 7))
/** Returns the same day that many months later, or the last day of that month if it is shorter. */
function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** Returns the days of a span ("last7", "2026-11-01~2026-11-20") as of today; undefined for anything else. */
export function resolveTimeSpan(span: string, today: string): DayRange | undefined {
  const [from, to] = span.split('~')
  if (isDayText(from) && isDayText(to) && from <= to) return { from, to }
  const back = /^last(7|30|90)$/.exec(span)
  if (back) return { from: addDays(today, 1 - Number(back[1])), to: today }
  const week = monday(today)
  const month = firstOf(today)
  const year = `${today.slice(0, 4)}-01-01`
  const named: Record<string, DayRange> = {
    today: { from: today, to: today },
    yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    thisWeek: { from: week, to: today },
    lastWeek: { from: addDays(week, -7), to: addDays(week, -1) },
    thisMonth: { from: month, to: today },
    lastMonth: { from: addMonths(month, -1), to: addDays(month, -1) },
    thisYear: { from: year, to: today },
    lastYear: { from: addMonths(year, -12), to: addDays(year, -1) },
  }
  return Object.hasOwn(named, span) ? named[span] : undefined
}

/** Months between a span and the one it is compared with; 0 for spans compared by days. */
const monthsBack = (span: string, compare: ReportQuery['compare']): number =>
  compare === 'lastYear' || span.endsWith('Year') ? 12 : span.endsWith('Month') ? 1 : 0

/**
 * Returns the days a span is compared with: the same days last year or last month, else the same number of days
 * directly before (spans of weeks: one week earlier).
 */
export function comparisonDayRange(span: string, { from, to }: DayRange, compare: ReportQuery['compare']): DayRange {
  const months = monthsBack(span, compare)
  if (!months) {
    const days = span.endsWith('Week') ? 7 : daysBetween(from, to) + 1
    return { from: addDays(from, -days), to: addDays(to, -days) }
  }
  const isWhole = from === firstOf(from) && addDays(to, 1) === firstOf(addDays(to, 1))
  return {
    from: addMonths(from, -months),
    to: isWhole ? addDays(addMonths(addDays(to, 1), -months), -1) : addMonths(to, -months),
  }
}

/** Distance between a time group and the one it is compared with: in months for monthly groups, else in days. */
export type ComparisonShift = { days: number; months: number }
export function comparisonShiftOf(
  part: TimeGranularity,
  question: ReportQuery,
  days: DayRange,
  before: DayRange,
): ComparisonShift {
  const months = question.time ? monthsBack(question.time.span, question.compare) : 0
  if (part === 'month' && months) return { days: 0, months }
  const away = daysBetween(before.from, days.from)
  return { days: part === 'week' ? Math.round(away / 7) * 7 : away, months: 0 }
}

/** First and last day of the day, week or month that begins on `first`. */
function daysOfPart(part: TimeGranularity, first: string): DayRange {
  const next = part === 'day' ? addDays(first, 1) : part === 'week' ? addDays(first, 7) : addMonths(first, 1)
  return { from: first, to: addDays(next, -1) }
}

const shifted = ({ from, to }: DayRange, { days, months }: ComparisonShift): DayRange =>
  months
    ? { from: addMonths(from, -months), to: addDays(addMonths(addDays(to, 1), -months), -1) }
    : { from: addDays(from, -days), to: addDays(to, -days) }

const later = (one: string, other: string) => (one > other ? one : other)
const earlier = (one: string, other: string) => (one < other ? one : other)

/** Returns the list filter that limits a time field to these days. */
export function dayRangeFilter(
  resource: Resource<any, any>,
  field: string,
  { from, to }: DayRange,
): Record<string, string> {
  const [ge, le] = fieldKindOf(resource.fields[field] ?? baseFields.createTime).rangeSuffixes ?? ['ge', 'le']
  return { [`${field}_${ge}`]: from, [`${field}_${le}`]: to }
}

/** Filter that matches no row. */
const NOTHING = { id_in: '0' }

/**
 * Merges two filters. Lists under the same `…_in` key are intersected; if nothing is left, the filter matches no row.
 */
function intersectDays(query: Record<string, string>, more: Record<string, string>): Record<string, string> {
  const met = { ...query }
  for (const [key, value] of Object.entries(more)) {
    const before = met[key]
    if (before === undefined || before === value || !key.endsWith('_in')) met[key] = value
    else {
      const both = before.split(',').filter((one) => value.split(',').includes(one))
      if (!both.length) return { ...met, ...NOTHING }
      met[key] = both.join(',')
    }
  }
  return met
}

/** One value of a dimension in a report; null for rows without one. */
export type DimensionValue = string | null

/** A cell of a report: its values of the row and column dimensions; totals have fewer. */
export type ReportCell = {
  rows: readonly DimensionValue[]
  columns: readonly DimensionValue[]
  measure: string
  isBefore?: boolean
}

/** Returns the list filter that shows exactly the rows behind one figure of a report. */
export function drillDownFilter(
  resource: Resource<any, any>,
  question: ReportQuery,
  { days, before }: { days?: DayRange; before?: DayRange },
  { rows, columns, measure, isBefore }: ReportCell,
): Record<string, string> {
  const period = isBefore ? before : days
  const places = [...pairs(question.rows, rows), ...pairs(question.columns, columns)]
  const dimension = (key: string) => dimensionsOf(resource).find((one) => one.key === key)!
  const times = new Set([
    ...(question.time && period ? [question.time.field] : []),
    ...places.flatMap(([key]) => (dimension(key).part ? [dimension(key).fieldKey] : [])),
  ])
  const { filters, within } = takeDays(resource, question.filters, times)
  if (question.time && period) within[question.time.field] = period
  const fixed: Record<string, string> = {}
  for (const [key, place] of places) {
    const { fieldKey, part } = dimension(key)
    if (place === null) fixed[`${fieldKey}_null`] = 'true'
    else if (!part) fixed[`${fieldKey}_equal`] = place
    else {
      const isShifted = isBefore && fieldKey === question.time?.field
      const own = daysOfPart(part, place)
      narrow(within, fieldKey, isShifted ? shifted(own, comparisonShiftOf(part, question, days!, before!)) : own)
    }
  }
  let query = intersectDays(filters, resource.measures[measure]!.where ?? {})
  for (const [field, span] of Object.entries(within)) {
    if (span.from > span.to) return { ...query, ...NOTHING }
    query = intersectDays(query, dayRangeFilter(resource, field, span))
  }
  return intersectDays(query, fixed)
}

const pairs = (keys: readonly string[], places: readonly DimensionValue[]): [string, DimensionValue][] =>
  keys.flatMap((key, at): [string, DimensionValue][] => (places[at] === undefined ? [] : [[key, places[at]]]))

const [EVER, NEVER] = ['1900-01-01', '9999-12-31']

/** Splits off the day filters of the given time fields, so that they can be narrowed further. */
function takeDays(resource: Resource<any, any>, filters: ReportQuery['filters'], times: ReadonlySet<string>) {
  const rest = { ...filters }
  const within: Record<string, DayRange> = {}
  for (const field of times) {
    const [ge, le] = Object.keys(dayRangeFilter(resource, field, { from: '', to: '' })) as [string, string]
    if (rest[ge] === undefined && rest[le] === undefined) continue
    within[field] = { from: rest[ge] ?? EVER, to: rest[le] ?? NEVER }
    delete rest[ge]
    delete rest[le]
  }
  return { filters: rest, within }
}

function narrow(within: Record<string, DayRange>, field: string, days: DayRange): void {
  const range = within[field]
  within[field] = range ? { from: later(range.from, days.from), to: earlier(range.to, days.to) } : days
}
