import { isEmptyInput, type Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/index.ts'
import { awaitBatch, empty, sql } from '#kit/server/database/db.ts'
import { newId, timeOfId } from '#kit/server/database/snowflake.ts'
import { notDeletedSql, hasTenantColumn, resourceColumnsSql, tableNameSql } from '#kit/server/database/row-sql.ts'
import { isSecretFieldValue, isSame } from '#kit/server/database/change-log.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { findServedResource, withTenantCustomFields } from '#kit/server/resource/custom-fields.ts'
import { requestedOperationOf, canonicalPath } from '#kit/server/request/requested-operation.ts'
import type { RequestedOperation, Call, Route } from '#kit/server/module/module.ts'
import type { ExpressionValue } from './expression.ts'

type Any = Resource<any, any>
/** The call by which rows are read: its tenant's custom fields are part of them. */
export type RowReadContext = Pick<Call, 'db' | 'services' | 'caller'>
type Stored = Record<string, unknown>

/** A row an operation changes, before and after; null where it does not exist. */
export type RowEffect = { resource: string; rowId: string; before: Stored | null; after: Stored | null }

/** Effects of an operation: the rows it changes and those it names. `mark` is an id older than any it creates. */
export type OperationEffects = { mark: string; rows: RowEffect[]; answer?: unknown }

/** Limit of changed rows: nobody reviews more one by one. */
const ROWS_MAX = 500
/** Bookkeeping fields of every row, ignored when comparing. */
const MACHINERY = new Set([
  'version',
  'createUser',
  'createDept',
  'createTime',
  'updateUser',
  'updateTime',
  'isDeleted',
])

class Undone extends Error {}

/**
 * Runs an operation in a savepoint, records which rows it changes, and rolls it back. Refuses what the operation
 * refuses.
 */
export async function dryRunOperation(route: Route, call: Call): Promise<OperationEffects> {
  const { db } = call
  const mark = newId()
  let after: (RowIdentity & { row: Stored | null })[] = []
  let answer: unknown
  const named = namedRows(route, call)
  await db
    .savepoint(async () => {
      answer = await route.handle({ ...call, isApproved: true })
      after = await rowsAfter(call, route, named, answer)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  const rowNow = await rowsNow(call, after)
  const rows = after.map(({ row, ...one }) => ({ ...one, before: rowNow(one), after: row }))
  return { mark, rows: rows.filter(isExisting), answer }
}

/** Returns the rows an operation names, unchanged: for operations that cannot be tried in a transaction. */
export async function loadNamedRowsAsEffects(route: Route, call: Call): Promise<OperationEffects> {
  const named = namedRows(route, call)
  const rowNow = await rowsNow(call, named)
  const rows = named.map((one) => ({ ...one, before: rowNow(one), after: rowNow(one) }))
  return { mark: newId(), rows: rows.filter(isExisting) }
}

const isExisting = ({ before, after }: RowEffect): boolean => !!(before || after)

/**
 * Executes an approved operation and returns what became of the approved rows, compared with their current values,
 * which may have changed meanwhile.
 */
export async function executeOperation(
  route: Route,
  call: Call,
  agreed: readonly RowEffect[],
): Promise<OperationEffects> {
  const mark = newId()
  const named = namedRows(route, call)
  const rowBefore = await rowsNow(call, [...agreed, ...named])
  const answer = await route.handle({ ...call, isApproved: true })
  const after = await rowsAfter(call, route, named, answer)
  const rows = after.map(({ row, ...one }) => ({ ...one, before: rowBefore(one), after: row }))
  return { mark, rows }
}

const isChanged = ({ before, after }: RowEffect): boolean =>
  changedFieldKeys(before, after).length > 0 || !before !== !after

/** Returns the rows an operation changes; if none, those it names. */
export function rowEffectsToShow({ rows }: OperationEffects): RowEffect[] {
  const changed = rows.filter(isChanged)
  return changed.length ? changed : rows
}

export const countChangedRows = ({ rows }: OperationEffects): number => rows.filter(isChanged).length

/** Returns the fields that differ, without bookkeeping fields. */
export const changedFieldKeys = (before: Stored | null, after: Stored | null): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (key) => key !== 'id' && key !== 'tenantId' && !MACHINERY.has(key) && !isSame(before?.[key], after?.[key]),
  )

async function rowsAfter(call: Call, route: Route, named: readonly RowIdentity[], answer: unknown) {
  const { db } = call
  const made = (answer as { id?: unknown } | undefined)?.id
  const resource = findResourceOfRoute(route.path, call)
  const own =
    resource && typeof made === 'string' && /^\d+$/.test(made) ? [{ resource: resource.name, rowId: made }] : []
  const all = new Map([...named, ...own, ...db.changes.touched()].map((one) => [nameOf(one), one]))
  const looked = [...all.values()].slice(0, ROWS_MAX)
  const rowNow = await rowsNow(call, looked)
  return looked.map((one) => ({ ...one, row: rowNow(one) }))
}

/** Returns a resource by name, with the tenant's custom fields. */
export const resourceWithTenantFields = (looker: RowReadContext, name: string): Any =>
  findServedResource(name, looker)?.resource ?? looker.services.registry.resource(name)

type RowIdentity = { resource: string; rowId: string }

/** Returns the identity of a row; ids with leading zeros are equal. */
const nameOf = ({ resource, rowId }: RowIdentity): string => `${resource}/${BigInt(rowId)}`

/** Reads the current rows, one query per resource. Returns a lookup; null for a missing row. */
async function rowsNow(
  looker: RowReadContext,
  named: readonly RowIdentity[],
): Promise<(one: RowIdentity) => Stored | null> {
  const namedByResource = Map.groupBy(named, ({ resource }) => resource)
  const found = await awaitBatch(
    [...namedByResource].map(async ([resource, of]) => {
      const ids = [...new Set(of.map(({ rowId }) => rowId))]
      const rows = await rowsOfResource(looker, resourceWithTenantFields(looker, resource), ids)
      return rows.map((row) => [nameOf({ resource, rowId: row.id }), row] as const)
    }),
  )
  const rows = new Map<string, Stored>(found.flat())
  return (one) => rows.get(nameOf(one)) ?? null
}

const rowsOfResource = ({ db }: RowReadContext, resource: Any, ids: readonly string[]) =>
  db.query<Stored & { id: string }>(
    sql`select ${resourceColumnsSql(resource)} from ${tableNameSql(resource)} r where r.id = any(${ids}::bigint[])${
      hasTenantColumn(resource) ? sql` and r.tenant_id = ${db.tenantId}` : empty
    }${notDeletedSql(resource)}`,
  )

/** Returns the resource a path belongs to (the longest matching path), for bulk operations that of the query. */
export function findResourceOfRoute(path: string, call: Call): Any | undefined {
  if (path.startsWith('/api/kit/')) return findServedResource(call.query.resource ?? '', call)?.resource
  path = canonicalPath(call.services.registry, path)
  const [found] = [...call.services.registry.served.values()]
    .filter(({ resource }) => path.startsWith(`${resource.path}/`))
    .toSorted((one, other) => other.resource.path.length - one.resource.path.length)
  return found && withTenantCustomFields(found, call).resource
}

function namedRows(route: Route, call: Call): RowIdentity[] {
  const resource = findResourceOfRoute(route.path, call)
  if (!resource) return []
  return requestedOperationOf(route, call)
    .ids.slice(0, ROWS_MAX)
    .map((rowId) => ({ resource: resource.name, rowId }))
}

/** A row that changed since, with the changed fields; null where it does not exist. */
export type StaleRow = RowEffect & { keys: string[] }

/**
 * Returns the rows that changed since approval was requested. Ignores fields that change by themselves (stock, while
 * goods are sold) unless the change sets them.
 */
export async function findStaleRows(looker: RowReadContext, { rows }: OperationEffects): Promise<StaleRow[]> {
  const rowNow = await rowsNow(looker, rows)
  const moved: StaleRow[] = []
  for (const { resource, rowId, before, after } of rows) {
    const now = rowNow({ resource, rowId })
    const fields = resourceWithTenantFields(looker, resource).fields as Record<string, Field>
    // A removal does not depend on the row's values.
    const set = new Set(before && after ? changedFieldKeys(before, after) : [])
    const keys =
      before && now ? changedFieldKeys(before, now).filter((key) => !fields[key]?.systemUpdated || set.has(key)) : []
    if (!now !== !before || keys.length) moved.push({ resource, rowId, before, after: now, keys })
  }
  return moved
}

/**
 * Returns rows whose result differs from the approved one: `before` is the approved result, `after` the actual one.
 * Existing rows are matched by id, new ones by their content.
 */
export function findDivergingRows(
  looker: RowReadContext,
  agreed: OperationEffects,
  done: OperationEffects,
): StaleRow[] {
  const meant = meaningOf(looker, agreed, done)
  const left = agreed.rows.filter(isChanged)
  const others: StaleRow[] = []
  for (const one of done.rows.filter(isChanged)) {
    const { resource, rowId, after } = one
    const isNew = !one.before && isFresh(rowId, done.mark)
    const at = left.findIndex((other) =>
      other.resource !== resource
        ? false
        : isNew
          ? isFresh(other.rowId, agreed.mark) && !meant(other, one).length
          : other.rowId === rowId,
    )
    const [was] = at < 0 ? [] : left.splice(at, 1)
    const keys = was ? meant(was, one) : []
    if (!was || keys.length || !was.after !== !after)
      others.push({ resource, rowId, before: was?.after ?? null, after, keys })
  }
  return [...others, ...left.map((one) => ({ ...one, before: one.after, after: null, keys: [] }))]
}

const isFresh = (id: string, mark: string): boolean => BigInt(id) > BigInt(mark)

/**
 * Returns a function that lists the fields in which a result differs from the approved one. Ignores what differs in
 * every run: current times and dates, new ids and numbers made of them, encrypted secrets. Of `generated` fields
 * compares only whether there is a value; of fields that change by themselves only those that were set.
 */
function meaningOf(looker: RowReadContext, agreed: OperationEffects, done: OperationEffects) {
  const days = new Set([agreed, done].map(({ mark }) => dayOf(timeOfId(mark))))
  return (one: RowEffect, other: RowEffect): string[] => {
    const fields = resourceWithTenantFields(looker, one.resource).fields as Record<string, Field>
    const set = new Set(changedFieldKeys(one.before, one.after))
    const value = (row: Stored | null, key: string, mark: string): unknown => {
      const held = row?.[key] ?? null
      const field = fields[key]
      if (held === null || !field) return held
      if (field.secret || field.generated || isSecretFieldValue(field, key, row!)) return 'some'
      return meaning(held, mark, days)
    }
    return [...new Set([...set, ...changedFieldKeys(other.before, other.after)])].filter(
      (key) =>
        !isTime(fields[key]) &&
        !(fields[key]?.systemUpdated && !set.has(key)) &&
        !isSame(value(one.after, key, agreed.mark), value(other.after, key, done.mark)),
    )
  }
}

const MOMENT = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g
const SECOND_MS = 1000

function meaning(value: unknown, mark: string, days: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => meaning(one, mark, days))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [meaning(key, mark, days), meaning(one, mark, days)])
  const since = timeOfId(mark) - SECOND_MS
  if (typeof value === 'number') return value > since ? '@now' : value
  if (typeof value !== 'string') return value
  if (days.has(value)) return '@today'
  return value
    .replace(MOMENT, (text) => (momentOf(text) >= since ? '@now' : text))
    .replace(/\d{15,19}/g, (digits) => (BigInt(digits) > BigInt(mark) ? '@new' : digits))
}

/** Parses a time; one without a zone is in Shanghai time. */
const momentOf = (text: string): number =>
  Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? text : `${text.replace(' ', 'T')}+08:00`)
const dayOf = (ms: number): string => formatShanghaiTime(new Date(ms)).slice(0, 10)
const isTime = (field: Field | undefined): boolean => !!field && fieldKindOf(field).readsAs === 'moment'

/** Converts a row for conditions: numbers and money (in yuan) as numbers, all else as in the API. */
export function rowToExpressionValue(resource: Any, row: Stored | null): ExpressionValue {
  if (!row) return null
  const out: Record<string, ExpressionValue> = { id: String(row.id) }
  for (const [key, field] of Object.entries<Field>(resource.fields))
    if (isReadable(field)) out[key] = plainValue(field, row[key])
  return out
}

/** Converts an operation's arguments for conditions; those no field declares stay as they are. */
export function operationToExpressionValues({ values, fields }: RequestedOperation): Record<string, ExpressionValue> {
  const out: Record<string, ExpressionValue> = {}
  for (const [key, value] of Object.entries(values)) {
    const field = fields[key]
    if (!field) out[key] = JSON.parse(JSON.stringify(value ?? null)) as ExpressionValue
    else if (isReadable(field)) out[key] = plainValue(field, value)
  }
  return out
}

const isReadable = (field: Field): boolean => !field.secret && !field.computed && !fieldKindOf(field).writeOnly

function plainValue(field: Field, value: unknown): ExpressionValue {
  const { readsAs, currency, wire } = fieldKindOf(field)
  if (isEmptyInput(value) && !Array.isArray(value)) return null
  if (currency || readsAs === 'number') return Number(wire(value, { ...field, mask: undefined }))
  return value as ExpressionValue
}
