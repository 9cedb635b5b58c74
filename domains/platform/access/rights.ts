import { MANAGEMENT_TENANT, type Caller, type DataScope } from '#kit/server/base/caller.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { impliedPermissions } from '#kit/server/mount/menus.ts'
import { loadCachedMenuCatalogue, menuIdsOfPackage, withMenuAncestors } from './catalogue.ts'
import { PLATFORM_ADMIN_ALIAS, isAdminAlias } from './index.ts'
import { cacheUntilRightsChange } from './remembered.ts'
import { API_SCOPE_CATEGORY, DATA_SCOPE_CATEGORY } from './tables.ts'

export type RoleRights = Pick<
  Caller,
  'roleIds' | 'heldRoleIds' | 'roleAliases' | 'isPlatform' | 'isAdmin' | 'permissions' | 'dataScopes' | 'apiScopeIds'
>

type FoundScope = DataScope & { isOfSession: boolean }

/**
 * Returns the data scopes of a person's session. A session opened for one role uses that role's scopes of a resource;
 * where it has none, those of the person's other roles, so that leaving out a role never lifts a limit.
 */
function scopesOfPerson(services: Services, found: readonly FoundScope[]): DataScope[] {
  const codes = new Map([...services.registry.served.values()].map(({ resource }) => [resource.name, resource.code]))
  const all = found.map((scope) => ({ ...scope, resourceCode: codes.get(scope.resourceCode) ?? scope.resourceCode }))
  const chosen = new Set(all.filter((scope) => scope.isOfSession).map((scope) => scope.resourceCode))
  return all.filter((scope) => scope.isOfSession || !chosen.has(scope.resourceCode))
}

/**
 * Returns what roles of a tenant permit, within the tenant's package. `held` are all roles of the person, when the
 * session was opened for fewer.
 */
export async function loadRightsOfRoles(
  services: Services,
  tenantId: string,
  roleIds: readonly string[],
  held: readonly string[] = roleIds,
): Promise<RoleRights> {
  const alive = (ids: readonly string[]) =>
    sql`(select id from sys_role where tenant_id = ${tenantId} and is_deleted = 0
      and id = any(${ids}::bigint[]))`
  const mine = sql`tenant_id = ${tenantId} and role_id in ${alive(roleIds)}`

  const [roles, granted, dataRows, apiRows, packages] = await readBatch(services.pool, { tenantId }, [
    sql`select id::text as id, role_alias as alias from sys_role where tenant_id = ${tenantId} and is_deleted = 0
      and id = any(${roleIds}::bigint[]) order by sort, id`,
    sql`select distinct menu_id::text as id from role_menu where ${mine}`,
    sql`select d.id::text as id, d.resource_code as "resourceCode", d.scope_type as type, d.scope_column as "column",
      d.scope_name as name,
          d.scope_value as value, d.scope_field as fields, bool_or(s.role_id = any(${roleIds}::bigint[])) as
          "isOfSession"
        from role_scope s join scope_data d on d.id = s.scope_id and d.is_deleted = 0
        where s.tenant_id = ${tenantId} and s.role_id in ${alive(held)} and s.scope_category = ${DATA_SCOPE_CATEGORY}
        group by d.tenant_id, d.id
        order by d.id`,
    sql`select distinct scope_id::text as id from role_scope where ${mine} and scope_category = ${API_SCOPE_CATEGORY}`,
    sql`select coalesce(p.menu_id, '{}')::text[] as ids from tenant t left join tenant_package p on p.id = t.package_id
      and p.is_deleted = 0
        where t.tenant_id = ${tenantId} and t.package_id is not null and t.is_deleted = 0`,
  ])

  const catalogue = await loadCachedMenuCatalogue(services)
  const roleAliases = roles!.map((row) => row.alias as string)
  const isPlatform = tenantId === MANAGEMENT_TENANT && roleAliases.includes(PLATFORM_ADMIN_ALIAS)
  const allowed =
    tenantId !== MANAGEMENT_TENANT && packages![0]
      ? menuIdsOfPackage(catalogue, packages![0].ids as string[])
      : undefined
  const ids = isPlatform
    ? new Set(catalogue.byId.keys())
    : withMenuAncestors(
        catalogue,
        granted!.map((row) => row.id as string),
      )

  return {
    roleIds: roles!.map((row) => row.id as string),
    heldRoleIds: held,
    roleAliases,
    isPlatform,
    isAdmin: roleAliases.some(isAdminAlias),
    permissions: withMeant(
      services,
      [...ids].filter((id) => !allowed || allowed.has(id)).map((id) => catalogue.byId.get(id)!.code),
    ),
    dataScopes: scopesOfPerson(services, dataRows as FoundScope[]),
    apiScopeIds: new Set(apiRows!.map((row) => row.id as string)),
  }
}

function withMeant(services: Services, codes: readonly string[]): Set<string> {
  const means = impliedPermissions(services.registry)
  return new Set([...codes, ...codes.flatMap((code) => means.get(code) ?? [])])
}

/** Returns the API scopes; each guards all paths that contain its own path. */
export const loadGuardedApiPaths = cacheUntilRightsChange<{ id: string; path: string }[]>(async (services) => {
  const [rows] = await readBatch(services.pool, { tenantId: MANAGEMENT_TENANT }, [
    sql`select id::text as id, scope_path as path from scope_api where is_deleted = 0`,
  ])
  return rows as { id: string; path: string }[]
})

/** Whether the caller is limited to some shops. */
export const isLimitedToShops = ({ limits }: Pick<Caller, 'limits'>): boolean => Object.keys(limits).length > 0

/**
 * Returns the data scopes that narrow what a caller sees, by resource code. Omits a resource when one of its scopes
 * allows every row and every field. Empty for administrators.
 */
export function bindingScopesByResource(caller: Pick<Caller, 'isAdmin' | 'dataScopes'>): Map<string, DataScope[]> {
  if (caller.isAdmin) return new Map()
  const isOpen = ({ type, fields }: DataScope) =>
    type === 1 && (!fields || fields.split(',').some((name) => name.trim() === '*'))
  const groups = Map.groupBy(caller.dataScopes, (scope) => scope.resourceCode)
  return new Map([...groups].filter(([, scopes]) => !scopes.some(isOpen)))
}

/**
 * Whether these scopes show no more rows than the caller sees: for every resource where the caller is bound, they are
 * some of the caller's own scopes.
 */
function isWithinBounds(caller: Caller, theirs: Pick<RoleRights, 'dataScopes'>): boolean {
  return [...bindingScopesByResource(caller)].every(([code, own]) => {
    const here = theirs.dataScopes.filter((scope) => scope.resourceCode === code)
    return here.length > 0 && here.every(({ id }) => own.some((scope) => scope.id === id))
  })
}

/**
 * Whether roles permit nothing the caller may not do. Permissions are checked for a tenant's administrator too; API
 * scopes are not, as administrators pass every guard.
 */
export async function areRolesWithinCallerRights(
  call: Pick<Call, 'caller' | 'services'>,
  tenantId: string,
  roleIds: readonly string[],
): Promise<boolean> {
  const { caller } = call
  if (caller.isPlatform || !roleIds.length) return true
  const theirs = await loadRightsOfRoles(call.services, tenantId, roleIds)
  if (![...theirs.permissions].every((code) => caller.permissions.has(code))) return false
  return caller.isAdmin || [...theirs.apiScopeIds].every((id) => caller.apiScopeIds.has(id))
}

/** Whether a holder of exactly these roles sees no more rows than the caller. */
export async function areRolesWithinCallerRows(
  call: Pick<Call, 'caller' | 'services'>,
  tenantId: string,
  roleIds: readonly string[],
): Promise<boolean> {
  if (call.caller.isAdmin || !roleIds.length || !bindingScopesByResource(call.caller).size) return true
  return isWithinBounds(call.caller, await loadRightsOfRoles(call.services, tenantId, roleIds))
}
