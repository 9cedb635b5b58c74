import { f, localize } from '#kit/resource/index.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { loadCachedMenuCatalogue, withMenuAncestors, type MenuCatalogue } from './catalogue.ts'
import { TENANT_ADMIN_ALIAS, PLATFORM_ADMIN_ALIAS } from './index.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { loadGuardedApiPaths } from './rights.ts'
import { apiScope } from './scopes.resource.ts'
import { API_SCOPE_CATEGORY } from './tables.ts'

const SHOWN = 50

/**
 * Returns the permissions that each open at least one of these routes; undefined when one is open to every signed-in
 * user.
 */
function codesOf(routes: readonly Route[]): Set<string> | undefined {
  const codes = new Set<string>()
  for (const { can } of routes) {
    if (typeof can === 'string') codes.add(can)
    else if (Array.isArray(can)) for (const code of can as string[]) codes.add(code)
    else if ('signedIn' in can) return undefined
  }
  return codes
}

/** Returns the menus and buttons that give one of these permissions; a button also gives the page it belongs to. */
const menusWith = (catalogue: MenuCatalogue, codes: ReadonlySet<string>): string[] =>
  catalogue.entries
    .map(({ id }) => id)
    .filter((id) => [...withMenuAncestors(catalogue, [id])].some((up) => codes.has(catalogue.byId.get(up)!.code)))

const isGuardable = ({ can }: Route) => typeof can === 'string' || Array.isArray(can) || 'signedIn' in can

/**
 * Returns the people an API scope would lock out once saved, by role: those who may call a guarded path today and do
 * not hold the scope. Leaves out administrators, who pass every guard, and paths that another scope guards already.
 */
async function shutOut(call: Call<{ scopePath: string | null; id: string | null }>) {
  requirePlatformCaller(call)
  const { services, lang, input } = call
  const id = input.id ?? '0'
  const others = (await loadGuardedApiPaths(services)).filter((guard) => guard.id !== id)
  const guarded = services.registry.routes.filter((one) => isGuardable(one) && one.path.includes(input.scopePath!))
  const fresh = guarded.filter((one) => !others.some((guard) => one.path.includes(guard.path)))
  const codes = codesOf(fresh)
  const able = codes
    ? sql`r.id in (select m.role_id from role_menu m
      where m.tenant_id = u.tenant_id and m.menu_id = any(${menusWith(
        await loadCachedMenuCatalogue(services),
        codes,
      )}::bigint[]))`
    : sql`true`
  const people = sql`
    from sys_user u join sys_role r on r.tenant_id = u.tenant_id and r.id = any(u.role_id) and r.is_deleted = 0
    and ${able}
    join tenant t on t.tenant_id = u.tenant_id and t.is_deleted = 0
    where u.is_deleted = 0 and coalesce(u.status, 1) <> 2 and ${fresh.length > 0}
      and not exists (select 1 from sys_role a where a.tenant_id = u.tenant_id and a.id = any(u.role_id)
      and a.is_deleted = 0 and a.role_alias in (${TENANT_ADMIN_ALIAS}, ${PLATFORM_ADMIN_ALIAS}))
      and not exists (select 1 from role_scope s where s.tenant_id = u.tenant_id and s.role_id = any(u.role_id)
      and s.scope_category = ${API_SCOPE_CATEGORY} and s.scope_id = ${id})`
  const [roles, all] = await readBatch(services.pool, { crossTenantReason: 'whom an API scope shuts out' }, [
    sql`select t.tenant_name as "tenantName", r.role_name as "roleName", count(distinct u.id)::int as people ${people}
        group by t.tenant_name, r.id, r.role_name order by 3 desc, 1, 2 limit ${SHOWN}`,
    sql`select count(distinct u.id)::int as people ${people}`,
  ])
  return {
    people: all![0]!.people as number,
    roles: roles!,
    calls: guarded.slice(0, SHOWN).map(({ method, path, title }) => ({ method, path, title: localize(title, lang) })),
    callCount: guarded.length,
  }
}

export const apiScopeBlockedUsersRoute = defineRoute({
  method: 'GET',
  path: `${apiScope.path}/shut-out`,
  title: { zh: '接口权限会拦住谁', en: 'People blocked by an API scope' },
  can: 'api_scope',
  tx: false,
  input: { scopePath: apiScope.fields.scopePath, id: f.ref('', { label: apiScope.label }) },
  handle: shutOut,
})
