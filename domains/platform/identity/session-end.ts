import { readBatch, sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { findTenantStatus } from '#domains/platform/system/api.ts'

/** Reason a session ended, as told to its browser, which has a text for each (apps/web/src/login/words.ts). */
type SessionEnd = 'expired' | 'elsewhere' | 'administrator' | 'password' | 'disabled' | 'reused' | 'tenant' | 'over'

/** Reason by the text given to `endSessions`; the first match counts. */
const ENDS: readonly [RegExp, SessionEnd][] = [
  [/password/, 'password'],
  [/used twice/, 'reused'],
  [/disabled|removed/, 'disabled'],
  [/administrator/, 'administrator'],
  [/signed out|oneself|own/, 'elsewhere'],
]

export const sessionEndOfRevokeReason = (reason: string): SessionEnd =>
  ENDS.find(([words]) => words.test(reason))?.[1] ?? 'over'

type Claims = { tenant_id: string; sid: string; user_id: string }
type Row = { reason: string | null; isRevoked: boolean; isExpired: boolean; isOpen: boolean | null }

/**
 * Returns why the session of a token ended. Without a valid token of ours always 'expired', so strangers learn nothing.
 */
export async function findSessionEndReason(services: Services, claims: Claims | undefined): Promise<SessionEnd> {
  if (!claims?.user_id) return 'expired'
  const { tenant_id: tenantId, sid, user_id: userId } = claims
  const standing = await findTenantStatus(services, tenantId)
  if (!standing || standing.isExpired) return 'tenant'
  const [rows] = await readBatch(services.pool, { tenantId }, [
    sql`
    select s.revoke_reason as reason, s.revoked_at is not null as "isRevoked",
    s.expires_at <= ${services.now().toISOString()} as "isExpired",
      (select coalesce(u.status, 1) <> 2 and u.is_deleted = 0 from sys_user u where u.tenant_id = s.tenant_id
      and u.id = s.user_id) as "isOpen"
    from session s where s.tenant_id = ${tenantId} and s.sid = ${sid} and s.user_id = ${userId}`,
  ])
  const row = rows![0] as Row | undefined
  if (!row) return 'expired'
  if (row.isRevoked) return sessionEndOfRevokeReason(row.reason ?? '')
  if (row.isOpen !== true) return 'disabled'
  return row.isExpired ? 'expired' : 'over'
}
