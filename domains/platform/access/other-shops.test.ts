import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { menuId } from '#kit/server/mount/menus.ts'
import type { Resource } from '#kit/resource/index.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

const SYSTEM = '/api/blade-system'
const ROLES = ['role', 'role_add', 'role_edit', 'role_delete', 'role_grant', 'data_scope', 'data_scope_add']
const RIGHTS = [...ROLES, 'data_scope_edit', 'data_scope_delete', 'post', 'post_add']

let tenants: TestTenants
let tenantId: string
let admin: CastMember
/** Sun manages the roles of one shop, He those of the office; neither may refund. */
const cast = {} as Record<'sun' | 'mate' | 'chen' | 'he' | 'manager', CastMember>

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId }, work)
const callAs = (who: CastMember, method: 'GET' | 'POST', path: string, asking = {}) =>
  tenants.call(who, method, path.startsWith('/') ? path : `${SYSTEM}/${path}`, asking)
const roleOf = async (person: CastMember) =>
  (await unit((db) =>
    db.one<{ id: string }>(sql`select role_id[1]::text as id from sys_user where id = ${person.userId}`),
  ))!.id
const add = async (name: string, row: object) =>
  unit(async (db) =>
    String(
      ((await db.insert(tenants.services.registry.resource(name) as Resource, row as never)) as { id: string }).id,
    ),
  )
const roleNamed = (roleName: string, more: object = {}) =>
  add('role', { parentId: '0', roleName, roleAlias: `r${roleName}`, sort: 1, ...more })
const scopeOn = (code: string, more: object = {}) =>
  add('dataScope', {
    menuId: menuId(code),
    scopeName: code,
    resourceCode: code,
    scopeType: 2,
    scopeField: '*',
    ...more,
  })

type Keys = { menu?: string[]; dataScope?: string[]; apiScope?: string[]; was?: unknown }
const give = (who: CastMember, roleIds: string[], { menu = [], dataScope = [], apiScope = [], ...more }: Keys) =>
  callAs(who, 'POST', 'role/grant', {
    body: { roleIds, menuIds: menu.map(menuId), dataScopeIds: dataScope, apiScopeIds: apiScope, ...more },
  })
const set = (roleId: string, keys: Keys) => tenants.must(give(admin, [roleId], keys))
async function kept(roleId: string) {
  const { data } = await callAs(admin, 'GET', 'menu/role-tree-keys', { query: { roleIds: roleId } })
  const codes = await unit((db) =>
    db.query<{ code: string }>(sql`select code from menu where id = any(${data.menu}::bigint[]) order by code`),
  )
  return { menu: codes.map(({ code }) => code), dataScope: data.dataScope as string[], apiScope: data.apiScope }
}
const beyond = { status: 403, data: { reason: 'beyond_own_rights' } }

beforeAll(async () => {
  tenants = await createTestTenants()
  ;({ tenantId, admin } = tenants.north)
  cast.sun = await tenants.person(tenants.north, 'clerk', RIGHTS)
  cast.mate = await tenants.person(tenants.north, 'clerk', ['post'])
  cast.chen = await tenants.person(tenants.north, 'clerk', ['post'])
  cast.he = await tenants.person(tenants.north, 'office', RIGHTS)
  cast.manager = await tenants.person(tenants.north, 'manager', ['post', 'refunds'])
  for (const [at, people] of [[cast.sun, cast.mate], [cast.chen]].entries())
    await tenants.must(
      callAs(admin, 'POST', '/api/shop/basicShopInfo/staff', {
        body: {
          id: tenants.north.shops[at],
          staff: people.map(({ userId }) => ({ userId, position: 'clerk' })),
        },
      }),
    )
})
afterAll(() => tenants?.close())

describe('who may grant rights and does not hold all of them', () => {
  let roleId: string
  let scope: string
  let guard: string
  const all = () => ({ menu: ['post', 'post_add', 'refunds', 'user'], dataScope: [scope], apiScope: [guard] })
  beforeAll(async () => {
    roleId = await roleNamed('甲')
    scope = await scopeOn('notice')
    guard = await tenants
      .must(
        callAs(await tenants.server.as('admin'), 'POST', 'api-scope/submit', {
          body: {
            menuId: menuId('user'),
            scopeName: 'x',
            resourceCode: 'user',
            scopePath: '/none/at-all',
            scopeType: 1,
          },
        }),
      )
      .then(({ id }) => id as string)
  })
  beforeEach(() => set(roleId, all()))

  test('takes away what they hold alone: menus, data scopes and API scopes of others stay on the role', async () => {
    await tenants.must(give(cast.he, [roleId], {}))
    expect(await kept(roleId)).toEqual({ menu: ['refunds', 'user'], dataScope: [scope], apiScope: [guard] })
    await tenants.must(give(cast.he, [roleId], { menu: ['post'] }))
    expect((await kept(roleId)).menu).toEqual(['post', 'refunds', 'user'])
  })

  test('may send back what a role holds beyond them, as the page does, and gives it to no other by that', async () => {
    const was = await callAs(admin, 'GET', 'menu/role-tree-keys', { query: { roleIds: roleId } })
    await tenants.must(
      give(cast.he, [roleId], {
        menu: ['post', 'refunds', 'user'],
        dataScope: [scope],
        apiScope: [guard],
        was: was.data,
      }),
    )
    expect(await kept(roleId)).toEqual({ ...all(), menu: ['post', 'refunds', 'user'] })
    const other = await roleNamed('乙')
    await tenants.must(give(cast.he, [roleId, other], all()))
    expect(await kept(other)).toEqual({ menu: ['post', 'post_add'], dataScope: [], apiScope: [] })
    expect(await kept(roleId)).toEqual(all())
  })

  test('gives nothing they do not hold to a role that does not hold it either', async () => {
    const other = await roleNamed('丙')
    for (const keys of [{ menu: ['refunds'] }, { dataScope: [scope] }, { apiScope: [guard] }])
      expect([keys, await give(cast.he, [other], keys)]).toMatchObject([keys, beyond])
    expect(await give(cast.he, [roleId], { menu: ['refunds_approve'] })).toMatchObject(beyond)
    expect(await kept(other)).toEqual({ menu: [], dataScope: [], apiScope: [] })
    expect(await kept(roleId)).toEqual(all())
  })

  test('does not remove a role with more than they hold; one that holds no more goes', async () => {
    expect(await callAs(cast.he, 'POST', 'role/remove', { query: { ids: roleId } })).toMatchObject({
      status: 403,
      data: { reason: 'role_allows_more' },
    })
    expect(await kept(roleId)).toEqual(all())
    const other = await roleNamed('丁')
    await set(other, { menu: ['post'] })
    await tenants.must(callAs(cast.he, 'POST', 'role/remove', { query: { ids: other } }))
  })

  test('is no administrator: who is takes away whatever a role holds', async () => {
    await set(roleId, {})
    expect(await kept(roleId)).toEqual({ menu: [], dataScope: [], apiScope: [] })
  })
})

describe('who is limited to a shop', () => {
  test('changes no right of a role that people of other shops hold, or people who see all shops', async () => {
    for (const one of [cast.chen, cast.manager]) {
      const roleId = await roleOf(one)
      const before = await kept(roleId)
      for (const menu of [[], ['post', 'post_add']])
        expect(await give(cast.sun, [roleId], { menu })).toMatchObject({
          status: 403,
          data: { reason: 'role_of_other_shops' },
        })
      expect(await give(cast.sun, [await roleOf(cast.mate), roleId], {})).toMatchObject({ status: 403 })
      expect(await kept(roleId)).toEqual(before)
    }
  })

  test('gives and takes rights of the roles of their own shop’s people, and of those that nobody holds', async () => {
    for (const roleId of [await roleOf(cast.mate), await roleNamed('空')]) {
      await tenants.must(give(cast.sun, [roleId], { menu: ['post', 'post_add'] }))
      expect((await kept(roleId)).menu).toEqual(['post', 'post_add'])
      await tenants.must(give(cast.sun, [roleId], { menu: ['post'] }))
      expect((await kept(roleId)).menu).toEqual(['post'])
    }
  })
})

describe('what bounds others, in the hands of whoever is limited to a shop,', () => {
  const stays = { status: 403, data: { reason: 'scope_bounds_others' } }
  let scope: string
  let roleId: string
  let second: string
  const save = (who: CastMember, body: object) => callAs(who, 'POST', 'data-scope/submit', { body })
  beforeAll(async () => {
    scope = await scopeOn('post')
    second = await scopeOn('post', { scopeType: 1 })
    roleId = await roleNamed('有界')
    // Sun's scopes of this resource do not narrow, so Sun may grant them.
    await unit((db) =>
      db.run(sql`insert into role_scope (tenant_id, role_id, scope_category, scope_id)
        select ${tenantId}, u.role_id[1], 1, s from sys_user u, unnest(${[scope, second]}::bigint[]) s
        where u.id = ${cast.sun.userId}`),
    )
    cast.sun = await tenants.server.as(cast.sun.account, { tenantId })
    await set(roleId, { menu: ['post'], dataScope: [scope] })
  })

  test('is neither widened nor emptied, renamed nor removed', async () => {
    const foreign = await scopeOn('dept')
    const holder = await roleNamed('他界')
    await set(holder, { dataScope: [foreign] })
    const row = () => unit((db) => db.one(sql`select * from scope_data where id = ${foreign}`))
    const before = await row()
    for (const more of [{ scopeType: 1 }, { resourceCode: 'notice' }, { scopeValue: 'id = 1', scopeType: 5 }])
      expect([more, await save(cast.sun, { id: foreign, ...more })]).toMatchObject([more, stays])
    expect(await callAs(cast.sun, 'POST', 'data-scope/remove', { query: { ids: foreign } })).toMatchObject(stays)
    expect(await row()).toEqual(before)
    expect((await kept(holder)).dataScope).toEqual([foreign])
  })

  test('stays on the role it is on, and no second one is laid beside it, which would widen it', async () => {
    for (const dataScope of [[], [second], [scope, second]])
      expect([dataScope, await give(cast.sun, [roleId], { menu: ['post'], dataScope })]).toMatchObject([
        dataScope,
        stays,
      ])
    expect((await kept(roleId)).dataScope).toEqual([scope])
    await tenants.must(give(cast.sun, [roleId], { menu: ['post', 'post_add'], dataScope: [scope] }))
    expect(await kept(roleId)).toEqual({ menu: ['post', 'post_add'], dataScope: [scope], apiScope: [] })
  })

  test('comes first to a role that had none, unless a holder is bounded by another role already', async () => {
    const fresh = await roleNamed('无界')
    await tenants.must(give(cast.sun, [fresh], { menu: ['post'], dataScope: [scope] }))
    expect((await kept(fresh)).dataScope).toEqual([scope])
    const other = await roleNamed('又一')
    await unit((db) =>
      db.run(sql`update sys_user set role_id = ${[roleId, other]}::bigint[] where id = ${cast.mate.userId}`),
    )
    expect(await give(cast.sun, [other], { menu: ['post'], dataScope: [second] })).toMatchObject(stays)
    expect((await kept(other)).dataScope).toEqual([])
    await tenants.must(give(cast.sun, [other], { menu: ['post'] }))
  })

  test('may be written anew, and mended while nobody holds it', async () => {
    const { id } = await tenants.must(
      save(cast.sun, { menuId: menuId('notice'), scopeName: '新', resourceCode: 'notice', scopeType: 2 }),
    )
    await tenants.must(save(cast.sun, { id, scopeName: '改' }))
    expect(await tenants.must(callAs(cast.sun, 'GET', 'data-scope/detail', { query: { id } }))).toMatchObject({
      scopeName: '改',
    })
    await tenants.must(callAs(cast.sun, 'POST', 'data-scope/remove', { query: { ids: id } }))
  })

  test('is changed, taken and removed by the administrator', async () => {
    await tenants.must(save(admin, { id: scope, scopeType: 2, scopeName: '自己的' }))
    await set(roleId, { menu: ['post'] })
    await tenants.must(callAs(admin, 'POST', 'data-scope/remove', { query: { ids: scope } }))
    expect((await kept(roleId)).dataScope).toEqual([])
  })
})

describe('an alias, by which tasks find the people who approve,', () => {
  const refused = { status: 403, data: { reason: 'alias_of_administrators' } }
  const save = (who: CastMember, body: object) => callAs(who, 'POST', 'role/submit', { body })
  const make = (who: CastMember, roleName: string, roleAlias: string) => save(who, { roleName, roleAlias, sort: 1 })
  const aliasOf = async (id: string) =>
    (await unit((db) => db.one<{ alias: string }>(sql`select role_alias as alias from sys_role where id = ${id}`)))!
      .alias

  test('is not given to a role by whoever edits roles and does not hold it, one by one or many at once', async () => {
    const roleId = await roleOf(cast.mate)
    const was = await aliasOf(roleId)
    for (const who of [cast.sun, cast.he])
      for (const roleAlias of ['boss', 'manager', 'never-seen'])
        expect([roleAlias, await save(who, { id: roleId, roleAlias })]).toMatchObject([roleAlias, refused])
    const bulk = await callAs(cast.he, 'POST', '/api/kit/bulk/role', {
      body: { operation: 'edit', ids: [roleId], expectedCount: 1, input: { roleAlias: 'boss' } },
    })
    expect(bulk.status === 200 ? bulk.data.done : 0).not.toBe(1)
    expect(await aliasOf(roleId)).toBe(was)
  })

  test('is not borne by a second role that they make, be the first in the recycle bin, or known to us', async () => {
    const { id } = await tenants.must(make(admin, '出纳', 'cashier'))
    await tenants.must(callAs(admin, 'POST', 'role/remove', { query: { ids: id } }))
    for (const alias of ['boss', 'manager', 'admin', 'cashier'])
      expect([alias, (await make(cast.he, '新', alias)).status]).toEqual([alias, 403])
  })

  test('may be a new one, may be their own, and may come back unchanged with the rest of the form', async () => {
    const { id } = await tenants.must(make(cast.he, '夜班', 'night'))
    await tenants.must(save(cast.he, { id, roleName: '夜班二', roleAlias: 'night', sort: 2 }))
    await tenants.must(make(cast.he, '同事', 'office'))
    const mates = await roleOf(cast.manager)
    await tenants.must(save(cast.he, { id: mates, roleName: '经理', roleAlias: 'manager' }))
    expect(await aliasOf(mates)).toBe('manager')
  })

  test('is given and changed by the administrator', async () => {
    const { id } = await tenants.must(make(admin, '店主', 'boss'))
    await tenants.must(save(admin, { id, roleAlias: 'owner' }))
    expect(await aliasOf(id)).toBe('owner')
  })
})
