import { LRUCache } from 'lru-cache'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/field-kind.ts'
import { kindOf } from '../../fields/kinds.ts'
import { snake, type Resource } from '../../resource/define-resource.ts'
import { readTogether, type Bound, type Pool } from '../database/db.ts'

/** From this offset on a page starts at a bookmark instead of counting its way down. */
export const DEEP_OFFSET = 200
const STEP = 500
const FRESH_MS = 60_000
const NEW_MAX = 2000

type Place = { key: string; id: string }
type Bookmarks = { top: Place; places: Place[]; at: number }
const known = new LRUCache<string, Bookmarks>({ max: 200 })
const marking = new Set<string>()

type SimpleSort = { column: string; type: string; isDescending: boolean }

/**
 * The one column a list is sorted by, when it is never empty and thus can be compared; undefined for sorts of another
 * shape.
 */
export function simpleSort(resource: Resource<any, any>, query: Record<string, string>): SimpleSort | undefined {
  const asked = [
    ...(query.ascs ?? '').split(',').map((key) => ({ key, isDescending: false })),
    ...(query.descs ?? '').split(',').map((key) => ({ key, isDescending: true })),
  ].filter(({ key }) => key !== '')
  if (asked.length > 1) return undefined
  const { key, isDescending } = asked[0] ?? {
    key: resource.list.sort.replace(/^-/, ''),
    isDescending: resource.list.sort.startsWith('-'),
  }
  if (key === 'createTime' || key === 'updateTime') return { column: snake(key), type: 'timestamptz', isDescending }
  const field = (resource.fields as Record<string, Field>)[key]
  return key === resource.list.sort.replace(/^-/, '') && field?.required
    ? { column: snake(key), type: kindOf(field).column(field), isDescending }
    : undefined
}

const placeOf = (row: Record<string, unknown>): Place => ({ key: row.key as string, id: String(row.id) })
const past = (sort: SimpleSort, place: Place, side: 'before' | 'after'): Sql => {
  const sign = raw((side === 'after') === sort.isDescending ? '<' : '>')
  return sql` and (r.${raw(`"${sort.column}"`)}, r.id) ${sign} (${place.key}::${raw(sort.type)}, ${place.id}::bigint)`
}
const orderBy = (sort: SimpleSort): Sql =>
  raw(`r."${sort.column}"${sort.isDescending ? ' desc' : ''}, r.id${sort.isDescending ? ' desc' : ''}`)

/** Walks the list's index once, in the background, and remembers every 500th place for a minute. */
async function mark(pool: Pool, bound: Bound, key: string, from: Sql, sort: SimpleSort): Promise<void> {
  if (marking.has(key) || marking.size >= 2) return
  marking.add(key)
  try {
    const column = raw(`r."${sort.column}"`)
    const [rows] = await readTogether(pool, bound, [
      sql`select key::text as key, id from (select ${column} as key, r.id,
        row_number() over (order by ${orderBy(sort)}) as n ${from}) w where n = 1 or n % ${raw(String(STEP))} = 0
        order by n`,
    ])
    const places = rows!.map(placeOf)
    if (places[0]) known.set(key, { top: places[0], places: places.slice(1), at: Date.now() })
  } finally {
    marking.delete(key)
  }
}

/**
 * Where a deep page starts: ` and (sort, id) after place` with what remains of the offset. Rows that came in above
 * since the places were marked are counted, so that no page skips a row. Undefined while nothing is marked; the caller
 * then counts its way down.
 */
export async function bookmark(
  pool: Pool,
  bound: Bound,
  key: string,
  from: Sql,
  sort: SimpleSort,
  offset: number,
): Promise<{ after: Sql; offset: number } | undefined> {
  const hit = known.get(key)
  if (!hit || Date.now() - hit.at > FRESH_MS) void mark(pool, bound, key, from, sort).catch(() => {})
  if (!hit || Date.now() - hit.at > 2 * FRESH_MS) return undefined
  const [rows] = await readTogether(pool, bound, [
    sql`select count(*)::int as n from (select 1 ${from}${past(sort, hit.top, 'before')} limit ${NEW_MAX + 1}) c`,
  ])
  const arrived = rows![0]!.n as number
  const wanted = offset - arrived
  if (arrived > NEW_MAX || wanted < STEP) return undefined
  const at = Math.min(Math.floor(wanted / STEP), hit.places.length)
  const place = hit.places[at - 1]
  return place && { after: past(sort, place, 'after'), offset: wanted - at * STEP }
}
