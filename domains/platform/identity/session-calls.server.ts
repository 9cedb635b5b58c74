import { f } from '#kit/resource/index.ts'
import { readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { endSessions } from './sessions.ts'
import { withLockedUsers } from './user-calls.server.ts'
import { user } from './user.resource.ts'
import { requirePasswordResetAllowed } from './user.server.ts'

/** SQL: a user's open sessions, the most recently used first. */
const openSessions = (tenantId: string, userId: string, now: Date): Sql => sql`
  select sid, client_id as "clientId", coalesce(ip, '') as ip, coalesce(user_agent, '') as "userAgent",
  issued_at as "issuedAt", last_seen as "lastSeen", expires_at as "expiresAt"
  from session where tenant_id = ${tenantId} and user_id = ${userId} and revoked_at is null
  and expires_at > ${now.toISOString()} order by last_seen desc, sid limit 200`

const own = async ({ caller, services }: Call) => {
  const [rows] = await readBatch(services.pool, { tenantId: caller.tenantId }, [
    openSessions(caller.tenantId, caller.userId, services.now()),
  ])
  return rows!.map((row) => ({ ...row, isCurrent: row.sid === caller.sessionId }))
}

/** Ends one of the caller's own sessions, or all but the current one. */
async function endOwn({ caller, db, services, input }: Call<{ sid: string | null }>): Promise<undefined> {
  if (!input.sid)
    return endSessions(db, services, { userIds: [caller.userId], except: caller.sessionId }, 'ended by oneself').then(
      () => undefined,
    )
  await requireOf(db.tenantId, caller.userId, input.sid, db)
  await endSessions(db, services, { sid: input.sid }, 'ended by oneself')
  return undefined
}

async function requireOf(tenantId: string, userId: string, sid: string, db: Call['db']): Promise<void> {
  const found = await db.one(
    sql`select 1 from session where tenant_id = ${tenantId} and user_id = ${userId} and sid = ${sid}
      and revoked_at is null`,
  )
  if (!found) throw new Refused('not_found', { label: LABEL.session })
}

/**
 * Locks the user and runs `work`, if the caller may reset that user's password: a reset ends all sessions, so it also
 * covers seeing and ending them.
 */
const withSessionsOf = (call: Call<{ userId: string }>, work: Parameters<typeof withLockedUsers>[2]) =>
  withLockedUsers(call, call.input.userId, async (users, inside) => {
    await requirePasswordResetAllowed(inside, users)
    await work(users, inside)
  })

async function ofUser(call: Call<{ userId: string }>): Promise<unknown> {
  let found: unknown[] = []
  await withSessionsOf(call, async ([one], { db, caller }) => {
    found = (await db.query<Record<string, unknown>>(openSessions(db.tenantId, one!.id, call.services.now()))).map(
      (row) => ({ ...row, isCurrent: row.sid === caller.sessionId }),
    )
  })
  return found
}

const endOf = (call: Call<{ userId: string; sid: string | null }>) =>
  withSessionsOf(call, async ([one], { db, services }) => {
    const { sid } = call.input
    if (sid) await requireOf(db.tenantId, one!.id, sid, db)
    await endSessions(db, services, sid ? { sid } : { userIds: [one!.id] }, 'ended by an administrator')
  })

const LABEL = { session: { zh: '会话', en: 'Session' } }
const sid = f.text({ label: LABEL.session, max: 64 })
const userId = f.ref('user', { label: user.label, required: true })
const title = (zh: string, en: string) => ({ zh, en })
const BASE = `${user.path}/session`

export const sessionRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: `${BASE}/own`,
    title: title('我的会话', 'My sessions'),
    can: { signedIn: 'oneself' },
    tx: false,
    handle: own,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/end-own`,
    title: title('结束我的会话', 'End my session'),
    can: { signedIn: 'oneself' },
    input: { sid },
    handle: endOwn,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/list`,
    title: title('用户会话', 'User sessions'),
    can: 'user_reset',
    input: { userId },
    handle: ofUser,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/end`,
    title: title('结束用户会话', 'End user session'),
    can: 'user_reset',
    input: { userId, sid },
    handle: endOf,
  }),
]
