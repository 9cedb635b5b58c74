import type { Field, Fields } from '../fields/field-kind.ts'
import { kindOf, parseField } from '../fields/kinds.ts'
import type { Resource } from '../resource/define-resource.ts'
import { MANAGEMENT_TENANT } from '../server/caller.ts'
import { sql } from '../server/database/db.ts'
import type { Served } from '../server/room.ts'
import { alive, column, hasTenant, tableOf } from '../server/database/rows.ts'
import type { World } from './world.ts'

type Any = Resource<any, any>
/** What a family's rules ask of a row beyond its fields, by resource name: wire values over the derived ones. */
export type Overrides = Record<
  string,
  (n: number, tenantId: string, make: Make) => Record<string, unknown> | Promise<Record<string, unknown>>
>
/** Puts a row of a family into the tenant, with some stored values given, and answers it. */
export type Make = (name: string, fixed?: Record<string, unknown>) => Promise<Record<string, any>>

export type Samples = ReturnType<typeof createSamples>

/**
 * Makes rows from declarations: each field's sample, a real key of its dictionary, a row that its reference may point
 * to.
 */
export function createSamples(world: World, overrides: Overrides = {}) {
  const { registry, services } = world
  const building = new Set<string>()
  let count = 0

  const unitFor = <T>(resource: Any, tenantId: string, work: Parameters<typeof services.unit<T>>[1]) =>
    services.unit(hasTenant(resource) ? { tenantId } : { across: 'rows for a test' }, work)

  async function valueOf(field: Field, n: number, tenantId: string): Promise<unknown> {
    const { choices, isParent } = kindOf(field)
    if (choices === 'dictionary') {
      const entries = services.labels.entries(tenantId, field.dict!, 'zh')
      const entry = entries.find(({ key }) => !field.without?.includes(key))
      return field.numeric ? Number(entry?.key ?? 1) : (entry?.key ?? '1')
    }
    if (choices === 'rows' && !isParent) return field.to ? target(field, tenantId) : undefined
    return kindOf(field).sample(field, n)
  }

  async function target(field: Field, tenantId: string, isFresh = false): Promise<string | undefined> {
    const served = registry.served.get(field.to!)!
    const row =
      isFresh && !building.has(served.resource.name) ? await insert(served, tenantId) : await someRow(served, tenantId)
    return row && String(row.id)
  }

  /** References that alone can tell two rows of the family apart: each sample needs a target of its own there. */
  const fresh = (resource: Any): Set<string> => {
    const fields = resource.fields as Fields
    const choicesOf = (key: string) => {
      const kind = fields[key] && kindOf(fields[key])
      return kind?.many || kind?.isParent ? undefined : kind?.choices
    }
    const isRef = (key: string) => choicesOf(key) === 'rows' && !!fields[key]!.to
    const tight = [...resource.unique, ...resource.uniqueEverywhere].filter((set) =>
      set.every((key) => isRef(key) || choicesOf(key) === 'dictionary'),
    )
    return new Set(tight.flatMap((set) => set.findLast(isRef) ?? []))
  }

  /** A row of the family in the tenant: one that is there, or a new one. */
  async function someRow(served: Served, tenantId: string): Promise<Record<string, any> | undefined> {
    const { resource } = served
    const there = await unitFor(
      resource,
      tenantId,
      async (db) =>
        (await db.find(resource, sql`true`, sql`order by r.id limit 1`))[0] as Record<string, any> | undefined,
    )
    if (there) return there
    if (building.has(resource.name)) return undefined
    return insert(served, tenantId)
  }

  /** A row of the family with this owner: one that is there, or a new one. */
  async function agreeing(
    served: Served,
    tenantId: string,
    owner: string,
    value: unknown,
  ): Promise<string | undefined> {
    const [there] = await unitFor<Record<string, any>[]>(served.resource, tenantId, (db) =>
      db.find(served.resource, sql`r.${column(owner)} = ${value}`, sql`order by r.id limit 1`),
    )
    if (!there && building.has(served.resource.name)) return undefined
    return String((there ?? (await insert(served, tenantId, { [owner]: value }))).id)
  }

  async function fill(
    resource: Any,
    fields: [string, Field][],
    n: number,
    tenantId: string,
  ): Promise<Record<string, unknown>> {
    building.add(resource.name)
    try {
      const wire: Record<string, unknown> = {}
      const own = fresh(resource)
      // What must agree with another field of the row comes after it.
      for (const [key, field] of [...fields].sort(([, a], [, b]) => Number(!!a.same) - Number(!!b.same))) {
        const owner = field.same
        if (owner && wire[owner]) {
          const target = await agreeing(registry.served.get(field.to!)!, tenantId, owner, wire[owner])
          if (target) wire[key] = target
          continue
        }
        const value = own.has(key) ? await target(field, tenantId, true) : await valueOf(field, n, tenantId)
        if (value !== undefined) wire[key] = value
      }
      return {
        ...wire,
        ...(await overrides[resource.name]?.(n, tenantId, (name, fixed) =>
          insert(registry.served.get(name)!, tenantId, fixed),
        )),
      }
    } finally {
      building.delete(resource.name)
    }
  }

  const writable = (resource: Any) =>
    Object.entries(resource.fields as Fields).filter(
      ([, field]) => !field.computed && ['edit', 'add'].includes(field.form ?? 'edit'),
    )

  /** A row as a person would send it to `submit`: every field a form may write, none of them empty. */
  const draft = (resource: Any, tenantId: string, n = ++count): Promise<Record<string, unknown>> =>
    fill(resource, writable(resource), n, tenantId)

  /**
   * A row put straight into the table, the way the system itself writes; every stored field has a value; `fixed` are
   * stored values of the test's own.
   */
  async function insert(
    served: Served,
    tenantId: string,
    fixed: Record<string, unknown> = {},
    n = ++count,
  ): Promise<Record<string, any>> {
    const { resource } = served
    const stored = Object.entries(resource.fields as Fields).filter(([, field]) => !field.computed)
    const wire = await fill(resource, stored, n, tenantId)
    const row: Record<string, unknown> = {}
    for (const [key, field] of stored) {
      if (wire[key] === undefined) continue
      const parsed = parseField(wire[key], field)
      if ('problem' in parsed)
        throw new Error(
          `the sample of ${resource.name}.${key} is refused: ${parsed.problem.code} ${JSON.stringify(wire[key])}`,
        )
      row[key] = parsed.value
    }
    return unitFor(resource, tenantId, (db) => db.insert(resource, { ...row, ...fixed })) as Promise<
      Record<string, any>
    >
  }

  /** Live rows of the family, all tenants' together. */
  const countRows = async (resource: Any): Promise<number> =>
    services.unit(
      { across: 'a test counts' },
      async (db) =>
        (await db.one<{ n: number }>(
          sql`select count(${column('id')})::int as n from ${tableOf(resource)} r where true${alive(resource)}`,
        ))!.n,
    )

  return { draft, insert, someRow, writable, countRows }
}
