import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import { readBatch, type UnitOfWorkOptions, type Pool } from '../database/db.ts'

/** Above this number a list shows "10000+" until the exact number has been counted in the background. */
export const TOTAL_CAP = 10_000
const CACHE_FROM = 1000
const FRESH_MS = 3000
const EXACT_MS = 60_000

type CachedTotal = { total: number; at: number; isExact: boolean }
const known = new LRUCache<string, CachedTotal>({ max: 5000 })
const counting = new Set<string>()

const pools = new WeakMap<Pool, number>()
let poolsSeen = 0

/** Number of a pool for cache keys: one process may use several databases (tests), whose tenants have equal ids. */
function numberOf(pool: Pool): number {
  if (!pools.has(pool)) pools.set(pool, ++poolsSeen)
  return pools.get(pool)!
}

export const totalCacheKey = (pool: Pool, bound: UnitOfWorkOptions, from: Sql) =>
  `${numberOf(pool)}|${bound.tenantId}|${bound.crossTenantReason ? 1 : 0}|${from.text}|${JSON.stringify(from.values)}`

/**
 * Returns a total that is still valid: approximate ones for seconds, exact ones and those for further pages for a
 * minute.
 */
export function cachedTotal(key: string, current: number): CachedTotal | undefined {
  const hit = known.get(key)
  if (!hit) return undefined
  const age = Date.now() - hit.at
  return age < (hit.isExact || current > 1 ? EXACT_MS : FRESH_MS) ? hit : undefined
}

export const cappedCountSql = (from: Sql): Sql =>
  sql`select count(*)::int as n from (select 1 ${from} limit ${TOTAL_CAP + 1}) c`

/**
 * Caches a capped count. If it reached the cap, starts an exact count in the background (one for each key, two in all).
 */
export function cacheTotal(
  pool: Pool,
  bound: UnitOfWorkOptions,
  key: string,
  from: Sql,
  counted: number,
): { total: number; isCapped: boolean } {
  if (counted <= TOTAL_CAP) {
    if (counted >= CACHE_FROM) known.set(key, { total: counted, at: Date.now(), isExact: false })
    return { total: counted, isCapped: false }
  }
  if (!counting.has(key) && counting.size < 2) {
    counting.add(key)
    void readBatch(pool, bound, [sql`select count(*) as n ${from}`])
      .then(([rows]) => known.set(key, { total: rows![0]!.n as number, at: Date.now(), isExact: true }))
      .catch(() => {})
      .finally(() => counting.delete(key))
  }
  known.set(key, { total: TOTAL_CAP, at: Date.now(), isExact: false })
  return { total: TOTAL_CAP, isCapped: true }
}

export const isCappedTotal = (hit: CachedTotal) => !hit.isExact && hit.total >= TOTAL_CAP
