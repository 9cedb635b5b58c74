import { defineSlot } from '#kit/server/slots.ts'
import type { Caller, DataScope } from '#kit/server/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
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
 * What modules bound beside rows and permissions, such as the largest refund somebody may sign: whether who holds these
 * roles gets no further than the caller. Modules add theirs.
 */
export type RoleCeilingCheck = (
  call: Pick<Call, 'caller' | 'db'>,
  roles: { roleIds: readonly string[]; rights: RoleRights },
) => Promise<boolean>

export const roleCeilingsSlot = defineSlot<Record<string, RoleCeilingCheck>>('ceilings')

/** An account as far as it can do anything: who it is, what it holds, where it belongs. */
type Account = { id?: string; roleId?: string[] | null; deptId?: string[] | null; ownShops?: boolean | null }

type Asking = Pick<Call, 'caller' | 'db' | 'services'>

const namesDepts = ({ type, value }: DataScope) => type === 3 || (type === 5 && /\$\{depts?Ids?\}/i.test(value ?? ''))

/**
 * Departments a caller may put others in: where departments decide about rows, those whose rows the caller sees; else
 * (undefined) any.
 */
function deptsToGive(caller: Caller): readonly string[] | undefined {
  const scopes = [...bindingScopesByResource(caller).values()].flat()
  if (scopes.some(namesDepts)) return caller.deptIds
  return scopes.some(({ type }) => type === 4) ? caller.deptTreeIds : undefined
}

const rolesOf = (account: Account): string[] => account.roleId ?? []

/** Whether an account is limited to shops of the caller, where the caller is limited. */
async function isWithinLimits({ caller, db, services }: Asking, account: Account): Promise<boolean> {
  if (!isLimitedToShops(caller)) return true
  if (!account.id) return account.ownShops === true
  const theirs = await findLimitsOfCaller(services, { tenantId: db.tenantId, userId: account.id, isAdmin: false })
  return Object.entries(caller.limits).every(([limit, own]) => theirs[limit]?.every((id) => own.includes(id)))
}

/** Whether nobody who holds a role reaches further than the caller's shops; who is stopped today may work tomorrow. */
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
 * Whether an account gets no further than the caller: no right, row, shop or sum more. Administrators see every row of
 * their tenant.
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

/** Administrators change everybody of their tenant that they do not rank below, and everybody their own account. */
const isFree = ({ caller }: Asking, account: Account) => caller.isAdmin || account.id === caller.userId

/** Whoever is limited to shops changes nothing of people who reach further: not of other shops, not of all shops. */
export async function requireAccountsWithinLimits(call: Asking, accounts: readonly Account[]): Promise<void> {
  for (const one of accounts)
    if (!isFree(call, one) && !(await isWithinLimits(call, one))) throw new Refused('user_above')
}

/**
 * What lets somebody in, shuts them out or takes shops from them (account, status, removal) is done only by who gets as
 * far as they do. Names and phones are for everybody who may edit: nobody signs in by them.
 */
export async function requireAccountsWithinCaller(call: Asking, accounts: readonly Account[]): Promise<void> {
  for (const one of accounts)
    if (!isFree(call, one) && !(await isAccountWithinCaller(call, one))) throw new Refused('user_above')
}

/**
 * Who works where is changed within what one holds oneself: a place is taken only from those who hold no more, and
 * whoever is limited to shops gives one only to people who reach no further. Who sees all shops anyway gains and loses
 * nothing by a place.
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

/** Of these roles, whether one limits who gets it to their own shops. */
export async function hasRoleForOwnShops({ db }: Pick<Call, 'db'>, roleIds: readonly string[]): Promise<boolean> {
  if (!roleIds.length) return false
  return !!(await db.one(
    sql`select 1 from sys_role where tenant_id = ${db.tenantId} and is_deleted = 0 and own_shops
      and id = any(${roleIds as string[]}::bigint[]) limit 1`,
  ))
}

/**
 * Whether somebody sees their own shops alone, after this change. A role that says so says it of whoever gets it,
 * whatever else the form holds; afterwards somebody who is not limited may say otherwise. Whom a limited caller makes
 * is limited.
 */
async function ownShopsAfter(call: Asking, given: Account, was: Account | undefined): Promise<boolean> {
  const limited = isLimitedToShops(call.caller)
  if (limited && was?.ownShops && given.ownShops === false) throw new Refused('limits_stay')
  const added = rolesOf(given).filter((id) => !rolesOf(was ?? {}).includes(id))
  const isMade = limited && !was
  return isMade || (await hasRoleForOwnShops(call, added)) || (given.ownShops ?? was?.ownShops ?? false)
}

/**
 * What decides how far an account gets is changed by others, within what they hold themselves. Answers whether it sees
 * its own shops alone.
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
 * Nobody changes their own roles, nor departments that decide what they see, nor anybody who gets further than they do.
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
