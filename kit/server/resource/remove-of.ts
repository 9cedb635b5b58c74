import { requirePlatformCaller } from '../base/require-platform-caller.ts'
import { hasPermission } from '../base/caller.ts'
import { permissionCodeOf, type Resource } from '../../resource/define-resource.ts'
import type { Db } from '../database/db.ts'
import { Refused } from '../base/refused.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { hasTenantColumn } from '../database/row-sql.ts'
import { checkRemovalReferences } from './referenced-by.ts'
import { lockAgainstReferencing } from './references.ts'
import {
  isStaleVersion,
  lockVisibleRow,
  versionConflictRefusal,
  requireRowId,
  publishRowsChanged,
  tenantIdsByRow,
} from './submit-of.ts'

const IDS_MAX = 1000

/** Parses a list of ids, comma-separated or an array; refuses an empty one and more than `IDS_MAX`. */
export function requireIdList(resource: Resource<any, any>, given: unknown): string[] {
  const parts = (
    Array.isArray(given)
      ? given
      : typeof given === 'string' || typeof given === 'number'
        ? String(given).split(',')
        : []
  )
    .map((part: unknown) => (typeof part === 'string' ? part.trim() : part))
    .filter((part) => part !== '' && part !== 'undefined')
  if (!parts.length) throw new Refused('nothing_chosen')
  if (parts.length > IDS_MAX) throw new Refused('set_too_big', { max: IDS_MAX })
  return [...new Set(parts.map((part) => requireRowId(resource, part)))]
}

/** Runs `work` once for each tenant of the rows, in that tenant: only one, except for platform administrators. */
export async function forEachTenantOfRows(
  call: Call,
  resource: Resource<any, any>,
  ids: readonly string[],
  work: (ids: string[], db: Db) => Promise<void>,
  state: 'alive' | 'removed' = 'alive',
): Promise<void> {
  if (!hasTenantColumn(resource))
    return call.db.acrossTenants('platform rows have no tenant', (db) => work([...ids], db))
  if (!call.caller.isPlatform) return work([...ids], call.db)
  const tenants = await tenantIdsByRow(call, resource, ids, state)
  const groups = new Map<string, string[]>()
  for (const id of ids) {
    const tenantId = tenants.get(id)
    if (!tenantId) throw new Refused('not_found', { label: resource.label })
    if (!groups.has(tenantId)) groups.set(tenantId, [])
    groups.get(tenantId)!.push(id)
  }
  await call.db.acrossTenants("platform administrator works on tenants' rows", async (all) => {
    // In a fixed order, so that two administrators with overlapping lists do not deadlock.
    for (const [tenantId, group] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1)))
      await all.asTenant(tenantId, (db) => work(group, db))
  })
}

/** Runs `work` in the tenant of one row and returns its result; refuses like `forEachTenantOfRows`. */
export async function inTenantOf<T>(
  call: Call,
  resource: Resource<any, any>,
  id: string,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  let result: { value: T } | undefined
  await forEachTenantOfRows(call, resource, [id], async (_ids, db) => {
    result = { value: await work(db) }
  })
  return result!.value
}

/** Ids of the rows to remove; some clients send a single `id`. */
export const idsParameterOf = ({ query, body }: Pick<Call, 'query' | 'body'>): unknown =>
  query.ids ?? (body as Record<string, unknown> | undefined)?.ids ?? query.id

/** POST {base}/remove?ids=a,b: removes all rows or none. */
export async function handleRemoveCall(served: ServedResource, call: Call): Promise<undefined> {
  const { resource, hooks } = served
  if (!hasPermission(call.caller, permissionCodeOf(resource, 'delete'))) throw new Refused('forbidden')
  if (resource.tenancy === 'platform') requirePlatformCaller(call)
  if (resource.remove === false) throw new Refused('not_removable', { label: resource.label })
  const ids = requireIdList(resource, idsParameterOf(call))
  // Versions of the rows as the caller saw them, in the order of the ids; empty for clients that do not send them.
  const seen = (call.query.versions ?? '').split(',')
  const versions = new Map(seen.length === ids.length ? ids.map((id, at) => [id, seen[at]]) : [])
  await forEachTenantOfRows(call, resource, ids, async (group, db) => {
    const inside = { ...call, db }
    await lockAgainstReferencing(db, resource, group)
    const rows = []
    // In a fixed order, so that two removals with overlapping lists do not deadlock.
    for (const id of [...group].sort()) {
      const row = await lockVisibleRow(served, inside, id)
      if (isStaleVersion(versions.get(id), row.version)) throw await versionConflictRefusal(served, inside, id)
      rows.push(row)
    }
    await hooks.beforeRemove?.(rows as never, inside)
    const applyReferenceRules = await checkRemovalReferences(inside, resource, rows)
    await db.remove(resource, group)
    await hooks.afterRemove?.(rows as never, inside)
    await applyReferenceRules()
    publishRowsChanged(inside, resource, rows)
  })
  return undefined
}
