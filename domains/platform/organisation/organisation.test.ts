import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createUser } from '#domains/platform/identity/api.ts'
import { createTenant } from '#domains/platform/system/api.ts'

const SYSTEM = '/api/blade-system'

let server: TestServer
let tenantId: string
let root: CastMember
let admin: CastMember
let stranger: CastMember
let top: string

const call = (who: CastMember | undefined, method: 'GET' | 'POST', path: string, ask = {}) =>
  server.call(who, method, `${SYSTEM}/${path}`, ask)
const submit = (who: CastMember, body: Record<string, unknown>, path = 'dept') =>
  call(who, 'POST', `${path}/submit`, { body })
const add = async (deptName: string, parentId = '0') =>
  (await submit(admin, { deptName, fullName: deptName, deptCategory: 2, sort: 1, parentId })).data.id as string
const detail = async (id: string) => (await call(admin, 'GET', 'dept/detail', { query: { id } })).data

beforeAll(async () => {
  server = await testServer()
  const { services } = server
  const make = (tenantName: string) =>
    services.unit({ crossTenantReason: 'test' }, (db) =>
      createTenant(
        db,
        services,
        { tenantName, linkman: '张', contactNumber: '13800000002', address: '杭州' },
        { password: 'secret' },
      ),
    )
  tenantId = (await make('一号公司')).tenantId
  const other = (await make('二号公司')).tenantId
  root = await server.as('admin')
  admin = await server.as('admin', { tenantId, password: 'secret' })
  stranger = await server.as('admin', { tenantId: other, password: 'secret' })
  top = (await call(admin, 'GET', 'dept/list')).data[0].id
})
afterAll(() => server?.close())

describe('departments', () => {
  test('answer a new row as the tree table needs it, with the way up written down', async () => {
    const answer = await submit(admin, {
      deptName: '华东',
      fullName: '华东大区',
      deptCategory: 1,
      sort: 1,
      parentId: top,
    })
    expect(answer.data).toEqual({ id: expect.stringMatching(/^\d+$/), tenantId, version: 0, deptCategoryName: '公司' })
    const child = await add('杭州', answer.data.id)
    expect(await detail(child)).toMatchObject({
      parentId: answer.data.id,
      ancestors: `0,${top},${answer.data.id}`,
      parentName: '华东',
      deptCategoryName: '部门',
    })
    expect(await detail(top)).toMatchObject({ parentName: '顶级', ancestors: '0', deptName: '一号公司' })
  })

  test('move with everything below them, and never below themselves', async () => {
    const [a, b] = [await add('甲', top), await add('乙', top)]
    const a1 = await add('甲一', a)
    const deep = await add('甲一一', a1)
    expect(await submit(admin, { id: a, parentId: deep })).toMatchObject({
      status: 400,
      data: { reason: 'parent_is_descendant' },
    })
    expect(await submit(admin, { id: a, parentId: a })).toMatchObject({ status: 400, msg: '父节点不可选择自身!' })
    expect((await submit(admin, { id: a1, parentId: b })).status).toBe(200)
    expect((await detail(deep)).ancestors).toBe(`0,${top},${b},${a1}`)
    const both = await Promise.all([submit(admin, { id: a, parentId: b }), submit(admin, { id: b, parentId: a })])
    expect(both.filter(({ status }) => status === 200).length).toBe(1)
  })

  test('are read as a tree, level by level, and searched at every level', async () => {
    const parent = await add('东北', top)
    const child = await add('沈阳铁西店', parent)
    const list = (await call(admin, 'GET', 'dept/list')).data
    expect(list.map((one: { id: string }) => one.id)).toEqual([top])
    const level = (await call(admin, 'GET', 'dept/lazy-list', { query: { parentId: parent } })).data
    expect(level).toMatchObject([{ id: child, hasChildren: false }])
    expect(level[0]).not.toHaveProperty('children')
    expect((await call(admin, 'GET', 'dept/lazy-list', { query: { parentId: '0' } })).data).toMatchObject([
      { id: top, hasChildren: true },
    ])
    expect(
      (await call(admin, 'GET', 'dept/lazy-list', { query: { parentId: '', deptName: '铁西' } })).data,
    ).toMatchObject([{ id: child }])
    expect((await call(admin, 'GET', 'dept/lazy-tree', { query: { parentId: parent } })).data).toEqual([
      { id: child, parentId: parent, title: '沈阳铁西店', key: child, value: child, hasChildren: false },
    ])
    expect((await call(admin, 'GET', 'dept/tree')).data).toMatchObject([
      { id: top, title: '一号公司', key: top, value: top },
    ])
    expect((await call(root, 'GET', 'dept/tree', { query: { tenantId } })).data).toMatchObject([{ id: top }])
  })

  test('begin for an ordinary user at the level of their own', async () => {
    const north = await add('大北区', top)
    const shop = await add('北一店', north)
    await add('南区', top)
    const roleId = (
      await call(admin, 'POST', 'role/submit', { body: { roleName: '店员', roleAlias: 'staff', sort: 3 } })
    ).data.id as string
    await server.services.unit({ tenantId }, (db) =>
      createUser(db, { account: 'clerk', name: 'x', password: 'clerk', roleIds: [roleId], deptIds: [shop] }),
    )
    const clerk = await server.as('clerk', { tenantId })
    expect(
      (await call(clerk, 'GET', 'dept/lazy-tree', { query: { parentId: '0' } })).data.map(
        (one: { id: string }) => one.id,
      ),
    ).toEqual([shop])
    expect((await call(clerk, 'GET', 'dept/select', { query: { userId: clerk.userId } })).data).toEqual([
      { id: shop, deptName: '北一店' },
    ])
    expect((await call(clerk, 'GET', 'dept/list')).status).toBe(403)
    expect((await submit(clerk, { id: shop, deptName: 'x' })).status).toBe(403)
    expect(await call(admin, 'POST', 'dept/remove', { query: { ids: shop } })).toMatchObject({
      status: 400,
      data: { reason: 'still_named' },
    })
  })

  test('stay while something is below them', async () => {
    const parent = await add('待删', top)
    const child = await add('待删一', parent)
    expect(await call(admin, 'POST', 'dept/remove', { query: { ids: parent } })).toMatchObject({
      status: 400,
      msg: '请先删除子节点!',
    })
    expect((await call(admin, 'POST', 'dept/remove', { query: { ids: child } })).status).toBe(200)
    expect((await call(admin, 'POST', 'dept/remove', { query: { ids: parent } })).status).toBe(200)
  })

  test('of another tenant are not there, neither as parent', async () => {
    expect((await call(stranger, 'GET', 'dept/detail', { query: { id: top } })).status).toBe(404)
    expect(
      (await call(stranger, 'GET', 'dept/list')).data.every(
        (one: { tenantId: string }) => one.tenantId === stranger.tenantId,
      ),
    ).toBe(true)
    expect(
      (await call(stranger, 'GET', 'dept/tree', { query: { tenantId } })).data.map((one: { id: string }) => one.id),
    ).not.toContain(top)
    expect((await call(stranger, 'GET', 'dept/lazy-tree', { query: { parentId: top, tenantId } })).data).toEqual([])
    expect((await call(stranger, 'GET', 'dept/select', { query: { deptId: top } })).data).toEqual([])
    expect(
      await submit(stranger, { deptName: 'x', fullName: 'x', deptCategory: 1, sort: 1, parentId: top }),
    ).toMatchObject({ status: 400, data: { fields: { parentId: '上级部门不存在' } } })
    const below = await submit(root, {
      deptName: '平台加的',
      fullName: '平台加的',
      deptCategory: 1,
      sort: 1,
      parentId: top,
    })
    expect(below.data.tenantId).toBe(tenantId)
  })
})

describe('posts', () => {
  test('are a page with words, unique by code, and a plain list for pickers', async () => {
    const body = { category: 3, postCode: 'seller', postName: '店员', sort: 5 }
    const { data } = await submit(admin, body, 'post')
    expect((await call(admin, 'GET', 'post/list', { query: { postName: '店' } })).data).toMatchObject({
      total: 1,
      records: [{ id: data.id, categoryName: '基层', postCode: 'seller', tenantId }],
    })
    expect(await submit(admin, body, 'post')).toMatchObject({
      status: 400,
      data: { fields: { postCode: '岗位编号已存在' } },
    })
    expect((await call(admin, 'GET', 'post/select')).data.map((one: { postName: string }) => one.postName)).toEqual([
      '首席执行官',
      '店员',
    ])
    expect(
      (await call(stranger, 'GET', 'post/select', { query: { tenantId } })).data.map((one: { id: string }) => one.id),
    ).not.toContain(data.id)
    expect(
      (await call(root, 'GET', 'post/select', { query: { tenantId } })).data.map((one: { id: string }) => one.id),
    ).toContain(data.id)
    expect((await call(undefined, 'GET', 'post/select')).status).toBe(401)
  })
})
