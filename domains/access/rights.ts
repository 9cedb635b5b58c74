import { MANAGEMENT_TENANT, type Caller, type DataScope } from '#kit/server/caller.ts'
import { readTogether, sql } from '#kit/server/db.ts'
import type { Call } from '#kit/server/room.ts'
import type { Services } from '#kit/server/services.ts'
import { catalogueOf, packageIds, withAncestors } from './catalogue.ts'
import { ADMIN, ADMINISTRATOR } from './index.ts'
import { remembered } from './remembered.ts'
import { API, DATA } from './tables.ts'

export type Rights = Pick<Caller, 'roleIds' | 'roleAliases' | 'isPlatform' | 'isAdmin' | 'permissions' | 'dataScopes' | 'apiScopeIds'>

/** What roles of a tenant allow their holder, within the tenant's package. */
export async function rightsOf(services: Services, tenantId: string, roleIds: readonly string[]): Promise<Rights> {
  const mine = sql`tenant_id = ${tenantId} and role_id in (select id from sys_role where tenant_id = ${tenantId} and is_deleted = 0 and id = any(${roleIds as string[]}::bigint[]))`
  const [roles, granted, dataRows, apiRows, packages] = await readTogether(services.pool, { tenantId }, [
    sql`select id::text as id, role_alias as alias from sys_role where tenant_id = ${tenantId} and is_deleted = 0 and id = any(${roleIds as string[]}::bigint[]) order by sort, id`,
    sql`select distinct menu_id::text as id from role_menu where ${mine}`,
    sql`select distinct d.resource_code as "resourceCode", d.scope_type as type, d.scope_column as "column", d.scope_value as value, d.scope_field as fields
        from role_scope s join scope_data d on d.id = s.scope_id and d.is_deleted = 0 where s.${mine} and s.scope_category = ${DATA}`,
    sql`select distinct scope_id::text as id from role_scope where ${mine} and scope_category = ${API}`,
    sql`select coalesce(p.menu_id, '{}')::text[] as ids from tenant t left join tenant_package p on p.id = t.package_id and p.is_deleted = 0
        where t.tenant_id = ${tenantId} and t.package_id is not null and t.is_deleted = 0`,
  ])
  const catalogue = await catalogueOf(services)
  const roleAliases = roles!.map((row) => row.alias as string)
  const isPlatform = tenantId === MANAGEMENT_TENANT && roleAliases.includes(ADMINISTRATOR)
  const allowed = tenantId !== MANAGEMENT_TENANT && packages![0] ? packageIds(catalogue, packages![0].ids as string[]) : undefined
  const ids = isPlatform ? new Set(catalogue.byId.keys()) : withAncestors(catalogue, granted!.map((row) => row.id as string))
  return {
    roleIds: roles!.map((row) => row.id as string), roleAliases, isPlatform,
    isAdmin: roleAliases.includes(ADMIN) || roleAliases.includes(ADMINISTRATOR),
    permissions: new Set([...ids].filter((id) => !allowed || allowed.has(id)).map((id) => catalogue.byId.get(id)!.code)),
    dataScopes: dataRows as DataScope[], apiScopeIds: new Set(apiRows!.map((row) => row.id as string)),
  }
}

/** API scope rows: each guards the paths that contain its own. */
export const guardedPaths = remembered<{ id: string; path: string }[]>(async (services) => {
  const [rows] = await readTogether(services.pool, { tenantId: MANAGEMENT_TENANT }, [sql`select id::text as id, scope_path as path from scope_api where is_deleted = 0`])
  return rows as { id: string; path: string }[]
})

/** Whether roles allow nothing that the caller may not do; a tenant's administrator stands above all its roles. */
export async function isWithinOwn(call: Pick<Call, 'caller' | 'services'>, tenantId: string, roleIds: readonly string[]): Promise<boolean> {
  if (call.caller.isAdmin || !roleIds.length) return true
  const theirs = await rightsOf(call.services, tenantId, roleIds)
  return [...theirs.permissions].every((code) => call.caller.permissions.has(code)) && [...theirs.apiScopeIds].every((id) => call.caller.apiScopeIds.has(id))
}
