import { f, localize, type PatchOf, type RowOf } from '#kit/resource/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { allRoleIds } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import {
  nestByParent,
  requireChildless,
  requireValidParent,
  loadForest,
  submitTreeRow,
  createTreeNode,
  loadTreeRows,
  type TreePickerNode,
  type TreeRow,
  TREE_ROOT_LABEL,
} from '#kit/server/resource/trees.ts'
import { resourceRoutes } from '#kit/server/mount/mount.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { loadAssignmentOptions } from '#domains/platform/organisation/api.ts'
import { TENANT_ADMIN_ALIAS, PLATFORM_ADMIN_ALIAS } from './index.ts'
import { isLimitedToShops, areRolesWithinCallerRights } from './rights.ts'
import { role } from './role.resource.ts'

/**
 * Refuses to change roles with an administrator's alias unless the caller is an administrator of that rank (platform or
 * tenant).
 */
export function requireAdministratorRank(
  call: Pick<Call, 'caller'>,
  aliases: readonly (string | null | undefined)[],
): void {
  if (aliases.includes(PLATFORM_ADMIN_ALIAS) && !call.caller.isPlatform) throw new Refused('no_right_for_administrator')
  if (aliases.includes(TENANT_ADMIN_ALIAS) && !call.caller.isAdmin) throw new Refused('no_right_for_admin')
}

/**
 * Aliases of shop roles from before the field `ownShops`: new roles with one are limited to the holder's shops, also
 * from clients that do not send the field.
 */
const SHOP_ALIASES = new Set<string | null | undefined>(['boss', 'clerk'])

/**
 * Refuses to change roles the caller holds, even those this session was not opened for; platform administrators may.
 */
export async function requireRolesNotHeldByCaller(
  call: Pick<Call, 'caller' | 'db'>,
  roles: readonly { id: string; roleName?: string | null }[],
): Promise<void> {
  if (call.caller.isPlatform) return
  const own = allRoleIds(call.caller)
  const held = roles.find(({ id }) => own.includes(id))
  if (held) throw new Refused('held_role_stays', { name: held.roleName ?? '' })
}

/**
 * Refuses others than administrators to change a role's alias or use one that any role of the tenant has or had, except
 * aliases they hold: workflow tasks are assigned by alias, so it would open other people's tasks.
 */
async function checkAlias(call: Call, roleAlias: string | null | undefined, was?: RowOf<typeof role>): Promise<void> {
  const { caller, db } = call
  if (caller.isAdmin || !roleAlias || roleAlias === was?.roleAlias) return
  const strange = [was?.roleAlias, roleAlias].find((one) => one && !caller.roleAliases.includes(one))
  if (!strange) return
  const isTaken =
    !!was ||
    SHOP_ALIASES.has(roleAlias) ||
    (await db.one(sql`select 1 from sys_role where tenant_id = ${db.tenantId} and role_alias = ${roleAlias} limit 1`))
  if (isTaken) throw new Refused('alias_of_administrators', { alias: strange })
}

/** Refuses a second role with the same name and alias, which could not be told apart. */
async function checkTwin({ db }: Call, draft: PatchOf<typeof role>, was?: RowOf<typeof role>): Promise<void> {
  const { roleName, roleAlias } = { ...was, ...draft }
  if (roleName === was?.roleName && roleAlias === was?.roleAlias) return
  await db.advisoryLock('role-names')
  const twin = await db.one(
    sql`select 1 from sys_role where tenant_id = ${db.tenantId} and role_name = ${roleName}
      and role_alias = ${roleAlias} and id <> ${was?.id ?? '0'} and is_deleted = 0`,
  )
  if (twin) throw invalidFieldRefusal(role, roleName === was?.roleName ? 'roleAlias' : 'roleName', 'taken')
}

/**
 * Returns whether holders of the role see only their own shops. Callers limited to shops can only make such roles, and
 * cannot lift the limit.
 */
function ownShopsOf(call: Call, draft: PatchOf<typeof role>, was: RowOf<typeof role> | undefined): boolean {
  const limited = isLimitedToShops(call.caller)
  if (!was) return draft.ownShops === true || limited || SHOP_ALIASES.has(draft.roleAlias)
  if (limited && draft.ownShops === false && was.ownShops) throw new Refused('beyond_own_rights')
  return draft.ownShops ?? was.ownShops ?? false
}

export const roleServer = serve(role, {
  without: ['list', 'submit'],
  beforeSave: async (draft, was, call) => {
    requireAdministratorRank(call, [was?.roleAlias, draft.roleAlias])
    if (was) await requireRolesNotHeldByCaller(call, [was])
    await checkAlias(call, draft.roleAlias, was)
    await checkTwin(call, draft, was)
    draft.ownShops = ownShopsOf(call, draft, was)
    draft.parentId = draft.parentId ?? was?.parentId ?? '0'
    await requireValidParent(call.db, role, was?.id, draft.parentId)
  },
  afterSave: (row, _was, { db, services }) => publishPermissionsChanged(services, db, { roleIds: [row.id] }),
  beforeRemove: async (rows, call) => {
    const { db } = call
    const ids = rows.map((row) => row.id)
    if (rows.some((row) => row.roleAlias === PLATFORM_ADMIN_ALIAS)) throw new Refused('administrator_stays')
    requireAdministratorRank(
      call,
      rows.map((row) => row.roleAlias),
    )
    // Refuses to delete a role that permits more than the caller has: its grants go with it, and restoring it does not
    // bring them back.
    for (const row of call.caller.isAdmin ? [] : rows)
      if (!(await areRolesWithinCallerRights(call, db.tenantId, [row.id])))
        throw new Refused('role_allows_more', { name: row.roleName })
    await requireChildless(db, role, ids)
    await db.run(sql`delete from role_menu where tenant_id = ${db.tenantId} and role_id = any(${ids}::bigint[])`)
    await db.run(sql`delete from role_scope where tenant_id = ${db.tenantId} and role_id = any(${ids}::bigint[])`)
    publishPermissionsChanged(call.services, db, { roleIds: ids })
  },
  present: (wire, _rows, { lang }) => {
    for (const row of wire) if (row.parentId === '0') row.parentName = localize(TREE_ROOT_LABEL, lang)
  },
})

const LABEL = { tenantId: { zh: '租户编号', en: 'Tenant' }, user: { zh: '用户', en: 'User' } }
const title = (zh: string, en: string) => ({ zh: `角色${zh}`, en: `Role: ${en}` })
const names = { signedIn: "names of the own tenant's roles, for pickers" }

/** Returns the roles of a tenant as a tree for pickers; hides administrators' roles from callers below that rank. */
async function pickerOf(call: Call, tenantId: string): Promise<TreePickerNode[]> {
  const rows = await loadTreeRows(roleServer, call, { query: { tenantId_equal: tenantId } })
  const shown = rows.filter(
    ({ roleAlias }) =>
      (call.caller.isPlatform || roleAlias !== PLATFORM_ADMIN_ALIAS) &&
      (call.caller.isAdmin || roleAlias !== TENANT_ADMIN_ALIAS),
  )
  const nodeOf = (row: TreeRow): TreePickerNode => ({
    ...createTreeNode(row.id, row.parentId, row.roleName as string),
    code: row.roleAlias as string,
  })
  return nestByParent(shown.map(nodeOf))
}

async function tenantOfRole(call: Call, roleId: string | null): Promise<string> {
  if (!roleId || !call.caller.isPlatform) return call.caller.tenantId
  const found = await call.services.unit(
    { tenantId: call.caller.tenantId, crossTenantReason: 'platform administrator reads a role' },
    (db) => db.get(role, roleId),
  )
  return found?.tenantId ?? call.caller.tenantId
}

export const roleRoutes = [
  defineRoute({
    method: 'GET',
    path: `${role.path}/list`,
    title: title('列表', 'list'),
    can: 'role',
    tx: false,
    handle: (call) => loadForest(roleServer, call),
  }),
  defineRoute({
    method: 'GET',
    path: `${role.path}/tree`,
    title: title('树', 'tree'),
    can: names,
    tx: false,
    input: { tenantId: f.text({ label: LABEL.tenantId, max: 12 }) },
    handle: (call) => pickerOf(call, (call.caller.isPlatform && call.input.tenantId) || call.caller.tenantId),
  }),
  defineRoute({
    method: 'GET',
    path: `${role.path}/tree-by-id`,
    title: title('树', 'tree of the same tenant'),
    can: names,
    tx: false,
    input: { roleId: f.ref('role', { label: role.label }) },
    handle: async (call) => pickerOf(call, await tenantOfRole(call, call.input.roleId)),
  }),
  defineRoute({
    method: 'GET',
    path: `${role.path}/select`,
    title: title('选择', 'choices'),
    can: { open: 'who has several roles chooses one before having a token; ids and names of that choice only' },
    tx: false,
    perMinute: 120,
    input: { userId: f.ref('user', { label: LABEL.user }), roleId: f.longText({ label: role.label, max: 2000 }) },
    handle: (call) => loadAssignmentOptions(call, role, 'role', { userId: call.input.userId, ids: call.input.roleId }),
  }),
  {
    ...resourceRoutes(serve(role)).find(({ path }) => path.endsWith('/submit'))!,
    handle: (call: Call) => submitTreeRow(roleServer, call),
  },
]
