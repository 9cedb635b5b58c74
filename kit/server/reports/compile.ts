import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Dimension } from '../../resource/measures.ts'
import type { Measure } from '../../resource/measure.ts'
import { dayRangeFilter, comparisonShiftOf, type DayRange } from '../../resource/report-query.ts'
import { filterSql, parseListFilters, queryFilterSql } from '../query/filters.ts'
import { columnNameSql } from '../database/row-sql.ts'
import { visibleRowsSql } from '../resource/list-of.ts'
import type { Call, ServedResource } from '../module/module.ts'
import type { findRollupSource } from './rollup-source.ts'
import type { ReportPlan } from './plan.ts'

/** Most cells a report may have; larger ones are refused. */
export const REPORT_CELLS_MAX = 5000

type RollupMatch = NonNullable<ReturnType<typeof findRollupSource>>

/** Source of a report's figures: `from` has alias `r` and the dimension values as columns `d0`, `d1`, … */
type Source = { from: Sql; measures: readonly Sql[]; having: Sql }

const conditionOf = (plan: ReportPlan, measure: Measure, call: Call): Sql =>
  measure.where ? filterSql(parseListFilters(plan.resource, measure.where, call.caller)) : empty

function valueSql({ sum, average, plus = [], less = [], times }: Measure): Sql {
  const own = sum ?? average!
  if (!plus.length && !less.length && !times) return sql`r.${columnNameSql(own)}`
  const of = (key: string) => sql`coalesce(r.${columnNameSql(key)}, 0)`
  const parts = [own, ...plus].map(of)
  const value = [join(parts, ' + '), ...less.map(of)]
  return times ? sql`(${join(value, ' - ')}) * ${of(times)}` : join(value, ' - ')
}

function measureSql(plan: ReportPlan, measure: Measure, call: Call): Sql {
  const condition = conditionOf(plan, measure, call)
  const filter = condition === empty ? empty : sql` filter (where true${condition})`
  if (measure.average) return sql`round(avg(${valueSql(measure)})${filter}, 2)`
  return measure.sum ? sql`coalesce(sum(${valueSql(measure)})${filter}, 0)` : sql`count(*)${filter}`
}

/**
 * SQL of a dimension value; for a time the first day of its day, week or month. In the earlier period of a comparison
 * it is shifted onto the later one.
 */
function placeSql(
  plan: ReportPlan,
  { fieldKey, part }: Dimension,
  isBefore: boolean,
  col = sql`r.${columnNameSql(fieldKey)}`,
): Sql {
  if (!part) return col
  const { question, days, before } = plan
  const { days: by = 0, months = 0 } =
    isBefore && fieldKey === question.time!.field ? comparisonShiftOf(part, question, days!, before!) : {}
  const moved = by || months ? sql`${col} + make_interval(months => ${months}::int, days => ${by}::int)` : col
  return sql`date_trunc(${raw(`'${part}'`)}, (${moved})::timestamp)::date`
}

/** Text of a dimension value. Cast once per group: a cast per row would take half of the query time. */
const textOf = ({ part }: Dimension, name: string): string =>
  part ? `to_char(${name}, 'YYYY-MM-DD') as ${name}` : `${name}::text as ${name}`

const placed = (places: readonly Sql[]): Sql =>
  places.length ? sql`, ${join(places.map((place, at) => sql`${place} as ${raw(`d${at}`)}`))}` : empty

/** Source that reads the rows themselves, under the same conditions as their list. */
function rowSource(
  served: ServedResource,
  call: Call,
  plan: ReportPlan,
  days: DayRange | undefined,
  isBefore: boolean,
): Source {
  const { resource, question, measures } = plan
  const query = {
    ...question.filters,
    ...(days && question.time ? dayRangeFilter(resource, question.time.field, days) : {}),
  }
  const scope = sql`${visibleRowsSql(served, { ...call, query })}${queryFilterSql(resource, query, call.caller)}`
  const conditions = measures.map(([, measure]) => conditionOf(plan, measure, call))
  // Groups in which no measure counts a row are left out.
  const counted = conditions.includes(empty)
    ? empty
    : sql` and (${join(
        conditions.map((condition) => sql`(true${condition})`),
        ' or ',
      )})`
  const places = [...plan.rows, ...plan.columns].map((dimension) => placeSql(plan, dimension, isBefore))
  return {
    from: sql`(select r.*${placed(places)} ${scope}${counted}) r`,
    measures: measures.map(([, measure]) => measureSql(plan, measure, call)),
    having: empty,
  }
}

/** Source that reads a module's precomputed sums (`RollupSource`). */
function keptSource(
  call: Call,
  plan: ReportPlan,
  days: DayRange,
  isBefore: boolean,
  { keeper, filter }: RollupMatch,
): Source {
  const places = [...plan.rows, ...plan.columns].map((dimension) =>
    dimension.part
      ? placeSql(plan, dimension, isBefore, sql`r.at`)
      : sql`nullif(r.${raw(keeper.keys[dimension.fieldKey]!)}, 0)`,
  )
  return {
    from: sql`(select r.*${placed(places)} from (${keeper.from(call, days, filter)}) r) r`,
    measures: plan.measures.map(([key]) => raw(keeper.sums[key]!)),
    having: sql` having ${raw(keeper.rows)} <> 0`,
  }
}

/** First dimension's values of the main period's rows: rows the comparison period has besides them are left out. */
type Among = readonly (string | null)[] | undefined

/**
 * Values of SQL `grouping()` for cells, row totals, column totals and the grand total. Each bit says that a dimension
 * is summed over; the lowest bit is the last dimension.
 */
export const groupingLevels = (rows: number, columns: number) => ({
  cell: 0,
  row: 2 ** columns - 1,
  column: (2 ** rows - 1) * 2 ** columns,
  total: 2 ** (rows + columns) - 1,
})

/**
 * Compiles a report into one statement. Each result row has its dimension values `d0` …, its `level` (`groupingLevels`)
 * and the measures `m0` ….
 */
export function compileReportSql(
  served: ServedResource,
  call: Call,
  plan: ReportPlan,
  { kept, isBefore = false, among }: { kept?: RollupMatch; isBefore?: boolean; among?: Among },
): Sql {
  const { rows, columns } = plan
  const days = isBefore ? plan.before : plan.days
  const source =
    kept && days ? keptSource(call, plan, days, isBefore, kept) : rowSource(served, call, plan, days, isBefore)
  const all = [...rows, ...columns].map((_one, at) => `d${at}`)
  const parts = [all, all.slice(0, rows.length), all.slice(rows.length), []]
  const sets = [...new Set(parts.map((names) => `(${names.join(', ')})`))]
  const texts = [...rows, ...columns].map((dimension, at) => textOf(dimension, `d${at}`))
  const names = all.length ? `${texts.join(', ')}, grouping(${all.join(', ')})` : '0'
  const found = sql`select ${raw(names)} as level,
    ${join(source.measures.map((measure, at) => sql`${measure} as ${raw(`m${at}`)}`))}
    from ${source.from} group by ${raw(all.length ? `grouping sets (${sets.join(', ')})` : '()')}${source.having}`
  return sql`${narrowed(found, plan, among)} limit ${raw(String(REPORT_CELLS_MAX + 1))}`
}

/**
 * Limits the result to the first `top` rows, or to the rows in `among`. Column totals and the grand total still include
 * the rows left out.
 */
function narrowed(found: Sql, { rows, columns, question }: ReportPlan, among: Among): Sql {
  const level = groupingLevels(rows.length, columns.length)
  const isTotal = sql`level >= ${raw(String(level.column))}`
  if (!rows.length) return found
  if (among)
    return sql`select * from (${found}) g
      where ${isTotal} or coalesce(d0, '') = any(${among.map((one) => one ?? '')}::text[])`
  if (!question.top) return found
  const names = rows.map((_one, at) => `d${at}`)
  const order = question.sort ? `m${question.measures.indexOf(question.sort)} desc nulls last, ` : ''
  const same = names.map((name) => `t.${name} is not distinct from g.${name}`).join(' and ')
  return sql`with g as materialized (${found}),
    t as (select ${raw(names.join(', '))} from g where level = ${raw(String(level.row))}
      order by ${raw(`${order}${names.join(', ')}`)} limit ${question.top})
    select * from g where ${isTotal} or exists (select from t where ${raw(same)})`
}
