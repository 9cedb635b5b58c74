import sql, { empty, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/field-kind.ts'
import { PAGE_SIZES } from '../../resource/page-sizes.ts'
import { findNearestKeyset, KEYSET_OFFSET, keysetOrder } from '../lists/keyset.ts'
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
} from '../lists/filters.ts'
import { findIdsByNgrams } from '../lists/by-grams.ts'
import {
  countThenFetchSql,
  limitSql,
  mayHaveClusteredMatches,
  selectPageKeysSql,
  pageKeyJoinSql,
} from '../lists/page-keys.ts'
import { withTenantCustomFields } from './custom-fields.ts'
import { presentRows, selectColumnsSql } from './present.ts'
import { Refused } from '../refused.ts'
import type { Call, ServedResource } from '../module.ts'
import { notDeletedSql, tenantPredicateSql, tableNameSql, tenantScopeOf } from '../database/rows.ts'
import { cappedCountSql, totalCacheKey, isCappedTotal, cacheTotal, cachedTotal } from '../lists/totals.ts'

export type ListPage = {
  records: Record<string, unknown>[]
  total: number
  size: number
  current: number
  pages: number
} & Record<string, unknown>

/** Whose rows a read of this caller covers: a platform administrator's all tenants', everybody else's their own. */
export const unitOfWorkOptionsForRead = (call: Call): UnitOfWorkOptions =>
  call.caller.isPlatform
    ? { tenantId: call.caller.tenantId, crossTenantReason: 'platform administrator' }
    : { tenantId: call.caller.tenantId }

/**
 * `from … where …` of what the caller may see of a resource, alias `r`; of the rows in use, or of those in the recycle
 * bin.
 */
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
 * Which rows of a family the caller may name in another row or an import, alias `r`: those they would find in its list.
 */
export function referenceableRowsSql(call: Call, resource: ServedResource['resource']): Sql {
  const asList = { ...call, query: {}, request: { ...call.request, method: 'GET' } }
  const own = call.services.registry.served.get(resource.name)?.hooks.where?.(asList) ?? empty
  return sql`${dataScopeSql(resource, call.caller)}${own}`
}

/** The call as if nothing limited the caller to some shops; data scopes bind as ever. */
export const withoutLimits = (call: Call): Call => ({ ...call, caller: { ...call.caller, limits: {} } })

/** The call as far as it reaches where rows are named in this field. */
export const callForReference = (call: Call, { ignoresScope }: Field): Call =>
  ignoresScope ? withoutLimits(call) : call

type Rows = Record<string, unknown>[]
type PageRequest = { current: number; size: number }
type ScopedQuery = { scope: Sql; filters: Sql }
/** What a call asks of a list, read once. */
type ListQuery = { filters: readonly Filter[]; terms: readonly SortTerm[]; page: PageRequest }

/**
 * Rows of a page. Where they are filtered, sorted or deep down, their ids are picked first, on the index, from the
 * nearest bookmark where there is one; words are found for those rows alone.
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
 * Whether a page's statement says its size in its text: the first of a whole tenant, of a size the browser offers.
 * PostgreSQL keeps the plan of a statement whose end it knows and makes that of any other anew each time, which takes
 * longer than reading does where a table has many parts. Who sees some rows only may want another plan than who sees
 * all, so theirs is made for them.
 */
const isInlineLimit = (
  { resource, hooks }: ServedResource,
  { caller }: Call,
  { current, size }: PageRequest,
): boolean => current === 1 && PAGE_SIZES.includes(size) && !hooks.where && dataScopeSql(resource, caller) === empty

/** Whether a call asks for more than the newest of all it may see. */
const hasFilterOrSort = ({ query }: Call, { filters }: ListQuery): boolean =>
  !!query.ascs || !!query.descs || filters.length > 0

/** Page and number of rows of a big list that is filtered, in one statement that counts first. */
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
  const asked = { ...parts, along, terms, size: page.size, offset, isSaid: isInlineLimit(served, call, page) }
  const statement = countThenFetchSql(resource, columns, asked, mayHaveClusteredMatches(resource, question))
  // A number finds few rows, whichever it is.
  const genericPlans = filters.some(({ operator }) => operator === 'part')
  const [rows] = await readBatch(call.services.pool, { ...bound, genericPlans }, [statement])
  return [rows!.filter(({ id }) => id !== null), [{ n: rows![0]!.counted }]]
}

/** The page envelope of wire-contract §1.3. `totalCapped` says the total is a lower bound for now. */
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

/** GET {base}/list: filters, data scope, sort, page and total, the whole transaction in one round trip. */
export async function handleListCall(
  served: ServedResource,
  call: Call,
): Promise<ListPage | Record<string, unknown>[]> {
  try {
    return await readList(withTenantCustomFields(served, call), call)
  } catch (error) {
    // Asked again it would take as long again: the asker has to ask for less.
    throw (error as { code?: unknown } | null)?.code === CUT_SHORT ? new Refused('list_too_long') : error
  }
}

async function readList(served: ServedResource, call: Call): Promise<ListPage | Record<string, unknown>[]> {
  const { resource, hooks } = served
  const bound = unitOfWorkOptionsForRead(call)
  const scope = visibleRowsSql(served, call)
  const filters = parseListFilters(resource, call.query, call.caller)
  const conditions = filterSql(filters)
  const asked = sql`${scope}${conditions}`
  await call.services.labels.ready(call.caller.tenantId)
  if (!resource.list.paged) {
    const statement = sql`select ${selectColumnsSql(call.services.registry, resource, 'list')} ${asked}
      order by ${orderSql(parseSortTerms(resource, call.query, call.caller))} limit 5000`
    const [rows] = await readBatch(call.services.pool, bound, [statement])
    return presentRows(call, resource, hooks, rows!)
  }
  const page = parsePageRequest(call.query)
  const question = { filters, terms: parseSortTerms(resource, call.query, call.caller), page }
  // Totals and places are remembered under what was asked, not under what it found.
  const key = totalCacheKey(call.services.pool, bound, asked)
  const hit = cachedTotal(key, page.current)
  const few = await findIdsByNgrams(call.services.pool, bound, resource, filters)
  const among = few ? sql`${conditions} and r.id = any(${few}::bigint[])` : conditions
  const from = few ? sql`${scope}${among}` : asked
  const isFiltered = resource.indexedList && filters.length > 0
  // What is known to find many by whole values is read in its order: that is all there is left to do.
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
