import sql, { raw } from 'sql-template-tag'
import type { Resource } from '../../resource/define-resource.ts'
import { readBatch, type UnitOfWorkOptions, type Pool } from '../database/db.ts'
import { ngramFinderName } from '../database/ngrams.ts'
import type { Filter } from './filters.ts'
import { TOTAL_CAP } from './totals.ts'

/** Operators for which a matching row contains the search text. */
const BY_GRAMS: ReadonlySet<Filter['operator']> = new Set(['like', 'likeleft', 'likeright', 'eq'])

/**
 * Returns the ids that a list's substring search can match, found by the n-gram index. Undefined if there are more than
 * a total counts (then the list's own index finds a page soon), and for callers who see all tenants, as the index
 * starts with the tenant.
 */
export async function findIdsByNgrams(
  pool: Pool,
  bound: UnitOfWorkOptions,
  resource: Resource<any, any>,
  filters: readonly Filter[],
): Promise<string[] | undefined> {
  if (bound.crossTenantReason) return undefined
  const indexed = filters.filter(({ field, operator }) => field.ngramIndex && BY_GRAMS.has(operator))
  if (!indexed.length) return undefined
  const most = TOTAL_CAP + 1
  const found = await readBatch(
    pool,
    bound,
    indexed.map(({ key, input }) => {
      const finder = raw(`"${ngramFinderName(resource.table, key)}"`)
      return sql`select case when count(*) < ${most} then coalesce(array_agg(id), '{}')::text[] end as ids
        from ${finder}(${input}, ${most}) id`
    }),
  )
  const few = found.flatMap((rows) => (rows[0]!.ids ? [rows[0]!.ids as string[]] : []))
  return few.sort((one, other) => one.length - other.length)[0]
}
