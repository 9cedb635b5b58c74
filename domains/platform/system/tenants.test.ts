import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { md5Hex, verifyPassword } from '#kit/server/security/index.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { createTenant } from './tenant-create.ts'
import { paramValue } from './caches.ts'
import { findTenantStatus } from './api.ts'

let server: TestServer
let world: TestWorld
let platform: TestCaller
let boss: TestCaller
let unprivileged: TestCaller

beforeAll(async () => {
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true, clientId: 'saber' })
  const codes = [
    'tenant',
    'tenant_add',
    'tenant_edit',
    'tenant_delete',
    'tenant_setting',
    'tenant_package',
    'tenant_datasource',
    'tenantpackage',
    'tenantpackage_add',
    'client',
    'client_edit',
    'param',
    'param_edit',
    'param_add',
  ]
  boss = world.be({ tenantId: '990001', isAdmin: true, permissions: new Set(codes) })
  unprivileged = world.be({ tenantId: '990001' })
})
afterAll(() => server?.close())

const base = '/api/blade-system/tenant'
let count = 0

async function newTenant(more: Record<string, unknown> = {}): Promise<{ id: string; tenantId: string }> {
  const answer = await world.ask(platform, 'POST', `${base}/submit`, {
    body: { tenantName: `测试租户${++count}`, linkman: '王芳', contactNumber: '13800000001', address: '杭州', ...more },
  })
  expect(answer.body).toMatchObject({ code: 200, success: true })
  return answer.data as { id: string; tenantId: string }
}

const menuIdOf = async (code: string) =>
  (await server.services.systemPool.query<{ id: string }>('select id::text as id from menu where code = $1', [code]))
    .rows[0]!.id

const inside = <T>(
  tenantId: string,
  statement: Parameters<Parameters<TestServer['services']['unit']>[1]>[0] extends { query: (s: infer S) => unknown }
    ? S
    : never,
): Promise<T[]> => server.services.unit({ tenantId }, (db) => db.query(statement)) as Promise<T[]>

describe('a new tenant', () => {
  test(
    'has a number of six digits, an administrator who can sign in, a role with menus and buttons, a ' +
      'department, a post and its own dictionaries',
    async () => {
      const { tenantId } = await newTenant()
      expect(tenantId).toMatch(/^\d{6}$/)
      const [user] = await inside<Record<string, any>>(
        tenantId,
        sql`select * from sys_user where tenant_id = ${tenantId}`,
      )
      expect(user).toMatchObject({ account: 'admin', userType: 1, sex: 1 })
      expect(await verifyPassword(md5Hex('admin'), user!.password)).toBe(true)
      const [role] = await inside<Record<string, any>>(
        tenantId,
        sql`select * from sys_role where tenant_id = ${tenantId}`,
      )
      expect(role).toMatchObject({ roleAlias: 'admin', roleName: '管理员', parentId: '0' })
      expect(user!.roleId).toEqual([role!.id])
      const [dept] = await inside<Record<string, any>>(tenantId, sql`select * from dept where tenant_id = ${tenantId}`)
      expect(dept).toMatchObject({ deptCategory: 1, ancestors: '0' })
      expect(user!.deptId).toEqual([dept!.id])
      expect(
        await inside(tenantId, sql`select 1 from user_dept where user_id = ${user!.id} and dept_id = ${dept!.id}`),
      ).toHaveLength(1)
      expect(
        await inside(tenantId, sql`select 1 from post where post_code = 'ceo' and id = any(${user!.postId}::bigint[])`),
      ).toHaveLength(1)
      const menus = (
        await inside<{ code: string }>(
          tenantId,
          sql`select m.code from role_menu g join menu m on m.id = g.menu_id where g.role_id = ${role!.id}`,
        )
      ).map((row) => row.code)
      expect(menus).toEqual(
        expect.arrayContaining(['desk', 'notice', 'notice_add', 'user', 'user_add', 'role', 'oss_enable', 'log_usual']),
      )
      for (const code of ['tenant', 'client', 'param', 'dict', 'region', 'menu']) expect(menus).not.toContain(code)
    },
  )

  test('gets the management tenant’s business dictionaries with ids of its own, the tree kept', async () => {
    const root = await world.ask(platform, 'POST', '/api/blade-system/dict-biz/submit', {
      body: { code: 'copied', dictKey: -1, dictValue: '样本', sort: 1, isSealed: 0, parentId: 0 },
    })
    await world.ask(platform, 'POST', '/api/blade-system/dict-biz/submit', {
      body: { code: 'copied', dictKey: '1', dictValue: '甲', sort: 1, isSealed: 0, parentId: root.data.id },
    })
    const { tenantId } = await newTenant()
    const rows = await inside<Record<string, string>>(
      tenantId,
      sql`select id::text, parent_id::text, dict_key from dict_biz where code = 'copied' order by dict_key`,
    )
    expect(rows.map((row) => row.dictKey)).toEqual(['-1', '1'])
    expect(rows[1]!.parentId).toBe(rows[0]!.id)
    expect(rows[0]!.id).not.toBe(root.data.id)
  })

  test('is made whole or not at all', async () => {
    const before = await server.services.systemPool.query('select count(*)::int as n from sys_role')
    const failing = {
      ...server.services,
      registry: {
        ...server.services.registry,
        resource: (name: string) => {
          if (name === 'user') throw new Error('no users today')
          return server.services.registry.resource(name)
        },
      },
    }
    await expect(
      server.services.unit({ tenantId: '000000' }, (db) => createTenant(db, failing, { tenantName: '半途' })),
    ).rejects.toThrow('no users today')
    expect((await server.services.systemPool.query('select count(*)::int as n from sys_role')).rows).toEqual(
      before.rows,
    )
    expect((await server.services.systemPool.query(`select 1 from tenant where tenant_name = '半途'`)).rows).toEqual([])
  })

  test('is the platform’s to make, and a tenant sees only itself', async () => {
    expect((await world.ask(boss, 'POST', `${base}/submit`, { body: { tenantName: 'x' } })).body).toMatchObject({
      code: 403,
      data: { reason: 'platform_only' },
    })
    const { tenantId, id } = await newTenant()
    const its = world.be({
      tenantId,
      isAdmin: true,
      permissions: new Set(['tenant', 'tenant_edit', 'tenant_delete', 'tenant_setting']),
    })
    expect((await world.ask(its, 'GET', `${base}/list`)).data).toMatchObject({ total: 1, records: [{ tenantId }] })
    expect((await world.ask(its, 'GET', `${base}/select`)).data).toMatchObject([{ tenantId }])
    expect((await world.ask(boss, 'GET', `${base}/detail`, { query: { id } })).code).toBe(404)
    expect((await world.ask(its, 'POST', `${base}/submit`, { body: { id, tenantName: 'x' } })).code).toBe(403)
    expect((await world.ask(its, 'POST', `${base}/setting`, { query: { ids: id, accountNumber: -1 } })).code).toBe(403)
    expect((await world.ask(its, 'POST', `${base}/remove`, { query: { ids: id } })).code).toBe(403)
  })

  test('asks for a name, in the reader’s language', async () => {
    expect((await world.ask(platform, 'POST', `${base}/submit`, { body: {}, lang: 'en' })).body).toMatchObject({
      code: 400,
      data: { fields: { tenantName: 'Tenant name is required' } },
    })
  })
})

describe('what a tenant may', () => {
  test('quota and expiry are set for several at once; an empty expiry means never', async () => {
    const one = await newTenant()
    const two = await newTenant()
    expect(
      (
        await world.ask(platform, 'POST', `${base}/setting`, {
          query: { ids: `${one.id},${two.id}`, accountNumber: 3, expireTime: '2020-01-01 00:00:00' },
        })
      ).code,
    ).toBe(200)
    expect(await findTenantStatus(server.services, one.tenantId)).toMatchObject({ accountNumber: 3, isExpired: true })
    expect((await world.ask(platform, 'GET', `${base}/detail`, { query: { id: two.id } })).data).toMatchObject({
      accountNumber: 3,
      expireTime: '2020-01-01 00:00:00',
    })
    await world.ask(platform, 'POST', `${base}/setting`, { query: { ids: one.id, accountNumber: -1, expireTime: '' } })
    expect(await findTenantStatus(server.services, one.tenantId)).toMatchObject({ accountNumber: -1, isExpired: false })
  })

  test('a quota that is none is refused by its field; the platform alone hears how many accounts are', async () => {
    const { id, tenantId } = await newTenant()
    for (const accountNumber of ['-5', '2.5', '99999999999'])
      expect(
        (await world.ask(platform, 'POST', `${base}/setting`, { query: { ids: id, accountNumber } })).data,
      ).toMatchObject({ fields: { accountNumber: expect.stringContaining('账号额度') } })
    const accountsOf = (who: TestCaller) =>
      world.ask(who, 'GET', `${base}/accounts`, { query: { tenantIds: `${tenantId},x` } })
    expect((await accountsOf(platform)).data).toEqual([{ tenantId, count: 1 }])
    expect((await accountsOf(boss)).data.reason).toBe('platform_only')
    expect((await accountsOf(unprivileged)).code).toBe(403)
  })

  test('the management tenant has no limits and cannot be removed', async () => {
    const { id } = (await world.ask(platform, 'GET', `${base}/list`, { query: { tenantId: '000000' } })).data.records[0]
    expect((await world.ask(platform, 'POST', `${base}/remove`, { query: { ids: id } })).body).toMatchObject({
      code: 400,
      msg: '不可删除管理租户!',
    })
    expect(
      (await world.ask(platform, 'POST', `${base}/setting`, { query: { ids: id, accountNumber: 1 } })).data.reason,
    ).toBe('management_tenant_unlimited')
    expect(
      (await world.ask(platform, 'POST', `${base}/package-setting`, { query: { tenantId: '000000', packageId: '' } }))
        .data.reason,
    ).toBe('management_tenant_unlimited')
  })

  test('a package is set by the tenant’s number and read by its number or row id', async () => {
    const { id, tenantId } = await newTenant()
    const menuId = await menuIdOf('notice')
    const made = await world.ask(platform, 'POST', '/api/blade-system/tenant-package/submit', {
      body: { packageName: '基础版', menuId },
    })
    expect(made.body).toMatchObject({ code: 200 })
    const packageId = made.data.id as string
    expect((await world.ask(platform, 'GET', `${base}/package-detail`, { query: { tenantId: id } })).data).toEqual({})
    let changeCount = 0
    const stop = await server.services.shared.subscribe('access.changed', () => void changeCount++)
    expect(
      (await world.ask(platform, 'POST', `${base}/package-setting`, { query: { tenantId, packageId } })).code,
    ).toBe(200)
    await expect.poll(() => changeCount).toBeGreaterThan(0)
    stop()
    for (const given of [id, tenantId])
      expect(
        (await world.ask(platform, 'GET', `${base}/package-detail`, { query: { tenantId: given } })).data,
      ).toMatchObject({ id: packageId, packageName: '基础版', menuId })
    expect((await world.ask(platform, 'GET', '/api/blade-system/tenant-package/select')).data).toEqual(
      expect.arrayContaining([{ id: packageId, packageName: '基础版' }]),
    )
    expect(
      (await world.ask(platform, 'POST', '/api/blade-system/tenant-package/remove', { query: { ids: packageId } })).data
        .reason,
    ).toBe('still_named')
    expect(
      (await world.ask(platform, 'POST', `${base}/package-setting`, { query: { tenantId, packageId: '12345' } })).data
        .reason,
    ).toBe('invalid')
    expect((await world.ask(boss, 'GET', `${base}/package-detail`, { query: { tenantId } })).code).toBe(404)
    await world.ask(platform, 'POST', `${base}/package-setting`, { query: { tenantId, packageId: '' } })
    expect((await world.ask(platform, 'GET', `${base}/package-detail`, { query: { tenantId } })).data).toEqual({})
  })

  test('a package takes menus as a comma list or an array and answers a comma list', async () => {
    const ids = (
      await server.services.systemPool.query<{ id: string }>(
        `select id::text as id from menu where code in ('notice', 'oss') order by id`,
      )
    ).rows.map((row) => row.id)
    const path = '/api/blade-system/tenant-package'
    const { data } = await world.ask(platform, 'POST', `${path}/submit`, {
      body: { packageName: '列表版', menuId: ids },
    })
    expect((await world.ask(platform, 'GET', `${path}/detail`, { query: { id: data.id } })).data.menuId).toBe(
      ids.join(','),
    )
    expect(
      (await world.ask(platform, 'POST', `${path}/submit`, { body: { packageName: '空版' } })).data.fields,
    ).toHaveProperty('menuId')
    expect(
      (await world.ask(boss, 'POST', `${path}/submit`, { body: { packageName: 'x', menuId: ids } })).data.reason,
    ).toBe('platform_only')
  })

  test('a package limits what its administrator sees and may, from one call to the next', async () => {
    const { tenantId } = await newTenant()
    const admin = await server.as('admin', { tenantId })
    expect((await server.call(admin, 'GET', '/api/blade-user/page')).status).toBe(200)
    const menuId = `${await menuIdOf('desk')},${await menuIdOf('notice')}`
    const made = await world.ask(platform, 'POST', '/api/blade-system/tenant-package/submit', {
      body: { packageName: '只有通知', menuId },
    })
    await world.ask(platform, 'POST', `${base}/package-setting`, { query: { tenantId, packageId: made.data.id } })
    expect((await server.call(admin, 'GET', '/api/blade-system/menu/routes')).data).toMatchObject([
      { code: 'desk', children: [{ code: 'notice' }] },
    ])
    expect((await server.call(admin, 'GET', '/api/blade-user/page')).status).toBe(403)
    expect((await server.call(admin, 'GET', '/api/blade-desk/notice/list')).status).toBe(200)
    expect((await server.call(admin, 'POST', '/api/blade-resource/oss/submit', { body: {} })).status).toBe(403)
    await world.ask(platform, 'POST', '/api/blade-system/tenant-package/submit', {
      body: { id: made.data.id, menuId: await menuIdOf('desk') },
    })
    expect((await server.call(admin, 'GET', '/api/blade-desk/notice/list')).status).toBe(403)
  })

  test(
    'a removed tenant is gone with its users, departments, roles and posts, and ' + 'its number is never given again',
    async () => {
      const { id, tenantId } = await newTenant()
      const admin = await server.as('admin')
      const seen = async () =>
        (
          await Promise.all(
            [
              '/api/blade-system/dept/tree',
              '/api/blade-system/role/tree',
              '/api/blade-system/post/list',
              '/api/blade-user/page',
            ].map(async (path) =>
              JSON.stringify((await server.call(admin, 'GET', path, { query: { tenantId, size: 100 } })).data),
            ),
          )
        ).map((text) => text.includes('"id"'))
      expect(await seen()).toEqual([true, true, true, true])
      expect((await world.ask(platform, 'POST', `${base}/remove`, { query: { ids: id } })).code).toBe(200)
      expect(await findTenantStatus(server.services, tenantId)).toBeUndefined()
      expect(await inside(tenantId, sql`select 1 from sys_user where is_deleted = 0`)).toEqual([])
      expect(await seen()).toEqual([false, false, false, false])
      await expect(
        server.services.unit({ tenantId: '000000' }, (db) =>
          createTenant(db, server.services, { tenantName: '再来' }, { tenantId }),
        ),
      ).rejects.toThrow()
    },
  )
})

describe('a domain', () => {
  test('tells anybody whose it is, by its origin, and nothing more', async () => {
    const { tenantId } = await newTenant({ domain: 'https://Wang.Example.com/', backgroundUrl: '/files/bg.png' })
    const found = await world.ask(undefined, 'GET', `${base}/info`, { query: { domain: 'https://wang.example.com' } })
    expect(found.data).toEqual({
      tenantId,
      domain: 'https://wang.example.com',
      domainUrl: 'https://wang.example.com',
      backgroundUrl: '/files/bg.png',
    })
    for (const domain of ['https://nobody.example.com', '', 'x', undefined])
      expect((await world.ask(undefined, 'GET', `${base}/info`, { query: { domain } })).body).toMatchObject({
        code: 200,
        data: {},
      })
  })

  test(
    'is read and answered as domainUrl too, as some clients know it: whichever of the two they ' +
      'changed counts, and neither undoes the other',
    async () => {
      const { id } = await newTenant({ domainUrl: 'https://one.example.com' })
      const row = async () => (await world.ask(platform, 'GET', `${base}/detail`, { query: { id } })).data
      const both = (domain: string) => ({ domain, domainUrl: domain })
      expect(await row()).toMatchObject(both('https://one.example.com'))
      expect(
        (await world.ask(platform, 'GET', `${base}/list`, { query: { domainUrl: 'one.example' } })).data.records,
      ).toMatchObject([{ id, ...both('https://one.example.com') }])
      const save = async (more: object) =>
        world.ask(platform, 'POST', `${base}/submit`, { body: { ...(await row()), ...more } })
      await save({ domainUrl: 'https://two.example.com' })
      expect(await row()).toMatchObject(both('https://two.example.com'))
      await save({ domain: 'https://three.example.com' })
      expect(await row()).toMatchObject(both('https://three.example.com'))
      await save({ domainUrl: '' })
      expect(await row()).toMatchObject(both(''))
      expect((await save({ domainUrl: 'no address' })).data.fields).toHaveProperty('domain')
      await save({ linkman: '李' })
      expect(await row()).toMatchObject({ linkman: '李', ...both('') })
    },
  )

  test('belongs to one tenant', async () => {
    await newTenant({ domain: 'https://li.example.com' })
    expect(
      (
        await world.ask(platform, 'POST', `${base}/submit`, {
          body: { tenantName: 'x', domain: 'https://LI.example.com' },
        })
      ).body,
    ).toMatchObject({ code: 400, data: { reason: 'domain_taken' } })
    const many = await Promise.all(
      Array.from({ length: 4 }, () =>
        world.ask(platform, 'POST', `${base}/submit`, {
          body: { tenantName: 'x', domain: 'https://race.example.com' },
        }),
      ),
    )
    expect(many.filter((one) => one.code === 200)).toHaveLength(1)
  })
})

describe('parameters', () => {
  const path = '/api/blade-system/param'
  const failCount = { key: 'account.failCount', value: '?', label: { zh: '次', en: 'n' }, help: { zh: '次', en: 'n' } }

  test('are seeded and take effect at once, in other processes too', async () => {
    expect(await paramValue(server.services, failCount)).toBe('5')
    expect(await paramValue(server.services, { ...failCount, key: 'no.such.key', value: 'fallback' })).toBe('fallback')
    const other = { ...server.services }
    expect(await paramValue(other, failCount)).toBe('5')
    const [row] = (await world.ask(platform, 'GET', `${path}/list`, { query: { paramKey: 'account.failCount' } })).data
      .records
    await world.ask(platform, 'POST', `${path}/submit`, { body: { ...row, paramValue: '7' } })
    expect(await paramValue(server.services, failCount)).toBe('7')
    await expect.poll(() => paramValue(other, failCount)).toBe('7')
  })

  test('that the product needs cannot be removed or renamed, and no tenant writes them', async () => {
    const [row] = (await world.ask(platform, 'GET', `${path}/list`, { query: { paramKey: 'account.initPassword' } }))
      .data.records
    expect((await world.ask(platform, 'POST', `${path}/remove`, { query: { ids: row.id } })).data.reason).toBe(
      'param_in_use',
    )
    expect(
      (await world.ask(platform, 'POST', `${path}/submit`, { body: { id: row.id, paramKey: 'other' } })).data.reason,
    ).toBe('param_in_use')
    expect(
      (await world.ask(boss, 'POST', `${path}/submit`, { body: { id: row.id, paramValue: 'x' } })).data.reason,
    ).toBe('platform_only')
  })
})

describe('clients', () => {
  const path = '/api/blade-system/client'

  test('are seeded for the browsers, and one for scripts with the demo data', async () => {
    const { records } = (await world.ask(platform, 'GET', `${path}/list`, { query: { size: 50 } })).data as {
      records: Record<string, unknown>[]
    }
    const detail = async (row: Record<string, unknown>) =>
      (await world.ask(platform, 'GET', `${path}/detail`, { query: { id: String(row.id) } })).data as typeof row
    const byId = new Map(await Promise.all(records.map(async (row) => [row.clientId, await detail(row)] as const)))
    for (const id of ['saber', 'sword', 'saber3'])
      expect(byId.get(id)).toMatchObject({
        clientSecret: `${id}_secret`,
        authorizedGrantTypes: 'captcha,refresh_token,social,authorization_code',
        accessTokenValidity: 3600,
        refreshTokenValidity: 604800,
      })
    expect(byId.get('script')).toMatchObject({
      clientSecret: 'script_secret',
      authorizedGrantTypes: 'password,refresh_token',
    })
  })

  test('show their secret to the platform alone, and the mask coming back changes nothing', async () => {
    const [row] = (await world.ask(boss, 'GET', `${path}/list`, { query: { clientId_equal: 'saber' } })).data.records
    expect(row.clientSecret).toBe('******')
    expect(
      (
        await world.ask(platform, 'POST', `${path}/submit`, {
          body: { id: row.id, clientSecret: '******', scope: 'all' },
        })
      ).code,
    ).toBe(200)
    expect((await world.ask(platform, 'GET', `${path}/detail`, { query: { id: row.id } })).data.clientSecret).toBe(
      'saber_secret',
    )
    expect((await world.ask(platform, 'POST', `${path}/remove`, { query: { ids: row.id } })).data.reason).toBe(
      'client_self',
    )
  })

  test('are not read without the permission', async () => {
    expect((await world.ask(unprivileged, 'GET', `${path}/list`)).code).toBe(403)
  })
})
