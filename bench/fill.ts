import type pg from 'pg'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { toSqlName, type Resource } from '#kit/resource/define-resource.ts'
import { createUpcomingPartitions, partitionMonthStartMs } from '#kit/server/database/partition-maintenance.ts'
import { partitionName, partitionUniqueIndexesSql } from '#kit/server/database/partitions.ts'
import { storedFields } from '#kit/server/database/row-sql.ts'
import { tableOfResource } from '#kit/server/database/schema.ts'
import type { Table } from '#kit/server/database/table.ts'
import { firstIdAtTime } from '#kit/server/database/snowflake.ts'

type Any = Resource<any, any>

/** First value of columns that hold unique numbers. */
const FIRST_NUMBER = 50_000_000
/** Number of rows of resources that stay small: shops, levels, users. */
export const FEW = 50
/** Values that only three rows of a million hold, and a part of such a text. */
export const RARE = { text: '柠檬苏打水 Qzx', number: '77', latin: 'Qzx', part: '苏打' }
const NEWEST = "timestamptz '2026-11-01 00:00:00+08'"
const NEWEST_MS = Date.parse('2026-11-01T00:00:00+08:00')
const STEP_SECONDS = 30

/** SQL condition for old rows that share a value and lie together: a closed shop, a payment method no longer used. */
const longAgo = (rows: number): string =>
  rows > FEW ? `n between ${Math.floor(rows * 0.6)} and ${Math.floor(rows * 0.6) + 20_000}` : 'false'
/** Number of a field's choices. Lower ones are more frequent; `OLD`, the last one, is in old rows only. */
const CHOICES = 4
export const OLD = String(CHOICES)

const NEWEST_ID = BigInt(firstIdAtTime(NEWEST_MS))
const STEP_ID = NEWEST_ID - BigInt(firstIdAtTime(NEWEST_MS - STEP_SECONDS * 1000))
/**
 * The id of row `n`. Ids contain a time as in the product, and can be computed, so that resources can refer to each
 * other's rows.
 */
export const idOf = (n: number): string => String(NEWEST_ID - STEP_ID * BigInt(n))
const idSql = (n: string): string => `${NEWEST_ID} - ${STEP_ID} * (${n})::bigint`
/** Indexes of the rare rows: near the newest, in the middle and near the oldest. */
const rareOnes = (rows: number): number[] => (rows > FEW ? [777, Math.floor(rows / 2), rows - 9] : [])
/** The day of row `n`. */
export const dayOf = (n: number): string =>
  new Date(Date.parse('2026-11-01T00:00:00Z') - n * STEP_SECONDS * 1000).toISOString().slice(0, 10)

/** SQL of a pseudo-random number below a limit, the same in every run. */
const chance = (seed: number, below: number): string => `(abs(hashint8(n * 31 + ${seed})) % ${below})`
const signs = '农夫康师傅统一百事可口娃哈元气森林三得利雀巢伊利蒙牛光明旺达能怡宝冰露景田王李张刘陈杨'
const word = (seed: number): string => `substr('${signs}', 1 + ${chance(seed, signs.length)}, 1)`

/**
 * A column's value in row `n` as SQL: normally, in the rare rows, and in the old ones. Undefined when it may stay
 * empty.
 */
type ColumnValue = [usual: string, rare: string, old?: string] | undefined

function valueOf(field: Field, key: string, seed: number, isOwn: boolean, rowsOf: Size): ColumnValue {
  const kind = fieldKindOf(field)
  const type = kind.column(field).replace(/ collate.*/, '')
  const many = (one: string) => `array[${one}]::${type}`
  if (isOwn && type === 'text') return [`'N' || lpad(n::text, 12, '0')`, `'N' || lpad(n::text, 12, '0')`]
  if (isOwn && type !== 'date') return [`${FIRST_NUMBER} + n`, `${FIRST_NUMBER} + n`]
  if (kind.choices === 'rows') {
    const count = rowsOf(field.to)
    const [one, rare, old] = [idSql(`1 + ${chance(seed, count - 1)}`), idOf(0), idOf(count)]
    return kind.many ? [many(one), many(rare), many(old)] : [`(${one})::${type}`, `${rare}::${type}`, old]
  }
  if (type in FIXED) return FIXED[type]!(key)
  if (type === 'text[]' || kind.choices) return choiceOf(type, seed, kind.choices !== undefined)
  return type === 'text' ? textOf(field, seed) : numberOf(field, seed)
}

const AGO = `${NEWEST} - make_interval(secs => n * ${STEP_SECONDS}`
/** Column types whose values do not depend on the field's declaration. */
const FIXED: Readonly<Record<string, (key: string) => ColumnValue>> = {
  'timestamptz(3)': (key) => [`${AGO} - ${key === 'payTime' ? 40 : 90})`, `'2001-01-01'`],
  date: () => [`(${AGO}))::date`, `'2001-01-01'`],
  boolean: () => ['true', 'false'],
  jsonb: () => undefined,
}

function choiceOf(type: string, seed: number, hasChoices: boolean): ColumnValue {
  const choice = `least(${chance(seed, CHOICES)}, ${chance(seed + 1, CHOICES)})`
  const many = (one: string) => `array[${one}]::${type}`
  if (type === 'text[]')
    return hasChoices
      ? [`case when ${chance(seed, 30)} = 0 then ${many(`'k' || ${choice}`)} else '{}' end`, many(`'${RARE.text}'`)]
      : undefined
  return type === 'text' ? [`'k' || ${choice}`, `'${RARE.text}'`, `'k${OLD}'`] : [choice, '77', OLD]
}

function numberOf(field: Field, seed: number): ColumnValue {
  const { min = 0, max = 9000 } = fieldKindOf(field).bounds?.(field) ?? {}
  const below = Math.min(9000, max - Math.max(min, 0) + 1)
  return [`${Math.max(min, 0)} + ${chance(seed, below)}`, max < 77 ? String(max) : '77']
}

function textOf(field: Field, seed: number): ColumnValue {
  if (fieldKindOf(field).document || field.heavy) return [`repeat('x ' || n, 20)`, `'${RARE.text}'`]
  if (field.mask) return [`'1' || (3000000000 + n)`, `'19999999977'`]
  if (field.search === 'like')
    return [`${word(seed)} || ${word(seed + 1)} || '号店 ' || ${chance(seed, 3000)}`, `'${RARE.text}'`]
  if (field.search) return [`'69' || ${chance(seed, 20_000)}`, `'${RARE.number}'`]
  return [`${word(seed)} || ${chance(seed, 300)}`, `'${RARE.text}'`]
}

type Size = (resource?: string) => number

/** Returns the statement that inserts rows of a resource, derived from its declaration. */
function insertOf(resource: Any, tenantId: string, rowsOf: Size, first: number, last: number): string {
  const own = new Set([...resource.unique, ...resource.uniqueEverywhere].map((keys: readonly string[]) => keys.at(-1)))
  const rare = [0, ...rareOnes(rowsOf(resource.name))].join()
  const columns: Record<string, string> = {}
  const sortKey = resource.list.sort.replace(/^-/, '')
  for (const [seed, [key, field]] of storedFields(resource).entries()) {
    const [usual, other, old] = valueOf(field, key, seed * 17, own.has(key), rowsOf) ?? []
    if (!usual) continue
    const isSometimesEmpty = !field.required && field.default === undefined && !own.has(key) && key !== sortKey
    const empty = isSometimesEmpty ? ` when ${chance(seed * 17 + 5, 10)} = 0 then null` : ''
    const past = old ? ` when ${longAgo(rowsOf(resource.name))} then ${old}` : ''
    columns[toSqlName(key)] = `case when n in (${rare}) then ${other}${past}${empty} else ${usual} end`
  }
  columns.create_time ??= `${NEWEST} - make_interval(secs => n * ${STEP_SECONDS})`
  const sort = toSqlName(sortKey)
  if (sort in columns && /time/.test(sort)) columns[sort] = columns.create_time
  const names = Object.keys(columns).map((name) => `"${name}"`)
  return `insert into "${resource.table}" (id, tenant_id, ${names.join()})
    select ${idSql('n')}, '${tenantId}', ${Object.values(columns).join()} from generate_series(${first}, ${last}) n`
}

async function timeSteps(pool: pg.Pool, steps: string[]): Promise<number[]> {
  const client = await pool.connect()
  try {
    const times: number[] = []
    for (const step of steps) {
      const began = performance.now()
      await client.query(step)
      times.push(performance.now() - began)
    }
    return times
  } finally {
    client.release(true)
  }
}

/** Partitions an empty table into months or quarters, as years of use leave it. */
async function cutIntoParts(pool: pg.Pool, table: Table, url: string, oldest: number): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table.name],
  )
  await timeSteps(pool, [
    ...rows.map(({ name }) => `drop table ${name}`),
    `create table "${partitionName(table.name, 'past')}" partition of "${table.name}"
      for values from (minvalue) to (${firstIdAtTime(oldest)})`,
    ...partitionUniqueIndexesSql(table, 'past'),
  ])
  await createUpcomingPartitions(url, [table], new Date())
}

/** Inserts a resource's rows for a tenant and builds the indexes afterwards. */
export async function fillResource(
  pool: pg.Pool,
  url: string,
  resource: Any,
  tenantId: string,
  rowsOf: Size,
): Promise<void> {
  const table = tableOfResource(resource)
  const rows = rowsOf(resource.name)
  if (table.partitioned)
    await cutIntoParts(pool, table, url, partitionMonthStartMs(NEWEST_MS - rows * STEP_SECONDS * 1000))
  const { rows: built } = await pool.query<{ name: string; text: string }>(
    `select c.relname as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as text from pg_index i
      join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass and not i.indisprimary`,
    [resource.table],
  )
  await timeSteps(pool, [
    'begin',
    `set local synchronous_commit = off; set local maintenance_work_mem = '512MB'`,
    `alter table "${resource.table}" disable trigger user`,
    ...built.map(({ name }) => `drop index "${name}"`),
    insertOf(resource, tenantId, rowsOf, 1, rows),
    ...built.map(({ text }) => text),
    `alter table "${resource.table}" enable trigger user`,
    'commit',
    `vacuum analyze "${resource.table}"`,
  ])
}

const WRITES = 10_000

/** Returns the microseconds per inserted row, without and with the indexes of the list. */
export async function costOfWriting(
  pool: pg.Pool,
  resource: Any,
  tenantId: string,
  rowsOf: Size,
): Promise<{ without: number; with: number }> {
  const { rows } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = $1::regclass
      and indexrelid::regclass::text like $2`,
    [resource.table, `${resource.table}_of_%`],
  )
  const begin = `begin; alter table "${resource.table}" disable trigger user`
  const write = insertOf(resource, tenantId, rowsOf, 2 * rowsOf(resource.name), 2 * rowsOf(resource.name) + WRITES)
  const [, full] = await timeSteps(pool, [begin, write, 'rollback'])
  const bare = await timeSteps(pool, [begin, ...rows.map(({ name }) => `drop index ${name}`), write, 'rollback'])
  return { without: (bare.at(-2)! / WRITES) * 1000, with: (full! / WRITES) * 1000 }
}
