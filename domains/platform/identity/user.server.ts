import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { objectSchema, arraySchema, textSchema } from '#kit/resource/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { hashPassword } from '#kit/server/security/index.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireAdministratorRank, areRolesWithinCallerRights } from '#domains/platform/access/api.ts'
import { unlockAccount } from './attempts.ts'
import {
  createInitialPasswordFactory,
  type InitialPassword,
  type IssuedPassword,
  issuedPasswordSchema,
} from './first-password.ts'
import { requireStrongPassword, archiveCurrentPasswords } from './password-rules.ts'
import { endSessions } from './sessions.ts'
import {
  requireAccountsWithinCaller,
  requireAccountsWithinLimits,
  requireAccountChangeAllowed,
  isAccountWithinCaller,
} from './standing.ts'
import { user } from './user.resource.ts'

export type UserRow = RowOf<typeof user>
type UserDraft = PatchOf<typeof user>

const ACTIVE = 1
const DISABLED = 2
const UNKNOWN_SEX = 3

async function aliasesOf(db: Db, roleIds: readonly string[]): Promise<string[]> {
  if (!roleIds.length) return []
  const rows = await db.query<{ alias: string }>(
    sql`select role_alias as alias from sys_role where tenant_id = ${db.tenantId} and is_deleted = 0
      and id = any(${roleIds}::bigint[])`,
  )
  return rows.map((row) => row.alias)
}

/** Refuses to change administrators of a higher rank than the caller, which would be a way to get their rights. */
export async function requireUsersNotAboveCaller(call: Call, users: readonly Pick<UserRow, 'roleId'>[]): Promise<void> {
  try {
    requireAdministratorRank(
      call,
      await aliasesOf(
        call.db,
        users.flatMap((one) => one.roleId ?? []),
      ),
    )
  } catch {
    throw new Refused('user_above')
  }
}

/** Refuses roles the caller may not assign: above their own rank, or with rights they do not have. */
export async function requireAssignableRoles(call: Call, roleIds: readonly string[]): Promise<void> {
  requireAdministratorRank(call, await aliasesOf(call.db, roleIds))
  if (!(await areRolesWithinCallerRights(call, call.db.tenantId, roleIds))) throw new Refused('role_beyond_own')
}

/** Refuses to reset the password of users who may do more than the caller, as the caller could then sign in as them. */
export async function requirePasswordResetAllowed(call: Call, users: readonly UserRow[]): Promise<void> {
  for (const one of users) if (!(await isAccountWithinCaller(call, one))) throw new Refused('user_above')
}

/** Refuses more accounts than the tenant's quota. Takes a lock, so that parallel calls cannot exceed it. */
export async function requireAccountQuota(db: Db, more = 1): Promise<void> {
  if (db.tenantId === MANAGEMENT_TENANT) return
  await db.advisoryLock('user-quota')
  const found = await db.one<{ quota: number; n: number }>(sql`
    select coalesce(t.account_number, -1)::int as quota, (select count(*)::int from sys_user u
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0) as n
    from tenant t where t.tenant_id = ${db.tenantId} and t.is_deleted = 0`)
  if (found && found.quota > 0 && found.n + more > found.quota) throw new Refused('quota_reached')
}

/**
 * Refuses an account name that exists, also in other capitals; an existing user keeps a name that differs only in
 * capitals.
 */
export async function requireFreeAccountName(
  db: Db,
  account: string,
  was?: Pick<UserRow, 'id' | 'account'>,
): Promise<void> {
  const twins = await db.query<{ account: string }>(
    sql`select account from sys_user where tenant_id = ${db.tenantId} and lower(account) = lower(${account})
      and id <> ${was?.id ?? '0'} and is_deleted = 0`,
  )
  if (twins.some((twin) => twin.account === account)) throw new Refused('user_exists', { account })
  if (twins.length && account !== was?.account) throw invalidFieldRefusal(user, 'account', 'taken')
}

export function requireBirthdayNotInFuture({ birthday }: UserDraft, { services }: Pick<Call, 'services'>): void {
  const today = formatShanghaiTime(services.now()).slice(0, 10)
  if (birthday && birthday.slice(0, 10) > today) throw invalidFieldRefusal(user, 'birthday', 'too_late', { max: today })
}

const isAnother = <T>(next: T | undefined, now: T) => next !== undefined && next !== now

/** Whether a change affects who can sign in or which shops the account sees. */
const isShutOrLetIn = (draft: UserDraft, was: UserRow): boolean =>
  isAnother(draft.account, was.account) ||
  isAnother(draft.status === undefined ? undefined : (draft.status ?? ACTIVE), was.status ?? ACTIVE) ||
  isAnother(draft.ownShops ?? undefined, was.ownShops ?? false)

/** Checks a user before it is saved, new or changed, and sets `ownShops`. */
export async function checkUserDraft(draft: UserDraft, was: UserRow | undefined, call: Call): Promise<void> {
  if (was) {
    await requireUsersNotAboveCaller(call, [was])
    await requireAccountsWithinLimits(call, [was])
  } else await requireAccountQuota(call.db)
  const added = (draft.roleId ?? []).filter((id) => !was?.roleId?.includes(id))
  await requireAssignableRoles(call, added)
  draft.ownShops = await requireAccountChangeAllowed(call, draft, was)
  if (was && isShutOrLetIn(draft, was)) await requireAccountsWithinCaller(call, [was])
  if (draft.account) await requireFreeAccountName(call.db, draft.account, was)
  requireBirthdayNotInFuture(draft, call)
  const losesOwn =
    was?.id === call.caller.userId &&
    (draft.status === DISABLED ||
      (draft.roleId && call.caller.isAdmin && !call.caller.roleIds.some((id) => draft.roleId!.includes(id))))
  if (losesOwn) throw new Refused('own_role_stays')
}

/** Replaces a user's rows in `user_dept`, which are for searches by department. */
export async function replaceUserDepts(db: Db, userId: string, deptIds: readonly string[]): Promise<void> {
  await db.run(sql`delete from user_dept where tenant_id = ${db.tenantId} and user_id = ${userId}`)
  await db.run(
    sql`insert into user_dept (tenant_id, user_id, dept_id) select ${db.tenantId}, ${userId}, d
      from unnest(${deptIds}::bigint[]) d on conflict do nothing`,
  )
}

/**
 * Updates the department rows of a saved user; ends the sessions of a disabled one and publishes the changed rights.
 */
export async function afterUserSaved(
  row: UserRow,
  was: UserRow | undefined,
  call: Pick<Call, 'db' | 'services'>,
): Promise<void> {
  const { db, services } = call
  await replaceUserDepts(db, row.id, row.deptId ?? [])
  if (!was) return
  if (row.status === DISABLED && was.status !== DISABLED)
    await endSessions(db, services, { userIds: [row.id] }, 'disabled')
  publishPermissionsChanged(services, db, { userIds: [row.id] })
}

/** A user's new password, hashed. */
type NewPassword = { userId: string; hash: string; mustChange?: boolean }

/** Sets passwords and ends the users' sessions, but for `exceptSession`. */
export async function setPasswords(
  call: Pick<Call, 'db' | 'services'>,
  passwords: readonly NewPassword[],
  { exceptSession }: { exceptSession?: string } = {},
): Promise<void> {
  const { db, services } = call
  const userIds = passwords.map(({ userId }) => userId)
  await archiveCurrentPasswords(db, userIds)
  await db.run(
    sql`update sys_user u set password = n.hash, must_change_password = n.must_change,
      password_time = ${services.now().toISOString()}, update_user = ${db.userId}, update_time = now(),
      version = u.version + 1
      from unnest(${userIds}::bigint[], ${passwords.map(({ hash }) => hash)}::text[],
        ${passwords.map(({ mustChange = false }) => mustChange)}::boolean[]) as n(user_id, hash, must_change)
      where u.tenant_id = ${db.tenantId} and u.id = n.user_id and u.is_deleted = 0`,
  )
  await endSessions(db, services, { userIds, ...(exceptSession ? { except: exceptSession } : {}) }, 'password changed')
  publishPermissionsChanged(services, db, {})
}

async function tenantNames(call: Call, tenantIds: readonly string[]): Promise<Map<string, string>> {
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select tenant_id as id, tenant_name as name from tenant where tenant_id = any(${tenantIds})
      and is_deleted = 0`,
  ])
  return new Map(rows!.map((row) => [row.id as string, row.name as string]))
}

/** Initial passwords of calls in progress, to be shown in their answers. */
const made = new WeakMap<Call, InitialPassword>()

export const toIssuedPassword = (
  { account, realName }: Pick<UserRow, 'account' | 'realName'>,
  { plain }: InitialPassword,
): IssuedPassword => ({
  account,
  realName: realName ?? '',
  password: plain,
})

export const userServer = serve(user, {
  without: ['list'],
  beforeSave: async (draft, was, call) => {
    await checkUserDraft(draft, was, call)
    if (was) return
    if (draft.password) {
      await requireStrongPassword(call.services, draft.password, draft.account!, 'password')
      draft.password = await hashPassword(draft.password)
      return
    }
    const first = await (await createInitialPasswordFactory(call.services))()
    Object.assign(draft, { password: first.hash, mustChangePassword: first.mustChange })
    made.set(call, first)
  },
  afterSave: afterUserSaved,
  // Shows the initial password once, to who created the account.
  answer: {
    schema: objectSchema({ first: arraySchema(issuedPasswordSchema) }, ['first']),
    of: (row, call) => {
      const first = made.get(call)
      return first?.hash === row.password ? { first: [toIssuedPassword(row, first)] } : {}
    },
  },
  beforeRestore: (call) => requireAccountQuota(call.db),
  beforeRemove: async (rows, call) => {
    if (rows.some((row) => row.id === call.caller.userId)) throw new Refused('own_account_stays')
    await requireUsersNotAboveCaller(call, rows)
    await requireAccountsWithinCaller(call, rows)
  },
  afterRestore: (row, call) => requireAccountsWithinCaller(call, [row]),
  afterRemove: async (rows, call) => {
    const ids = rows.map((row) => row.id)
    const { db, services } = call
    await db.run(sql`delete from user_dept where tenant_id = ${db.tenantId} and user_id = any(${ids}::bigint[])`)
    await db.run(
      sql`update user_oauth set user_id = null where tenant_id = ${db.tenantId} and user_id = any(${ids}::bigint[])`,
    )
    await endSessions(db, services, { userIds: ids }, 'user removed')
    for (const row of rows) db.afterCommit(() => void unlockAccount(services, db.tenantId, row.account).catch(() => {}))
  },
  adds: objectSchema({ tenantName: textSchema }),
  present: async (wire, _rows, call) => {
    const names = await tenantNames(call, [...new Set(wire.map((row) => row.tenantId as string))])
    for (const row of wire) {
      row.tenantName = names.get(row.tenantId as string) ?? ''
      // -1 means unknown, for which the dictionary has an entry.
      if (row.sex === -1)
        Object.assign(row, {
          sex: UNKNOWN_SEX,
          sexName: call.services.labels.dict(row.tenantId as string, user.fields.sex, UNKNOWN_SEX, call.lang),
        })
      if (row.status === -1)
        Object.assign(row, {
          status: 1,
          statusName: call.services.labels.dict(row.tenantId as string, user.fields.status, 1, call.lang),
        })
    }
  },
})
