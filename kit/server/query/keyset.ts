import { LRUCache } from 'lru-cache'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { readBatch, type UnitOfWorkOptions, type Pool } from '../database/db.ts'
import { columnNameSql } from '../database/row-sql.ts'
import { isNeverEmpty, orderSql, type SortTerm } from './filters.ts'

/** From this offset on, a page starts from a remembered sort key instead of skipping rows (keyset pagination). */
export const KEYSET_OFFSET = 200
const STEP = 500
const FRESH_MS = 60_000
const NEW_MAX = 2000

/** Values of a row's sort columns, as texts. */
type SortKey = readonly string[]
type KeysetCache = { top: SortKey; places: SortKey[]; at: number }
const known = new LRUCache<string, KeysetCache>({ max: 200 })
const marking = new Set<string>()

/** A sort order that ends with the id, so that each row has its own position. */
type PlainOrder = { columns: { name: Sql; type: Sql }[]; isDescending: boolean; orderBy: Sql }

/** Time columns whose order is worth scanning, besides the list's default order. */
const TIMES = new Set(['createTime', 'updateTime'])

/** SQL type of a column that is never null; undefined for others. */
function sureType(resource: Resource<any, any>, key: string): string | undefined {
  if (key === 'id') return 'bigint'
  if (TIMES.has(key)) return 'timestamptz'
  const field = (resource.fields as Record<string, Field>)[key]
  return field && isNeverEmpty(field) ? fieldKindOf(field).column(field) : undefined
}

/**
 * Returns the order in a form that rows can be compared by: sorted first by time or the list's default field, all
 * columns never null and in one direction. Undefined for other orders.
 */
export function keysetOrder(resource: Resource<any, any>, terms: readonly SortTerm[]): PlainOrder | undefined {
  const columns: PlainOrder['columns'] = []
  const [{ key: first, isDescending }] = terms as [SortTerm]
  if (!TIMES.has(first) && first !== resource.list.sort.replace(/^-/, '')) return undefined
  for (const term of terms) {
    const type = sureType(resource, term.key)
    if (!type || !term.isSure || term.isDescending !== isDescending) return undefined
    columns.push({ name: sql`r.${columnNameSql(term.key)}`, type: raw(type) })
  }
  return { columns, isDescending, orderBy: orderSql(terms) }
}

const past = ({ columns, isDescending }: PlainOrder, place: SortKey, side: 'before' | 'after'): Sql => {
  const sign = raw((side === 'after') === isDescending ? '<' : '>')
  return sql` and (${join(columns.map(({ name }) => name))}) ${sign} (${join(
    columns.map(({ type }, at) => sql`${place[at]}::${type}`),
  )})`
}

/** Scans the list's index once, in the background, and remembers the sort key of every 500th row for a minute. */
async function scanKeysets(
  pool: Pool,
  bound: UnitOfWorkOptions,
  key: string,
  from: Sql,
  order: PlainOrder,
): Promise<void> {
  if (marking.has(key) || marking.size >= 2) return
  marking.add(key)
  try {
    const names = order.columns.map((_column, at) => raw(`c${at}`))
    const [rows] = await readBatch(pool, bound, [
      sql`select array[${join(names.map((name) => sql`${name}::text`))}] as place from (select
        ${join(order.columns.map(({ name }, at) => sql`${name} as ${names[at]!}`))},
        row_number() over (order by ${order.orderBy}) as n ${from}) w
        where n = 1 or n % ${raw(String(STEP))} = 0 order by n`,
    ])
    const [top, ...places] = rows!.map(({ place }) => place as SortKey)
    if (top) known.set(key, { top, places, at: Date.now() })
  } finally {
    marking.delete(key)
  }
}

/**
 * Returns a condition that starts after the nearest remembered row, and the offset that remains. Counts rows added
 * above since the scan, so that no page skips a row. Undefined if nothing is remembered; the caller then uses the plain
 * offset.
 */
export async function findNearestKeyset(
  pool: Pool,
  bound: UnitOfWorkOptions,
  list: string,
  from: Sql,
  order: PlainOrder,
  offset: number,
): Promise<{ after: Sql; offset: number } | undefined> {
  const key = `${list}|${order.orderBy.text}`
  const hit = known.get(key)
  if (!hit || Date.now() - hit.at > FRESH_MS) void scanKeysets(pool, bound, key, from, order).catch(() => {})
  if (!hit || Date.now() - hit.at > 2 * FRESH_MS) return undefined
  const [rows] = await readBatch(pool, bound, [
    sql`select count(*)::int as n from (select 1 ${from}${past(order, hit.top, 'before')} limit ${NEW_MAX + 1}) c`,
  ])
  const arrived = rows![0]!.n as number
  const wanted = offset - arrived
  if (arrived > NEW_MAX || wanted < STEP) return undefined
  const at = Math.min(Math.floor(wanted / STEP), hit.places.length)
  const place = hit.places[at - 1]
  return place && { after: past(order, place, 'after'), offset: wanted - at * STEP }
}
