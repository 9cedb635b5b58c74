import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Resource } from '../../resource/define-resource.ts'
import { fieldsIndexedInListOrder } from '../../resource/list-capabilities.ts'
import { columnNameSql, hasTenantColumn, tableNameSql } from '../database/row-sql.ts'
import { orderSql, type Filter, type SortTerm } from './filters.ts'
import { TOTAL_CAP } from './totals.ts'

type Any = Resource<any, any>

/** Primary key columns in index order. */
const keyColumns = (resource: Any): readonly string[] => (hasTenantColumn(resource) ? ['tenantId', 'id'] : ['id'])
const columnsUnder = (alias: string, keys: Iterable<string>): Sql =>
  join([...new Set(keys)].map((key) => sql`${raw(alias)}.${columnNameSql(key)}`))

/** Joins the rows of a page, alias `p`, to the table, alias `r`. */
export const pageKeyJoinSql = (resource: Any): Sql =>
  join(
    keyColumns(resource).map((key) => sql`r.${columnNameSql(key)} = p.${columnNameSql(key)}`),
    ' and ',
  )

/**
 * LIMIT and OFFSET of a page. With `isSaid` a first page has its size in the SQL text, so that the planner knows it.
 */
export const limitSql = (size: number, offset: number, isInline = false): Sql =>
  isInline && !offset ? sql`limit ${raw(String(size))}` : sql`limit ${size} offset ${offset}`

/**
 * Selects only keys and sort columns of a page's rows; labels are then fetched just for those. For a descending order
 * with nulls last, rows with and without a value are selected separately, so that both parts can use one index.
 */
export function selectPageKeysSql(
  resource: Any,
  from: Sql,
  terms: readonly SortTerm[],
  size: number,
  offset: number,
  cut = limitSql(size, offset),
): Sql {
  const keys = [...keyColumns(resource), ...terms.map(({ key }) => key)]
  const picked = columnsUnder('r', keys)
  const [first, ...rest] = terms
  if (!first || (!first.isSparse && (!first.isDescending || first.isSure)))
    return sql`select ${picked} ${from} order by ${orderSql(terms)} ${cut}`
  const sure = [{ ...first, isSure: true }, ...rest]
  const part = (n: number, condition: Sql) => sql`(select ${raw(String(n))} as part, ${picked} ${from}
    and r.${columnNameSql(first.key)} ${condition} order by ${orderSql(sure)} limit ${size + offset})`
  // Read the second part only if needed: rows without a value may be many, and the index does not have them in order.
  const isShort = sql`(select count(*) from filled) < ${size + offset}::int`
  return sql`with filled as materialized ${part(0, sql`is not null`)}
    select ${columnsUnder('r', keys)} from (select * from filled union all
    select * from ${part(1, sql`is null`)} e where ${isShort}) r order by r.part, ${orderSql(sure)} ${cut}`
}

/** Rows scanned in list order in search of matches, before all matches are fetched and sorted instead. */
const SCAN_MAX = 20_000

/**
 * A page: conditions on visible rows (`scope`) and of the filters, order, size and offset. `along`: those filters that
 * limit the sort column itself.
 */
type PageQuery = {
  scope: Sql
  filters: Sql
  along: Sql
  terms: readonly SortTerm[]
  size: number
  offset: number
  isSaid?: boolean
}

/**
 * Whether the matches may lie together far down the list order, so that scanning in that order takes long: those of one
 * employee, of a month or with a word. Not where an index has the matches in list order, which it can for one filter
 * only.
 */
export function mayHaveClusteredMatches(
  resource: Any,
  { filters, terms }: { filters: readonly Filter[]; terms: readonly SortTerm[] },
): boolean {
  const order = terms[0]!.key
  const unordered = filters.filter(({ key }) => key !== order)
  const [only] = unordered
  if (!only || unordered.length > 1 || order !== resource.list.sort.replace(/^-/, '')) return unordered.length > 0
  const isOne = only.operator === 'null' || (only.operator === 'eq' && !only.input.includes(','))
  return !isOne || !fieldsIndexedInListOrder(resource).has(only.key)
}

/**
 * Selects a page of a filter with many matches by scanning in list order. If the matches may lie far down, scans only
 * `SCAN_MAX` rows; if that is not enough, fetches all matches by their own index and sorts them. `many`: SQL for
 * whether there are many; neither part runs otherwise.
 */
function selectKeysOfMany(
  resource: Any,
  { scope, filters, along, terms, size, offset, isSaid }: PageQuery,
  many: Sql,
  liesTogether: boolean,
) {
  const keys = columnsUnder('r', [...keyColumns(resource), ...terms.map(({ key }) => key)])
  const from = sql`${scope}${filters}`
  const cut = limitSql(size, offset, isSaid)
  const [first] = terms
  if (!liesTogether || first?.isSparse || (first?.isDescending && !first.isSure))
    return {
      near: sql`select * from (${selectPageKeysSql(resource, from, terms, size, offset, cut)}) w where ${many}`,
      far: empty,
    }
  return {
    near: sql`select ${keys} from (select r.* ${scope}${along} order by ${orderSql(terms)}
      limit ${raw(String(SCAN_MAX))}) r
      where ${many}${filters} ${cut}`,
    far: sql` union all select * from (select * from (select ${keys} ${from} offset 0) r
      where ${many} and (select count(*) from near) < ${size}::int order by ${orderSql(terms)}
      ${cut}) f`,
  }
}

/**
 * Selects a page when the number of matches is unknown. First counts the matches by whatever index fits, up to the
 * limit of totals. Few matches are sorted directly; many are found soon by scanning in list order. Each row has the
 * count in column `counted`.
 */
export function countThenFetchSql(resource: Any, columns: Sql, query: PageQuery, liesTogether: boolean): Sql {
  const { scope, filters, terms, size, offset, isSaid } = query
  const keys = [...keyColumns(resource), ...terms.map(({ key }) => key)]
  const cap = raw(String(TOTAL_CAP))
  const many = sql`(select n from counted) > ${cap}`
  const { near, far } = selectKeysOfMany(resource, query, many, liesTogether)
  const isFound = far === empty ? empty : sql` where (select count(*) from near) = ${size}::int`
  return sql`with hits as materialized (select ${columnsUnder('r', keys)} ${scope}${filters} limit ${cap} + 1),
    counted as materialized (select count(*)::int as n from hits),
    near as materialized (${near})
    select c.n as counted, ${columns} from counted c left join (
      (select ${columnsUnder('r', keys)} from hits r where not ${many} order by ${orderSql(terms)}
        ${limitSql(size, offset, isSaid)})
      union all select ${columnsUnder('near', keys)} from near${isFound}${far}) p on true
    left join ${tableNameSql(resource)} r on ${pageKeyJoinSql(resource)} order by ${orderSql(terms)}`
}
