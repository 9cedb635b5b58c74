import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { type Db, sql } from '#kit/server/database/db.ts'
import { declaredMenuRows } from '#kit/server/mount/menus.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { seedRow } from '#kit/server/database/seed-row.ts'
import type { Services } from '#kit/server/module/services.ts'
import { deterministicId } from '#kit/server/database/snowflake.ts'
import { PLATFORM_ADMIN_ALIAS } from './index.ts'
import { role } from './role.resource.ts'

export {
  bindingScopesByResource,
  loadGuardedApiPaths,
  isLimitedToShops,
  areRolesWithinCallerRights,
  loadRightsOfRoles,
  areRolesWithinCallerRows,
  type RoleRights,
} from './rights.ts'
export { isGrantedByRole } from './granted.ts'
export { requireAdministratorRank } from './role.server.ts'
export { roleHoldersWithinSlot } from './role-holders.ts'

export const importAccessDemo = () => import('./access.demo.ts')

/** Id of the platform administrators' role in the management tenant. */
export const platformAdministratorRoleId = deterministicId('role:administrator')

/**
 * Updates the menu table to the menus that modules declare. Keeps what people renamed, reordered or removed. Deletes a
 * page that is no longer declared; declared again, it comes back with its former grants.
 */
export async function syncDeclaredMenus(db: Db, services: Services): Promise<void> {
  const rows = declaredMenuRows(services.registry).map(({ label, ...row }) => ({
    ...row,
    name: label.zh,
    name_en: label.en,
    parent_id: row.parentId,
  }))
  const json = JSON.stringify(rows)
  await db.run(sql`
    with d as (select * from jsonb_to_recordset(${json}::jsonb) as d(id bigint, code text))
    update menu m set is_deleted = 1, update_time = now() from d where m.code = d.code and m.id <> d.id
    and m.is_deleted = 0`)
  await db.run(sql`
    update menu m set is_deleted = 1, declared = false, update_time = now()
    where m.declared and m.id not in (select id from jsonb_to_recordset(${json}::jsonb) as d(id bigint))`)
  const added = await db.query<{ id: string; isNew: boolean }>(sql`
    insert into menu as m (id, code, parent_id, name, name_en, alias, path, source, sort, category, action, is_open,
    declared)
    select id, code, parent_id, name, name_en, alias, path, source, sort, category, action, 1, true
    from jsonb_to_recordset(${json}::jsonb) as d(id bigint, code text, parent_id bigint, name text, name_en text,
    alias text, path text, source text, sort int, category int, action int)
    on conflict (id) do update set
      code = excluded.code, parent_id = excluded.parent_id, alias = excluded.alias, path = excluded.path,
      category = excluded.category, action = excluded.action,
      name = case when m.touched then m.name else excluded.name end, name_en = case when m.touched then m.name_en
      else excluded.name_en end,
      source = case when m.touched then m.source else excluded.source end, sort = case when m.touched then m.sort
      else excluded.sort end,
      is_deleted = case when m.declared then m.is_deleted else 0 end, declared = true
    where (m.code, m.parent_id, m.alias, m.path, m.category, m.action, m.declared) is distinct
    from (excluded.code, excluded.parent_id, excluded.alias, excluded.path, excluded.category, excluded.action, true)
      or (not coalesce(m.touched, false) and (m.name, m.name_en, m.source, m.sort) is distinct
      from (excluded.name, excluded.name_en, excluded.source, excluded.sort))
    returning m.id, m.xmax = 0 as is_new`)
  await grantAdded(
    db,
    added.filter(({ isNew }) => isNew).map(({ id }) => id),
  )
  // Servers of an older version and units of work that began earlier still have the old menus in memory.
  publishPermissionsChanged(services, db, { everybody: true })
}

/** Levels of the declared menus: group, page, button. */
const DEPTH = 3

/** Grants new menus to tenant administrators' roles that already hold the parent menu. */
async function grantAdded(db: Db, ids: readonly string[]): Promise<void> {
  for (let depth = 0; depth < DEPTH && ids.length; depth++)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id)
      select r.tenant_id, r.id, m.id from menu m
      join role_menu g on g.menu_id = m.parent_id
      join sys_role r on r.tenant_id = g.tenant_id and r.id = g.role_id and r.role_alias = 'admin' and r.is_deleted = 0
      where m.id = any(${ids}::bigint[]) and r.tenant_id <> ${MANAGEMENT_TENANT} on conflict do nothing`)
}

export async function seedAccess(db: Db, services: Services): Promise<void> {
  await syncDeclaredMenus(db, services)
  await db.asTenant(MANAGEMENT_TENANT, (own) =>
    seedRow(own, role, platformAdministratorRoleId, {
      roleName: '超级管理员',
      roleAlias: PLATFORM_ADMIN_ALIAS,
      parentId: '0',
      sort: 1,
    }),
  )
}
