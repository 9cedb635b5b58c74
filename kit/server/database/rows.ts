import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { toSqlName, type Resource } from '../../resource/define-resource.ts'
import { nameWithoutPartition } from './partitions.ts'
import { diffFieldValues } from './change-log.ts'
import type { Db } from './db-handle.ts'
import { Refused } from '../base/refused.ts'
import {
  columnNameSql,
  hasTenantColumn,
  notDeletedSql,
  resourceColumnsSql,
  storedFields,
  tableNameSql,
  tenantIdOfRow,
  tenantPredicateSql,
  uniqueIndexName,
} from './row-sql.ts'
import { newId } from './snowflake.ts'

type Any = Resource<any, any>
type Entry = [string, Field]

/** Stored fields for which `values` has a value. */
const givenIn = (resource: Any, values: Record<string, any>): Entry[] =>
  storedFields(resource).filter(([key]) => values[key] !== undefined)

export async function getRow(db: Db, resource: Any, id: string, lock?: 'forUpdate') {
  return db.one<any>(
    sql`select ${resourceColumnsSql(resource)} from ${tableNameSql(resource)} r
      where r.id = ${id}${tenantPredicateSql(resource, db)}${notDeletedSql(resource)}${
        lock ? sql` for update` : empty
      }`,
  )
}

export async function findRows(db: Db, resource: Any, where: Sql, tail: Sql = empty) {
  return db.query<any>(
    sql`select ${resourceColumnsSql(resource)} from ${tableNameSql(resource)} r
      where (${where})${tenantPredicateSql(resource, db)}${notDeletedSql(resource)} ${tail}`,
  )
}

const toColumn = (field: Field, value: unknown) => {
  const convert = fieldKindOf(field).toColumn
  return convert ? convert(value) : value
}

/** Turns a unique violation into a refusal that names the field, found by the index name `<table>_uq_<field>_…`. */
function explain(resource: Any, error: unknown): unknown {
  const { code, constraint: broken } = error as { code?: string; constraint?: string }
  const constraint = broken && nameWithoutPartition(broken)
  if (code !== '23505' || !constraint?.startsWith(`${resource.table}_uq`)) return error
  const keys =
    resource.unique.find((set: readonly string[]) => uniqueIndexName(resource, set) === constraint) ??
    resource.uniqueEverywhere.find(
      (set: readonly string[]) => uniqueIndexName(resource, set, 'everywhere') === constraint,
    ) ??
    []
  const key = [...keys].reverse().find((one) => resource.fields[one]?.form !== 'hidden') ?? keys[0]
  const label = resource.fields[key ?? '']?.label ?? resource.label
  return new Refused(
    'taken',
    { label },
    key && resource.fields[key]
      ? { problems: { [key]: { problem: { code: 'taken' }, field: resource.fields[key] } } }
      : {},
  )
}

/** Awaits a write and turns its unique violations into refusals. */
const explained = <T>(resource: Any, result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    throw explain(resource, error)
  })

function insertSql(db: Db, resource: Any, draft: Record<string, any>): Sql {
  const given = givenIn(resource, draft)
  const columns = [
    'id',
    'create_user',
    'create_dept',
    'update_user',
    ...(hasTenantColumn(resource) ? ['tenant_id'] : []),
  ]
  const values: unknown[] = [
    draft.id ?? newId(),
    db.userId,
    db.deptId,
    db.userId,
    ...(hasTenantColumn(resource) ? [db.tenantId] : []),
  ]
  for (const [key, field] of given) {
    columns.push(toSqlName(key))
    values.push(toColumn(field, draft[key]))
  }
  const time = draft.createTime === undefined ? db.timestampSql : sql`${draft.createTime}`
  return sql`insert into ${tableNameSql(resource)} as r
    (${raw([...columns, 'create_time', 'update_time'].map((name) => `"${name}"`).join(', '))})
    values (${join(values)}, ${time}, ${time})`
}

export const insertRow = async (db: Db, resource: Any, draft: Record<string, any>): Promise<any> =>
  explained(resource, db.one(sql`${insertSql(db, resource, draft)} returning ${resourceColumnsSql(resource)}`))

/** Inserts rows that all have the same fields, with one statement. */
export async function insertRows(db: Db, resource: Any, drafts: readonly Record<string, any>[]): Promise<void> {
  const [first] = drafts
  if (!first) return
  await explained(
    resource,
    db.run(drafts.length > 1 ? insertAllSql(db, resource, drafts) : insertSql(db, resource, first)),
  )
}

function insertAllSql(db: Db, resource: Any, drafts: readonly Record<string, any>[]): Sql {
  const [first] = drafts as [Record<string, any>]
  const given = givenIn(resource, first)
  const columns = ['id', ...given.map(([key]) => toSqlName(key))]
  // Converted by the columns' own types, so that arrays and documents work too.
  const stored = drafts.map((draft) =>
    Object.fromEntries([['id', draft.id ?? newId()], ...given.map(([key]) => [toSqlName(key), draft[key]])]),
  )
  const tenant = hasTenantColumn(resource) ? sql`, ${db.tenantId}` : empty
  const names = [...columns, 'create_user', 'create_dept', 'update_user', 'create_time', 'update_time']
  const into = hasTenantColumn(resource) ? [...names, 'tenant_id'] : names
  return sql`insert into ${tableNameSql(resource)} (${raw(into.map((name) => `"${name}"`).join(', '))})
    select ${raw(columns.map((name) => `d."${name}"`).join(', '))}, ${db.userId}::bigint, ${db.deptId}::bigint,
    ${db.userId}::bigint, ${db.timestampSql}, ${db.timestampSql}${tenant}
    from jsonb_populate_recordset(null::${tableNameSql(resource)}, ${JSON.stringify(stored)}::jsonb) d`
}

const WAS = 'was.'

/** SELECT list `"was.title"` … of the fields to be changed: the old values, returned with the updated row. */
const wasList = (given: Entry[]): Sql =>
  raw(given.map(([key]) => `was."${toSqlName(key)}" as "${WAS}${key}"`).join(', '))

/** Removes the `was.` values from an updated row and records the differences for the change history. */
function recordUpdate(db: Db, resource: Any, row: Record<string, any>, given: Entry[]): void {
  const was: Record<string, unknown> = {}
  for (const [key] of given) {
    was[key] = row[WAS + key]
    delete row[WAS + key]
  }
  noteChange(db, resource, row, diffFieldValues(given, { ...row, ...was }, row))
}

function noteChange(db: Db, resource: Any, row: Record<string, any>, found: ReturnType<typeof diffFieldValues>): void {
  if (found)
    db.changes.note({
      tenantId: tenantIdOfRow(resource, row),
      resource: resource.name,
      rowId: row.id,
      kind: 'edit',
      version: row.version,
      ...found,
    })
}

const setsOf = (db: Db, given: Entry[], patch: Record<string, any>): Sql =>
  join([
    ...given.map(([key, field]) => sql`${columnNameSql(key)} = ${toColumn(field, patch[key])}`),
    sql`update_user = ${db.userId}`,
    sql`update_time = ${db.timestampSql}`,
    sql`version = r.version + 1`,
  ])

/** Joins the new row `r` to the locked old one `was`. */
const sameRowSql = (resource: Any): Sql =>
  hasTenantColumn(resource) ? sql`r.id = was.id and r.tenant_id = was.tenant_id` : sql`r.id = was.id`

/** Which rows a conditional update is for. */
export type UpdateCondition = {
  /** Condition on alias `r` that finds rows; `tail` sorts and limits them before they are locked. */
  where: Sql
  tail?: Sql
  /** Condition on alias `was`, the locked row as it is now. */
  when?: Sql
  /** More assignments, which may use `r`, the row before. */
  set?: Sql
}

/**
 * Locks rows, waiting for those who hold them, and updates those that then meet `when`. Returns the updated rows. The
 * tail keeps PostgreSQL from testing `when` before the lock, on a version of the row that is gone by then.
 */
export async function updateRowsWhen(
  db: Db,
  resource: Any,
  { where, tail = sql`offset 0`, when, set }: UpdateCondition,
  patch: Record<string, any>,
): Promise<any[]> {
  const given = givenIn(resource, patch)
  const isKept = given.length > 0 && db.changes.keeps(resource)
  const rows = await explained(
    resource,
    db.query(
      sql`update ${tableNameSql(resource)} r set ${setsOf(db, given, patch)}${set ? sql`, ${set}` : empty}
        from (select r.* from ${tableNameSql(resource)} r
          where ${where}${tenantPredicateSql(resource, db)}${notDeletedSql(resource)} ${tail} for update) was
        where ${sameRowSql(resource)}${when ? sql` and ${when}` : empty}
        returning ${resourceColumnsSql(resource)}${isKept ? sql`, ${wasList(given)}` : empty}`,
    ),
  )
  if (isKept) for (const row of rows) recordUpdate(db, resource, row, given)
  return rows
}

export async function updateRow(db: Db, resource: Any, id: string, patch: Record<string, any>) {
  const given = givenIn(resource, patch)
  const isKept = given.length > 0 && db.changes.keeps(resource)
  const from = isKept
    ? sql` from (select * from ${tableNameSql(resource)} where id = ${id} for update) was
      where ${sameRowSql(resource)} and`
    : sql` where`
  const row = await explained(
    resource,
    db.one(
      sql`update ${tableNameSql(resource)} r set ${setsOf(db, given, patch)}${from} r.id = ${id}
        ${tenantPredicateSql(resource, db)}${notDeletedSql(resource)}
        returning ${resourceColumnsSql(resource)}${isKept ? sql`, ${wasList(given)}` : empty}`,
    ),
  )
  if (!row) throw new Refused('not_found', { label: resource.label })
  if (isKept) recordUpdate(db, resource, row, given)
  return row as any
}

/** SQL types whose values are stored exactly as given, with their JavaScript type. */
const TO_THE_LETTER: Record<string, string> = { text: 'string', boolean: 'boolean', integer: 'number' }

/** Whether the stored values are known without asking the database: nothing is rounded, sorted or reformatted. */
const isStoredAsGiven = (given: Entry[], patch: Record<string, any>): boolean =>
  given.every(
    ([key, field]) =>
      patch[key] === null ||
      (!fieldKindOf(field).toColumn &&
        typeof patch[key] === TO_THE_LETTER[fieldKindOf(field).column(field).split(' ', 1)[0]!]),
  )

/**
 * Updates a row that was locked and read in this unit, and returns its new values without awaiting the update
 * (`waitUntil`). Returns undefined, without updating, if only the database can tell what will be stored.
 */
export function updateRowDeferred(db: Db, resource: Any, was: Record<string, any>, patch: Record<string, any>) {
  const given = givenIn(resource, patch)
  if (!isStoredAsGiven(given, patch)) return undefined
  const now: Record<string, any> = { ...was, version: was.version + 1 }
  for (const [key] of given) now[key] = patch[key]
  const write = async () => {
    const update = sql`update ${tableNameSql(resource)} r set ${setsOf(db, given, patch)}
      where r.id = ${was.id}${tenantPredicateSql(resource, db)}${notDeletedSql(resource)}`
    if (!(await explained(resource, db.run(update)))) throw new Refused('not_found', { label: resource.label })
  }
  db.waitUntil(write())
  if (given.length && db.changes.keeps(resource)) noteChange(db, resource, now, diffFieldValues(given, was, now))
  return now as any
}

export async function removeRows(db: Db, resource: Any, ids: readonly string[]): Promise<number> {
  const where = sql`where r.id = any(${ids}::bigint[])${tenantPredicateSql(resource, db)}${notDeletedSql(resource)}`
  if (resource.remove === 'hard') return db.run(sql`delete from ${tableNameSql(resource)} r ${where}`)
  const removal = sql`update ${tableNameSql(resource)} r set is_deleted = 1, update_user = ${db.userId},
    update_time = now(),
    version = r.version + 1 ${where}`
  if (!db.changes.keeps(resource)) return db.run(removal)
  const removed = await db.query(
    sql`${removal} returning r.id, r.version${hasTenantColumn(resource) ? sql`, r.tenant_id as "tenantId"` : empty}`,
  )
  for (const row of removed)
    db.changes.note({
      tenantId: tenantIdOfRow(resource, row),
      resource: resource.name,
      rowId: row.id,
      kind: 'remove',
      version: row.version,
      was: {},
      now: {},
    })
  return removed.length
}

/** Restores a softly removed row. Refuses, naming the field, if another row now has its unique value. */
export async function restoreRow(db: Db, resource: Any, id: string) {
  const row = await explained(
    resource,
    db.one(
      sql`update ${tableNameSql(resource)} r set is_deleted = 0, update_user = ${db.userId}, update_time = now(),
        version = r.version + 1 where r.id = ${id}${tenantPredicateSql(resource, db)} and r.is_deleted = 1
        returning ${resourceColumnsSql(resource)}`,
    ),
  )
  if (!row) throw new Refused('not_found', { label: resource.label })
  if (db.changes.keeps(resource))
    db.changes.note({
      tenantId: tenantIdOfRow(resource, row),
      resource: resource.name,
      rowId: row.id,
      kind: 'restore',
      version: row.version,
      was: {},
      now: {},
    })
  return row as any
}
