import sql, { empty, type Sql } from 'sql-template-tag'
import { bookmark, DEEP_OFFSET, simpleSort } from '../lists/deep-pages.ts'
import { dataScope } from '../database/data-scope.ts'
import { readTogether, type Bound } from '../database/db.ts'
import { filtersOf, orderOf, pageOf } from '../lists/filters.ts'
import { idsHolding } from '../lists/by-grams.ts'
import { presentRows, readColumns } from './present.ts'
import { Refused } from '../refused.ts'
import type { Call, Served } from '../room.ts'
import { alive, hasTenant, ofTenant, tableOf, tenantsSeenBy } from '../database/rows.ts'
import { cappedCount, countKey, isCapped, noteTotal, rememberedTotal } from '../lists/totals.ts'

export type Page = {
  records: Record<string, unknown>[]
  total: number
  size: number
  current: number
  pages: number
} & Record<string, unknown>

/** Whose rows a read of this caller covers: a platform administrator's all tenants', everybody else's their own. */
export const boundOf = (call: Call): Bound =>
  call.caller.isPlatform
    ? { tenantId: call.caller.tenantId, across: 'platform administrator' }
    : { tenantId: call.caller.tenantId }

/**
 * `from … where …` of what the caller may see of a resource, alias `r`; of the rows in use, or of those in the recycle
 * bin.
 */
export function visible(served: Served, call: Call, state: 'alive' | 'removed' = 'alive'): Sql {
  const { resource, hooks } = served
  return sql`from ${tableOf(resource)} r where true${ofTenant(resource, tenantsSeenBy(call.caller))}${
    state === 'alive'
      ? alive(resource)
      : sql`
    and r.is_deleted = 1`
  }${dataScope(resource, call.caller)}${hooks.where?.(call) ?? empty}`
}

/**
 * Which rows of a family the caller may name in another row or an import, alias `r`: those he would find in its list.
 */
export function nameable(call: Call, resource: Served['resource']): Sql {
  const asList = { ...call, query: {}, request: { ...call.request, method: 'GET' } }
  const own = call.services.registry.served.get(resource.name)?.hooks.where?.(asList) ?? empty
  return sql`${dataScope(resource, call.caller)}${own}`
}

/**
 * Rows of a page. A deep one picks its ids on the index, from the nearest bookmark where there is one, and reads only
 * those rows.
 */
async function pageSql(
  served: Served,
  call: Call,
  bound: Bound,
  from: Sql,
  key: string,
  page: { current: number; size: number },
): Promise<Sql> {
  const { resource } = served
  const columns = readColumns(call.services.registry, resource, 'list')
  const order = orderOf(resource, call.query, call.caller)
  const offset = (page.current - 1) * page.size
  if (offset < DEEP_OFFSET) return sql`select ${columns} ${from} order by ${order} limit ${page.size} offset ${offset}`
  const sort = simpleSort(resource, call.query)
  const start =
    sort &&
    (await bookmark(call.services.pool, bound, `${key}|${sort.column}|${sort.isDescending}`, from, sort, offset))
  const [rowKey, same] = hasTenant(resource)
    ? [sql`r.tenant_id, r.id`, sql`r.tenant_id = p.tenant_id and r.id = p.id`]
    : [sql`r.id`, sql`r.id = p.id`]
  return sql`select ${columns} from (select ${rowKey} ${from}${start?.after ?? empty} order by ${order}
    limit ${page.size} offset ${start?.offset ?? offset}) p join ${tableOf(resource)} r on ${same}
    order by ${order}`
}

/** The page envelope of wire-contract §1.3. `totalCapped` says the total is a lower bound for now. */
export function pageEnvelope(
  records: Record<string, unknown>[],
  total: number,
  page: { current: number; size: number },
  capped = false,
): Page {
  return {
    records,
    total,
    size: page.size,
    current: page.current,
    orders: [],
    optimizeCountSql: true,
    searchCount: true,
    countId: '',
    maxLimit: -1,
    pages: Math.ceil(total / page.size),
    ...(capped ? { totalCapped: true } : {}),
  }
}

const CUT_SHORT = '57014'

/** GET {base}/list: filters, data scope, sort, page and total, the whole transaction in one round trip. */
export async function listOf(served: Served, call: Call): Promise<Page | Record<string, unknown>[]> {
  try {
    return await readList(served, call)
  } catch (error) {
    // Asked again it would take as long again: the asker has to ask for less.
    throw (error as { code?: unknown } | null)?.code === CUT_SHORT ? new Refused('list_too_long') : error
  }
}

async function readList(served: Served, call: Call): Promise<Page | Record<string, unknown>[]> {
  const { resource, hooks } = served
  const bound = boundOf(call)
  const asked = sql`${visible(served, call)}${filtersOf(resource, call.query, call.caller)}`
  await call.services.labels.ready(call.caller.tenantId)
  if (!resource.list.paged) {
    const statement = sql`select ${readColumns(call.services.registry, resource, 'list')} ${asked}
      order by ${orderOf(resource, call.query, call.caller)} limit 5000`
    const [rows] = await readTogether(call.services.pool, bound, [statement])
    return presentRows(call, resource, hooks, rows!)
  }
  const page = pageOf(call.query)
  // Totals and places are remembered under what was asked, not under what it found.
  const key = countKey(bound, asked)
  const hit = rememberedTotal(key, page.current)
  const few = await idsHolding(call.services.pool, bound, resource, call.query, call.caller)
  const from = few ? sql`${asked} and r.id = any(${few}::bigint[])` : asked
  const [rows, counted] = await readTogether(call.services.pool, bound, [
    await pageSql(served, call, bound, from, key, page),
    ...(hit ? [] : [cappedCount(from)]),
  ])
  const { total, isCapped: capped } = hit
    ? { total: hit.total, isCapped: isCapped(hit) }
    : noteTotal(call.services.pool, bound, key, from, counted![0]!.n as number)
  const records = await presentRows(call, resource, hooks, rows!)
  return pageEnvelope(records, total, page, capped)
}
