/**
 * Maintains partitioned tables at run time: adds partitions of coming months, drops old ones. Only the owner of the
 * tables may do that, so each function connects as the owner. No call waits for it.
 */
import type pg from 'pg'
import type { MinimalLogger } from '../base/minimal-logger.ts'
import { DatabaseUnavailableError, openClient } from './connections.ts'
import { BUSY_TABLE_STORAGE_SQL, isPartitionOf, partitionName, partitionUniqueIndexesSql } from './partitions.ts'
import type { Table } from './table.ts'
import { firstIdAtTime, timeOfId } from './snowflake.ts'

/** Asia/Shanghai: UTC+8, no daylight saving time. */
const OFFSET_MS = 8 * 3_600_000
/** Advisory lock: only one server maintains partitions at a time. */
const LOCK = 727_402

/** Start of the month that contains `ms`, or of the month `after` months later. */
export function partitionMonthStartMs(ms: number, after = 0): number {
  const local = new Date(ms + OFFSET_MS)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + after, 1) - OFFSET_MS
}

const MONTHS = { month: 1, quarter: 3 }

/**
 * End of the partition that begins in the month of `ms`; partitions end at the same calendar boundaries, wherever the
 * first one began.
 */
const endOf = (ms: number, width: 'month' | 'quarter'): number =>
  partitionMonthStartMs(ms, MONTHS[width] - (new Date(ms + OFFSET_MS).getUTCMonth() % MONTHS[width]))

/** Month as in partition names: `2026_12`. */
export const partitionMonthLabel = (ms: number) => new Date(ms + OFFSET_MS).toISOString().slice(0, 7).replace('-', '_')

/**
 * One partition: id range from `begin` to `end`; `begin` is null if it holds everything before. `isLeaving`: its
 * detaching was interrupted.
 */
type Part = { name: string; begin: string | null; end: string; isLeaving: boolean }

const isPartitioned = (tables: readonly Table[]) =>
  tables.flatMap((table) => (table.partitioned ? [{ ...table, partitioned: table.partitioned }] : []))

/** Months further back than this are not added, as no ids are made for them any more. */
const BACK_MAX = 12

/** Returns the ranges between two times that no partition covers, each as `[from, to]`. */
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
 * Adds missing partitions for the month of `now` and the next one. Partitions a wrong clock has made elsewhere are
 * kept. Returns the names added.
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

/** Creates a missing partition, by the pool on which its absence was noticed. */
const makers = new WeakMap<object, (moment: Date) => Promise<unknown>>()

/**
 * From now on, when a statement on one of these pools finds no partition for its row, the partition is created, so that
 * the caller's next try succeeds.
 */
export function enableOnDemandPartitions(
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

/** PostgreSQL's error for a row that fits no partition; the same code for a check constraint names the constraint. */
const isMonthMissing = ({ code, constraint, table }: RoutingError): boolean =>
  code === '23514' && constraint === undefined && table !== undefined

/**
 * If the error is a missing partition, creates the current one and returns a `DatabaseUnavailableError`, so that the
 * caller tries again. Returns other errors unchanged.
 */
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

/** Runs ANALYZE on partitioned tables; autovacuum analyzes only their partitions. */
export const analyzePartitionedTables = (url: string, tables: readonly Table[]): Promise<void> =>
  asOwner(url, async (client) => {
    for (const { name } of isPartitioned(tables)) await client.query(`analyze "${name}"`)
  })

/**
 * Drops the partitions that ended before a moment. Each is detached concurrently, passed to `keep` (for archiving),
 * then dropped. Finishes what a crash left half done first. Returns the names dropped.
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

/** Creates the partition as a separate table and attaches it, so that readers and writers of the table never wait. */
const partSql = (table: Table, part: string, [from, to]: readonly [number, number]): string => {
  const name = partitionName(table.name, part)
  return `create table "${name}" (like "${table.name}" including all)${table.busy ? BUSY_TABLE_STORAGE_SQL : ''};
    ${partitionUniqueIndexesSql(table, part).join('\n')}
    alter table "${table.name}" attach partition "${name}"
      for values from (${firstIdAtTime(from)}) to (${firstIdAtTime(to)})`
}
