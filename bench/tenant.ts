import type pg from 'pg'
import type { createServerApp } from '#apps/server/src/app.ts'
import { createUser } from '#domains/platform/identity/api.ts'
import type { Resource } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { md5Hex } from '#kit/server/security/index.ts'

type App = Awaited<ReturnType<typeof createServerApp>>

/** Signs in through the API, in-process. Returns the headers for calls. */
export async function signIn(app: App, tenantId: string, username = 'admin', password = 'admin') {
  const query = new URLSearchParams({
    grant_type: 'password',
    tenantId,
    username,
    password: md5Hex(password),
    scope: 'all',
  })
  const headers = { authorization: `Basic ${btoa('script:script_secret')}`, 'tenant-id': tenantId }
  const answer = await app.http.inject({ method: 'POST', url: `/api/blade-auth/oauth/token?${query}`, headers })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return { 'blade-auth': answer.json<{ access_token: string }>().access_token }
}

/** Returns the benchmark's tenant, which is created when missing; its first password need not be changed. */
export async function benchTenant(app: App, owner: pg.Pool): Promise<string> {
  const find = () => owner.query<{ id: string }>(`select tenant_id as id from tenant where tenant_name = 'Bench'`)
  if (!(await find()).rows[0])
    await app.http.inject({
      method: 'POST',
      url: '/api/blade-system/tenant/submit',
      headers: await signIn(app, '000000'),
      payload: { tenantName: 'Bench', linkman: 'bench', contactNumber: '13800000000' },
    })
  const tenantId = (await find()).rows[0]!.id
  await owner.query('update sys_user set must_change_password = false where tenant_id = $1', [tenantId])
  return tenantId
}

/** Creates the boss of one single shop with all permissions, unless there is one. */
export async function benchBoss({ services }: App, tenantId: string, shopId: string): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    if (await db.one(sql`select 1 from sys_user where tenant_id = ${tenantId} and account = 'boss'`)) return
    const role = { parentId: '0', roleName: 'boss', roleAlias: 'boss', ownShops: true, sort: 1 }
    const { id } = await db.insert(services.registry.resource('role') as Resource, role)
    await db.run(sql`insert into role_menu (tenant_id, role_id, menu_id)
      select ${tenantId}, ${id}, id from menu where is_deleted = 0`)
    const userId = await createUser(db, { account: 'boss', name: 'boss', password: 'boss', roleIds: [String(id)] })
    await db.run(sql`update sys_user set must_change_password = false where id = ${userId}`)
    await db.run(sql`insert into shop_staff (tenant_id, shop_id, user_id, position)
      values (${tenantId}, ${shopId}, ${userId}, 'boss')`)
  })
}
