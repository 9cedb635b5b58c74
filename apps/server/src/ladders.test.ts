import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { basic, type CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { Resource } from '#kit/resource/index.ts'
import { createUser } from '#domains/platform/identity/api.ts'

/**
 * Privilege escalation. A climber is limited to one shop, their own posts and their department's rows; they hold every
 * permission of the tenant except that on notices, and a second, unlimited role. Each test tries one way to see another
 * shop, another post or the notices, directly or through a user the climber controls. Afterwards none of them may see
 * more than before.
 */

const SECRET = 'notice'

let tenants: TestTenants
let tenantId: string
let admin: CastMember
let mine: string
let theirs: string
let climber: string
let mate: string
const scopes = { own: '', dept: '' }
let passwords: string
/** Sessions of the climber, by the sign-in headers, and of a colleague. Their rights are checked at every call. */
const sessions: Record<string, CastMember> = {}
const roles = { shop: '', plain: '', mates: '', wide: '', admin: '' }
const depts = { own: '', other: '' }
const people = { wide: '', elsewhere: '', hidden: '' }

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId }, work)
const insert = (name: string, row: object) =>
  unit(async (db) =>
    String(
      ((await db.insert(tenants.services.registry.resource(name) as Resource, row as never)) as { id: string }).id,
    ),
  )

type Headers = Record<string, string>
let requests = 0

/** Requests tokens, each time from another address, since the rate limit is not tested here. */
async function tokens(query: Record<string, string>, headers: Headers): Promise<CastMember | undefined> {
  const answer = await tenants.server.http.inject({
    method: 'POST',
    url: `/api/blade-auth/oauth/token?${new URLSearchParams({ tenantId, ...query }).toString()}`,
    remoteAddress: `10.7.${Math.floor(++requests / 250)}.${requests % 250}`,
    headers: { authorization: basic('script', 'script_secret'), ...headers },
  })
  const { access_token: token, refresh_token: refreshToken, user_id: userId, account } = answer.json()
  return answer.statusCode === 200 ? { token, refreshToken, userId, tenantId, account } : undefined
}

const signIn = (account: string, password = account, headers: Headers = {}) =>
  tokens({ grant_type: 'password', username: account, password: md5Hex(password) }, headers)
const refreshed = (person: CastMember, headers: Headers) =>
  tokens({ grant_type: 'refresh_token', refresh_token: person.refreshToken }, headers)

/**
 * Returns what somebody can see beyond the climber's rights: other shops, posts and rows of another department, and
 * notices.
 */
async function beyond(who: CastMember | undefined): Promise<string[]> {
  if (!who) return []
  const shops = await tenants.call(who, 'GET', '/api/shop/basicShopInfo/list', { query: { size: 100 } })
  const posts = await tenants.call(who, 'GET', '/api/blade-system/post/list', { query: { size: 100 } })
  const menus = await tenants.call(who, 'GET', '/api/blade-system/topmenu/list')
  const notices = await tenants.call(who, 'GET', '/api/blade-desk/notice/list')
  const rows = (answer: typeof shops): any[] => (answer.status === 200 ? (answer.data.records ?? answer.data) : [])
  return [
    ...rows(shops)
      .filter(({ id }) => id !== mine)
      .map(({ id }) => `shop ${id}`),
    ...rows(posts)
      .filter(({ createUser }) => createUser !== who.userId)
      .map(({ postCode }) => `post ${postCode}`),
    ...rows(menus).map(({ code }) => `top menu ${code}`),
    ...(notices.status === 200 ? ['notices'] : []),
  ]
}

/** The passwords of all users whom the climber must not become. */
const strongPasswords = async () =>
  JSON.stringify(
    await unit((db) =>
      db.query(sql`
  select account, password from sys_user where tenant_id = ${tenantId}
  and account in ('admin', 'wide', 'elsewhere', 'hidden') order by account`),
    ),
  )

/** Returns the most that the climber's sessions, and the users they can sign in as, see beyond their rights. */
async function worst(extra: readonly (CastMember | undefined)[] = []): Promise<string[]> {
  const isPuppet = await unit((db) =>
    db.one(sql`select 1 from sys_user where tenant_id = ${tenantId} and account = 'puppet' and is_deleted = 0`),
  )
  const puppet = isPuppet ? await signIn('puppet', '123456') : undefined
  expect(Boolean(puppet)).toBe(Boolean(isPuppet))
  const found = (await strongPasswords()) === passwords ? [] : ['the password of somebody stronger']
  found.push(...(await Promise.all([...Object.values(sessions), puppet, ...extra].map(beyond))).flat())
  return [...new Set(found)].sort()
}

const as = async (headers: Headers = {}): Promise<CastMember> =>
  (sessions[JSON.stringify(headers)] ??= (await signIn('climber', 'climber', headers))!)
/** One step of an escalation must be answered: a crash is no refusal, and a missing route was not tested. */
async function step(path: string, asking: Parameters<TestTenants['call']>[3], who?: CastMember) {
  const answer = await tenants.call(who ?? (await as()), 'POST', path, asking)
  if (process.env.RUNGS)
    console.log(expect.getState().currentTestName, path, answer.status, JSON.stringify(answer.data))
  expect([path, answer.status]).not.toEqual([path, 500])
  return answer
}
const post = (path: string, body: object, who?: CastMember) => step(path, { body }, who)
const get = (path: string, query: Record<string, unknown>, who?: CastMember) => step(path, { query }, who)
const rolePath = '/api/blade-system/role'
const menusOf = async (who: CastMember) =>
  (await tenants.call(who, 'GET', '/api/blade-system/menu/role-tree-keys', { query: { roleIds: roles.shop } })).data
    .menu as string[]

async function importUser(line: Record<string, string>): Promise<void> {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('x')
  const headings = [
    '租户编号',
    '用户类型',
    '账户',
    '昵称',
    '姓名',
    '邮箱',
    '手机',
    '角色名称',
    '部门名称',
    '岗位名称',
    '生日',
  ]
  sheet.addRow(headings)
  sheet.addRow(headings.map((heading) => line[heading] ?? ''))
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(Buffer.from(await book.xlsx.writeBuffer()))]), 'users.xlsx')
  const sent = new Request('http://x', { method: 'POST', body: form })
  const answer = await tenants.server.http.inject({
    method: 'POST',
    url: '/api/blade-user/import-user?isCovered=1',
    headers: { 'blade-auth': `bearer ${(await as()).token}`, 'content-type': sent.headers.get('content-type')! },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  expect(answer.statusCode).not.toBe(500)
}

async function roleWith(
  roleName: string,
  ownShops: boolean,
  codes: string[] | undefined,
  scoped: boolean,
): Promise<string> {
  const id = await insert('role', { parentId: '0', roleName, roleAlias: roleName, sort: 1, ownShops })
  const chosen = codes
    ? sql`code = any(${codes})`
    : sql`id in (select menu_id from role_menu where role_id = ${roles.admin}) and code !~ ${`^${SECRET}(_|$)`}`
  await unit((db) =>
    db.run(sql`
    insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${id}, id from menu where is_deleted = 0
    and ${chosen}`),
  )
  if (scoped)
    await unit((db) =>
      db.run(
        sql`insert into role_scope (tenant_id, role_id, scope_category, scope_id) select ${tenantId}, ${id}, 1, s
          from unnest(${Object.values(scopes)}::bigint[]) s`,
      ),
    )
  return id
}

beforeAll(async () => {
  tenants = await createTestTenants()
  ;({ tenantId, admin } = tenants.north)
  ;[mine, theirs] = tenants.north.shops as [string, string]
  const root = await tenants.server.as('admin')

  // Settings as for older clients: imported and reset users can sign in at once.
  for (const [paramKey, paramValue] of [
    ['account.initPassword', '123456'],
    ['account.firstPasswordChange', 'false'],
  ] as const) {
    const param = '/api/blade-system/param'
    const { records } = await tenants.must(tenants.call(root, 'GET', `${param}/list`, { query: { paramKey } }))
    await tenants.must(tenants.call(root, 'POST', `${param}/submit`, { body: { id: records[0].id, paramValue } }))
  }

  roles.admin = (await unit((db) =>
    db.one<{ id: string }>(
      sql`select id::text as id from sys_role where role_alias = 'admin' and tenant_id = ${tenantId}`,
    ),
  ))!.id

  const scope = async (resourceCode: string, scopeType: number) =>
    (
      await tenants.must(
        tenants.call(root, 'POST', '/api/blade-system/data-scope/submit', {
          body: {
            menuId: await menuOf(resourceCode),
            scopeName: `scope of ${resourceCode}`,
            resourceCode,
            scopeType,
            tenantId,
          },
        }),
      )
    ).id as string

  Object.assign(scopes, { own: await scope('post', 2), dept: await scope('topmenu', 4) })
  depts.own = await insert('dept', {
    deptName: '一区',
    fullName: '一区',
    parentId: '0',
    ancestors: '0',
    deptCategory: 1,
    sort: 1,
  })

  depts.other = await insert('dept', {
    deptName: '二区',
    fullName: '二区',
    parentId: '0',
    ancestors: '0',
    deptCategory: 1,
    sort: 1,
  })

  roles.shop = await roleWith('boss', true, undefined, true)
  roles.plain = await roleWith('second', false, undefined, false)
  // The platform's pages, in case their permissions get into a tenant's role.
  await unit((db) =>
    db.run(sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${roles.plain}, id from menu
    where is_deleted = 0 and code ~ '^(data_scope|api_scope|menu|tenantpackage|tenant)(_|$)' on conflict do nothing`),
  )
  roles.mates = await roleWith('mates', true, undefined, true)
  roles.wide = await roleWith('wide', false, [SECRET, 'post', 'basicShopInfo'], false)

  const add = (account: string, roleIds: string[], ownShops: boolean, deptIds: string[]) =>
    unit(async (db) => {
      const id = await createUser(db, { account, name: account, password: account, roleIds, deptIds })
      await db.run(sql`update sys_user set own_shops = ${ownShops} where id = ${id}`)
      return id
    })

  climber = await add('climber', [roles.shop, roles.plain], true, [depts.own])
  mate = await add('mate', [roles.mates], true, [depts.own])
  people.wide = await add('wide', [roles.wide], false, [depts.other])
  people.elsewhere = await add('elsewhere', [roles.mates], true, [depts.other])
  people.hidden = await add('hidden', [roles.plain], false, [depts.other])
  await tenants.must(
    tenants.call(admin, 'POST', '/api/shop/basicShopInfo/staff', {
      body: { id: mine, staff: [climber, mate].map((userId) => ({ userId, position: 'boss' })) },
    }),
  )

  await tenants.must(
    tenants.call(admin, 'POST', '/api/shop/basicShopInfo/staff', {
      body: { id: theirs, staff: [{ userId: people.elsewhere, position: 'clerk' }] },
    }),
  )
  await tenants.must(
    tenants.call(admin, 'POST', '/api/blade-system/post/submit', {
      body: { category: 1, postCode: 'foreign', postName: '别人的', sort: 1 },
    }),
  )

  await insert('topMenu', { name: '别的部门', code: 'foreign', source: 'team', sort: 1 })
  await unit((db) => db.run(sql`update top_menu set create_dept = ${depts.other} where code = 'foreign'`))
  passwords = await strongPasswords()
  const headerSets: Headers[] = [{}, { 'role-id': roles.plain }, { 'role-id': roles.shop }, { 'dept-id': depts.other }]
  for (const headers of headerSets) await as(headers)
  sessions.mate = (await signIn('mate'))!
}, 120_000)
afterAll(() => tenants?.close())

type Rung = [name: string, climb: () => Promise<void | readonly (CastMember | undefined)[]>]

const newRole = async (more: object = {}): Promise<string> =>
  // A used alias would be refused, and nothing would be tested.
  (await post(`${rolePath}/submit`, { roleName: '新', roleAlias: `manager${++requests}`, sort: 9, ...more })).data
    ?.id ?? '0'
const grantOf = async (roleIds: string[], more: object = {}) => {
  const who = await as()
  return post(
    `${rolePath}/grant`,
    { roleIds, menuIds: await menusOf(who), dataScopeIds: Object.values(scopes), apiScopeIds: [], ...more },
    who,
  )
}
const menuOf = async (code: string) =>
  (await unit((db) =>
    db.one<{ id: string }>(sql`select id::text as id from menu where code = ${code} and is_deleted = 0`),
  ))!.id
const addUser = (more: object) =>
  post('/api/blade-user/submit', { account: 'puppet', name: 'x', realName: 'x', ...more })

const rungs: Rung[] = [
  [
    'the header Role-Id of the other role',
    async () => [await as({ 'role-id': roles.plain }), await as({ 'role-id': roles.wide })],
  ],
  [
    'a token renewed with Role-Id',
    async () => [await refreshed((await signIn('climber'))!, { 'role-id': roles.plain })],
  ],
  ['the header Dept-Id of a foreign department', async () => [await as({ 'dept-id': depts.other })]],
  [
    'a new role with an alias that never limited anybody, given to oneself',
    async () => {
      const id = await newRole()
      await grantOf([id], { dataScopeIds: [] })
      await get('/api/blade-user/grant', { userIds: climber, roleIds: id })
    },
  ],
  [
    'another alias for the own role',
    async () => void (await post(`${rolePath}/submit`, { id: roles.shop, roleAlias: 'manager' })),
  ],
  [
    'another alias for the own role, in a session of the other role',
    async () =>
      void (await post(
        `${rolePath}/submit`,
        { id: roles.shop, roleAlias: 'manager' },
        await as({ 'role-id': roles.plain }),
      )),
  ],
  [
    'the alias of an administrator',
    async () => void (await post(`${rolePath}/submit`, { id: roles.mates, roleAlias: 'admin' })),
  ],
  ['a new role with the alias of an administrator', async () => void (await newRole({ roleAlias: 'admin' }))],
  ['a parent role', async () => void (await post(`${rolePath}/submit`, { id: roles.mates, parentId: roles.wide }))],
  [
    'a role that does not limit to own shops',
    async () => {
      for (const id of [roles.shop, roles.mates]) await post(`${rolePath}/submit`, { id, ownShops: false })
      const id = await newRole({ ownShops: false })
      await addUser({ roleId: id })
    },
  ],
  [
    'more menus for the own role',
    async () => void (await grantOf([roles.shop], { menuIds: [...(await menusOf(await as())), await menuOf(SECRET)] })),
  ],
  [
    'more menus for a role of a mate',
    async () =>
      void (await grantOf([roles.mates], { menuIds: [...(await menusOf(await as())), await menuOf(SECRET)] })),
  ],
  ['no data scopes for the own role', async () => void (await grantOf([roles.shop], { dataScopeIds: [] }))],
  [
    'no data scopes for the own role, by a session of the other role',
    async () => {
      const who = await as({ 'role-id': roles.plain })
      await post(
        `${rolePath}/grant`,
        { roleIds: [roles.shop], menuIds: await menusOf(who), dataScopeIds: [], apiScopeIds: [] },
        who,
      )
    },
  ],
  ['no data scopes for a role of a mate', async () => void (await grantOf([roles.mates], { dataScopeIds: [] }))],
  [
    'a wider role for oneself, by the grant',
    async () => void (await get('/api/blade-user/grant', { userIds: climber, roleIds: `${roles.shop},${roles.wide}` })),
  ],
  [
    'a wider role for oneself, by the form',
    async () => void (await post('/api/blade-user/submit', { id: climber, roleId: `${roles.shop},${roles.wide}` })),
  ],
  [
    'the limiting role laid down',
    async () => {
      await get('/api/blade-user/grant', { userIds: climber, roleIds: roles.plain })
      await post('/api/blade-user/update', { id: climber, roleId: roles.plain })
    },
  ],
  [
    'the limiting role taken from a mate',
    async () => void (await get('/api/blade-user/grant', { userIds: mate, roleIds: roles.plain })),
  ],
  ['a new user with a wider role', async () => void (await addUser({ roleId: roles.wide }))],
  [
    'a new user with a role without the bounds',
    async () => void (await addUser({ roleId: roles.plain, ownShops: false })),
  ],
  [
    'sight of every shop, said of oneself, a mate and a new user',
    async () => {
      for (const id of [climber, mate]) await post('/api/blade-user/submit', { id, ownShops: false })
      await addUser({ roleId: roles.mates, ownShops: false })
    },
  ],
  [
    'an import over oneself, a mate and somebody one does not see',
    async () => {
      for (const account of ['climber', 'mate', 'hidden'])
        await importUser({ 账户: account, 昵称: 'x', 姓名: 'x', 角色名称: 'wide,second' })
      await importUser({ 账户: 'puppet', 昵称: 'x', 姓名: 'x', 角色名称: 'second' })
    },
  ],
  ['a foreign tenant', async () => void (await addUser({ tenantId: '000000', roleId: roles.wide }))],
  [
    'another department of oneself and of a mate',
    async () => {
      for (const id of [climber, mate]) await post('/api/blade-user/submit', { id, deptId: depts.other })
    },
  ],
  [
    'a foreign department below the own one',
    async () => void (await post('/api/blade-system/dept/submit', { id: depts.other, parentId: depts.own })),
  ],
  [
    'a menu with a code of one’s choice',
    async () =>
      void (await post('/api/blade-system/menu/submit', { name: 'x', code: SECRET, path: '/x', category: 1, sort: 1 })),
  ],
  [
    'the own data scope changed, removed or replaced',
    async () => {
      await post('/api/blade-system/data-scope/submit', { id: scopes.own, scopeType: 1 })
      await post('/api/blade-system/data-scope/submit', { id: scopes.own, resourceCode: 'dept' })
      await post('/api/blade-system/data-scope/submit', { id: scopes.own, scopeColumn: 'id' })
      const wider = await post('/api/blade-system/data-scope/submit', {
        menuId: await menuOf('post'),
        scopeName: 'x',
        resourceCode: 'post',
        scopeType: 1,
      })
      await grantOf([roles.mates], { dataScopeIds: [...Object.values(scopes), wider.data?.id ?? '0'] })
      await get('/api/blade-system/data-scope/remove', { ids: Object.values(scopes).join() })
    },
  ],
  [
    'an API scope of one’s own',
    async () =>
      void (await post('/api/blade-system/api-scope/submit', {
        menuId: await menuOf('post'),
        scopeName: 'x',
        resourceCode: 'post',
        scopePath: '/api/blade-system/post',
        scopeType: 1,
      })),
  ],
  [
    'another package for the tenant',
    async () => {
      await post('/api/blade-system/tenant-package/submit', { packageName: 'x', menuId: await menuOf(SECRET) })
      await get('/api/blade-system/tenant/package-setting', { tenantId, packageId: '' })
    },
  ],
  [
    'the password of somebody stronger, of another shop, or unbounded',
    async () => {
      for (const id of [admin.userId, people.wide, people.elsewhere, people.hidden])
        await get('/api/blade-user/reset-password', { userIds: id })
    },
  ],
  [
    'a foreign shop for oneself',
    async () => {
      await post('/api/shop/basicShopInfo/staff', { id: theirs, staff: [{ userId: climber, position: 'boss' }] })
      await post('/api/shop/basicShopInfo/submit', { id: theirs, bossUserId: climber })
      await post('/api/shop/wxShoper/submit', {
        nickname: 'x',
        openid: 'o-9',
        role: 'boss',
        userId: climber,
        shopIds: theirs,
      })
      await post('/api/shop/wxShoper/submit', {
        nickname: 'x',
        openid: 'o-8',
        role: 'boss',
        userId: mate,
        shopIds: `${mine},${theirs}`,
      })
    },
  ],
  [
    'a guest who is approved with a role that does not limit',
    async () => {
      const guest = await unit((db) => createUser(db, { account: 'guest', name: 'x', password: 'guest', roleIds: [] }))
      await get('/api/blade-user/grant', { userIds: guest, roleIds: roles.plain })
      return [await signIn('guest')]
    },
  ],
  [
    'a bulk change of people',
    async () => {
      for (const input of [{ roleId: roles.wide }, { ownShops: false }]) {
        await post('/api/kit/bulk/user', { operation: 'edit', ids: [climber, mate], input, expectedCount: 2 })
      }
    },
  ],
  [
    'an earlier state of the own account and role',
    async () => {
      for (const [resource, id] of [
        ['user', climber],
        ['user', mate],
        ['role', roles.shop],
      ]) {
        const answer = await tenants.call(await as(), 'GET', `/api/kit/history/${resource}`, { query: { id } })
        expect(answer.status).toBe(200)
        for (const change of answer.data.records)
          await post(`/api/kit/history/${resource}/restore`, { id, change: change.id })
      }
    },
  ],
]

describe('a ladder leads nowhere:', () => {
  it.each(rungs)(
    '%s',
    async (_name, climb) => {
      const extra = await climb()
      expect(await worst(extra ?? [])).toEqual([])
    },
    60_000,
  )

  it('and whoever is limited still works in their own shop, makes people below themselves and helps them', async () => {
    const made = await tenants.must(addUser({ account: 'helper', roleId: roles.mates, deptId: depts.own }))
    expect((await tenants.call(admin, 'GET', '/api/blade-user/detail', { query: { id: made.id } })).data).toMatchObject(
      {
        ownShops: true,
      },
    )
    expect((await get('/api/blade-user/reset-password', { userIds: made.id })).status).toBe(200)
    const fresh = await newRole({ roleAlias: 'night' })
    expect((await grantOf([fresh])).status).toBe(200)
    expect((await get('/api/blade-user/grant', { userIds: made.id, roleIds: fresh })).status).toBe(200)
    expect(await beyond(await signIn('helper', '123456'))).toEqual([])
  })

  it(
    'and the tenant’s administrator lifts and sets limits of others, but gives ' + 'no right the administrator lacks',
    async () => {
      const save = (body: object) => tenants.must(tenants.call(admin, 'POST', '/api/blade-user/submit', { body }))
      const shopsSeen = async () =>
        (await beyond(await signIn('finance', '123456'))).filter((what) => what.startsWith('shop')).length
      // Saving the form without changing the switch must not open the shops to a user who gets a boss's role.
      const open = await save({ account: 'finance', name: 'x', realName: 'x', roleId: roles.shop, ownShops: false })
      expect(await shopsSeen()).toBe(0)
      await save({ id: open.id, ownShops: false })
      expect(await shopsSeen()).toBeGreaterThan(0)
      await save({ id: open.id, ownShops: true })
      expect(await shopsSeen()).toBe(0)
      const beyondAdmin = await roleWith('platformish', false, ['tenant', 'client'], false)
      expect(
        (
          await tenants.call(admin, 'POST', '/api/blade-user/grant', {
            query: { userIds: open.id, roleIds: beyondAdmin },
          })
        ).data.reason,
      ).toBe('role_beyond_own')
      expect(
        (await tenants.call(admin, 'POST', `${rolePath}/submit`, { body: { id: roles.admin, roleName: '我' } })).data
          .reason,
      ).toBe('held_role_stays')
    },
  )
})
