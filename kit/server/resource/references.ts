import sql from 'sql-template-tag'
import type { Field } from '../../fields/field-kind.ts'
import { isReferenceField, fieldKindOf } from '../../fields/kinds.ts'
import type { ReferenceRemovalPolicy } from '../../fields/options.ts'
import type { Resource } from '../../resource/define-resource.ts'
import type { Db } from '../database/db.ts'
import { storedFields } from '../database/rows.ts'
import type { ModuleRegistry } from '../services.ts'

type Any = Resource<any, any>

/** A field that names rows of a family, and what becomes of its own row when what it names is removed. */
export type Reference = { resource: Any; key: string; field: Field; onRemoval: ReferenceRemovalPolicy; of?: string }

/**
 * What people write and may remove again stands on what it names. What is never removed is a record and keeps the name;
 * so do copies no form shows, which another field of the row answers for, and lists, which stand on the others they
 * name and often mean "all" when they are empty.
 */
export function removalRuleOf(resource: Any, field: Field): ReferenceRemovalPolicy {
  if (field.onRemoval) return field.onRemoval
  const isRecord = resource.writer !== 'office' || resource.remove === false || resource.retentionDays > 0
  return isRecord || field.form === 'hidden' || fieldKindOf(field).many ? 'keep' : 'refuse'
}

const known = new WeakMap<object, Map<string, Reference[]>>()

/** Every field that names rows of a family by their id, by the name of that family. */
export function referencesTo(registry: ModuleRegistry): ReadonlyMap<string, readonly Reference[]> {
  let all = known.get(registry.served)
  if (all) return all
  known.set(registry.served, (all = new Map()))
  for (const { resource } of registry.served.values())
    for (const [key, field] of storedFields(resource)) {
      if (!isReferenceField(field) || field.keyType === 'text') continue
      const onRemoval = removalRuleOf(resource, field)
      const families = field.to ? [[undefined, field.to]] : Object.entries(field.resourceByValue ?? {})
      for (const [of, to] of families) {
        const naming = { resource, key, field, onRemoval, ...(of === undefined ? {} : { of }) }
        all.set(to!, [...(all.get(to!) ?? []), naming])
      }
    }
  return all
}

/** Locks share these: so many per family that few who write wait for one who removes. */
const SLOTS = 32n

/** A row, and whose it is. */
type RowKey = { id: string; tenantId: string }

const slotsOf = (target: Any, rows: readonly RowKey[]): string[] => {
  const slots = rows.map(({ id, tenantId }) => {
    const place = target.tenancy === 'tenant' ? tenantId : ''
    return `named/${place}/${target.table}/${BigInt(id) % SLOTS}`
  })
  return [...new Set(slots)].sort()
}

const ofUnit = ({ tenantId }: Db, ids: readonly string[]): RowKey[] => ids.map((id) => ({ id, tenantId }))

/** Until the transaction ends nobody removes these rows: who is about to name them asks first, and looks after. */
export async function lockAgainstRemoval(db: Db, target: Any, ids: readonly string[]): Promise<void> {
  if (target.remove === false || !ids.length) return
  await db.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(slot, 0))
    from unnest(${slotsOf(target, ofUnit(db, ids))}::text[]) slot`)
}

/**
 * Until the transaction ends nobody begins to name these rows; whoever has just done so is waited for. Who removes rows
 * one after the other holds all of them first: two such could else wait for each other, whichever rows they are.
 */
export async function lockAgainstReferencing(
  db: Db,
  target: Any,
  rows: readonly string[] | readonly RowKey[],
): Promise<void> {
  const places = rows.map((row) => (typeof row === 'string' ? { id: row, tenantId: db.tenantId } : row))
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(slot, 0))
    from unnest(${slotsOf(target, places)}::text[]) slot`)
}
