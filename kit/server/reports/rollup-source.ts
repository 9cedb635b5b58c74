import type { Sql } from 'sql-template-tag'
import type { DayRange } from '../../resource/report-query.ts'
import type { Call } from '../module/module.ts'
import type { ReportPlan } from './plan.ts'

/**
 * Precomputed sums of a resource's rows, kept by a module. A report that uses only this time field, whole days and
 * these dimensions and measures is answered from them.
 */
export type RollupSource = {
  family: string
  time: string
  /** Column of the sums for each dimension field; 0 in it means none. */
  keys: Readonly<Record<string, string>>
  /** SQL aggregate for each measure, over alias `r`. */
  sums: Readonly<Record<string, string>>
  /** SQL aggregate that is 0 where there are no rows. */
  rows: string
  /**
   * SELECT of the sums of these days with day column `at`, limited to what the caller may see and to the filter's ids.
   */
  from: (call: Call, days: DayRange, filter: Readonly<Record<string, readonly string[]>>) => Sql
}

/** Returns the ids by field if the filter consists only of ids of kept fields; otherwise undefined. */
function rollupFilter(keeper: RollupSource, filters: Record<string, string>): Record<string, string[]> | undefined {
  const found: Record<string, string[]> = {}
  for (const [key, value] of Object.entries(filters)) {
    const [, field = '', suffix = ''] = /^(\w+?)(?:_(equal|in))?$/.exec(key) ?? []
    const ids = value.split(',').filter(Boolean)
    if (!Object.hasOwn(keeper.keys, field) || found[field] || !ids.every((id) => /^\d{1,18}$/.test(id)))
      return undefined
    if (suffix !== 'in' && !ids.length) return undefined
    found[field] = ids
  }
  return found
}

/** Returns the source that can answer the plan, with its filter; undefined if the rows must be read. */
export function findRollupSource(keepers: readonly RollupSource[], plan: ReportPlan, call: Call) {
  const { question, days } = plan
  // Platform callers see practice tenants in lists, but the sums leave those out.
  if (!days || call.caller.isPlatform) return undefined
  for (const keeper of keepers) {
    if (keeper.family !== plan.resource.name || keeper.time !== question.time?.field) continue
    const isKept = [...plan.rows, ...plan.columns].every(({ fieldKey, part }) =>
      part ? fieldKey === keeper.time : Object.hasOwn(keeper.keys, fieldKey),
    )
    const filter = rollupFilter(keeper, question.filters)
    if (isKept && filter && question.measures.every((key) => Object.hasOwn(keeper.sums, key))) return { keeper, filter }
  }
  return undefined
}
