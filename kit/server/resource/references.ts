import sql from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { isReferenceField, fieldKindOf } from '../../fields/kinds.ts'
import type { ReferenceRemovalPolicy } from '../../fields/base/options.ts'
import type { Resource } from '../../resource/define-resource.ts'
import type { Db } from '../database/db.ts'
import { storedFields } from '../database/row-sql.ts'
import type { ModuleRegistry } from '../module/module.ts'

type Any = Resource<any, any>

/**
 * A field that refers to rows of a resource, and what happens to its row when the referenced row is removed. `of`:
 * value of the field `by` for which it refers to that resource.
 */
export type Reference = { resource: Any; key: string; field: Field; onRemoval: ReferenceRemovalPolicy; of?: string }

/**
 * Returns a reference's removal rule: the declared one; else `refuse` for rows that people write and can remove. `keep`
 * for records that are never removed or expire by age, for hidden copies (another field of the row decides), and for
 * lists, which often mean "all" when empty.
 */
export function removalRuleOf(resource: Any, field: Field): ReferenceRemovalPolicy {
  if (field.onRemoval) return field.onRemoval
  const isRecord = resource.writer !== 'office' || resource.remove === false || resource.retentionDays > 0
  return isRecord || field.form === 'hidden' || fieldKindOf(field).many ? 'keep' : 'refuse'
}

const known = new WeakMap<object, Map<string, Reference[]>>()

/** All fields that refer to rows by id, by the name of the referenced resource. */
export function referencesTo(registry: ModuleRegistry): ReadonlyMap<string, readonly Reference[]> {
  let all = known.get(registry.served)
  if (all) return all
  known.set(registry.served, (all = new Map()))
  for (const { resource } of registry.served.values())
    for (const [key, field] of storedFields(resource)) {
      if (!isReferenceField(field) || field.keyType === 'text') continue
      const onRemoval = removalRuleOf(resource, field)
      const targets = field.to ? [[undefined, field.to]] : Object.entries(field.resourceByValue ?? {})
      for (const [of, to] of targets) {
        const reference = { resource, key, field, onRemoval, ...(of === undefined ? {} : { of }) }
        all.set(to!, [...(all.get(to!) ?? []), reference])
      }
    }
  return all
}

/** Locks for each resource and tenant: rows share them by id, enough that few writers wait for one removal. */
const SLOTS = 32n

/** A row with its tenant. */
type RowKey = { id: string; tenantId: string }

const slotsOf = (target: Any, rows: readonly RowKey[]): string[] => {
  const slots = rows.map(({ id, tenantId }) => {
    const place = target.tenancy === 'tenant' ? tenantId : ''
    return `named/${place}/${target.table}/${BigInt(id) % SLOTS}`
  })
  return [...new Set(slots)].sort()
}

const ofUnit = ({ tenantId }: Db, ids: readonly string[]): RowKey[] => ids.map((id) => ({ id, tenantId }))

/** Locks these rows against removal until the transaction ends. Call it before checking that they exist. */
export async function lockAgainstRemoval(db: Db, target: Any, ids: readonly string[]): Promise<void> {
  if (target.remove === false || !ids.length) return
  await db.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(slot, 0))
    from unnest(${slotsOf(target, ofUnit(db, ids))}::text[]) slot`)
}

/**
 * Locks these rows against new references until the transaction ends, after waiting for transactions that have just
 * made some. A caller that removes rows one by one must lock all of them first, or two such removals could deadlock.
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
