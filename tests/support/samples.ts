import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf, parseFieldInput } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { ServedResource } from '#kit/server/module/module.ts'
import { notDeletedSql, columnNameSql, hasTenantColumn, tableNameSql } from '#kit/server/database/row-sql.ts'
import type { TestWorld } from './world.ts'

type Any = Resource<any, any>
/** Values that a resource's rules require beyond its fields, by resource name, in the format of the API. */
export type Overrides = Record<
  string,
  (n: number, tenantId: string, make: Make) => Record<string, unknown> | Promise<Record<string, unknown>>
>
/** Inserts a row of a resource into the tenant, with some stored values given. Returns the row. */
export type Make = (name: string, fixed?: Record<string, unknown>) => Promise<Record<string, any>>

export type Samples = ReturnType<typeof createSamples>

/** The state shared while a row and the rows it needs are made. */
type Making = {
  readonly world: TestWorld
  readonly overrides: Overrides
  /** Resources whose row is being made: a cycle of references is not followed. */
  readonly building: Set<string>
  /** Returns a number that no sample had before. */
  readonly next: () => number
}

/**
 * Makes rows from declarations: each field's sample, a key of its dictionary, a row that its reference may point to.
 */
export function createSamples(world: TestWorld, overrides: Overrides = {}) {
  let count = 0
  const making: Making = { world, overrides, building: new Set(), next: () => ++count }
  return {
    /** Returns a row as a person would submit it: every field that a form can write, none empty. */
    draft: (resource: Any, tenantId: string, n = making.next()): Promise<Record<string, unknown>> =>
      fill(making, resource, writable(resource), n, tenantId),
    /** Returns an action's input with every field filled. */
    input: (fields: Fields, tenantId: string, n = making.next()): Promise<Record<string, unknown>> =>
      fill(
        making,
        { name: '', fields, unique: [], uniqueEverywhere: [] } as unknown as Any,
        Object.entries(fields),
        n,
        tenantId,
      ),
    insert: (served: ServedResource, tenantId: string, fixed?: Record<string, unknown>, n?: number) =>
      insert(making, served, tenantId, fixed, n),
    someRow: (served: ServedResource, tenantId: string) => someRow(making, served, tenantId),
    writable,
    /** Returns the number of the resource's rows of all tenants, deleted ones excluded. */
    countRows: async (resource: Any): Promise<number> =>
      world.services.unit(
        { crossTenantReason: 'a test counts' },
        async (db) =>
          (await db.one<{ n: number }>(
            sql`select count(${columnNameSql('id')})::int as n from ${tableNameSql(resource)} r
              where true${notDeletedSql(resource)}`,
          ))!.n,
      ),
  }
}

const writable = (resource: Any) =>
  Object.entries(resource.fields as Fields).filter(
    ([, field]) => !field.computed && ['edit', 'add'].includes(field.form ?? 'edit'),
  )

const unitFor = <T>({ world }: Making, resource: Any, tenantId: string, work: (db: Db) => Promise<T>): Promise<T> =>
  world.services.unit(hasTenantColumn(resource) ? { tenantId } : { crossTenantReason: 'rows for a test' }, work)

async function fill(
  making: Making,
  resource: Any,
  fields: [string, Field][],
  n: number,
  tenantId: string,
): Promise<Record<string, unknown>> {
  making.building.add(resource.name)
  try {
    const wire: Record<string, unknown> = {}
    const own = fresh(resource)
    // Fields that must agree with another field come after it.
    for (const [key, field] of [...fields].sort(([, a], [, b]) => Number(!!a.same) - Number(!!b.same))) {
      const owner = field.same
      if (owner && wire[owner]) {
        const target = await agreeing(making, servedOf(making, field.to!), tenantId, owner, wire[owner])
        if (target) wire[key] = target
        continue
      }
      const value = own.has(key)
        ? await target(making, field, tenantId, true)
        : await valueOf(making, field, n, tenantId)
      if (value !== undefined) wire[key] = value
    }
    const make: Make = (name, fixed) => insert(making, servedOf(making, name), tenantId, fixed)
    return { ...wire, ...(await making.overrides[resource.name]?.(n, tenantId, make)) }
  } finally {
    making.building.delete(resource.name)
  }
}

const servedOf = ({ world }: Making, name: string): ServedResource => world.registry.served.get(name)!

/** Returns the references that alone make rows unique: each sample needs its own target there. */
function fresh(resource: Any): Set<string> {
  const fields = resource.fields as Fields
  const choicesOf = (key: string) => {
    const kind = fields[key] && fieldKindOf(fields[key])
    return kind?.many || kind?.isParent ? undefined : kind?.choices
  }
  const isRef = (key: string) => choicesOf(key) === 'rows' && !!fields[key]!.to
  const tight = [...resource.unique, ...resource.uniqueEverywhere].filter((set) =>
    set.every((key) => isRef(key) || choicesOf(key) === 'dictionary'),
  )
  return new Set(tight.flatMap((set) => set.findLast(isRef) ?? []))
}

async function valueOf(making: Making, field: Field, n: number, tenantId: string): Promise<unknown> {
  const { choices, isParent } = fieldKindOf(field)
  if (choices === 'dictionary') {
    const entries = making.world.services.labels.entries(tenantId, field.dict!, 'zh')
    const entry = entries.find(({ key }) => !field.without?.includes(key))
    return field.numeric ? Number(entry?.key ?? 1) : (entry?.key ?? '1')
  }
  if (choices === 'rows' && !isParent) return field.to ? target(making, field, tenantId) : undefined
  return fieldKindOf(field).sample(field, n)
}

async function target(making: Making, field: Field, tenantId: string, isFresh = false): Promise<string | undefined> {
  const served = servedOf(making, field.to!)
  const isMade = isFresh && !making.building.has(served.resource.name)
  const row = isMade ? await insert(making, served, tenantId) : await someRow(making, served, tenantId)
  return row && String(row.id)
}

/** Returns a row of the resource in the tenant, an existing or a new one. */
async function someRow(
  making: Making,
  served: ServedResource,
  tenantId: string,
): Promise<Record<string, any> | undefined> {
  const { resource } = served
  const [existing] = await unitFor<Record<string, any>[]>(making, resource, tenantId, (db) =>
    db.find(resource, sql`true`, sql`order by r.id limit 1`),
  )
  if (existing) return existing
  return making.building.has(resource.name) ? undefined : insert(making, served, tenantId)
}

/** Returns a row of the resource with this owner, an existing or a new one. */
async function agreeing(
  making: Making,
  served: ServedResource,
  tenantId: string,
  owner: string,
  value: unknown,
): Promise<string | undefined> {
  const { resource } = served
  const [existing] = await unitFor<Record<string, any>[]>(making, resource, tenantId, (db) =>
    db.find(resource, sql`r.${columnNameSql(owner)} = ${value}`, sql`order by r.id limit 1`),
  )
  if (!existing && making.building.has(resource.name)) return undefined
  return String((existing ?? (await insert(making, served, tenantId, { [owner]: value }))).id)
}

/** Inserts a row directly, as the system would, with a value in every stored field. `fixed` overrides stored values. */
async function insert(
  making: Making,
  { resource }: ServedResource,
  tenantId: string,
  fixed: Record<string, unknown> = {},
  n = making.next(),
): Promise<Record<string, any>> {
  const stored = Object.entries(resource.fields as Fields).filter(([, field]) => !field.computed)
  const wire = await fill(making, resource, stored, n, tenantId)
  const row: Record<string, unknown> = {}
  for (const [key, field] of stored) {
    if (wire[key] === undefined) continue
    const parsed = parseFieldInput(wire[key], field)
    if ('problem' in parsed)
      throw new Error(
        `the sample of ${resource.name}.${key} is refused: ${parsed.problem.code} ${JSON.stringify(wire[key])}`,
      )
    row[key] = parsed.value
  }
  return unitFor<Record<string, any>>(making, resource, tenantId, (db) => db.insert(resource, { ...row, ...fixed }))
}
