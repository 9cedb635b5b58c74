import { randomUUID } from 'node:crypto'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { TokenIdentity } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { offerSignInChoices } from '#domains/platform/organisation/api.ts'
import type { ClientRow } from '#domains/platform/system/api.ts'
import { isPasswordExpired } from './password-rules.ts'
import { identityServicesOf } from './tools.ts'

export type SignInOrigin = { ip: string; userAgent: string }

/** The department and role a session is limited to, when the user chose one at sign-in. */
export type ActingDepartmentAndRole = { deptId?: string; roleId?: string }

export type TokenResponse = Omit<TokenIdentity, 'oauth_id'> & {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  expires_in: number
  oauth_id: string
  avatar: string
  detail: { type: string; ext?: string }
  license: string
  /** True when the password was set by somebody else or is too old: all calls but changing it are refused. */
  must_change_password?: true
  /** True in a tenant for practice, which the page frame shows. */
  is_practice?: true
}

type SignedUser = {
  id: string
  tenantId: string
  account: string
  name: string
  realName: string
  avatar: string
  userType: number | null
  status: number | null
  password: string | null
  mustChange: boolean
  passwordTime: string
  roleIds: string[]
  deptIds: string[]
  postIds: string[]
}

const COLUMNS = sql`id::text as id, tenant_id, account, coalesce(name, '') as name, coalesce(real_name,
  '') as real_name, coalesce(avatar, '') as avatar, user_type, status, password,
  coalesce(must_change_password, false) as must_change, coalesce(password_time, create_time) as password_time,
  coalesce(role_id, '{}')::text[] as role_ids, coalesce(dept_id, '{}')::text[] as dept_ids, coalesce(post_id,
  '{}')::text[] as post_ids`

/**
 * Reads a user outside of the sign-in transaction: checking the password takes longer than all the rest, and must not
 * hold a transaction open.
 */
export async function findUserByAccount(
  { pool }: Services,
  tenantId: string,
  account: string,
): Promise<SignedUser | undefined> {
  const [rows] = await readBatch(pool, { tenantId }, [
    sql`select ${COLUMNS} from sys_user where tenant_id = ${tenantId} and account = ${account} and is_deleted = 0`,
  ])
  return rows![0] as SignedUser | undefined
}
export const findUserById = (db: Db, id: string) =>
  db.one<SignedUser>(
    sql`select ${COLUMNS} from sys_user where tenant_id = ${db.tenantId} and id = ${id} and is_deleted = 0`,
  )

const narrowed = (
  all: readonly string[],
  one: string | undefined,
  was: readonly string[] | null,
): readonly string[] => {
  if (one && all.includes(one)) return [one]
  const kept = was?.filter((id) => all.includes(id))
  return kept?.length ? kept : all
}

const secondsFrom = (services: Services, seconds: number) =>
  new Date(services.now().getTime() + seconds * 1000).toISOString()

type Issue = {
  db: Db
  services: Services
  client: ClientRow
  user: SignedUser
  place: ActingDepartmentAndRole
  from: SignInOrigin
  oauthId?: string
  /** The session to renew; a new one is opened without. */
  session?: { sid: string; deptIds: string[] | null; roleIds: string[] | null; oauthId: string | null }
}

/**
 * Issues an access and a refresh token to an authenticated user, in a new or renewed session. Refuses users who are
 * disabled or have no role.
 */
export async function issueTokens(issue: Issue): Promise<TokenResponse> {
  const { db, services, client, user, session } = issue
  if (user.status === 2) throw new Refused('user_disabled')

  const roles = await db.query<{ id: string; alias: string; isPractice: boolean }>(
    sql`select id::text as id, role_alias as alias, coalesce((select t.is_practice from tenant t
      where t.tenant_id = sys_role.tenant_id), false) as is_practice from sys_role
      where tenant_id = ${db.tenantId} and is_deleted = 0 and id = any(${user.roleIds}::bigint[]) order by sort, id`,
  )
  if (!roles.length) throw new Refused('no_role')

  const chosen = chosenOf(issue, roles)
  const identity = identityOf(issue, roles, chosen)
  const sid = session?.sid ?? randomUUID()
  const tokens = await identityServicesOf(services).tokens
  const [access, refresh] = await Promise.all([
    tokens.signAccess(identity, { sid, lifeSeconds: client.accessTokenValidity }),
    tokens.signRefresh(identity, { sid, lifeSeconds: client.refreshTokenValidity }),
  ])

  const now = services.now().toISOString()
  // These statements are independent and are sent together.
  const [ext] = await Promise.all([
    db.one<{ ext: string }>(
      sql`select ext from user_ext where tenant_id = ${db.tenantId} and user_id = ${user.id}
        and user_type = ${user.userType ?? 1}`,
    ),
    keepSession(issue, chosen, { sid, jti: refresh.claims.jti, social: identity.oauth_id, now }),
    session ? undefined : noteSignIn(issue, chosen, now),
  ])

  const mustChange = user.mustChange || (await isPasswordExpired(services, user.passwordTime))
  return {
    ...identity,
    ...(mustChange && { must_change_password: true as const }),
    ...(roles[0]!.isPractice && { is_practice: true as const }),
    access_token: access.token,
    refresh_token: refresh.token,
    token_type: 'bearer',
    expires_in: client.accessTokenValidity,
    avatar: user.avatar,
    detail: {
      type: ({ 2: 'app', 3: 'other' } as Record<number, string>)[user.userType ?? 1] ?? 'web',
      ...(ext ? { ext: ext.ext } : {}),
    },
    license: 'unmanned-store-office',
  }
}

type Role = { id: string; alias: string }
/** Roles and departments of a session; `only…` are those it is limited to, null for all of the user's. */
type Chosen = {
  roleIds: readonly string[]
  deptIds: readonly string[]
  onlyRoles: string[] | null
  onlyDepts: string[] | null
}

function chosenOf({ user, place, session }: Issue, roles: readonly Role[]): Chosen {
  const allRoles = roles.map((role) => role.id)
  const roleIds = narrowed(allRoles, place.roleId, session?.roleIds ?? null)
  const deptIds = narrowed(user.deptIds, place.deptId, session?.deptIds ?? null)
  const only = (chosen: readonly string[], all: readonly string[]) =>
    chosen.length < all.length ? (chosen as string[]) : null
  return { roleIds, deptIds, onlyRoles: only(roleIds, allRoles), onlyDepts: only(deptIds, user.deptIds) }
}

const identityOf = ({ user, client, oauthId, session }: Issue, roles: readonly Role[], { roleIds, deptIds }: Chosen) =>
  ({
    tenant_id: user.tenantId,
    user_id: user.id,
    dept_id: deptIds.join(','),
    post_id: user.postIds.join(','),
    role_id: roleIds.join(','),
    oauth_id: oauthId ?? session?.oauthId ?? '',
    account: user.account,
    user_name: user.account,
    nick_name: user.name,
    real_name: user.realName,
    role_name: roles
      .filter((role) => roleIds.includes(role.id))
      .map((role) => role.alias)
      .join(','),
    client_id: client.clientId,
  }) satisfies TokenIdentity

async function keepSession(
  { db, services, client, user, from }: Issue,
  { onlyRoles, onlyDepts }: Chosen,
  { sid, jti, social, now }: { sid: string; jti: string; social: string; now: string },
): Promise<void> {
  const expires = secondsFrom(services, client.refreshTokenValidity)
  const kept = db.run(sql`
    insert into session (sid, tenant_id, user_id, client_id, dept_ids, role_ids, oauth_id, ip, user_agent, issued_at,
    last_seen, expires_at)
    values (${sid}, ${db.tenantId}, ${user.id}, ${client.clientId}, ${onlyDepts}, ${onlyRoles}, ${social || null},
    ${from.ip}, ${from.userAgent.slice(0, 255)}, ${now}, ${now}, ${expires})
    on conflict (tenant_id, sid) do update set dept_ids = excluded.dept_ids, role_ids = excluded.role_ids,
    last_seen = excluded.last_seen, expires_at = excluded.expires_at`)
  const renewable = db.run(
    sql`insert into session_refresh (jti, tenant_id, sid, issued_at, expires_at)
      values (${jti}, ${db.tenantId}, ${sid}, ${now}, ${expires})`,
  )
  await Promise.all([kept, renewable])
}

async function noteSignIn(
  { db, services, user, from }: Issue,
  { roleIds, deptIds }: Chosen,
  now: string,
): Promise<void> {
  // Leaves the row's version alone, so that a concurrent edit of the user is not refused.
  await db.run(
    sql`update sys_user set last_login_time = ${now}, last_login_ip = ${from.ip} where tenant_id = ${db.tenantId}
      and id = ${user.id}`,
  )
  await Promise.all([
    offerSignInChoices(services, 'dept', db.tenantId, deptIds),
    offerSignInChoices(services, 'role', db.tenantId, roleIds),
  ])
}

/** Ends sessions; their tokens are invalid from the commit on. */
export async function endSessions(
  db: Db,
  services: Services,
  which: { sid: string } | { userIds: readonly string[]; except?: string },
  reason: string,
): Promise<void> {
  const chosen =
    'sid' in which
      ? sql`sid = ${which.sid}`
      : sql`user_id = any(${which.userIds}::bigint[]) and sid <> ${which.except ?? ''}`
  const ended = await db.query<{ sid: string }>(
    sql`update session set revoked_at = now(), revoke_reason = ${reason} where tenant_id = ${db.tenantId}
      and revoked_at is null and ${chosen} returning sid`,
  )
  if (ended.length) publishPermissionsChanged(services, db, { sessionIds: ended.map((one) => one.sid) })
}
