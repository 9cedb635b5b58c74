import { f } from '#kit/resource/index.ts'
import { parseIdInput } from '#kit/fields/base/field-kind.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { raw, readBatch, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { nestByParent, createTreeNode, type TreePickerNode } from '#kit/server/resource/trees.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { requireIdList, forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { requireUnchangedSet } from '#kit/server/resource/expected-set.ts'
import { requireDataScopesUnchanged } from './bounds-of-others.ts'
import {
  loadMenuCatalogue,
  loadCachedMenuCatalogue,
  menuEntriesOfCaller,
  menuEntryName,
  withMenuAncestors,
  type MenuCatalogue,
} from './catalogue.ts'
import { menu } from './menu.resource.ts'
import { bindingScopesByResource } from './rights.ts'
import { requireRolesNotHeldByCaller, requireAdministratorRank } from './role.server.ts'
import { requireHoldersWithinShops } from './role-holders.ts'
import {
  splitGrantSelection,
  grantsAfterSelection,
  loadGrantsByRole,
  replaceRoleMenus,
  replaceRoleScopes,
  type GrantSelection,
  type RoleScopeCategory,
} from './role-keys.ts'
import { role } from './role.resource.ts'
import { apiScope, dataScope } from './scopes.resource.ts'
import { API_SCOPE_CATEGORY, DATA_SCOPE_CATEGORY } from './tables.ts'
import { topMenu } from './top-menu.resource.ts'

const KEYS_MAX = 20_000

/** Parses ids from an array or a comma list; skips what is no id. Refuses more than `KEYS_MAX`. */
function keysOf(given: unknown): string[] {
  const parts = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : []
  if (parts.length > KEYS_MAX) throw new Refused('bad_parameter', { name: 'menuIds' })
  const ids = parts.map(parseIdInput).flatMap((one) => ('value' in one && one.value ? [one.value] : []))
  return [...new Set(ids)]
}

/** Menu ids the caller may grant: those they hold and the menus above them. */
const grantable = (catalogue: MenuCatalogue, call: Call) =>
  withMenuAncestors(
    catalogue,
    menuEntriesOfCaller(catalogue, call.caller).map((entry) => entry.id),
  )

/**
 * SQL condition: the scopes (alias `r`) the caller may grant. All visible ones for an administrator, else those of the
 * caller's own roles.
 */
const mayGrantScope = (call: Call, category: number) =>
  call.caller.isAdmin
    ? sql`true`
    : sql`r.id in (select scope_id from role_scope where tenant_id = ${call.caller.tenantId}
      and scope_category = ${category} and role_id = any(${call.caller.roleIds}::bigint[]))`

const ofTenant = (call: Call) =>
  call.caller.isPlatform ? sql`true` : sql`r.tenant_id in (${call.caller.tenantId}, ${MANAGEMENT_TENANT})`

async function grantTree(
  call: Call,
): Promise<{ menu: TreePickerNode[]; dataScope: TreePickerNode[]; apiScope: TreePickerNode[] }> {
  const catalogue = await loadCachedMenuCatalogue(call.services)
  const allowed = grantable(catalogue, call)
  const entries = catalogue.entries.filter((entry) => allowed.has(entry.id))
  const [data, api] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select r.id::text as id, r.menu_id::text as "menuId", r.scope_name as name from scope_data r
      where r.is_deleted = 0 and ${ofTenant(call)} and ${mayGrantScope(call, DATA_SCOPE_CATEGORY)} order by r.id`,
    sql`select r.id::text as id, r.menu_id::text as "menuId", r.scope_name as name from scope_api r
      where r.is_deleted = 0 and ${mayGrantScope(call, API_SCOPE_CATEGORY)} order by r.id`,
  ])
  const scopes = (rows: readonly Record<string, unknown>[]) => {
    const shown = rows.filter((row) => allowed.has(row.menuId as string))
    const owners = new Set(shown.map((row) => row.menuId as string))
    return nestByParent([
      ...entries
        .filter((entry) => owners.has(entry.id))
        .map((entry) => createTreeNode(entry.id, '0', menuEntryName(entry, call.lang))),
      ...shown.map((row) => createTreeNode(row.id as string, row.menuId as string, row.name as string)),
    ])
  }
  return {
    menu: nestByParent(
      entries.map((entry) => createTreeNode(entry.id, entry.parentId, menuEntryName(entry, call.lang))),
    ),
    dataScope: scopes(data!),
    apiScope: scopes(api!),
  }
}

async function roleTreeKeys(call: Call<{ roleIds: string | null }>): Promise<Record<string, string[]>> {
  const ids = requireIdList(role, call.input.roleIds)
  const mine = call.caller.isPlatform ? sql`true` : sql`tenant_id = ${call.caller.tenantId}`
  const [menus, scopes] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), grantedSql(mine, ids))
  return granted(menus!, scopes!)
}

const grantedSql = (mine: Sql, roleIds: readonly string[]): [Sql, Sql] => [
  sql`select distinct menu_id::text as id from role_menu where ${mine}
    and role_id = any(${roleIds}::bigint[])`,
  sql`select distinct scope_id::text as id, scope_category as category from role_scope where ${mine}
    and role_id = any(${roleIds}::bigint[])`,
]

function granted(menus: Record<string, unknown>[], scopes: Record<string, unknown>[]): Record<string, string[]> {
  const of = (category: number) => scopes.filter((row) => row.category === category).map((row) => row.id as string)
  return {
    menu: menus.map((row) => row.id as string),
    dataScope: of(DATA_SCOPE_CATEGORY),
    apiScope: of(API_SCOPE_CATEGORY),
  }
}

/** Parses the grants a dialog showed when it was opened, by part; empty from clients that do not send them. */
const seenOf = (given: unknown): Record<string, unknown> =>
  typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}

async function replaceTopMenus(db: Db, topMenuIds: readonly string[], menuIds: readonly string[]): Promise<void> {
  await db.run(
    sql`delete from top_menu_setting where tenant_id = ${db.tenantId} and top_menu_id = any(${topMenuIds}::bigint[])`,
  )
  await db.run(sql`
    insert into top_menu_setting (tenant_id, top_menu_id, menu_id)
    select ${db.tenantId}, o, m from unnest(${topMenuIds}::bigint[]) o cross
    join unnest(${menuIds}::bigint[]) m`)
}

/**
 * Returns the ids that are scopes, split by whether the caller may grant them; drops menu ids, which the dialog's tree
 * sends as checked parents.
 */
async function chosenScopes(db: Db, call: Call, category: RoleScopeCategory, given: unknown): Promise<GrantSelection> {
  const keys = keysOf(given)
  const table = category === DATA_SCOPE_CATEGORY ? dataScope.table : apiScope.table
  const own = category === DATA_SCOPE_CATEGORY ? sql` and r.tenant_id in (${db.tenantId}, ${MANAGEMENT_TENANT})` : sql``
  const rows = await db.query<{ id: string; may: boolean }>(
    sql`select r.id::text as id, (${mayGrantScope(call, category)}) as may from ${raw(`"${table}"`)} r
      where r.is_deleted = 0 and (r.id = any(${keys}::bigint[]) or r.id in (select scope_id from role_scope
      where tenant_id = ${db.tenantId} and scope_category = ${category}))${own}`,
  )
  return splitGrantSelection(
    keys,
    new Set(rows.map(({ id }) => id)),
    new Set(rows.flatMap(({ id, may }) => (may ? [id] : []))),
  )
}

/**
 * Refuses to grant a role none of the data scopes that bind the caller on a resource: the role must keep at least one,
 * or its holders would see more rows than the caller.
 */
function checkBounds(call: Call, given: unknown): void {
  const chosen = new Set(keysOf(given))
  for (const own of bindingScopesByResource(call.caller).values()) {
    if (!own.some(({ id }) => id && chosen.has(id)))
      throw new Refused('scope_must_stay', { name: own[0]!.name ?? own[0]!.resourceCode })
  }
}

/** Returns the ids that are existing menus, split by whether the caller may grant them. */
async function chosenMenus(call: Call, given: unknown): Promise<GrantSelection> {
  const catalogue = await loadMenuCatalogue(call.db)
  return splitGrantSelection(keysOf(given), new Set(catalogue.byId.keys()), grantable(catalogue, call))
}

async function checkedMenus(call: Call, given: unknown): Promise<string[]> {
  const { own, beyond } = await chosenMenus(call, given)
  if (beyond.length) throw new Refused('beyond_own_rights')
  return own
}

const bodyOf = (call: Call): Record<string, unknown> => ({
  ...(typeof call.body === 'object' && call.body !== null && !Array.isArray(call.body)
    ? (call.body as Record<string, unknown>)
    : {}),
  ...call.query,
})

async function grantRoles(call: Call): Promise<undefined> {
  const given = bodyOf(call)
  const roleIds = requireIdList(role, given.roleIds)
  const menus = await chosenMenus(call, given.menuIds)

  await forEachTenantOfRows(call, role, roleIds, async (ids, db) => {
    const rows = await db.query<{ id: string; roleAlias: string; roleName: string }>(
      sql`select id, role_alias, role_name from sys_role where tenant_id = ${db.tenantId} and is_deleted = 0
        and id = any(${ids}::bigint[]) order by id for update`,
    )
    if (rows.length !== ids.length) throw new Refused('not_found', { label: role.label })
    requireAdministratorRank(
      call,
      rows.map((row) => row.roleAlias),
    )
    const inside = { ...call, db }
    await requireRolesNotHeldByCaller(inside, rows)
    await requireHoldersWithinShops(inside, rows)
    checkBounds(call, given.dataScopeIds)
    const now = await loadGrantsByRole(db, ids)
    // Refuses when the grants changed since the dialog was opened, so that a revoked one is not restored unnoticed.
    if (given.was && ids.length === roleIds.length)
      for (const [part, held] of Object.entries(now))
        requireUnchangedSet(seenOf(given.was)[part], [...held.values()].flat())
    const data = grantsAfterSelection(
      call,
      await chosenScopes(db, call, DATA_SCOPE_CATEGORY, given.dataScopeIds),
      now.dataScope,
    )
    await requireDataScopesUnchanged(inside, now.dataScope, data)
    const api = grantsAfterSelection(
      call,
      await chosenScopes(db, call, API_SCOPE_CATEGORY, given.apiScopeIds),
      now.apiScope,
    )
    await replaceRoleMenus(db, grantsAfterSelection(call, menus, now.menu))
    await replaceRoleScopes(db, DATA_SCOPE_CATEGORY, data)
    await replaceRoleScopes(db, API_SCOPE_CATEGORY, api)
  })

  publishPermissionsChanged(call.services, call.db, { roleIds })
  return undefined
}

async function topTreeKeys(call: Call<{ topMenuIds: string | null }>): Promise<{ menu: string[] }> {
  const ids = requireIdList(topMenu, call.input.topMenuIds)
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select distinct menu_id::text as id from top_menu_setting
      where ${
        call.caller.isPlatform
          ? sql`true`
          : sql`tenant_id =
        ${call.caller.tenantId}`
      } and top_menu_id = any(${ids}::bigint[])`,
  ])
  return { menu: rows!.map((row) => row.id as string) }
}

async function grantTopMenus(call: Call): Promise<undefined> {
  const given = bodyOf(call)
  const topMenuIds = requireIdList(topMenu, given.topMenuIds)
  const menuIds = await checkedMenus(call, given.menuIds)
  await forEachTenantOfRows(call, topMenu, topMenuIds, async (ids, db) => {
    const rows = await db.query(
      sql`select id from top_menu where tenant_id = ${db.tenantId} and is_deleted = 0 and id = any(${ids}::bigint[])
        order by id for update`,
    )
    if (rows.length !== ids.length) throw new Refused('not_found', { label: topMenu.label })
    if (given.was && ids.length === topMenuIds.length) {
      const now = await db.query<{ id: string }>(
        sql`select distinct menu_id::text as id from top_menu_setting where tenant_id = ${db.tenantId}
          and top_menu_id = any(${ids}::bigint[])`,
      )
      requireUnchangedSet(
        seenOf(given.was).menu,
        now.map(({ id }) => id),
      )
    }
    await replaceTopMenus(db, ids, menuIds)
  })
  return undefined
}

async function grantTopTree(
  call: Call,
): Promise<{ menu: TreePickerNode[]; dataScope: TreePickerNode[]; apiScope: TreePickerNode[] }> {
  const held = menuEntriesOfCaller(await loadCachedMenuCatalogue(call.services), call.caller).filter(
    (entry) => entry.category === 1,
  )
  return {
    menu: nestByParent(held.map((entry) => createTreeNode(entry.id, entry.parentId, menuEntryName(entry, call.lang)))),
    dataScope: [],
    apiScope: [],
  }
}

const title = (zh: string, en: string) => ({ zh, en })
const ids = (zh: string, en: string) => f.longText({ label: { zh, en }, required: true, max: 20_000 })

export const roleGrantRoutes = [
  defineRoute({
    method: 'GET',
    path: `${menu.path}/grant-tree`,
    title: title('授权树', 'Permission tree'),
    can: 'role_grant',
    tx: false,
    handle: grantTree,
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/role-tree-keys`,
    title: title('角色权限', 'Role permissions'),
    can: 'role_grant',
    tx: false,
    input: { roleIds: ids('角色', 'Roles') },
    handle: roleTreeKeys,
  }),
  defineRoute({
    method: 'POST',
    path: `${role.path}/grant`,
    title: title('角色授权', 'Grant role permissions'),
    can: 'role_grant',
    handle: grantRoles,
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/grant-top-tree`,
    title: title('顶部菜单可选菜单', 'Menus available for top menus'),
    can: 'topmenu_setting',
    tx: false,
    handle: grantTopTree,
  }),
  defineRoute({
    method: 'GET',
    path: `${menu.path}/top-tree-keys`,
    title: title('顶部菜单所含菜单', 'Menus of top menus'),
    can: 'topmenu_setting',
    tx: false,
    input: { topMenuIds: ids('顶部菜单', 'Top menus') },
    handle: topTreeKeys,
  }),
  defineRoute({
    method: 'POST',
    path: `${topMenu.path}/grant`,
    title: title('顶部菜单配置', 'Select menus'),
    can: 'topmenu_setting',
    handle: grantTopMenus,
  }),
]
