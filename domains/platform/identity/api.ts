import { defineSlot } from '#kit/server/base/slots.ts'
import { randomBytes } from 'node:crypto'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { hashPassword } from '#kit/server/security/index.ts'
import { seedRow } from '#kit/server/database/seed-row.ts'
import type { Services } from '#kit/server/module/services.ts'
import { deterministicId } from '#kit/server/database/snowflake.ts'
import { platformAdministratorRoleId } from '#domains/platform/access/api.ts'
import { platformFirstPostId, platformRootDeptId } from '#domains/platform/organisation/api.ts'
import { hasRoleForOwnShops } from './standing.ts'
import { user } from './user.resource.ts'
import { replaceUserDepts } from './user.server.ts'

export { createAccessService, callerLimitsSlot, terminalResolverSlot } from './access-provider.ts'

export { roleCeilingsSlot, requireShopStaffChangeAllowed, type RoleCeilingCheck } from './standing.ts'
export { signIn } from './login.ts'
export { endSessions } from './sessions.ts'
export { setPasswords } from './user.server.ts'

/** Id of the platform's first administrator. */
export const firstAdministratorId = deterministicId('user:admin')

/** Returns names of users by id, within the transaction's tenant (or all tenants when it spans them). */
export async function findUserNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await db.query<{ id: string; name: string }>(
    sql`select id::text as id, coalesce(real_name, name, account) as name from sys_user
      where id = any(${[...new Set(ids)]}::bigint[])`,
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}

export type NewUser = {
  id?: string
  account: string
  name: string
  realName?: string
  password: string
  roleIds: string[]
  deptIds?: string[]
  postIds?: string[]
  phone?: string
  email?: string
  sex?: number
  code?: string
}

/**
 * Adds a user to the transaction's tenant, for demo data and other modules. Checks neither permissions nor the account
 * quota. Returns the id.
 */
export async function createUser(db: Db, given: NewUser): Promise<string> {
  const { roleIds, deptIds = [], postIds = [], password, ...rest } = given
  const ownShops = await hasRoleForOwnShops({ db }, roleIds)
  const row = await db.insert(user, {
    realName: given.name,
    ...rest,
    password: await hashPassword(password),
    userType: 1,
    status: 1,
    roleId: roleIds,
    ownShops,
    deptId: deptIds,
    postId: postIds,
  })
  await replaceUserDepts(db, row.id, deptIds)
  return row.id
}

/** The first administrator's generated password, kept until the start that made it has shown it. */
export const firstAdminPasswordSlot = defineSlot<string>('firstPassword')

/**
 * Creates the first administrator unless it exists. The password is `admin` with demo data and in tests, else random
 * and shown once.
 */
export async function seedFirstAdministrator(db: Db, services: Services): Promise<void> {
  const known = await db.one(sql`select 1 from sys_user where id = ${firstAdministratorId}`)
  if (known) return
  const isOpen = services.config.story === 'demo' || services.config.isTest
  const password = isOpen ? 'admin' : randomBytes(12).toString('base64url')
  await db.asTenant(MANAGEMENT_TENANT, async (own) => {
    await seedRow(own, user, firstAdministratorId, {
      account: 'admin',
      name: '管理员',
      realName: '管理员',
      password: await hashPassword(password),
      userType: 1,
      status: 1,
      sex: 1,
      roleId: [platformAdministratorRoleId],
      deptId: [platformRootDeptId],
      postId: [platformFirstPostId],
    })
    await replaceUserDepts(own, firstAdministratorId, [platformRootDeptId])
  })
  if (!isOpen) db.afterCommit(() => services.slots.fill(firstAdminPasswordSlot, password))
}
