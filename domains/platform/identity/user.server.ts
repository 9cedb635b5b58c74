import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { permissionsChanged } from '#kit/server/request/authenticate.ts'
import { MANAGEMENT_TENANT } from '#kit/server/caller.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { readBinding } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, serve, type Call } from '#kit/server/module.ts'
import { hashPassword } from '#kit/server/security/index.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { checkRank, isWithinOwn } from '#domains/platform/access/api.ts'
import { unlock } from './attempts.ts'
import { firstPassword, type FirstPassword, type Given } from './first-password.ts'
import { checkPassword, keepFormer } from './password-rules.ts'
import { endSessions } from './sessions.ts'
import { checkHold, checkReach, checkStanding, isWithin } from './standing.ts'
import { user } from './user.resource.ts'

export type User = RowOf<typeof user>
type UserDraft = PatchOf<typeof user>

const ACTIVE = 1
const DISABLED = 2
const NOT_SAID = 3

async function aliasesOf(db: Db, roleIds: readonly string[]): Promise<string[]> {
  if (!roleIds.length) return []
  const rows = await db.query<{ alias: string }>(
    sql`select role_alias as alias from sys_role where tenant_id = ${db.tenantId} and is_deleted = 0
      and id = any(${roleIds}::bigint[])`,
  )
  return rows.map((row) => row.alias)
}

/** Whoever is changed must not rank above who changes: an administrator's password is no way up. */
export async function checkTargets(call: Call, users: readonly Pick<User, 'roleId'>[]): Promise<void> {
  try {
    checkRank(
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

/**
 * Roles somebody may hand out: of the tenant, none above their own, and none that allow what they may not do
 * themselves.
 */
export async function checkRoles(call: Call, roleIds: readonly string[]): Promise<void> {
  checkRank(call, await aliasesOf(call.db, roleIds))
  if (!(await isWithinOwn(call, call.db.tenantId, roleIds))) throw new Refused('role_beyond_own')
}

/** Whoever sets another's password can sign in as them, so they must already hold what that one holds. */
export async function checkPasswordOf(call: Call, users: readonly User[]): Promise<void> {
  for (const one of users) if (!(await isWithin(call, one))) throw new Refused('user_above')
}

/** Room for more accounts in the tenant; callers wait for each other, so that two last places are not given thrice. */
export async function checkQuota(db: Db, more = 1): Promise<void> {
  if (db.tenantId === MANAGEMENT_TENANT) return
  await db.advisoryLock('user-quota')
  const found = await db.one<{ quota: number; n: number }>(sql`
    select coalesce(t.account_number, -1)::int as quota, (select count(*)::int from sys_user u
    where u.tenant_id = ${db.tenantId} and u.is_deleted = 0) as n
    from tenant t where t.tenant_id = ${db.tenantId} and t.is_deleted = 0`)
  if (found && found.quota > 0 && found.n + more > found.quota) throw new Refused('quota_reached')
}

/** Accounts that differ by capitals alone are refused, but for those that are there already. */
export async function checkAccount(db: Db, account: string, was?: Pick<User, 'id' | 'account'>): Promise<void> {
  const twins = await db.query<{ account: string }>(
    sql`select account from sys_user where tenant_id = ${db.tenantId} and lower(account) = lower(${account})
      and id <> ${was?.id ?? '0'} and is_deleted = 0`,
  )
  if (twins.some((twin) => twin.account === account)) throw new Refused('user_exists', { account })
  if (twins.length && account !== was?.account) throw invalidField(user, 'account', 'taken')
}

export function checkBirthday({ birthday }: UserDraft, { services }: Pick<Call, 'services'>): void {
  const today = shanghaiText(services.now()).slice(0, 10)
  if (birthday && birthday.slice(0, 10) > today) throw invalidField(user, 'birthday', 'too_late', { max: today })
}

const isAnother = <T>(next: T | undefined, now: T) => next !== undefined && next !== now

/** Whether a change is one of those by which people are kept from their account, or it from its shops. */
const isShutOrLetIn = (draft: UserDraft, was: User): boolean =>
  isAnother(draft.account, was.account) ||
  isAnother(draft.status === undefined ? undefined : (draft.status ?? ACTIVE), was.status ?? ACTIVE) ||
  isAnother(draft.ownShops ?? undefined, was.ownShops ?? false)

/** All a user must satisfy before being written, new or changed. */
export async function checkUser(draft: UserDraft, was: User | undefined, call: Call): Promise<void> {
  if (was) {
    await checkTargets(call, [was])
    await checkReach(call, [was])
  } else await checkQuota(call.db)
  const added = (draft.roleId ?? []).filter((id) => !was?.roleId?.includes(id))
  await checkRoles(call, added)
  draft.ownShops = await checkStanding(call, draft, was)
  if (was && isShutOrLetIn(draft, was)) await checkHold(call, [was])
  if (draft.account) await checkAccount(call.db, draft.account, was)
  checkBirthday(draft, call)
  const losesOwn =
    was?.id === call.caller.userId &&
    (draft.status === DISABLED ||
      (draft.roleId && call.caller.isAdmin && !call.caller.roleIds.some((id) => draft.roleId!.includes(id))))
  if (losesOwn) throw new Refused('own_role_stays')
}

/** The departments of users as rows, for searches by department. */
export async function linkDepts(db: Db, userId: string, deptIds: readonly string[]): Promise<void> {
  await db.run(sql`delete from user_dept where tenant_id = ${db.tenantId} and user_id = ${userId}`)
  await db.run(
    sql`insert into user_dept (tenant_id, user_id, dept_id) select ${db.tenantId}, ${userId}, d
      from unnest(${deptIds}::bigint[]) d on conflict do nothing`,
  )
}

/** What follows from a written user: links, and the end of what no longer holds. */
export async function afterUser(row: User, was: User | undefined, call: Pick<Call, 'db' | 'services'>): Promise<void> {
  const { db, services } = call
  await linkDepts(db, row.id, row.deptId ?? [])
  if (!was) return
  if (row.status === DISABLED && was.status !== DISABLED)
    await endSessions(db, services, { userIds: [row.id] }, 'disabled')
  permissionsChanged(services, db, { userIds: [row.id] })
}

/** Whose password becomes which. */
type NewPassword = { userId: string; hash: string; mustChange?: boolean }

/** Sets passwords and ends the other sessions of their users. */
export async function setPasswords(
  call: Pick<Call, 'db' | 'services'>,
  passwords: readonly NewPassword[],
  { exceptSession }: { exceptSession?: string } = {},
): Promise<void> {
  const { db, services } = call
  const userIds = passwords.map(({ userId }) => userId)
  await keepFormer(db, userIds)
  await db.run(
    sql`update sys_user u set password = n.hash, must_change_password = n.must_change,
      password_time = ${services.now().toISOString()}, update_user = ${db.userId}, update_time = now(),
      version = u.version + 1
      from unnest(${userIds}::bigint[], ${passwords.map(({ hash }) => hash)}::text[],
        ${passwords.map(({ mustChange = false }) => mustChange)}::boolean[]) as n(user_id, hash, must_change)
      where u.tenant_id = ${db.tenantId} and u.id = n.user_id and u.is_deleted = 0`,
  )
  await endSessions(db, services, { userIds, ...(exceptSession ? { except: exceptSession } : {}) }, 'password changed')
  permissionsChanged(services, db, {})
}

async function tenantNames(call: Call, tenantIds: readonly string[]): Promise<Map<string, string>> {
  const [rows] = await readBatch(call.services.pool, readBinding(call), [
    sql`select tenant_id as id, tenant_name as name from tenant where tenant_id = any(${tenantIds})
      and is_deleted = 0`,
  ])
  return new Map(rows!.map((row) => [row.id as string, row.name as string]))
}

/** First passwords of the calls that are being answered. */
const made = new WeakMap<Call, FirstPassword>()

export const givenTo = (
  { account, realName }: Pick<User, 'account' | 'realName'>,
  { plain }: FirstPassword,
): Given => ({
  account,
  realName: realName ?? '',
  password: plain,
})

export const userServer = serve(user, {
  without: ['list'],
  beforeSave: async (draft, was, call) => {
    await checkUser(draft, was, call)
    if (was) return
    if (draft.password) {
      await checkPassword(call.services, draft.password, draft.account!, 'password')
      draft.password = await hashPassword(draft.password)
      return
    }
    const first = await (await firstPassword(call.services))()
    Object.assign(draft, { password: first.hash, mustChangePassword: first.mustChange })
    made.set(call, first)
  },
  afterSave: afterUser,
  // Told once, to who made the account.
  answer: (row, call) => {
    const first = made.get(call)
    return first?.hash === row.password ? { first: [givenTo(row, first)] } : {}
  },
  beforeRestore: (call) => checkQuota(call.db),
  beforeRemove: async (rows, call) => {
    if (rows.some((row) => row.id === call.caller.userId)) throw new Refused('own_account_stays')
    await checkTargets(call, rows)
    await checkHold(call, rows)
  },
  afterRestore: (row, call) => checkHold(call, [row]),
  afterRemove: async (rows, call) => {
    const ids = rows.map((row) => row.id)
    const { db, services } = call
    await db.run(sql`delete from user_dept where tenant_id = ${db.tenantId} and user_id = any(${ids}::bigint[])`)
    await db.run(
      sql`update user_oauth set user_id = null where tenant_id = ${db.tenantId} and user_id = any(${ids}::bigint[])`,
    )
    await endSessions(db, services, { userIds: ids }, 'user removed')
    for (const row of rows) db.afterCommit(() => void unlock(services, db.tenantId, row.account).catch(() => {}))
  },
  present: async (wire, _rows, call) => {
    const names = await tenantNames(call, [...new Set(wire.map((row) => row.tenantId as string))])
    for (const row of wire) {
      row.tenantName = names.get(row.tenantId as string) ?? ''
      // Nobody said it: the dictionary has a word for that.
      if (row.sex === -1)
        Object.assign(row, {
          sex: NOT_SAID,
          sexName: call.services.labels.dict(row.tenantId as string, user.fields.sex, NOT_SAID, call.lang),
        })
      if (row.status === -1)
        Object.assign(row, {
          status: 1,
          statusName: call.services.labels.dict(row.tenantId as string, user.fields.status, 1, call.lang),
        })
    }
  },
})
