import { isEmpty, type Field } from '#kit/fields/field-kind.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/index.ts'
import { empty, sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { alive, hasTenant, selectList, tableOf } from '#kit/server/database/rows.ts'
import { isSame } from '#kit/server/history/change-log.ts'
import { familyOf, ownOf } from '#kit/server/resource/own-served.ts'
import type { Call, Route } from '#kit/server/room.ts'
import type { Value } from './expression.ts'

type Any = Resource<any, any>
/** In whose name rows are looked at: their tenant's own fields are part of them. */
type Looker = Pick<Call, 'db' | 'services' | 'caller'>
type Stored = Record<string, unknown>

/** One row an act changes, as it is and as the act leaves it; null where it is not there. */
export type Effect = { resource: string; rowId: string; before: Stored | null; after: Stored | null }

/** What an act does to rows; `mark` is older than any id it made. */
export type Effects = { mark: string; rows: Effect[] }

/** More rows than anybody looks at one by one. */
const ROWS_MAX = 500
/** Of every row, and nothing anybody decides. */
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

/** Does it, looks, and undoes it: what would become of which rows. What the act refuses is refused. */
export async function tryAct(route: Route, call: Call): Promise<Effects> {
  const { db } = call
  const mark = newId()
  let after: { resource: string; rowId: string; row: Stored | null }[] = []
  const named = namedRows(route, call)
  await db
    .attempt(async () => {
      const answer = await route.handle({ ...call, isReleased: true })
      after = await rowsAfter(call, route, named, answer)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  const rows: Effect[] = []
  for (const { resource, rowId, row } of after)
    rows.push({ resource, rowId, before: await rowNow(call, resource, rowId), after: row })
  return { mark, rows: rows.filter(isChanged) }
}

/** The rows an act names, as they are: all that can be said of one that cannot be tried. */
export async function namedNow(route: Route, call: Call): Promise<Effects> {
  const rows: Effect[] = []
  for (const { resource, rowId } of namedRows(route, call)) {
    const before = await rowNow(call, resource, rowId)
    if (before) rows.push({ resource, rowId, before, after: before })
  }
  return { mark: newId(), rows }
}

/**
 * Does it for good, and tells what became of which of the rows that were agreed to, from what they are now: some of it
 * may have moved by itself.
 */
export async function doAct(route: Route, call: Call, agreed: readonly Effect[]): Promise<Effects> {
  const mark = newId()
  const was = new Map<string, Stored | null>()
  for (const { resource, rowId } of agreed) was.set(`${resource}/${rowId}`, await rowNow(call, resource, rowId))
  const answer = await route.handle({ ...call, isReleased: true })
  const after = await rowsAfter(call, route, namedRows(route, call), answer)
  const rows = after.map(({ row, ...one }) => ({
    ...one,
    before: was.get(`${one.resource}/${one.rowId}`) ?? null,
    after: row,
  }))
  return { mark, rows: rows.filter(isChanged) }
}

const isChanged = ({ before, after }: Effect): boolean => changedKeys(before, after).length > 0 || !before !== !after

/** Fields that differ, machinery aside. */
export const changedKeys = (before: Stored | null, after: Stored | null): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (key) => key !== 'id' && key !== 'tenantId' && !MACHINERY.has(key) && !isSame(before?.[key], after?.[key]),
  )

async function rowsAfter(call: Call, route: Route, named: readonly Named[], answer: unknown) {
  const { db } = call
  const made = (answer as { id?: unknown } | undefined)?.id
  const family = familyOfRoute(route.path, call)
  const own = family && typeof made === 'string' && /^\d+$/.test(made) ? [{ resource: family.name, rowId: made }] : []
  const all = new Map([...named, ...own, ...db.changes.touched()].map((one) => [`${one.resource}/${one.rowId}`, one]))
  const found = []
  for (const { resource, rowId } of [...all.values()].slice(0, ROWS_MAX))
    found.push({ resource, rowId, row: await rowNow(call, resource, rowId) })
  return found
}

/** A family of any name a row was changed in, with the tenant's own fields. */
const familyNow = (looker: Looker, name: string): Any =>
  familyOf(name, looker)?.resource ?? looker.services.registry.resource(name)

async function rowNow(looker: Looker, name: string, id: string): Promise<Stored | null> {
  const { db } = looker
  const resource = familyNow(looker, name)
  const row = await db.one<Stored>(
    sql`select ${selectList(resource)} from ${tableOf(resource)} r where r.id = ${id}${
      hasTenant(resource) ? sql` and r.tenant_id = ${db.tenantId}` : empty
    }${alive(resource)}`,
  )
  return row ?? null
}

type Named = { resource: string; rowId: string }

/** The family whose call a route is: the longest address it lies under; of bulk work the family it is about. */
export function familyOfRoute(path: string, call: Call): Any | undefined {
  if (path.startsWith('/api/kit/')) return familyOf(call.query.resource ?? '', call)?.resource
  const [found] = [...call.services.registry.served.values()]
    .filter(({ resource }) => path.startsWith(`${resource.path}/`))
    .toSorted((one, other) => other.resource.path.length - one.resource.path.length)
  return found && ownOf(found, call).resource
}

/** Arguments as they came, the query over the body. */
export const argsOf = ({ query, body }: Pick<Call, 'query' | 'body'>): Record<string, unknown> => ({
  ...(typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}),
  ...query,
})

export const idsOfArgs = (args: Record<string, unknown>): string[] => {
  const given = [args.ids ?? args.id ?? []].flat().flatMap((one) => String(one).split(','))
  return [...new Set(given.filter((one) => /^\d{1,19}$/.test(one) && one !== '0'))]
}

function namedRows(route: Route, call: Call): Named[] {
  const family = familyOfRoute(route.path, call)
  if (!family) return []
  return idsOfArgs(argsOf(call))
    .slice(0, ROWS_MAX)
    .map((rowId) => ({ resource: family.name, rowId }))
}

/**
 * Whether what was agreed to no longer fits the rows as they are. What moves by itself (stock, while goods are sold) is
 * nothing anybody looked at, unless it is what the change sets.
 */
export async function hasMoved(looker: Looker, { rows }: Effects): Promise<boolean> {
  for (const { resource, rowId, before, after } of rows) {
    const now = await rowNow(looker, resource, rowId)
    if (!now !== !before) return true
    const fields = familyNow(looker, resource).fields as Record<string, Field>
    const set = new Set(changedKeys(before, after))
    if (changedKeys(before, now).some((key) => !fields[key]?.moves || set.has(key))) return true
  }
  return false
}

/** Whether what was done is what was agreed to: the same rows, to the same values. */
export function isAsAgreed(looker: Looker, agreed: Effects, done: Effects): boolean {
  const [one, other] = [seenOf(looker, agreed), seenOf(looker, done)]
  return isSame(one, other)
}

/** The rows without what every run makes anew: times of now, and ids of rows that came into being. */
function seenOf(looker: Looker, { mark, rows }: Effects): unknown[] {
  return rows
    .map(({ resource, rowId, before, after }) => {
      const fields = familyNow(looker, resource).fields as Record<string, Field>
      // What was kept comes back with its keys in another order.
      const keys = changedKeys(before, after)
        .filter((key) => !isTime(fields[key]))
        .sort()
      const value = (row: Stored | null, key: string) => (isFresh(row?.[key], mark) ? 'new' : (row?.[key] ?? null))
      return [
        resource,
        isFresh(rowId, mark) ? 'new' : rowId,
        keys.map((key) => [key, value(before, key), value(after, key)]),
      ]
    })
    .map((one) => JSON.stringify(one))
    .sort()
}

const isTime = (field: Field | undefined): boolean => !!field && kindOf(field).readsAs === 'moment'
const isFresh = (value: unknown, mark: string): boolean =>
  typeof value === 'string' && /^\d{15,19}$/.test(value) && BigInt(value) > BigInt(mark)

/** A row as conditions read it: numbers and money (in yuan) as numbers, all else as on the wire. */
export function plainOf(resource: Any, row: Stored | null): Value {
  if (!row) return null
  const out: Record<string, Value> = { id: String(row.id) }
  for (const [key, field] of Object.entries<Field>(resource.fields)) {
    if (field.secret || field.computed || kindOf(field).writeOnly) continue
    const { readsAs, currency, wire } = kindOf(field)
    const value = row[key]
    out[key] =
      isEmpty(value) && !Array.isArray(value)
        ? null
        : currency || readsAs === 'number'
          ? Number(wire(value, { ...field, mask: undefined }))
          : (value as Value)
  }
  return out
}
