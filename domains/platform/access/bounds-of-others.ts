import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { isLimitedToShops } from './rights.ts'
import type { GrantsByRole } from './role-keys.ts'
import { findResourceByScopeCode } from './scope-meaning.ts'
import { DATA_SCOPE_CATEGORY } from './tables.ts'

type Scope = { id: string; resourceCode: string }

/**
 * Refuses callers limited to shops to change data scopes that any role has: they know only some of the people bound by
 * them.
 */
export async function requireScopesWithoutHolders({ caller, db }: Call, scopes: readonly Scope[]): Promise<void> {
  if (!isLimitedToShops(caller) || !scopes.length) return
  const held = await db.one(sql`select 1 from role_scope s
    join sys_role r on r.tenant_id = s.tenant_id and r.id = s.role_id and r.is_deleted = 0
    where s.tenant_id = ${db.tenantId} and s.scope_category = ${DATA_SCOPE_CATEGORY}
    and s.scope_id = any(${scopes.map(({ id }) => id)}::bigint[])`)
  if (held) throw new Refused('scope_bounds_others', { code: scopes[0]!.resourceCode })
}

/**
 * Refuses callers limited to shops to change a role's data scopes of a resource: removing one frees its holders, adding
 * one widens what they see. First scopes of a resource only narrow, and are allowed unless a holder is bound by another
 * role's.
 */
export async function requireDataScopesUnchanged(call: Call, before: GrantsByRole, after: GrantsByRole): Promise<void> {
  if (!isLimitedToShops(call.caller)) return
  const ids = [...before.values(), ...after.values()].flat()
  const found = await call.db.query<Scope>(
    sql`select id::text as id, resource_code from scope_data where is_deleted = 0 and id = any(${ids}::bigint[])`,
  )
  // A resource code may be the resource's code or its name.
  const codeOf = (code: string) => findResourceByScopeCode(call.services.registry, code)?.code ?? code
  const scopes = found.map(({ id, resourceCode }) => ({ id, resourceCode: codeOf(resourceCode) }))
  const of = (held: GrantsByRole, roleId: string, code: string) =>
    (held.get(roleId) ?? []).filter((id) => scopes.some((one) => one.id === id && one.resourceCode === code))
  for (const code of new Set(scopes.map(({ resourceCode }) => resourceCode)))
    for (const roleId of before.keys()) {
      const [was, now] = [of(before, roleId, code), of(after, roleId, code)]
      if (new Set([...was, ...now]).size === was.length && was.length === now.length) continue
      if (was.length || (await areBoundElsewhere(call, roleId, code)))
        throw new Refused('scope_bounds_others', { code })
    }
}

/** Whether any holder of the role has data scopes of the resource through another role. */
async function areBoundElsewhere({ db, services }: Call, roleId: string, resourceCode: string): Promise<boolean> {
  const resource = findResourceByScopeCode(services.registry, resourceCode)
  const codes = [resourceCode, ...(resource ? [resource.code, resource.name] : [])]
  return !!(await db.one(sql`select 1 from sys_user u
    join role_scope s on s.tenant_id = u.tenant_id and s.role_id = any(u.role_id) and s.role_id <> ${roleId}
    and s.scope_category = ${DATA_SCOPE_CATEGORY}
    join scope_data d on d.id = s.scope_id and d.is_deleted = 0 and d.resource_code = any(${codes})
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0 and ${roleId}::bigint = any(u.role_id) limit 1`))
}
