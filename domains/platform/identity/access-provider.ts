import { timingSafeEqual } from 'node:crypto'
import { MANAGEMENT_TENANT, type Caller } from '#kit/server/base/caller.ts'
import { readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import type { AccessService, Services, SessionOf } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { loadGuardedApiPaths, loadRightsOfRoles } from '#domains/platform/access/api.ts'
import { findClientById, type ClientRow } from '#domains/platform/system/api.ts'
import { isPasswordExpired } from './password-rules.ts'
import { findSessionEndReason } from './session-end.ts'
import { identityServicesOf } from './tools.ts'

/** The person a limit is computed for, with or without a session. */
type Limited = Pick<Caller, 'tenantId' | 'userId' | 'isAdmin'>
type Limit = (person: Limited) => Promise<readonly string[] | undefined>
type AccountRow = {
  userId: string
  clientId: string
  account: string
  name: string
  roleIds: string[]
  deptIds: string[]
  onlyRoles: string[] | null
  onlyDepts: string[] | null
  seenAgo: number
  mustChange: boolean
  passwordTime: string
}

/**
 * Limits that modules put on people, by the name used in a resource's `scope`. A provider returns the ids somebody is
 * limited to, undefined for no limit.
 */
export const callerLimitsSlot = defineSlot<Record<string, Limit>>('limits')
/** Returns the caller when the request comes from a device (terminal). */
export const terminalResolverSlot = defineSlot<AccessService['terminalOf']>('terminals')

const SEEN_SECONDS = 60

const isSame = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the client of a Basic header; undefined unless id and secret are right. */
export async function findClientByBasicAuth(
  services: Services,
  authorization: string | undefined,
): Promise<ClientRow | undefined> {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1]
  if (!encoded) return undefined
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (!/^[\w.-]{1,48}$/.test(id)) return undefined
  const client = await findClientById(services, id)
  return client && isSame(client.clientSecret, secret) ? client : undefined
}

/**
 * Returns a session with its user; undefined when the session has ended, the user is disabled or the tenant has
 * expired.
 */
async function standingOf(
  services: Services,
  tenantId: string,
  sid: string,
  userId: string,
): Promise<AccountRow | undefined> {
  const now = services.now().toISOString()
  const [rows] = await readBatch(services.pool, { tenantId }, [
    sql`
    select u.id::text as "userId", s.client_id as "clientId", u.account, coalesce(u.real_name, u.name,
    u.account) as name, coalesce(u.role_id, '{}')::text[] as "roleIds",
      coalesce(u.dept_id, '{}')::text[] as "deptIds", s.role_ids::text[] as "onlyRoles",
      s.dept_ids::text[] as "onlyDepts", extract(epoch from ${now}::timestamptz - s.last_seen)::float8 as "seenAgo",
      coalesce(u.must_change_password, false) as "mustChange", coalesce(u.password_time,
      u.create_time) as "passwordTime"
    ${openSessionsIn(tenantId, now)} and s.sid = ${sid} and s.user_id = ${userId}`,
  ])
  return rows![0] as AccountRow | undefined
}

/** SQL: open sessions of a tenant with their enabled users. */
const openSessionsIn = (tenantId: string, now: string): Sql => sql`
    from session s join sys_user u on u.id = s.user_id and u.tenant_id = s.tenant_id and u.is_deleted = 0
    and coalesce(u.status, 1) <> 2
    join tenant t on t.tenant_id = s.tenant_id and t.is_deleted = 0 and (t.tenant_id = ${MANAGEMENT_TENANT}
    or t.expire_time is null or t.expire_time > ${now})
    where s.tenant_id = ${tenantId} and s.revoked_at is null and s.expires_at > ${now}`

async function openSessions(services: Services, sessions: readonly SessionOf[]): Promise<Set<string>> {
  const open = new Set<string>()
  const now = services.now().toISOString()
  for (const [tenantId, some] of Map.groupBy(sessions, (one) => one.tenantId)) {
    const sids = [...new Set(some.map(({ sessionId }) => sessionId))]
    const [rows] = await readBatch(services.pool, { tenantId }, [
      sql`select s.sid ${openSessionsIn(tenantId, now)} and s.sid = any(${sids}::text[])`,
    ])
    for (const { sid } of rows as { sid: string }[]) open.add(sid)
  }
  return open
}

/**
 * Returns a caller's account after its session ended, for what continues without one; undefined when the user is
 * disabled or the tenant has expired.
 */
async function personOf(
  services: Services,
  { tenantId, userId }: Caller,
): Promise<Pick<AccountRow, 'account' | 'name' | 'roleIds' | 'deptIds'> | undefined> {
  const now = services.now().toISOString()
  const [rows] = await readBatch(services.pool, { tenantId }, [
    sql`
    select u.account, coalesce(u.real_name, u.name, u.account) as name, coalesce(u.role_id, '{}')::text[] as "roleIds",
    coalesce(u.dept_id, '{}')::text[] as "deptIds"
    from sys_user u join tenant t on t.tenant_id = u.tenant_id and t.is_deleted = 0
    and (t.tenant_id = ${MANAGEMENT_TENANT} or t.expire_time is null or t.expire_time > ${now})
    where u.tenant_id = ${tenantId} and u.id = ${userId || '0'} and u.is_deleted = 0 and coalesce(u.status, 1) <> 2`,
  ])
  return rows![0] as AccountRow | undefined
}

async function deptTree(services: Services, tenantId: string, deptIds: readonly string[]): Promise<string[]> {
  if (!deptIds.length) return []
  const [rows] = await readBatch(services.pool, { tenantId }, [
    sql`
    select id::text as id from dept where tenant_id = ${tenantId} and is_deleted = 0
    and (id = any(${deptIds}::bigint[]) or string_to_array(ancestors,
    ',') && ${deptIds}::text[])`,
  ])
  return rows!.map((row) => row.id as string)
}

/** Narrows roles or departments to those the session was opened for; `only` null means all. */
const within = (all: readonly string[], only: readonly string[] | null) =>
  only ? all.filter((id) => only.includes(id)) : [...all]

/** Returns the ids somebody is limited to, by limit (`{ shop: […] }`). A missing key means no limit. */
export async function findLimitsOfCaller(
  services: Services,
  caller: Limited,
): Promise<Record<string, readonly string[]>> {
  const all = Object.entries(services.slots.find(callerLimitsSlot) ?? {})
  const found = await Promise.all(all.map(async ([key, limit]) => [key, await limit(caller)] as const))
  return Object.fromEntries(found.flatMap(([key, ids]) => (ids ? [[key, ids]] : [])))
}

/** Resolves callers from a verified token, its open session, and the current rights of the user's roles. */
export const createAccessService = (of: () => Services): AccessService => ({
  callerOf: async (token) => callerOf(of(), token),
  endOf: async (token) => findSessionEndReason(of(), await (await identityServicesOf(of()).tokens).verifyAccess(token)),
  isOpen: async ({ tenantId, sessionId, userId }) =>
    (await standingOf(of(), tenantId, sessionId, userId)) !== undefined,
  openSessions: async (sessions) => openSessions(of(), sessions),
  callerOfSession: async (session) => callerOfSession(of(), session),
  again: async (before) => callerAgain(of(), before),
  guardedPaths: () => loadGuardedApiPaths(of()),
  clientOf: (authorization) => findClientByBasicAuth(of(), authorization),
  terminalOf: async (headers) => of().slots.find(terminalResolverSlot)?.(headers),
})

async function callerOf(services: Services, token: string): Promise<Caller | undefined> {
  const claims = await (await identityServicesOf(services).tokens).verifyAccess(token)
  // Guests (signed in at another service only) have a token but no account.
  if (!claims?.user_id) return undefined
  return callerOfSession(services, { tenantId: claims.tenant_id, sessionId: claims.sid, userId: claims.user_id })
}

async function callerOfSession(services: Services, session: SessionOf): Promise<Caller | undefined> {
  const { tenantId, sessionId: sid, userId } = session
  const standing = await standingOf(services, tenantId, sid, userId)
  if (!standing) return undefined
  const deptIds = within(standing.deptIds, standing.onlyDepts)
  const rightsIn = loadRightsOfRoles(services, tenantId, within(standing.roleIds, standing.onlyRoles), standing.roleIds)
  const [rights, deptTreeIds] = await Promise.all([rightsIn, deptTree(services, tenantId, deptIds)])
  const mustChangePassword = standing.mustChange || (await isPasswordExpired(services, standing.passwordTime))
  if (standing.seenAgo > SEEN_SECONDS) void noteSeen(services, tenantId, sid)
  const caller: Caller = {
    userId: standing.userId,
    tenantId,
    account: standing.account,
    name: standing.name,
    sessionId: sid,
    clientId: standing.clientId,
    deptIds,
    deptTreeIds,
    ...rights,
    limits: {},
    ...(mustChangePassword && { mustChangePassword }),
  }
  return { ...caller, limits: await findLimitsOfCaller(services, caller) }
}

/**
 * Returns the caller with current rights, within the roles and departments of the former session; undefined when the
 * account no longer works.
 */
async function callerAgain(services: Services, before: Caller): Promise<Caller | undefined> {
  const person = await personOf(services, before)
  if (!person) return undefined
  const deptIds = within(person.deptIds, [...before.deptIds])
  const [rights, deptTreeIds] = await Promise.all([
    loadRightsOfRoles(services, before.tenantId, within(person.roleIds, [...before.roleIds]), person.roleIds),
    deptTree(services, before.tenantId, deptIds),
  ])
  const caller: Caller = {
    ...before,
    account: person.account,
    name: person.name,
    deptIds,
    deptTreeIds,
    ...rights,
    limits: {},
  }
  return { ...caller, limits: await findLimitsOfCaller(services, caller) }
}

const noteSeen = (services: Services, tenantId: string, sid: string) =>
  services
    .unit({ tenantId }, (db) =>
      db.run(
        sql`update session set last_seen = ${services.now().toISOString()} where tenant_id = ${tenantId}
          and sid = ${sid}`,
      ),
    )
    .catch((err: unknown) => services.log.warn({ err }, 'when a session was last used could not be noted'))
