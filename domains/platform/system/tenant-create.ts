import { randomInt } from 'node:crypto'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { hashPassword, randomPassword } from '#kit/server/security/index.ts'
import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import sql from 'sql-template-tag'
import { copyBusinessDictionaries } from './dict-seed.ts'
import { paramNumber, paramValue } from './caches.ts'
import { TENANT_ACCOUNTS_MAX_PARAM, TENANT_MENUS_PARAM, TENANT_ADMIN_PASSWORD_PARAM } from './params.ts'
import { tenant } from './tenant.resource.ts'

export type NewTenant = PatchOf<typeof tenant> & { tenantName: string }

/**
 * Returns the row id for a tenant number. It is derived from the number, so that the primary key prevents giving a
 * number twice, even that of a removed tenant.
 */
export const tenantRowIdOf = (tenantId: string): string =>
  tenantId === MANAGEMENT_TENANT ? '1000000' : String(Number(tenantId))

/** Account name of a new tenant's administrator. */
export const TENANT_ADMIN_ACCOUNT = 'admin'

/** Returns the parameter's password for a new tenant's administrator; a random one when it is `random`. */
export async function chooseTenantAdminPassword(services: Services): Promise<string> {
  const configured = await paramValue(services, TENANT_ADMIN_PASSWORD_PARAM)
  return configured.trim().toLowerCase() === 'random' ? randomPassword() : configured
}

const ATTEMPTS = 50

/** Whether a tenant number is or was in use; removed tenants are found by their certificate. */
const isGiven = (all: Db, number: string) =>
  all.one(
    sql`select 1 from tenant where tenant_id = ${number} or id = ${number}
      union all select 1 from tenant_removal where tenant_no = ${number} limit 1`,
  )

async function freeNumber(all: Db): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const number = String(randomInt(100_000, 1_000_000))
    if (!(await isGiven(all, number))) return number
  }
  throw new Refused('tenant_no_free_number')
}

/**
 * Creates a tenant ready to sign in, in the caller's transaction: its row, administrator role with default menus,
 * department, post, business dictionaries and the account `admin` (wire contract §8.3).
 */
export async function createTenant(
  db: Db,
  services: Services,
  draft: NewTenant,
  fixed: { tenantId?: string; password?: string; mustChange?: true } = {},
): Promise<RowOf<typeof tenant>> {
  const [accountNumber, password, menuCodes] = await Promise.all([
    paramNumber(services, TENANT_ACCOUNTS_MAX_PARAM),
    fixed.password ?? chooseTenantAdminPassword(services),
    paramValue(services, TENANT_MENUS_PARAM),
  ])
  const first = { password: await hashPassword(password), mustChangePassword: fixed.mustChange === true }
  return db.acrossTenants('a new tenant is created', async (all) => {
    const tenantId = fixed.tenantId ?? (await freeNumber(all))
    await copyBusinessDictionaries(all, tenantId)
    const menuIds = await menusBelow(
      all,
      menuCodes
        .split(',')
        .map((code) => code.trim())
        .filter(Boolean),
    )
    return all.asTenant(tenantId, async (own) => {
      const row = await own.insert(tenant, { accountNumber, ...draft, id: tenantRowIdOf(tenantId) })
      await createTenantRows(own, services, draft.tenantName, first, menuIds)
      return row
    })
  })
}

/** Returns the menus with these codes and everything below them, including buttons. */
async function menusBelow(all: Db, codes: readonly string[]): Promise<string[]> {
  const rows = await all.query<{ id: string }>(sql`
    with recursive down as (
      select id from menu where code = any(${codes}) and is_deleted = 0
      union select m.id from menu m join down on m.parent_id = down.id where m.is_deleted = 0
    ) select id::text from down`)
  return rows.map((row) => row.id)
}

async function createTenantRows(
  own: Db,
  services: Services,
  tenantName: string,
  first: { password: string; mustChangePassword: boolean },
  menuIds: readonly string[],
): Promise<void> {
  const add = (name: string, draft: Record<string, unknown>) =>
    own.insert(services.registry.resource(name), draft) as Promise<{ id: string }>

  const role = await add('role', { parentId: '0', roleName: '管理员', roleAlias: 'admin', sort: 2 })
  await own.run(
    sql`insert into role_menu (tenant_id, role_id, menu_id) select ${own.tenantId}, ${role.id}, menu_id
      from unnest(${menuIds}::bigint[]) as menu_id on conflict do nothing`,
  )

  const dept = await add('dept', {
    parentId: '0',
    ancestors: '0',
    deptCategory: 1,
    deptName: tenantName,
    fullName: tenantName,
    sort: 2,
  })
  const post = await add('post', { category: 1, postCode: 'ceo', postName: '首席执行官', sort: 1 })

  const user = await add('user', {
    id: newId(),
    account: TENANT_ADMIN_ACCOUNT,
    name: 'admin',
    realName: 'admin',
    ...first,
    userType: 1,
    status: 1,
    sex: 1,
    roleId: [role.id],
    deptId: [dept.id],
    postId: [post.id],
  })
  await own.run(
    sql`insert into user_dept (tenant_id, user_id, dept_id) values (${own.tenantId}, ${user.id}, ${dept.id})
      on conflict do nothing`,
  )
}
