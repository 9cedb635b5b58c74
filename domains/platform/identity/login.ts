import { sql } from '#kit/server/database/db.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { hashPasswordMd5, needsRehash, verifyPassword } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { findTenantStatus, type ClientRow } from '#domains/platform/system/api.ts'
import { beginLoginAttempt, recordLoginFailure } from './attempts.ts'
import { isSharedInitialPassword } from './first-password.ts'
import {
  issueTokens,
  findUserByAccount,
  type SignInOrigin,
  type ActingDepartmentAndRole,
  type TokenResponse,
} from './sessions.ts'

/** Refuses a tenant that does not exist or has expired. */
export async function requireActiveTenant(services: Services, tenantId: string): Promise<void> {
  const standing = await findTenantStatus(services, tenantId)
  if (!standing) throw new Refused('tenant_missing')
  if (standing.isExpired) throw new Refused('tenant_expired')
}

type Login = {
  client: ClientRow
  tenantId: string
  account: string
  md5: string
  place: ActingDepartmentAndRole
  from: SignInOrigin
}

/** Signs in with account and password (as md5, the protocol's form). Refuses wrong and locked ones. */
export async function signIn(
  services: Services,
  { client, tenantId, account, md5, place, from }: Login,
): Promise<TokenResponse> {
  await requireActiveTenant(services, tenantId)
  const attempt = await beginLoginAttempt(services, tenantId, account, from.ip)
  const user = await findUserByAccount(services, tenantId, account)
  if (!(await verifyPassword(md5, user?.password ?? undefined)) || !user) {
    await recordLoginFailure(services, from.ip)
    throw new Refused('login_wrong')
  }
  await attempt.succeeded()
  const [renewed, isCommon] = await Promise.all([
    needsRehash(user.password!) ? hashPasswordMd5(md5) : undefined,
    isSharedInitialPassword(services, md5),
  ])
  return services.unit({ tenantId }, async (db) => {
    if (renewed)
      await db.run(sql`update sys_user set password = ${renewed} where tenant_id = ${tenantId} and id = ${user.id}`)
    if (isCommon && !user.mustChange) {
      await db.run(sql`update sys_user set must_change_password = true where tenant_id = ${tenantId}
        and id = ${user.id}`)
      publishPermissionsChanged(services, db, { userIds: [user.id] })
    }
    return issueTokens({
      db,
      services,
      client,
      user: { ...user, mustChange: user.mustChange || isCommon },
      place,
      from,
    })
  })
}
