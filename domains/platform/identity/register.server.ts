import { f } from '#kit/resource/index.ts'
import { tokenFromRequest } from '#kit/server/request/authenticate.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { hashPassword } from '#kit/server/security/index.ts'
import { paramValue, findTenantStatus } from '#domains/platform/system/api.ts'
import { REGISTRATION_ALLOWED_PARAM } from './params.ts'
import { requireStrongPassword } from './password-rules.ts'
import { identityServicesOf } from './tools.ts'
import { user } from './user.resource.ts'
import { requireFreeAccountName, requireAccountQuota } from './user.server.ts'

const input = {
  tenantId: f.text({ label: { zh: '租户编号', en: 'Tenant' }, required: true, max: 12 }),
  name: f.text({ label: user.fields.name.label, required: true, max: 45 }),
  account: { ...user.fields.account, required: true as const },
  password: f.text({ label: user.fields.password.label, required: true, max: 64, min: 5 }),
  oauthId: f.ref('', { label: { zh: '第三方登录', en: 'Third-party sign-in' }, required: true }),
}

type RegistrationInput = {
  tenantId: string
  name: string
  account: string
  password: string
  oauthId: string
}
type PendingSocialAccount = { tenantId: string; userId: string | null; avatar: string | null; email: string | null }

/** Refuses a guest's token of another sign-in. A caller without a token must know the sign-in's unguessable id. */
async function checkGuest(call: Call<RegistrationInput>): Promise<void> {
  const token = tokenFromRequest(call.request.headers, call.query)
  const claims = token ? await (await identityServicesOf(call.services).tokens).verifyAccess(token) : undefined
  if (claims && claims.oauth_id !== call.input.oauthId) throw new Refused('social_missing')
}

/**
 * Registers a guest who signed in at another service. The account has no role, so no rights, until an administrator
 * grants one.
 */
async function registerGuest(call: Call<RegistrationInput>): Promise<undefined> {
  const { services, input: given } = call
  if ((await paramValue(services, REGISTRATION_ALLOWED_PARAM)).trim() !== 'true') throw new Refused('register_closed')
  await checkGuest(call)

  const known = await call.services.unit(
    { tenantId: given.tenantId, crossTenantReason: 'a guest is known by the number of the sign-in alone' },
    (db) =>
      db.one<PendingSocialAccount>(
        sql`select tenant_id, user_id::text as user_id, avatar, email from user_oauth where id = ${given.oauthId}`,
      ),
  )

  // The tenant of the sign-in counts: the parameter could put people into another tenant.
  const tenantId = known?.tenantId ?? given.tenantId
  const standing = await findTenantStatus(services, tenantId)
  if (!standing || standing.isExpired || !(await findTenantStatus(services, given.tenantId)))
    throw new Refused('register_tenant')
  if (!known) throw new Refused('social_missing')

  await requireStrongPassword(services, given.password, given.account, 'password')
  const password = await hashPassword(given.password)

  await services.unit({ tenantId }, async (db) => {
    const free = await db.one(
      sql`select 1 from user_oauth where tenant_id = ${tenantId} and id = ${given.oauthId}
        and user_id is null for update`,
    )
    if (!free) throw new Refused('social_taken')
    await requireAccountQuota(db)
    await requireFreeAccountName(db, given.account)
    const added = await db.insert(user, {
      account: given.account,
      name: given.name,
      realName: given.name,
      password,
      avatar: known.avatar || null,
      email: known.email || null,
      userType: 1,
      status: 1,
      roleId: [],
      deptId: [],
      postId: [],
    })
    await db.run(
      sql`update user_oauth set user_id = ${added.id}, update_time = now() where tenant_id = ${tenantId}
        and id = ${given.oauthId}`,
    )
  })

  return undefined
}

export const userRegistrationRoute = defineRoute({
  method: 'POST',
  path: `${user.path}/register-guest`,
  title: { zh: '注册申请', en: 'Registration request' },
  can: { open: 'who signs in through another service has no account yet' },
  tx: false,
  perMinute: 10,
  input,
  handle: registerGuest,
})
