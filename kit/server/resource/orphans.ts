import sql, { empty, raw } from 'sql-template-tag'
import { fieldKindOf } from '../../fields/kinds.ts'
import { notDeletedSql, columnNameSql, hasTenantColumn, tableNameSql } from '../database/row-sql.ts'
import type { ModuleRegistry } from '../module/module.ts'
import type { Services } from '../module/services.ts'
import { referencesTo, type Reference } from './references.ts'

/** A reference field with live rows whose target does not exist or is another tenant's, and some of those rows. */
type Orphans = { resource: string; field: string; names: string; count: number; ids: string[] }

const SHOWN = 5

function orphansSql(registry: ModuleRegistry, { resource, key, field, onRemoval, of }: Reference, to: string) {
  const target = registry.resource(to)
  const kind = fieldKindOf(field)
  const named = kind.many ? sql`named.id` : sql`r.${columnNameSql(key)}`
  const each = kind.many ? sql` cross join lateral unnest(r.${columnNameSql(key)}) named(id)` : empty
  const none = kind.isParent ? sql` and ${named} <> 0` : empty
  const meant = of === undefined ? empty : sql` and r.${columnNameSql(field.by!)}::text = ${of}`
  // Records may also name the platform's people; kept references may name removed rows.
  const isWide = target.tenancy === 'shared' || onRemoval === 'keep'
  const tenants = sql`and t.tenant_id in (r.tenant_id, ${isWide ? sql`'000000'` : sql`r.tenant_id`})`
  const tenant = hasTenantColumn(resource) && hasTenantColumn(target) ? tenants : empty
  const living = onRemoval !== 'keep' && target.remove === 'soft' ? sql` and t.is_deleted = 0` : empty
  return sql`select count(*)::int as count, (array_agg(o.id::text))[1:${raw(String(SHOWN))}] as ids from (
    select r.id from ${tableNameSql(resource)} r${each} where ${named} is not
      null${none}${meant}${notDeletedSql(resource)}
    and not exists (select 1 from ${tableNameSql(target)} t where t.id = ${named} ${tenant}${living})) o`
}

/**
 * Finds rows that refer to a row that was removed (unless the field keeps such references), never existed, or belongs
 * to another tenant. `isWhole` also checks references that are kept, whose tables only grow. Targets deleted by
 * retention are ignored.
 */
export async function findOrphans(
  services: Pick<Services, 'registry' | 'unit'>,
  { isWhole = false, signal }: { isWhole?: boolean; signal?: AbortSignal } = {},
): Promise<Orphans[]> {
  const { registry } = services
  const forgotten = new Set(registry.modules.flatMap((module) => (module.retention ?? []).map(({ table }) => table)))
  const found: Orphans[] = []
  for (const [names, references] of referencesTo(registry)) {
    if (forgotten.has(registry.resource(names).table)) continue
    for (const reference of references) {
      if (signal?.aborted) return found
      if (reference.onRemoval === 'keep' && !isWhole) continue
      const row = await services.unit({ crossTenantReason: 'rows of all tenants that name nothing' }, (db) =>
        db.one<{ count: number; ids: string[] | null }>(orphansSql(registry, reference, names)),
      )
      if (row!.count)
        found.push({
          resource: reference.resource.name,
          field: reference.key,
          names,
          count: row!.count,
          ids: row!.ids ?? [],
        })
    }
  }
  return found
}
