import sql, { raw } from 'sql-template-tag'
import { formatYuan } from '../../fields/money/cents.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { dimensionLabel, measureUnitOf, type Dimension, type MeasureUnit } from '../../resource/measures.ts'
import type { ReportResult, ReportFigure, ReportFigureGrid, ReportHeading } from '../../resource/answer.ts'
import type { DimensionValue, ReportQuery } from '../../resource/report-query.ts'
import { localize } from '../../base/localized-text.ts'
import { readBatch, type UnitOfWorkOptions, type Sql } from '../database/db.ts'
import { hasTenantColumn } from '../database/row-sql.ts'
import { Refused } from '../base/refused.ts'
import { unitOfWorkOptionsForRead } from '../resource/list-of.ts'
import { requireListPermission } from '../resource/may-list.ts'
import { canReadTitle, rowTitleSql } from '../resource/present.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { YES_NO_TEXTS } from '../sheets/cells.ts'
import { formatShanghaiTime } from '../base/time.ts'
import { REPORT_CELLS_MAX, compileReportSql, groupingLevels } from './compile.ts'
import { findRollupSource, type RollupSource } from './rollup-source.ts'
import { planReport, type ReportPlan } from './plan.ts'

/** Statement timeout of each of a report's queries, in seconds. */
const SECONDS_MAX = 5

type AggregateRow = Record<string, unknown> & { level: number }

/**
 * Runs a report on a resource, limited to rows the caller's list shows: permission, tenant, shops and data scopes.
 * Refuses undeclared names, queries over the time limit and results with too many cells.
 */
export async function runReport(
  call: Call,
  served: ServedResource,
  question: ReportQuery,
  keepers: readonly RollupSource[] = [],
): Promise<ReportResult> {
  await requireListPermission(call, served)
  const now = formatShanghaiTime(call.services.now())
  const plan = planReport(served.resource, question, call.caller, now.slice(0, 10))
  const kept = findRollupSource(keepers, plan, call)
  const found = await read(call, compileReportSql(served, call, plan, { kept }))
  const rows = linesOf(plan, found, 'rows')
  const columns = linesOf(plan, found, 'columns')
  refuseBig((rows.length + 1) * (columns.length + 1) * plan.measures.length)
  let compared: AggregateRow[] | undefined
  if (plan.before) {
    const among = question.top ? rows.map(([place]) => place!) : undefined
    compared = await read(call, compileReportSql(served, call, plan, { kept, isBefore: true, among }))
    if (!question.top) addLines(plan, compared, rows, columns)
    refuseBig((rows.length + 1) * (columns.length + 1) * plan.measures.length)
  }
  const figures = figuresOf(plan, found, rows, columns)
  const order = sortedRows(plan, rows, figures)
  const lines = await worded(
    call,
    plan,
    order.map((at) => rows[at]!),
    columns,
  )
  return {
    ...headsOf(call, plan),
    ...reordered(figures, order),
    ...lines,
    ...(compared && { compared: reordered(figuresOf(plan, compared, rows, columns), order) }),
    time: now,
    isKept: !!kept,
  }
}

function refuseBig(cells: number): void {
  if (cells > REPORT_CELLS_MAX) throw new Refused('report_too_big', { max: REPORT_CELLS_MAX })
}

const CUT_SHORT = '57014'

async function read(call: Call, statement: Sql): Promise<AggregateRow[]> {
  const bound: UnitOfWorkOptions = unitOfWorkOptionsForRead(call)
  const limits = sql`select set_config('statement_timeout', ${String(SECONDS_MAX * 1000)}, true),
    set_config('work_mem', '64MB', true)`
  try {
    const [, found] = await readBatch(call.services.pool, bound, [limits, statement])
    refuseBig(found!.length)
    return found as AggregateRow[]
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === CUT_SHORT)
      throw new Refused('report_too_long', { seconds: SECONDS_MAX })
    throw error
  }
}

const placesOf = ({ rows, columns }: ReportPlan, side: 'rows' | 'columns', row: AggregateRow): DimensionValue[] => {
  const [from, count] = side === 'rows' ? [0, rows.length] : [rows.length, columns.length]
  return Array.from({ length: count }, (_none, at) => (row[`d${from + at}`] ?? null) as DimensionValue)
}

/** Compares two headings dimension by dimension; null comes last, numbers are compared by value. */
const byPlaces = (one: DimensionValue[], other: DimensionValue[]): number => {
  for (const [at, place] of one.entries()) {
    const otherPlace = other[at]!
    if (place === otherPlace) continue
    if (place === null || otherPlace === null) return place === null ? 1 : -1
    return /^\d+$/.test(place) && /^\d+$/.test(otherPlace) && place.length !== otherPlace.length
      ? place.length - otherPlace.length
      : place < otherPlace
        ? -1
        : 1
  }
  return 0
}

/** Headings of one side, taken from the rows that hold its totals. */
function linesOf(plan: ReportPlan, found: readonly AggregateRow[], side: 'rows' | 'columns'): DimensionValue[][] {
  const level = groupingLevels(plan.rows.length, plan.columns.length)
  if (!plan[side].length) return [[]]
  const wanted = side === 'rows' ? level.row : level.column
  return found
    .filter((row) => Number(row.level) === wanted)
    .map((row) => placesOf(plan, side, row))
    .sort(byPlaces)
}

/** Adds rows and columns that occur only in the comparison period. */
function addLines(
  plan: ReportPlan,
  found: readonly AggregateRow[],
  rows: DimensionValue[][],
  columns: DimensionValue[][],
): void {
  for (const [side, lines] of [
    ['rows', rows],
    ['columns', columns],
  ] as const) {
    const known = new Set(lines.map((line) => JSON.stringify(line)))
    lines.push(...linesOf(plan, found, side).filter((line) => !known.has(JSON.stringify(line))))
    lines.sort(byPlaces)
  }
}

function figuresOf(
  plan: ReportPlan,
  found: readonly AggregateRow[],
  rows: DimensionValue[][],
  columns: DimensionValue[][],
): ReportFigureGrid {
  const level = groupingLevels(plan.rows.length, plan.columns.length)
  const many = plan.measures.length
  const units = plan.measures.map(([, measure]) => measureUnitOf(plan.resource, measure))
  const empty = plan.measures.map(([, { average }], at) => (average ? null : wireOf(0, units[at]!)))
  const figures = (row: AggregateRow) => units.map((unit, at) => wireOf(row[`m${at}`], unit))
  const at = (lines: DimensionValue[][]) => new Map(lines.map((line, place) => [JSON.stringify(line), place]))
  const [rowAt, columnAt] = [at(rows), at(columns)]
  const out: ReportFigureGrid = {
    cells: rows.map(() => columns.flatMap(() => empty)),
    byRow: rows.map(() => [...empty]),
    byColumn: columns.flatMap(() => empty),
    total: [...empty],
  }
  for (const row of found) {
    const line = rowAt.get(JSON.stringify(placesOf(plan, 'rows', row)))
    const column = columnAt.get(JSON.stringify(placesOf(plan, 'columns', row)))
    const own = figures(row)
    const is = (one: number) => Number(row.level) === one
    if (is(level.cell) && line !== undefined && column !== undefined)
      out.cells[line]!.splice(column * many, many, ...own)
    if (is(level.row) && line !== undefined) out.byRow[line] = own
    if (is(level.column) && column !== undefined) out.byColumn.splice(column * many, many, ...own)
    if (is(level.total)) out.total = own
  }
  return out
}

const wireOf = (value: unknown, unit: MeasureUnit): ReportFigure =>
  value === null || value === undefined ? null : unit === 'yuan' ? formatYuan(Math.round(Number(value))) : Number(value)

/** Returns the row indexes in display order: by the chosen measure, largest first, else unchanged. */
function sortedRows({ question }: ReportPlan, rows: DimensionValue[][], { byRow }: ReportFigureGrid): number[] {
  const order = rows.map((_row, at) => at)
  if (!question.sort) return order
  const measure = question.measures.indexOf(question.sort)
  const size = (at: number) => Number(byRow[at]![measure] ?? Number.NEGATIVE_INFINITY)
  return order.sort((one, other) => size(other) - size(one) || one - other)
}

const reordered = (figures: ReportFigureGrid, order: readonly number[]): ReportFigureGrid => ({
  ...figures,
  cells: order.map((at) => figures.cells[at]!),
  byRow: order.map((at) => figures.byRow[at]!),
})

function headsOf({ lang }: Call, plan: ReportPlan) {
  return {
    question: plan.question,
    label: localize(plan.resource.label, lang),
    ...(plan.days && { days: plan.days }),
    ...(plan.before && { before: plan.before }),
    rowHeads: plan.rows.map((one) => dimensionLabel(one, lang)),
    columnHeads: plan.columns.map((one) => dimensionLabel(one, lang)),
    measures: plan.measures.map(([key, measure]) => ({
      key,
      label: localize(measure.label, lang),
      help: measure.help ? localize(measure.help, lang) : '',
      unit: measureUnitOf(plan.resource, measure),
      ...(measure.more && { more: measure.more }),
    })),
  }
}

const NONE = { zh: '（无）', en: '(none)' }

async function worded(
  call: Call,
  plan: ReportPlan,
  rows: DimensionValue[][],
  columns: DimensionValue[][],
): Promise<{ rows: ReportHeading[]; columns: ReportHeading[] }> {
  await call.services.labels.ready(call.caller.tenantId)
  const words = async (dimensions: readonly Dimension[], lines: DimensionValue[][]): Promise<ReportHeading[]> => {
    const labels = await Promise.all(
      dimensions.map((dimension, at) =>
        wordsOf(
          call,
          dimension,
          lines.map((line) => line[at]!),
        ),
      ),
    )
    return lines.map((places) => ({
      places,
      words: places.map((place, at) => (place === null ? localize(NONE, call.lang) : labels[at]!(place) || place)),
    }))
  }
  return { rows: await words(plan.rows, rows), columns: await words(plan.columns, columns) }
}

/** Returns a function that gives the text of a dimension value; "" for rows the caller may not see. */
async function wordsOf(
  call: Call,
  dimension: Dimension,
  places: readonly DimensionValue[],
): Promise<(place: string) => string> {
  const { field, part } = dimension
  const { services, caller, lang } = call
  const { choices } = fieldKindOf(field)
  if (part) return (place) => (part === 'month' ? place.slice(0, 7) : place)
  if (choices === 'dictionary') return (place) => services.labels.dict(caller.tenantId, field, place, lang)
  if (choices === 'regions') return (place) => services.labels.region(place)
  if (choices === 'yesNo') return (place) => YES_NO_TEXTS[lang][place === 'true' ? 0 : 1]
  if (choices !== 'rows') return (place) => place
  const named = services.registry.resource(field.to!)
  if (!canReadTitle(services.registry, named, caller)) return () => ''
  const ids = [...new Set(places)].filter((place) => place !== null)
  const tenant =
    hasTenantColumn(named) && !caller.isPlatform ? sql` and x.tenant_id in (${caller.tenantId}, '000000')` : sql``
  const [found] = await readBatch(services.pool, unitOfWorkOptionsForRead(call), [
    sql`select x.id::text as id, ${raw(rowTitleSql(services.registry, named, 'x', lang))} as title
      from ${raw(`"${named.table}"`)} x where x.id = any(${ids}::bigint[])${tenant}`,
  ])
  const titles = new Map(found!.map(({ id, title }) => [id as string, title as string]))
  return (place) => titles.get(place) ?? ''
}
