import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { API_SCOPE_CATEGORY, DATA_SCOPE_CATEGORY } from './tables.ts'

export type RoleScopeCategory = typeof DATA_SCOPE_CATEGORY | typeof API_SCOPE_CATEGORY

/**
 * The ids ticked in one part of the dialog: `own` may be granted by the caller, `beyond` may not; `isOwn` tells whether
 * the caller may grant an id.
 */
export type GrantSelection = { own: string[]; beyond: string[]; isOwn: (key: string) => boolean }

export function splitGrantSelection(
  keys: readonly string[],
  known: ReadonlySet<string>,
  allowed: ReadonlySet<string>,
): GrantSelection {
  const isOwn = (key: string) => allowed.has(key)
  return {
    own: keys.filter((key) => known.has(key) && isOwn(key)),
    beyond: keys.filter((key) => known.has(key) && !isOwn(key)),
    isOwn,
  }
}

/**
 * Returns the grants of each role after saving. Among ids the caller may grant: exactly those ticked. Of all others a
 * role keeps what it had, since nobody revokes what they do not hold; an administrator revokes those too by leaving
 * them out. Refuses ids the caller may not grant that none of the roles had.
 */
export function grantsAfterSelection(
  call: Call,
  { own, beyond, isOwn }: GrantSelection,
  before: ReadonlyMap<string, readonly string[]>,
) {
  const held = new Set([...before.values()].flat())
  if (beyond.some((key) => !held.has(key))) throw new Refused('beyond_own_rights')
  const sent = new Set(beyond)
  const stays = (key: string) => !isOwn(key) && (!call.caller.isAdmin || sent.has(key))
  return new Map([...before].map(([roleId, keys]) => [roleId, [...new Set([...own, ...keys.filter(stays)])]]))
}

export type GrantsByRole = Map<string, string[]>

const MENU = 0

/** Returns the current grants: menus, data scopes and API scopes, each by role. */
export async function loadGrantsByRole(
  db: Db,
  roleIds: readonly string[],
): Promise<Record<'menu' | 'dataScope' | 'apiScope', GrantsByRole>> {
  const rows = await db.query<{ roleId: string; part: number; id: string }>(
    sql`select role_id::text as role_id, 0 as part, menu_id::text as id from role_menu
      where tenant_id = ${db.tenantId} and role_id = any(${roleIds}::bigint[])
      union all select role_id::text, scope_category, scope_id::text from role_scope
      where tenant_id = ${db.tenantId} and role_id = any(${roleIds}::bigint[])`,
  )
  const of = (part: number): GrantsByRole =>
    new Map(
      roleIds.map((roleId) => [
        roleId,
        rows.filter((row) => row.part === part && row.roleId === roleId).map((row) => row.id),
      ]),
    )
  return { menu: of(MENU), dataScope: of(DATA_SCOPE_CATEGORY), apiScope: of(API_SCOPE_CATEGORY) }
}

/** Role and key pairs as two arrays, for `unnest`. */
const pairsOf = (held: GrantsByRole): [roles: string[], keys: string[]] => {
  const pairs = [...held].flatMap(([roleId, keys]) => keys.map((key) => [roleId, key] as const))
  return [pairs.map(([roleId]) => roleId), pairs.map(([, key]) => key)]
}

/**
 * Replaces the menus of roles with exactly these. Adds no parents: the dialog shows what is stored, and a ticked parent
 * would tick everything below it.
 */
export async function replaceRoleMenus(db: Db, held: GrantsByRole): Promise<void> {
  const [roles, keys] = pairsOf(held)
  await db.run(
    sql`delete from role_menu where tenant_id = ${db.tenantId} and role_id = any(${[...held.keys()]}::bigint[])`,
  )
  await db.run(sql`insert into role_menu (tenant_id, role_id, menu_id)
    select ${db.tenantId}, o, m from unnest(${roles}::bigint[], ${keys}::bigint[]) as t(o, m)`)
}

export async function replaceRoleScopes(db: Db, category: RoleScopeCategory, held: GrantsByRole): Promise<void> {
  const [roles, keys] = pairsOf(held)
  await db.run(
    sql`delete from role_scope where tenant_id = ${db.tenantId} and scope_category = ${category}
      and role_id = any(${[...held.keys()]}::bigint[])`,
  )
  await db.run(sql`insert into role_scope (tenant_id, role_id, scope_category, scope_id)
    select ${db.tenantId}, o, ${category}, s from unnest(${roles}::bigint[], ${keys}::bigint[]) as t(o, s)`)
}
