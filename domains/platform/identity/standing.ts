import { defineSlot } from '#kit/server/base/slots.ts'
import type { Caller, DataScope } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import {
  bindingScopesByResource,
  isLimitedToShops,
  areRolesWithinCallerRights,
  loadRightsOfRoles,
  areRolesWithinCallerRows,
  type RoleRights,
} from '#domains/platform/access/api.ts'
import { findLimitsOfCaller } from './access-provider.ts'

/**
 * Returns whether holders of these roles stay within the caller in a limit other than rows and permissions, such as the
 * largest refund they may approve. Added by modules.
 */
export type RoleCeilingCheck = (
  call: Pick<Call, 'caller' | 'db'>,
  roles: { roleIds: readonly string[]; rights: RoleRights },
) => Promise<boolean>

export const roleCeilingsSlot = defineSlot<Record<string, RoleCeilingCheck>>('ceilings')

/** The properties of an account that decide what it may do. */
type Account = { id?: string; roleId?: string[] | null; deptId?: string[] | null; ownShops?: boolean | null }

type Asking = Pick<Call, 'caller' | 'db' | 'services'>

const namesDepts = ({ type, value }: DataScope) => type === 3 || (type === 5 && /\$\{depts?Ids?\}/i.test(value ?? ''))

/**
 * Returns the departments a caller may assign: where data scopes depend on departments, those whose rows the caller
 * sees; else undefined for any.
 */
function deptsToGive(caller: Caller): readonly string[] | undefined {
  const scopes = [...bindingScopesByResource(caller).values()].flat()
  if (scopes.some(namesDepts)) return caller.deptIds
  return scopes.some(({ type }) => type === 4) ? caller.deptTreeIds : undefined
}

const rolesOf = (account: Account): string[] => account.roleId ?? []

/** Whether an account is limited to the caller's shops, if the caller is limited to shops. */
async function isWithinLimits({ caller, db, services }: Asking, account: Account): Promise<boolean> {
  if (!isLimitedToShops(caller)) return true
  if (!account.id) return account.ownShops === true
  const theirs = await findLimitsOfCaller(services, { tenantId: db.tenantId, userId: account.id, isAdmin: false })
  return Object.entries(caller.limits).every(([limit, own]) => theirs[limit]?.every((id) => own.includes(id)))
}

/**
 * Whether all holders of a role are within the caller's shops. Counts disabled holders too, as they may be enabled
 * again.
 */
export async function areRoleHoldersWithinLimits(call: Asking, roleId: string): Promise<boolean> {
  const holders = await call.db.query<{ id: string }>(
    sql`select id::text as id from sys_user where tenant_id = ${call.db.tenantId} and is_deleted = 0
      and ${roleId}::bigint = any(role_id)`,
  )
  for (const one of holders) if (!(await isWithinLimits(call, one))) return false
  return true
}

const isWithinDepts = (caller: Caller, deptIds: readonly string[]): boolean => {
  const allowed = deptsToGive(caller)
  return !allowed || deptIds.every((id) => allowed.includes(id))
}

async function isUnderCeilings(call: Asking, roleIds: readonly string[]): Promise<boolean> {
  const all = Object.values(call.services.slots.find(roleCeilingsSlot) ?? {})
  if (call.caller.isAdmin || !roleIds.length || !all.length) return true
  const rights = await loadRightsOfRoles(call.services, call.db.tenantId, roleIds)
  const answers = await Promise.all(all.map((ceiling) => ceiling(call, { roleIds, rights })))
  return answers.every(Boolean)
}

/**
 * Whether an account may do no more than the caller: in permissions, rows, shops and amounts. For an administrator only
 * permissions count.
 */
export async function isAccountWithinCaller(call: Asking, account: Account): Promise<boolean> {
  const roleIds = rolesOf(account)
  if (!(await areRolesWithinCallerRights(call, call.db.tenantId, roleIds))) return false
  if (call.caller.isAdmin) return true
  return (
    (await areRolesWithinCallerRows(call, call.db.tenantId, roleIds)) &&
    isWithinDepts(call.caller, account.deptId ?? []) &&
    (await isWithinLimits(call, account)) &&
    isUnderCeilings(call, roleIds)
  )
}

/**
 * Whether the checks below let an account pass: any account for an administrator, whose ranks are checked elsewhere,
 * and the caller's own.
 */
const isFree = ({ caller }: Asking, account: Account) => caller.isAdmin || account.id === caller.userId

/** Refuses callers limited to shops to change accounts of other or of all shops. */
export async function requireAccountsWithinLimits(call: Asking, accounts: readonly Account[]): Promise<void> {
  for (const one of accounts)
    if (!isFree(call, one) && !(await isWithinLimits(call, one))) throw new Refused('user_above')
}

/**
 * Refuses to change who can sign in or sees which shops (account name, status, removal) for accounts that may do more
 * than the caller. Names and phones may be changed by all who may edit: nobody signs in with them.
 */
export async function requireAccountsWithinCaller(call: Asking, accounts: readonly Account[]): Promise<void> {
  for (const one of accounts)
    if (!isFree(call, one) && !(await isAccountWithinCaller(call, one))) throw new Refused('user_above')
}

/**
 * Refuses to change the shops of staff beyond the caller's own rights: shops are taken only from people who may do no
 * more, and callers limited to shops assign them only to such people. People who see all shops are not affected by an
 * assignment.
 */
export async function requireShopStaffChangeAllowed(
  call: Asking,
  { taken, given }: { taken: readonly string[]; given: readonly string[] },
): Promise<void> {
  if (call.caller.isAdmin) return
  const accounts = await call.db.query<Account & { id: string }>(
    sql`select id::text as id, role_id::text[] as role_id from sys_user where tenant_id = ${call.db.tenantId}
      and own_shops and id = any(${[...taken, ...given]}::bigint[])`,
  )
  for (const one of accounts) {
    if (!taken.includes(one.id) || isFree(call, one)) continue
    const isNoMore =
      (await areRolesWithinCallerRights(call, call.db.tenantId, rolesOf(one))) &&
      (await isUnderCeilings(call, rolesOf(one)))
    if (!isNoMore) throw new Refused('user_above')
  }
  await requireAccountsWithinLimits(
    call,
    accounts.filter(({ id }) => given.includes(id)),
  )
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  new Set([...one, ...other]).size === new Set(one).size && one.length === other.length

/** Whether any of these roles limits its holders to their own shops. */
export async function hasRoleForOwnShops({ db }: Pick<Call, 'db'>, roleIds: readonly string[]): Promise<boolean> {
  if (!roleIds.length) return false
  return !!(await db.one(
    sql`select 1 from sys_role where tenant_id = ${db.tenantId} and is_deleted = 0 and own_shops
      and id = any(${roleIds as string[]}::bigint[]) limit 1`,
  ))
}

/**
 * Returns whether an account sees only its own shops after this change: always with a newly added role that limits to
 * them, or when made by a limited caller. Refuses a limited caller to lift the limit.
 */
async function ownShopsAfter(call: Asking, given: Account, was: Account | undefined): Promise<boolean> {
  const limited = isLimitedToShops(call.caller)
  if (limited && was?.ownShops && given.ownShops === false) throw new Refused('limits_stay')
  const added = rolesOf(given).filter((id) => !rolesOf(was ?? {}).includes(id))
  const isMade = limited && !was
  return isMade || (await hasRoleForOwnShops(call, added)) || (given.ownShops ?? was?.ownShops ?? false)
}

/**
 * Refuses changes of an account's roles or departments beyond the caller's own rights. Returns whether the account sees
 * only its own shops.
 */
export async function requireAccountChangeAllowed(
  call: Asking,
  given: Account,
  was: Account | undefined,
): Promise<boolean> {
  const ownShops = await ownShopsAfter(call, given, was)
  const after: Account = {
    id: was?.id,
    roleId: given.roleId ?? was?.roleId,
    deptId: given.deptId ?? was?.deptId,
    ownShops,
  }
  const changed = { depts: hasOtherDepts(after, was), roles: hasOtherRoles(after, was) }
  if (!call.caller.isAdmin && (changed.depts || changed.roles)) {
    await checkStandingBefore(call, was, changed)
    if (!(await isAccountWithinCaller(call, after))) throw new Refused('role_beyond_own')
  }
  return ownShops
}

const hasOtherDepts = (after: Account, was: Account = {}) => !isSameSet(after.deptId ?? [], was.deptId ?? [])
const hasOtherRoles = (after: Account, was: Account = {}) => !isSameSet(rolesOf(after), rolesOf(was))

/**
 * Refuses to change the caller's own roles, own departments that decide what they see, and accounts that may do more
 * than the caller.
 */
async function checkStandingBefore(
  call: Asking,
  was: Account | undefined,
  changed: { depts: boolean; roles: boolean },
): Promise<void> {
  if (!was) return
  if (was.id !== call.caller.userId) {
    if (!(await isAccountWithinCaller(call, was))) throw new Refused('user_above')
    return
  }
  if (changed.roles) throw new Refused('own_roles_stay')
  if (changed.depts && deptsToGive(call.caller)) throw new Refused('own_depts_stay')
}
