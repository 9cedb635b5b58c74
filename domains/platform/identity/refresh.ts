import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { findTenantStatus, type ClientRow } from '#domains/platform/system/api.ts'
import { findSessionEndReason } from './session-end.ts'
import {
  endSessions,
  issueTokens,
  findUserById,
  type SignInOrigin,
  type ActingDepartmentAndRole,
  type TokenResponse,
} from './sessions.ts'
import { identityServicesOf } from './tools.ts'

/** A refresh token may be used again within this time, as two tabs may renew at once; later it counts as stolen. */
const GRACE_MS = 10_000

type StoredRefreshToken = {
  sid: string
  usedAgo: number | null
  deptIds: string[] | null
  roleIds: string[] | null
  oauthId: string | null
}

const over = async (services: Services, claims?: Parameters<typeof findSessionEndReason>[1]) =>
  new Refused('session_over', {}, { ended: await findSessionEndReason(services, claims) })

/**
 * Renews a session. Each refresh token is valid once: reusing one ends the session, as the thief cannot be told from
 * the owner. Every failure answers that the session is over.
 */
export async function refreshSession(
  services: Services,
  client: ClientRow,
  refreshToken: string,
  place: ActingDepartmentAndRole,
  from: SignInOrigin,
): Promise<TokenResponse> {
  const claims = await (await identityServicesOf(services).tokens).verifyRefresh(refreshToken)
  if (!claims?.user_id || claims.client_id !== client.clientId) throw await over(services)
  const tenantId = claims.tenant_id
  const standing = await findTenantStatus(services, tenantId)
  if (!standing || standing.isExpired) throw await over(services, claims)
  const now = services.now()
  const answer = await services.unit({ tenantId }, async (db) => {
    const known = await db.one<StoredRefreshToken>(sql`
      select s.sid, extract(epoch from ${now.toISOString()}::timestamptz - r.used_at)::float8 * 1000 as used_ago,
      s.dept_ids::text[] as dept_ids, s.role_ids::text[] as role_ids, s.oauth_id
      from session_refresh r join session s on s.tenant_id = r.tenant_id and s.sid = r.sid
      where r.tenant_id = ${tenantId} and r.jti = ${claims.jti} and s.revoked_at is null
      and s.expires_at > ${now.toISOString()} and s.user_id = ${claims.user_id}
      for update`)
    if (!known) return undefined
    if (known.usedAgo !== null && known.usedAgo > GRACE_MS) {
      // Returned, not thrown: throwing would roll back the end of the session.
      await endSessions(db, services, { sid: known.sid }, 'refresh token used twice')
      return undefined
    }
    const user = await findUserById(db, claims.user_id)
    if (!user) return undefined
    await db.run(
      sql`update session_refresh set used_at = coalesce(used_at, ${now.toISOString()}) where jti = ${claims.jti}`,
    )
    return issueTokens({ db, services, client, user, place, from, session: known }).catch((error: unknown) => {
      if (error instanceof Refused) return undefined
      throw error
    })
  })
  if (!answer) throw await over(services, claims)
  return answer
}
