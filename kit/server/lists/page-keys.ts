import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Resource } from '../../resource/define-resource.ts'
import { fieldsIndexedInListOrder } from '../../resource/list-capabilities.ts'
import { columnNameSql, hasTenantColumn, tableNameSql } from '../database/rows.ts'
import { orderSql, type Filter, type SortTerm } from './filters.ts'
import { TOTAL_CAP } from './totals.ts'

type Any = Resource<any, any>

/** What tells a row from all others, in the order of the key's index. */
const keyColumns = (resource: Any): readonly string[] => (hasTenantColumn(resource) ? ['tenantId', 'id'] : ['id'])
const columnsUnder = (alias: string, keys: Iterable<string>): Sql =>
  join([...new Set(keys)].map((key) => sql`${raw(alias)}.${columnNameSql(key)}`))

/** How the picked rows, alias `p`, are found again under alias `r`. */
export const pageKeyJoinSql = (resource: Any): Sql =>
  join(
    keyColumns(resource).map((key) => sql`r.${columnNameSql(key)} = p.${columnNameSql(key)}`),
    ' and ',
  )

/** Which of the rows a page is; a first one may say it in its text. */
export const limitSql = (size: number, offset: number, isSaid = false): Sql =>
  isSaid && !offset ? sql`limit ${raw(String(size))}` : sql`limit ${size} offset ${offset}`

/**
 * The keys of a page's rows, with what they are sorted by, and nothing that would have to be found for every row: words
 * are for the rows of the page. Where empty values come last although the order goes down, they are picked behind the
 * others, so that both parts are read off one index.
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
  // Many may be empty, and no index has them in order where few of the others are alike.
  const isShort = sql`(select count(*) from filled) < ${size + offset}::int`
  return sql`with filled as materialized ${part(0, sql`is not null`)}
    select ${columnsUnder('r', keys)} from (select * from filled union all
    select * from ${part(1, sql`is null`)} e where ${isShort}) r order by r.part, ${orderSql(sure)} ${cut}`
}

/** So many rows are walked past on the way to those a filter lets through, before they are all looked up instead. */
const SCAN_MAX = 20_000

/**
 * A page: of what the caller may see, what is asked for, in what order, how many rows from where (`limitSql`). `along`
 * is what of that is about the order itself.
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
 * Whether rows that filters let through may lie together far down the order, where walking down to them takes long: an
 * employee's, those of some month or with a word. Not where an index has them in the list's order, which it has of one
 * thing at a time.
 */
export function mayHaveClusteredMatches(
  resource: Any,
  { filters, terms }: { filters: readonly Filter[]; terms: readonly SortTerm[] },
): boolean {
  const order = terms[0]!.key
  const asked = filters.filter(({ key }) => key !== order)
  const [only] = asked
  if (!only || asked.length > 1 || order !== resource.list.sort.replace(/^-/, '')) return asked.length > 0
  const isOne = only.operator === 'null' || (only.operator === 'eq' && !only.input.includes(','))
  return !isOne || !fieldsIndexedInListOrder(resource).has(only.key)
}

/**
 * Rows of a filter that finds many, read down the list's order. Where what is asked for may lie together far down, as
 * what was paid in some month does, the walk is a short one; not met on it, they are all looked up by their own index
 * and sorted. `many` says whether there are many at all: neither is done for few.
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
 * The same for a list of which nobody knows yet how many rows it finds: it is counted first, by whatever index answers
 * its questions, as far as a total is counted. Few rows are sorted as they were found, none spare the page; many of
 * them are met soon on the way down the list's own order. `counted` is their number, beside the page's rows.
 */
export function countThenFetchSql(resource: Any, columns: Sql, asked: PageQuery, liesTogether: boolean): Sql {
  const { scope, filters, terms, size, offset, isSaid } = asked
  const keys = [...keyColumns(resource), ...terms.map(({ key }) => key)]
  const cap = raw(String(TOTAL_CAP))
  const many = sql`(select n from counted) > ${cap}`
  const { near, far } = selectKeysOfMany(resource, asked, many, liesTogether)
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
