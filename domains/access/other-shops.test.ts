import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { menuId } from '#kit/server/menus.ts'
import type { Resource } from '#kit/resource/index.ts'
import type { Person } from '#kit/testing/server.ts'
import { testStreet, type Street } from '#kit/testing/street.ts'

const SYSTEM = '/api/blade-system'
const ROLES = ['role', 'role_add', 'role_edit', 'role_delete', 'role_grant', 'data_scope', 'data_scope_add']
const RIGHTS = [...ROLES, 'data_scope_edit', 'data_scope_delete', 'post', 'post_add']

let street: Street
let tenantId: string
let admin: Person
/** Sun sees to the roles of one shop, He to those of the office: neither may refund. */
const cast = {} as Record<'sun' | 'mate' | 'chen' | 'he' | 'manager', Person>

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => street.services.unit({ tenantId }, work)
const ask = (who: Person, method: 'GET' | 'POST', path: string, asking = {}) =>
  street.call(who, method, path.startsWith('/') ? path : `${SYSTEM}/${path}`, asking)
const roleOf = async (person: Person) =>
  (await unit((db) =>
    db.one<{ id: string }>(sql`select role_id[1]::text as id from sys_user where id = ${person.userId}`),
  ))!.id
const add = async (name: string, row: object) =>
  unit(async (db) =>
    String(((await db.insert(street.services.registry.resource(name) as Resource, row as never)) as { id: string }).id),
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
const give = (who: Person, roleIds: string[], { menu = [], dataScope = [], apiScope = [], ...more }: Keys) =>
  ask(who, 'POST', 'role/grant', {
    body: { roleIds, menuIds: menu.map(menuId), dataScopeIds: dataScope, apiScopeIds: apiScope, ...more },
  })
const set = (roleId: string, keys: Keys) => street.must(give(admin, [roleId], keys))
async function kept(roleId: string) {
  const { data } = await ask(admin, 'GET', 'menu/role-tree-keys', { query: { roleIds: roleId } })
  const codes = await unit((db) =>
    db.query<{ code: string }>(sql`select code from menu where id = any(${data.menu}::bigint[]) order by code`),
  )
  return { menu: codes.map(({ code }) => code), dataScope: data.dataScope as string[], apiScope: data.apiScope }
}
const beyond = { status: 403, data: { reason: 'beyond_own_rights' } }

beforeAll(async () => {
  street = await testStreet()
  ;({ tenantId, admin } = street.north)
  cast.sun = await street.person(street.north, 'clerk', RIGHTS)
  cast.mate = await street.person(street.north, 'clerk', ['post'])
  cast.chen = await street.person(street.north, 'clerk', ['post'])
  cast.he = await street.person(street.north, 'office', RIGHTS)
  cast.manager = await street.person(street.north, 'manager', ['post', 'refunds'])
  for (const [at, people] of [[cast.sun, cast.mate], [cast.chen]].entries())
    await street.must(
      ask(admin, 'POST', '/api/shop/basicShopInfo/staff', {
        body: {
          id: street.north.shops[at],
          staff: people.map(({ userId }) => ({ userId, position: 'clerk' })),
        },
      }),
    )
})
afterAll(() => street?.close())

describe('who may grant rights and does not hold all of them', () => {
  let roleId: string
  let scope: string
  let guard: string
  const all = () => ({ menu: ['post', 'post_add', 'refunds', 'user'], dataScope: [scope], apiScope: [guard] })
  beforeAll(async () => {
    roleId = await roleNamed('甲')
    scope = await scopeOn('notice')
    guard = await street
      .must(
        ask(await street.server.as('admin'), 'POST', 'api-scope/submit', {
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
    await street.must(give(cast.he, [roleId], {}))
    expect(await kept(roleId)).toEqual({ menu: ['refunds', 'user'], dataScope: [scope], apiScope: [guard] })
    await street.must(give(cast.he, [roleId], { menu: ['post'] }))
    expect((await kept(roleId)).menu).toEqual(['post', 'refunds', 'user'])
  })

  test('may send back what a role holds beyond them, as the page does, and gives it to no other by that', async () => {
    const was = await ask(admin, 'GET', 'menu/role-tree-keys', { query: { roleIds: roleId } })
    await street.must(
      give(cast.he, [roleId], {
        menu: ['post', 'refunds', 'user'],
        dataScope: [scope],
        apiScope: [guard],
        was: was.data,
      }),
    )
    expect(await kept(roleId)).toEqual({ ...all(), menu: ['post', 'refunds', 'user'] })
    const other = await roleNamed('乙')
    await street.must(give(cast.he, [roleId, other], all()))
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
    expect(await ask(cast.he, 'POST', 'role/remove', { query: { ids: roleId } })).toMatchObject({
      status: 403,
      data: { reason: 'role_allows_more' },
    })
    expect(await kept(roleId)).toEqual(all())
    const other = await roleNamed('丁')
    await set(other, { menu: ['post'] })
    await street.must(ask(cast.he, 'POST', 'role/remove', { query: { ids: other } }))
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
      await street.must(give(cast.sun, [roleId], { menu: ['post', 'post_add'] }))
      expect((await kept(roleId)).menu).toEqual(['post', 'post_add'])
      await street.must(give(cast.sun, [roleId], { menu: ['post'] }))
      expect((await kept(roleId)).menu).toEqual(['post'])
    }
  })
})
