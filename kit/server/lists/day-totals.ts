import sql, { empty, type Sql } from 'sql-template-tag'
import { fieldKindOf } from '../../fields/kinds.ts'
import { formatYuan } from '../../fields/money/cents.ts'
import type { Resource } from '../../resource/define-resource.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { Measure } from '../../resource/measure.ts'
import { measureFieldKeys } from '../../resource/measures.ts'
import { dayFieldOf, rowLayoutOf } from '../../resource/row-layout.ts'
import { canReadField, canReadUnmasked } from '../database/data-scope.ts'
import { dayTotalsCall, type DayTotal } from '../../resource/day-totals.calls.ts'
import { readBatch } from '../database/db.ts'
import { columnNameSql } from '../database/row-sql.ts'
import { defineRoute, type Call } from '../module/module.ts'
import { Refused } from '../base/refused.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '../resource/list-of.ts'
import { requireListPermission } from '../resource/may-list.ts'
import { queryFilterSql } from '../query/filters.ts'

/** Most days of one request: those on a screen, not a report. */
const DAYS_MAX = 31
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Routes for the headings of a list by days. */
export const dayTotalRoutes = [
  defineRoute(dayTotalsCall, {
    title: { zh: '每日小计', en: 'Day totals' },
    can: { signedIn: 'counts and sums of rows the caller may list' },
    tx: false,
    handle: async (call) => {
      const served = call.services.registry.served.get(call.query.resource ?? '')
      if (!served) throw new Refused('no_such_path')
      await requireListPermission(call, served)
      const days = [...new Set(call.input.days.split(','))]
      if (days.length > DAYS_MAX || !days.every((day) => DAY.test(day) && !Number.isNaN(Date.parse(day))))
        throw new Refused('bad_filter', { label: { zh: '日期', en: 'Days' } })
      return totalsOf(served, call, days)
    },
  }),
]

type Served = NonNullable<ReturnType<Call['services']['registry']['served']['get']>>

/** Counts the rows the list's filters find on these days of the list's own time. */
async function totalsOf(served: Served, call: Call, days: readonly string[]): Promise<DayTotal[]> {
  const { resource } = served
  const key = dayFieldOf(resource)
  if (key === undefined || !canReadField(resource, key, call.caller)) return []
  const { days: _days, resource: _resource, ...filters } = call.query
  const at = sql`r.${columnNameSql(key)}`
  const sum = sumOf(resource, call)
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select (${at})::timestamp::date::text as day, count(*)::int as count${sum ? sql`, ${sum.sql} as cents` : empty}
      ${visibleRowsSql(served, { ...call, query: filters })}${queryFilterSql(resource, filters, call.caller)}
      and (${withinDays(at, days)}) group by 1`,
  ])
  return rows!.map(({ day, count, cents }) => ({
    day: String(day),
    count: Number(count),
    // A sum of nothing says nothing, and seems wrong beside amounts that do not count.
    ...(sum && Number(cents ?? 0) !== 0 && { sum: formatYuan(Number(cents)), label: sum.label[call.lang] }),
  }))
}

/** The range from the first to the last day, which an index serves, then the days themselves. */
function withinDays(at: Sql, days: readonly string[]): Sql {
  const sorted = days.toSorted()
  return sql`${at} >= ${sorted[0]}::date::timestamptz and ${at} < (${sorted.at(-1)}::date + 1)::timestamptz
    and (${at})::timestamp::date = any(${days}::date[])`
}

/** SQL and label of the sum of the row's amount, by the measure that sums it; undefined without measure or right. */
function sumOf(resource: Resource<any, any>, { caller }: Call): { sql: Sql; label: LocalizedText } | undefined {
  const key = rowLayoutOf(resource).amount?.key
  const field = key === undefined ? undefined : resource.fields[key]
  const isSum = (measure: Measure) => measure.sum === key && measureFieldKeys(measure).length === 1
  const measure = Object.values(resource.measures).find(isSum)
  if (!field || !measure || !fieldKindOf(field).currency) return undefined
  if (!canReadField(resource, key!, caller) || !canReadUnmasked(resource, field, caller)) return undefined
  const { where = {} } = measure
  if (!Object.keys(where).every((name) => canReadField(resource, name.replace(/_[a-z]+$/, ''), caller)))
    return undefined
  return {
    sql: sql`sum(r.${columnNameSql(key!)}) filter (where true${queryFilterSql(resource, where, caller)})`,
    label: measure.label,
  }
}
