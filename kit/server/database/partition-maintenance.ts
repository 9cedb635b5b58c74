import type pg from 'pg'
import type { MinimalLogger } from '../shared/index.ts'
import { DatabaseUnavailableError, openClient } from './connections.ts'
import { BUSY_TABLE_STORAGE_SQL, isPartitionOf, partitionName, partitionUniqueIndexesSql } from './partitions.ts'
import type { Table } from './schema.ts'
import { firstIdAtTime, timeOfId } from './snowflake.ts'

/**
 * Months of tables in parts, while the product runs: those to come are added before they come, those that nobody keeps
 * are taken off. Only the owner of the tables may, so each of these connects as itself. Nobody waits for them.
 */

/** The clock of the product: eight hours ahead, no summer time. */
const OFFSET_MS = 8 * 3_600_000
/** Of one server at a time. */
const LOCK = 727_402

/** The first moment of the month `ms` lies in, or of one so many after it. */
export function partitionMonthStartMs(ms: number, after = 0): number {
  const there = new Date(ms + OFFSET_MS)
  return Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + after, 1) - OFFSET_MS
}

const MONTHS = { month: 1, quarter: 3 }

/** Where the part ends that begins in the month of `ms`: parts of one table end together, however it was cut before. */
const endOf = (ms: number, width: 'month' | 'quarter'): number =>
  partitionMonthStartMs(ms, MONTHS[width] - (new Date(ms + OFFSET_MS).getUTCMonth() % MONTHS[width]))

/** `2026_12` */
export const partitionMonthLabel = (ms: number) => new Date(ms + OFFSET_MS).toISOString().slice(0, 7).replace('-', '_')

/** `begin` is null where everything before the end lies in it. */
type Part = { name: string; begin: string | null; end: string; isLeaving: boolean }

const isPartitioned = (tables: readonly Table[]) =>
  tables.flatMap((table) => (table.partitioned ? [{ ...table, partitioned: table.partitioned }] : []))

/** Months that nobody was there for are left out: no id is made in them any more. */
const BACK_MAX = 12

/** The months from one moment to another that no part of a table holds, each as `[from, to]`. */
function gapsOf(parts: readonly Part[], width: 'month' | 'quarter', [first, end]: readonly [number, number]) {
  const spans = parts.map(
    (part) => [part.begin === null ? -Infinity : timeOfId(part.begin), timeOfId(part.end)] as const,
  )
  const earliest = partitionMonthStartMs(first, -BACK_MAX)
  const before = spans.map(([, to]) => to).filter((to) => to <= first && to >= earliest)
  const gaps: [number, number][] = []
  for (let from = Math.max(...before, before.length ? -Infinity : first); from < end;) {
    const held = spans.find(([begin, to]) => begin <= from && from < to)
    const next = Math.min(endOf(from, width), ...spans.map(([begin]) => begin).filter((begin) => begin > from))
    if (!held) gaps.push([from, next])
    from = held ? held[1] : next
  }
  return gaps
}

/**
 * Sees that each table has parts for the month of `now` and the next one, wherever others lie that a wrong clock has
 * asked for. Answers those it added.
 */
export const createUpcomingPartitions = (url: string, tables: readonly Table[], now: Date): Promise<string[]> =>
  asOwner(url, async (client) => {
    const added: string[] = []
    for (const table of isPartitioned(tables)) {
      const wanted = [partitionMonthStartMs(now.getTime()), partitionMonthStartMs(now.getTime(), 2)] as const
      for (const [from, to] of gapsOf(await partsOf(client, table.name), table.partitioned, wanted)) {
        const part = partitionMonthLabel(from)
        await client.query(partSql(table, part, [from, to]))
        added.push(partitionName(table.name, part))
      }
    }
    return added
  })

/** Who makes months that somebody met without a part, by the pool it was met on. */
const makers = new WeakMap<object, (moment: Date) => Promise<unknown>>()

/** From now on a month that a statement of these pools finds without a part is made, and the next one finds it. */
export function createMissingPartitionsOnDemand(
  pools: readonly object[],
  { url, tables, log }: { url: string; tables: readonly Table[]; log: MinimalLogger },
): void {
  let making: Promise<unknown> | undefined
  const make = (moment: Date) =>
    (making ??= createUpcomingPartitions(url, tables, moment)
      .then((added) => log.warn({ added, moment }, 'a month had no part in the tables and has been given one'))
      .finally(() => (making = undefined)))
  for (const pool of pools) makers.set(pool, make)
}

type RoutingError = { code?: string; constraint?: string; table?: string }

/** PostgreSQL's word for a row that belongs to no part; a rule that was broken has a name. */
const isMonthMissing = ({ code, constraint, table }: RoutingError): boolean =>
  code === '23514' && constraint === undefined && table !== undefined

/** Where a statement failed for want of a month, the one ids are made in now is made; who asked is to ask again. */
export async function recoverMissingPartition(pool: object, error: unknown): Promise<unknown> {
  const make = makers.get(pool)
  if (!make || !error || typeof error !== 'object' || !isMonthMissing(error)) return error
  try {
    await make(new Date())
  } catch {
    return error
  }
  return new DatabaseUnavailableError('a month without a part has been given one; ask again', { cause: error })
}

/** Shows the planner the tables as a whole: the database looks at their parts by itself, and at nothing else. */
export const analyzePartitionedTables = (url: string, tables: readonly Table[]): Promise<void> =>
  asOwner(url, async (client) => {
    for (const { name } of isPartitioned(tables)) await client.query(`analyze "${name}"`)
  })

/**
 * Takes off the months of a table that ended before a moment. They leave while others read and write; what was taken
 * off is first given to `keep`, then dropped. What a crash left half done is done first. Answers the parts dropped.
 */
export const dropOldPartitions = (
  url: string,
  table: string,
  before: Date,
  keep: (client: pg.Client, part: string) => Promise<void> = async () => {},
): Promise<string[]> =>
  asOwner(url, async (client) => {
    const limit = BigInt(firstIdAtTime(before.getTime()))
    const parts = await partsOf(client, table)
    const detach = (name: string, how: string) =>
      client.query(`alter table "${table}" detach partition "${name}" ${how}`)
    for (const { name } of parts.filter(({ isLeaving }) => isLeaving)) await detach(name, 'finalize')
    for (const { name, end, isLeaving } of parts)
      if (!isLeaving && BigInt(end) <= limit) await detach(name, 'concurrently')
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and not c.relispartition and starts_with(c.relname, left($1, 50)) order by 1`,
      [table],
    )
    const apart = rows.map(({ name }) => name).filter((name) => isPartitionOf(table, name))
    for (const name of apart) {
      await keep(client, name)
      await client.query(`drop table "${name}"`)
    }
    return apart
  })

async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient({ connectionString: url })
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work(client)
  } finally {
    await client.end()
  }
}

async function partsOf(client: pg.Client, table: string): Promise<Part[]> {
  const { rows } = await client.query<Part>(
    `select c.relname as name, i.inhdetachpending as "isLeaving",
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''(\\d+)''\\)') as begin,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''(\\d+)''\\)') as end
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass($1) order by 1`,
    [`public."${table}"`],
  )
  return rows
}

/** Made apart and then added: nobody who reads or writes the table waits. */
const partSql = (table: Table, part: string, [from, to]: readonly [number, number]): string => {
  const name = partitionName(table.name, part)
  return `create table "${name}" (like "${table.name}" including all)${table.busy ? BUSY_TABLE_STORAGE_SQL : ''};
    ${partitionUniqueIndexesSql(table, part).join('\n')}
    alter table "${table.name}" attach partition "${name}"
      for values from (${firstIdAtTime(from)}) to (${firstIdAtTime(to)})`
}
