import sql, { empty, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { PAGE_SIZES } from '../../resource/page-sizes.ts'
import { findNearestKeyset, KEYSET_OFFSET, keysetOrder } from '../query/keyset.ts'
import { dataScopeSql } from '../database/data-scope.ts'
import { readBatch, type UnitOfWorkOptions } from '../database/db.ts'
import {
  filterSql,
  parseListFilters,
  orderSql,
  parseSortTerms,
  parsePageRequest,
  type Filter,
  type SortTerm,
} from '../query/filters.ts'
import { findIdsByNgrams } from '../query/by-grams.ts'
import {
  countThenFetchSql,
  limitSql,
  mayHaveClusteredMatches,
  selectPageKeysSql,
  pageKeyJoinSql,
} from '../query/page-keys.ts'
import { withTenantCustomFields } from './custom-fields.ts'
import { presentRows, selectColumnsSql } from './present.ts'
import { Refused } from '../base/refused.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { notDeletedSql, tenantPredicateSql, tableNameSql, tenantScopeOf } from '../database/row-sql.ts'
import { cappedCountSql, totalCacheKey, isCappedTotal, cacheTotal, cachedTotal } from '../query/totals.ts'

export type ListPage = {
  records: Record<string, unknown>[]
  total: number
  size: number
  current: number
  pages: number
} & Record<string, unknown>

/** Unit options for a read: all tenants for platform administrators, otherwise the caller's own. */
export const unitOfWorkOptionsForRead = (call: Call): UnitOfWorkOptions =>
  call.caller.isPlatform
    ? { tenantId: call.caller.tenantId, crossTenantReason: 'platform administrator' }
    : { tenantId: call.caller.tenantId }

/** SQL `from … where …` of the rows a caller may see, alias `r`; with state `removed` those in the recycle bin. */
export function visibleRowsSql(served: ServedResource, call: Call, state: 'alive' | 'removed' = 'alive'): Sql {
  const { resource, hooks } = served
  return sql`from ${tableNameSql(resource)} r where true${tenantPredicateSql(resource, tenantScopeOf(call.caller))}${
    state === 'alive'
      ? notDeletedSql(resource)
      : sql`
    and r.is_deleted = 1`
  }${dataScopeSql(resource, call.caller)}${hooks.where?.(call) ?? empty}`
}

/**
 * SQL conditions for rows the caller may refer to from another row or an import, alias `r`: those in their own list.
 */
export function referenceableRowsSql(call: Call, resource: ServedResource['resource']): Sql {
  const asList = { ...call, query: {}, request: { ...call.request, method: 'GET' } }
  const own = call.services.registry.served.get(resource.name)?.hooks.where?.(asList) ?? empty
  return sql`${dataScopeSql(resource, call.caller)}${own}`
}

/** The call without the caller's limits (such as shops); data scopes still apply. */
export const withoutLimits = (call: Call): Call => ({ ...call, caller: { ...call.caller, limits: {} } })

/** The call with which a reference field's rows are checked: without limits if the field has `ignoresScope`. */
export const callForReference = (call: Call, { ignoresScope }: Field): Call =>
  ignoresScope ? withoutLimits(call) : call

type Rows = Record<string, unknown>[]
type PageRequest = { current: number; size: number }
type ScopedQuery = { scope: Sql; filters: Sql }
/** The parsed request of a list. */
type ListQuery = { filters: readonly Filter[]; terms: readonly SortTerm[]; page: PageRequest }

/**
 * SQL of a page's rows. For a filtered, sorted or deep page the keys are selected first by an index (for a deep page
 * from the nearest remembered sort key), and labels only for those rows.
 */
async function pageSql(
  served: ServedResource,
  call: Call,
  bound: UnitOfWorkOptions,
  question: ListQuery,
  { from, key }: { from: Sql; key: string },
): Promise<Sql> {
  const { resource } = served
  const { terms, page } = question
  const columns = selectColumnsSql(call.services.registry, resource, 'list')
  const order = orderSql(terms)
  const offset = (page.current - 1) * page.size
  const isDeep = offset >= KEYSET_OFFSET
  if (!isDeep && !hasFilterOrSort(call, question))
    return sql`select ${columns} ${from} order by ${order}
      ${limitSql(page.size, offset, isInlineLimit(served, call, page))}`
  const plain = isDeep ? keysetOrder(resource, terms) : undefined
  const start = plain && (await findNearestKeyset(call.services.pool, bound, key, from, plain, offset))
  const picked = selectPageKeysSql(
    resource,
    sql`${from}${start?.after ?? empty}`,
    terms,
    page.size,
    start?.offset ?? offset,
  )
  return sql`select ${columns} from (${picked}) p join ${tableNameSql(resource)} r on ${pageKeyJoinSql(resource)}
    order by ${order}`
}

/**
 * Whether the page size is part of the SQL text: for first pages of a usual size over a whole tenant. PostgreSQL then
 * reuses the plan; with a parameter it would plan each time, which takes longer than reading from a table with many
 * partitions. Not for callers who see only some rows, who may need another plan.
 */
const isInlineLimit = (
  { resource, hooks }: ServedResource,
  { caller }: Call,
  { current, size }: PageRequest,
): boolean => current === 1 && PAGE_SIZES.includes(size) && !hooks.where && dataScopeSql(resource, caller) === empty

/** Whether the request has filters or an order of its own. */
const hasFilterOrSort = ({ query }: Call, { filters }: ListQuery): boolean =>
  !!query.ascs || !!query.descs || filters.length > 0

/** Page and total of a large filtered list, in one statement that counts first. */
async function fetchCountedPage(
  served: ServedResource,
  call: Call,
  bound: UnitOfWorkOptions,
  question: ListQuery,
  parts: ScopedQuery,
): Promise<[Rows, Rows]> {
  const { resource } = served
  const { filters, terms, page } = question
  const columns = selectColumnsSql(call.services.registry, resource, 'list')
  const offset = (page.current - 1) * page.size
  const along = filterSql(filters.filter(({ key }) => key === terms[0]!.key))
  const query = { ...parts, along, terms, size: page.size, offset, isSaid: isInlineLimit(served, call, page) }
  const statement = countThenFetchSql(resource, columns, query, mayHaveClusteredMatches(resource, question))
  // A number search finds few rows, whatever the number, so a generic plan is fine.
  const genericPlans = filters.some(({ operator }) => operator === 'part')
  const [rows] = await readBatch(call.services.pool, { ...bound, genericPlans }, [statement])
  return [rows!.filter(({ id }) => id !== null), [{ n: rows![0]!.counted }]]
}

/** Envelope of a page (wire contract §1.3). `totalCapped`: the total is only a lower bound so far. */
export function pageEnvelope(
  records: Record<string, unknown>[],
  total: number,
  page: { current: number; size: number },
  capped = false,
): ListPage {
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

/** GET {base}/list: filters, data scope, order, page and total. */
export async function handleListCall(
  served: ServedResource,
  call: Call,
): Promise<ListPage | Record<string, unknown>[]> {
  try {
    return await readList(withTenantCustomFields(served, call), call)
  } catch (error) {
    // A repeated request would take as long; the user must narrow it.
    throw (error as { code?: unknown } | null)?.code === CUT_SHORT ? new Refused('list_too_long') : error
  }
}

async function readList(served: ServedResource, call: Call): Promise<ListPage | Record<string, unknown>[]> {
  const { resource, hooks } = served
  const bound = unitOfWorkOptionsForRead(call)
  const scope = visibleRowsSql(served, call)
  const filters = parseListFilters(resource, call.query, call.caller)
  const conditions = filterSql(filters)
  const filtered = sql`${scope}${conditions}`
  await call.services.labels.ready(call.caller.tenantId)
  if (!resource.list.paged) {
    const statement = sql`select ${selectColumnsSql(call.services.registry, resource, 'list')} ${filtered}
      order by ${orderSql(parseSortTerms(resource, call.query, call.caller))} limit 5000`
    const [rows] = await readBatch(call.services.pool, bound, [statement])
    return presentRows(call, resource, hooks, rows!)
  }
  const page = parsePageRequest(call.query)
  const question = { filters, terms: parseSortTerms(resource, call.query, call.caller), page }
  // The cache key is the request as sent, without the ids found by the n-gram index.
  const key = totalCacheKey(call.services.pool, bound, filtered)
  const hit = cachedTotal(key, page.current)
  const few = await findIdsByNgrams(call.services.pool, bound, resource, filters)
  const among = few ? sql`${conditions} and r.id = any(${few}::bigint[])` : conditions
  const from = few ? sql`${scope}${among}` : filtered
  const isFiltered = resource.indexedList && filters.length > 0
  // If many matches are known to exist for a filter that an index serves in list order, the page is read directly.
  const [rows, counted] =
    isFiltered &&
    (!hit || ((page.current - 1) * page.size < KEYSET_OFFSET && mayHaveClusteredMatches(resource, question)))
      ? await fetchCountedPage(served, call, bound, question, { scope, filters: among })
      : await readBatch(call.services.pool, bound, [
          await pageSql(served, call, bound, question, { from, key }),
          ...(hit ? [] : [cappedCountSql(from)]),
        ])
  const { total, isCapped: capped } = hit
    ? { total: hit.total, isCapped: isCappedTotal(hit) }
    : cacheTotal(call.services.pool, bound, key, from, counted![0]!.n as number)
  const records = await presentRows(call, resource, hooks, rows!)
  return pageEnvelope(records, total, page, capped)
}
