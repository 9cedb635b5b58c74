import type { Sql } from 'sql-template-tag'
import type { DayRange } from '../../resource/report-query.ts'
import type { Call } from '../module.ts'
import type { ReportPlan } from './plan.ts'

/**
 * Sums a module keeps of a family's rows, from which a report is answered instead of from the rows themselves, where
 * they
 * say the same: by one time, whole days, and these fields alone.
 */
export type RollupSource = {
  family: string
  time: string
  /** Fields kept apart, by the column that holds them; 0 stands for none. */
  keys: Readonly<Record<string, string>>
  /** Measures by the aggregate of the kept sums, alias `r`. */
  sums: Readonly<Record<string, string>>
  /** The aggregate that is 0 where there is no row. */
  rows: string
  /** `select … , at, …` of these days, as far as the caller sees them; fields of the filter narrow it. */
  from: (call: Call, days: DayRange, filter: Readonly<Record<string, readonly string[]>>) => Sql
}

/** The fields of a filter by their values, if it asks for nothing but whole ids of kept fields. */
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

/** The keeper that can answer a plan, with its filter; none, and the rows are asked. */
export function findRollupSource(keepers: readonly RollupSource[], plan: ReportPlan, call: Call) {
  const { question, days } = plan
  // Who sees all tenants sees practice ones in lists, and kept sums leave those out.
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
