import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { menuId } from '#kit/server/mount/menus.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { basic, testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createUser } from '#domains/platform/identity/api.ts'
import { platformAdministratorRoleId, syncDeclaredMenus } from './api.ts'

const SYSTEM = '/api/blade-system'
type Node = {
  id: string
  parentId: string
  code: string
  name: string
  title: string
  key: string
  value: string
  path: string
  category: number
  children?: Node[]
  hasChildren?: boolean
}

let server: TestServer
let tenantId: string
let root: CastMember
let admin: CastMember
let staff: CastMember
let stranger: CastMember
let staffRole: string
let adminRole: string

const call = (who: CastMember | undefined, method: 'GET' | 'POST', path: string, ask = {}) =>
  server.call(who, method, `${SYSTEM}/${path}`, ask)
const flat = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
const codes = (nodes: Node[]) =>
  flat(nodes)
    .map((node) => node.code)
    .sort()
const add = async (who: CastMember, path: string, body: Record<string, unknown>) => {
  const answer = await call(who, 'POST', `${path}/submit`, { body })
  expect(answer.body).toMatchObject({ code: 200 })
  return answer.data.id as string
}
const grant = (who: CastMember, menuCodes: string[], more: Record<string, unknown> = {}) =>
  call(who, 'POST', 'role/grant', {
    body: { roleIds: [staffRole], menuIds: menuCodes.map(menuId), dataScopeIds: [], apiScopeIds: [], ...more },
  })
const keys = async (roleIds = staffRole) =>
  (await call(admin, 'GET', 'menu/role-tree-keys', { query: { roleIds } })).data

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
  adminRole = (await call(admin, 'GET', 'role/list')).data[0].id
  staffRole = await add(admin, 'role', { roleName: '店员', roleAlias: 'staff', sort: 3 })
  await services.unit({ tenantId }, (db) =>
    createUser(db, { account: 'staff', name: '小王', password: 'staff', roleIds: [staffRole] }),
  )
  staff = await server.as('staff', { tenantId })
})
afterAll(() => server?.close())

describe('granted rights', () => {
  beforeEach(async () => void (await grant(admin, [])))

  test('come back exactly as they were ticked, parents not added', async () => {
    expect((await grant(admin, ['user', 'user_add', 'post_view'])).status).toBe(200)
    const given = await keys()
    expect({ ...given, menu: given.menu.sort() }).toEqual({
      menu: [menuId('user'), menuId('user_add'), menuId('post_view')].sort(),
      dataScope: [],
      apiScope: [],
    })
    await grant(admin, [])
    expect(await keys()).toEqual({ menu: [], dataScope: [], apiScope: [] })
  })

  test('are not given back unseen: who saves over what somebody else has changed meanwhile is told', async () => {
    await grant(admin, ['user', 'user_add'])
    const was = await keys()
    await grant(admin, ['user'])
    expect((await grant(admin, ['user', 'user_add', 'post'], { was })).body).toMatchObject({
      code: 409,
      data: { reason: 'changed_meanwhile' },
    })
    expect((await keys()).menu).toEqual([menuId('user')])
    expect((await grant(admin, ['user', 'post'], { was: await keys() })).status).toBe(200)
  })

  test('decide at once what may be called: a menu its lists, a button its action, neither the other', async () => {
    expect((await server.call(staff, 'GET', '/api/blade-user/page')).status).toBe(403)
    await grant(admin, ['user'])
    expect((await server.call(staff, 'GET', '/api/blade-user/page')).status).toBe(200)
    expect(
      (await server.call(staff, 'POST', '/api/blade-user/submit', { body: { account: 'x', name: 'x', realName: 'x' } }))
        .status,
    ).toBe(403)
    await grant(admin, ['post_add'])
    expect((await server.call(staff, 'GET', '/api/blade-user/page')).status).toBe(403)
    expect(
      (await call(staff, 'POST', 'post/submit', { body: { category: 3, postCode: 'c1', postName: '店员', sort: 1 } }))
        .status,
    ).toBe(200)
    expect((await call(staff, 'POST', 'post/submit', { body: { id: '1', postName: 'x' } })).status).toBe(403)
  })

  test('show the menus with all directories above, and only them', async () => {
    await grant(admin, ['user', 'role_add'])
    const routes = (await call(staff, 'GET', 'menu/routes')).data as Node[]
    expect(codes(routes)).toEqual(['authority', 'role', 'system', 'user'])
    expect(routes.map((node) => node.code)).toEqual(['authority', 'system'])
    for (const node of flat(routes)) {
      expect(node).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        name: expect.stringMatching(/\S/),
        path: expect.stringMatching(/^\//),
        category: 1,
      })
      expect(node.children?.length ?? 1).toBeGreaterThan(0)
    }
    const english = (await call(staff, 'GET', 'menu/routes', { lang: 'en' })).data as Node[]
    expect(flat(english).map((node) => node.name)).not.toContain('用户')
    expect(flat(english).map((node) => node.name)).toContain('Users')
    await grant(admin, [])
    expect((await call(staff, 'GET', 'menu/routes')).data).toEqual([])
    expect((await call(staff, 'GET', 'menu/buttons')).data).toEqual([])
  })

  test('show buttons below their menu, without a children key, and no menu without buttons', async () => {
    await grant(admin, ['user', 'user_add', 'user_edit', 'post'])
    const buttons = (await call(staff, 'GET', 'menu/buttons')).data as Node[]
    expect(buttons.map((node) => node.code)).toEqual(['user'])
    expect(buttons[0]!.children!.map((node) => node.code)).toEqual(['user_add', 'user_edit'])
    for (const button of buttons[0]!.children!) expect(button).not.toHaveProperty('children')
  })

  test('are limited to what the giver holds', async () => {
    expect(await grant(admin, ['tenant'])).toMatchObject({ status: 403, data: { reason: 'beyond_own_rights' } })
    expect(await grant(admin, ['menu_edit'])).toMatchObject({ status: 403 })
    expect((await keys()).menu).toEqual([])
    const tree = (await call(admin, 'GET', 'menu/grant-tree')).data as { menu: Node[] }
    const ids = flat(tree.menu).map((node) => node.id)
    expect(ids).toContain(menuId('user_add'))
    expect(ids).not.toContain(menuId('tenant'))
    expect(
      flat(tree.menu).every((node) => node.key === node.id && node.value === node.id && typeof node.id === 'string'),
    ).toBe(true)
    const whole = (await call(root, 'GET', 'menu/grant-tree')).data as { menu: Node[] }
    expect(flat(whole.menu).map((node) => node.id)).toContain(menuId('tenant'))
    expect(await grant(staff, ['user'])).toMatchObject({ status: 403 })
    expect(await grant(stranger, ['user'])).toMatchObject({ status: 404 })
  })

  test('end at the tenant’s package, and come back with it', async () => {
    await grant(admin, ['user', 'user_add', 'post'])
    const packageId = await add(root, 'tenant-package', {
      packageName: '只有岗位',
      menuId: [menuId('post'), menuId('role')].join(','),
    })
    const set = (id: string) => call(root, 'POST', 'tenant/package-setting', { query: { tenantId, packageId: id } })
    expect((await set(packageId)).status).toBe(200)
    await expect.poll(async () => (await server.call(staff, 'GET', '/api/blade-user/page')).status).toBe(403)
    expect((await call(staff, 'GET', 'post/list')).status).toBe(200)
    expect(codes((await call(admin, 'GET', 'menu/routes')).data)).toEqual(['authority', 'post', 'role', 'system'])
    expect((await call(admin, 'GET', 'menu/buttons')).data.map((node: Node) => node.code).sort()).toEqual([
      'post',
      'role',
    ])
    const tree = flat(((await call(admin, 'GET', 'menu/grant-tree')).data as { menu: Node[] }).menu).map(
      (node) => node.id,
    )
    expect(tree).toContain(menuId('post_add'))
    expect(tree).not.toContain(menuId('user'))
    // A grant the admin does not hold stays on the role when the page sends it back; adding another such grant is
    // refused.
    expect((await grant(admin, ['user', 'user_add', 'post', 'user_reset'])).status).toBe(403)
    expect((await grant(admin, ['user', 'user_add', 'post'])).status).toBe(200)
    expect((await set('')).status).toBe(200)
    await expect.poll(async () => (await server.call(staff, 'GET', '/api/blade-user/page')).status).toBe(200)
  })
})

describe('roles', () => {
  test('are a tree, not a page, of one’s own tenant', async () => {
    const child = await add(admin, 'role', { roleName: '夜班', roleAlias: 'night', parentId: staffRole, sort: 1 })
    const list = (await call(admin, 'GET', 'role/list')).data as (Node & { roleName: string; parentName: string })[]
    expect(Array.isArray(list)).toBe(true)
    const parent = list.find((node) => node.id === staffRole)!
    expect(parent).toMatchObject({
      parentName: '顶级',
      tenantId,
      children: [{ id: child, parentId: staffRole, parentName: '店员', roleName: '夜班' }],
    })
    expect(parent.children![0]).not.toHaveProperty('children')
    expect((await call(admin, 'GET', 'role/list', { query: { roleName: '夜' } })).data).toMatchObject([{ id: child }])
    expect(
      (await call(stranger, 'GET', 'role/list')).data.every(
        (node: { tenantId: string }) => node.tenantId === stranger.tenantId,
      ),
    ).toBe(true)
    expect(await call(admin, 'POST', 'role/remove', { query: { ids: staffRole } })).toMatchObject({
      status: 400,
      msg: '请先删除子节点!',
    })
    expect(await call(admin, 'POST', 'role/submit', { body: { id: staffRole, parentId: child } })).toMatchObject({
      status: 400,
      data: { reason: 'parent_is_descendant' },
    })
    expect(await call(admin, 'POST', 'role/submit', { body: { id: staffRole, parentId: staffRole } })).toMatchObject({
      status: 400,
      msg: '父节点不可选择自身!',
    })
    expect((await call(admin, 'POST', 'role/remove', { query: { ids: child } })).status).toBe(200)
    expect(await call(admin, 'POST', 'role/remove', { query: { ids: staffRole } })).toMatchObject({
      status: 400,
      data: { reason: 'still_named' },
    })
  })

  test('of administrators are made by administrators only', async () => {
    expect(
      await call(admin, 'POST', 'role/submit', { body: { roleName: 'x', roleAlias: 'administrator', sort: 1 } }),
    ).toMatchObject({ status: 403, msg: '无权限创建超管角色！' })
    await grant(admin, ['role', 'role_add', 'role_edit', 'role_delete', 'role_grant'])
    expect(
      await call(staff, 'POST', 'role/submit', { body: { roleName: 'x', roleAlias: 'admin', sort: 1 } }),
    ).toMatchObject({ status: 403 })
    expect(await call(staff, 'POST', 'role/submit', { body: { id: staffRole, roleAlias: 'admin' } })).toMatchObject({
      status: 403,
    })
    expect(await call(staff, 'POST', 'role/grant', { body: { roleIds: [adminRole], menuIds: [] } })).toMatchObject({
      status: 403,
    })
    expect((await call(staff, 'GET', 'role/tree')).data.map((node: Node) => node.id)).toEqual([staffRole])
    expect((await call(admin, 'GET', 'role/tree')).data.map((node: Node) => node.title)).toEqual(['管理员', '店员'])
    expect(await call(root, 'POST', 'role/remove', { query: { ids: platformAdministratorRoleId } })).toMatchObject({
      status: 400,
    })
    await grant(admin, [])
  })

  test('of a tenant are read by the platform, of another tenant by nobody', async () => {
    expect((await call(root, 'GET', 'role/tree', { query: { tenantId } })).data.map((node: Node) => node.id)).toContain(
      staffRole,
    )
    expect(
      (await call(root, 'GET', 'role/tree-by-id', { query: { roleId: staffRole } })).data.map((node: Node) => node.id),
    ).toContain(staffRole)
    expect(
      (await call(stranger, 'GET', 'role/tree', { query: { tenantId } })).data.map((node: Node) => node.id),
    ).not.toContain(staffRole)
    expect(
      (await call(stranger, 'GET', 'role/tree-by-id', { query: { roleId: staffRole } })).data.map(
        (node: Node) => node.id,
      ),
    ).not.toContain(staffRole)
    expect((await call(stranger, 'GET', 'menu/role-tree-keys', { query: { roleIds: adminRole } })).data.menu).toEqual(
      [],
    )
    expect((await call(stranger, 'GET', 'role/select', { query: { roleId: staffRole } })).data).toEqual([])
    expect((await call(staff, 'GET', 'role/select', { query: { userId: staff.userId } })).data).toEqual([
      { id: staffRole, roleName: '店员' },
    ])
    // Roles and departments of another user are listed only for callers who may list users.
    for (const kind of ['role', 'dept'])
      expect((await call(staff, 'GET', `${kind}/select`, { query: { userId: admin.userId } })).data).toEqual([])
    expect((await call(admin, 'GET', 'role/select', { query: { userId: staff.userId } })).data).toEqual([
      { id: staffRole, roleName: '店员' },
    ])
    expect((await call(admin, 'GET', 'role/select', { query: { userId: admin.userId } })).data).toHaveLength(1)
    expect((await call(stranger, 'GET', 'role/select', { query: { userId: staff.userId } })).data).toEqual([])
    expect((await call(stranger, 'GET', 'role/detail', { query: { id: staffRole } })).status).toBe(404)
  })

  test('are told apart: no second of one name and alias is made, and the picker says the alias', async () => {
    const watcher = { roleName: '巡店', roleAlias: 'watcher', sort: 9 }
    const id = await add(admin, 'role', watcher)
    expect((await call(admin, 'POST', 'role/submit', { body: watcher })).data).toMatchObject({
      fields: { roleName: '角色名称已存在' },
    })
    const other = await add(admin, 'role', { ...watcher, roleAlias: 'night-watcher' })
    expect(
      (await call(admin, 'POST', 'role/submit', { body: { id: other, roleAlias: 'watcher' } })).data,
    ).toMatchObject({
      fields: { roleAlias: '角色别名已存在' },
    })
    expect((await call(admin, 'POST', 'role/submit', { body: { id, ...watcher, sort: 8 } })).status).toBe(200)
    await add(stranger, 'role', watcher)
    const picked = flat((await call(admin, 'GET', 'role/tree')).data) as (Node & { code: string })[]
    expect(picked.filter(({ title }) => title === '巡店').map(({ code }) => code)).toEqual(['watcher', 'night-watcher'])
    await call(admin, 'POST', 'role/remove', { query: { ids: `${id},${other}` } })
  })

  test('below a tenant’s role belong to that tenant, also when the platform adds them', async () => {
    const id = await add(root, 'role', { roleName: '区长', roleAlias: 'area', parentId: staffRole, sort: 1 })
    expect((await call(admin, 'GET', 'role/detail', { query: { id } })).data).toMatchObject({
      tenantId,
      parentId: staffRole,
    })
    await call(admin, 'POST', 'role/remove', { query: { ids: id } })
  })
})

describe('menus', () => {
  test('are seeded from the declarations, the administrator sees all', async () => {
    const list = (await call(root, 'GET', 'menu/list')).data as Node[]
    expect(codes(list)).toEqual(
      expect.arrayContaining([
        'system',
        'user',
        'user_add',
        'user_role',
        'user_reset',
        'role',
        'role_grant',
        'topmenu_setting',
        'data_scope_setting',
        'api_scope_setting',
        'dept_view',
        'post_delete',
      ]),
    )
    expect(flat(list).find((node) => node.code === 'user')).toMatchObject({
      path: '/system/user',
      parentId: menuId('system'),
      name: '用户',
      nameEn: 'Users',
      alias: 'menu',
      isOpen: 1,
      action: 0,
      actionName: '',
      categoryName: '菜单',
    })
    expect(codes((await call(root, 'GET', 'menu/menu-list')).data).some((code) => code.endsWith('_add'))).toBe(false)
    const paths = flat((await call(root, 'GET', 'menu/routes')).data)
      .filter((node) => !node.children)
      .map((node) => node.path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const path of [
      '/system/user',
      '/system/dept',
      '/system/post',
      '/system/menu',
      '/system/topmenu',
      '/authority/role',
      '/authority/datascope',
      '/authority/apiscope',
    ])
      expect(paths).toContain(path)
  })

  test('are read level by level, and searched everywhere without a parent', async () => {
    const top = (await call(root, 'GET', 'menu/lazy-list', { query: { parentId: '0' } })).data as Node[]
    expect(top.every((node) => node.parentId === '0' && typeof node.hasChildren === 'boolean' && !node.children)).toBe(
      true,
    )
    const below = (await call(root, 'GET', 'menu/lazy-list', { query: { parentId: menuId('user') } })).data as Node[]
    expect(below.map((node) => node.code)).toContain('user_add')
    expect(below.every((node) => node.hasChildren === false)).toBe(true)
    expect(
      codes((await call(root, 'GET', 'menu/lazy-list', { query: { parentId: '', code: 'user_res' } })).data),
    ).toEqual(['user_reset'])
    expect((await call(root, 'GET', 'menu/lazy-menu-list', { query: { parentId: menuId('user') } })).data).toEqual([])
  })

  test('are written by the platform only, with a code of their own below a menu', async () => {
    const body = {
      name: '测试页',
      code: 'test_page',
      path: '/test/page',
      category: 1,
      sort: 1,
      action: 0,
      isOpen: 1,
      parentId: menuId('system'),
    }
    expect((await call(admin, 'POST', 'menu/submit', { body })).status).toBe(403)
    const id = await add(root, 'menu', body)
    expect((await call(root, 'GET', 'menu/detail', { query: { id } })).data).toMatchObject({
      parentName: '系统管理',
      categoryName: '菜单',
      isOpenName: '否',
      action: 0,
    })
    expect(await call(root, 'POST', 'menu/submit', { body: { ...body, name: '另一页' } })).toMatchObject({
      status: 400,
      msg: '菜单名或编号已存在!',
    })
    expect(await call(root, 'POST', 'menu/submit', { body: { ...body, code: 'other_page' } })).toMatchObject({
      status: 400,
      msg: '菜单名或编号已存在!',
    })
    expect(
      await call(root, 'POST', 'menu/submit', {
        body: { ...body, name: 'b', code: 'b', parentId: menuId('user_add') },
      }),
    ).toMatchObject({ status: 400, msg: '父节点只可选择菜单类型!' })
    expect(
      await call(root, 'POST', 'menu/submit', { body: { ...body, name: 'b', code: 'b', path: '' } }),
    ).toMatchObject({ status: 400 })
    expect(await call(root, 'POST', 'menu/remove', { query: { ids: menuId('user') } })).toMatchObject({
      status: 400,
      msg: '请先删除子节点!',
    })
    const button = await add(root, 'menu', {
      name: '按钮',
      code: 'test_page_do',
      path: '',
      category: 2,
      action: 2,
      sort: 1,
      parentId: id,
    })
    expect(codes((await call(root, 'GET', 'menu/buttons')).data)).toContain('test_page_do')
    expect((await call(root, 'POST', 'menu/remove', { query: { ids: button } })).status).toBe(200)
    expect((await call(root, 'POST', 'menu/remove', { query: { ids: id } })).status).toBe(200)
    expect(codes((await call(root, 'GET', 'menu/routes')).data)).not.toContain('test_page')
  })

  test('that a later start brings are there at once, whatever a server remembered until then', async () => {
    const { services } = server
    const paths = async () => codes((await call(root, 'GET', 'menu/routes')).data)
    await services.unit({ crossTenantReason: 'test' }, async (db) => {
      await db.run(sql`update menu set is_deleted = 1, declared = false where id = ${menuId('dict')}`)
      publishPermissionsChanged(services, db, {})
    })
    expect(await paths()).not.toContain('dict')
    await services.unit({ crossTenantReason: 'test' }, (db) => syncDeclaredMenus(db, services))
    expect(await paths()).toContain('dict')
  })

  test('keep the name people gave them, and stay away when removed, over a new start', async () => {
    const { services } = server
    const seed = () => services.unit({ crossTenantReason: 'test' }, (db) => syncDeclaredMenus(db, services))
    await call(root, 'POST', 'menu/submit', { body: { id: menuId('post'), name: '职位', sort: 77, source: 'star' } })
    expect(await call(root, 'POST', 'menu/submit', { body: { id: menuId('post'), code: 'position' } })).toMatchObject({
      status: 400,
      data: { reason: 'menu_built_in' },
    })
    await call(root, 'POST', 'menu/remove', { query: { ids: menuId('post_view') } })
    await services.unit({ crossTenantReason: 'test' }, (db) =>
      db.run(sql`update menu set path = '/elsewhere' where id = ${menuId('post')}`),
    )
    await seed()
    const detail = async () => (await call(root, 'GET', 'menu/detail', { query: { id: menuId('post') } })).data
    expect(await detail()).toMatchObject({ name: '职位', sort: 77, source: 'star', path: '/system/post', code: 'post' })
    expect((await call(root, 'GET', 'menu/detail', { query: { id: menuId('post_view') } })).status).toBe(404)
    const version = (await detail()).version
    await seed()
    expect((await detail()).version).toBe(version)
  })
})

describe('top menus', () => {
  test('choose which menus are shown, within what one holds', async () => {
    await grant(admin, ['user', 'post'])
    const id = await add(admin, 'topmenu', {
      name: '人事',
      nameEn: 'People',
      code: 'people',
      source: 'team',
      sort: 1,
      path: '',
    })
    const bind = (who: CastMember, menuIds: string[]) =>
      call(who, 'POST', 'topmenu/grant', { body: { topMenuIds: [id], menuIds } })
    expect((await bind(admin, [menuId('user'), menuId('role')])).status).toBe(200)
    expect((await call(admin, 'GET', 'menu/top-tree-keys', { query: { topMenuIds: id } })).data.menu.sort()).toEqual(
      [menuId('user'), menuId('role')].sort(),
    )
    expect((await call(staff, 'GET', 'menu/top-menu')).data).toMatchObject([
      { id, name: '人事', source: 'team', code: 'people', path: '' },
    ])
    expect((await call(staff, 'GET', 'menu/top-menu', { lang: 'en' })).data[0].name).toBe('People')
    expect(codes((await call(staff, 'GET', 'menu/routes', { query: { topMenuId: id } })).data)).toEqual([
      'system',
      'user',
    ])
    expect((await call(stranger, 'GET', 'menu/top-menu')).data).toEqual([])
    expect((await call(stranger, 'GET', 'menu/routes', { query: { topMenuId: id } })).data).toEqual([])
    expect((await bind(stranger, [])).status).toBe(404)
    expect((await bind(admin, [menuId('tenant')])).status).toBe(403)
    const tree = (await call(admin, 'GET', 'menu/grant-top-tree')).data as { menu: Node[] }
    expect(tree).toMatchObject({ dataScope: [], apiScope: [] })
    expect(flat(tree.menu).map((node) => node.id)).not.toContain(menuId('user_add'))
    expect((await call(staff, 'GET', 'menu/grant-top-tree')).status).toBe(403)
    expect((await call(admin, 'POST', 'topmenu/remove', { query: { ids: id } })).status).toBe(200)
  })
})

describe('data scopes', () => {
  const scope = {
    menuId: menuId('post'),
    scopeName: '岗位 [本人]',
    resourceCode: 'post',
    scopeType: 2,
    scopeColumn: 'create_user',
  }

  test('limit the rows of those who hold them, in lists, details and changes, but not administrators', async () => {
    await call(admin, 'POST', 'post/submit', {
      body: { category: 3, postCode: 'by-admin', postName: '别人的', sort: 1 },
    })
    const theirs = (await call(admin, 'GET', 'post/list', { query: { postCode: 'by-admin' } })).data.records[0]
      .id as string
    // The platform makes it for the tenant.
    const own = await add(root, 'data-scope', { ...scope, tenantId })
    await grant(root, ['post', 'post_add', 'post_edit', 'post_delete'], { dataScopeIds: [own, menuId('post')] })
    expect((await keys()).dataScope).toEqual([own])
    const mine = await add(staff, 'post', { category: 3, postCode: 'mine', postName: '我的', sort: 1 })
    expect(
      (await call(staff, 'GET', 'post/list', { query: { size: 50 } })).data.records.every(
        (row: { createUser: string }) => row.createUser === staff.userId,
      ),
    ).toBe(true)
    expect((await call(staff, 'GET', 'post/detail', { query: { id: mine } })).status).toBe(200)
    expect((await call(staff, 'GET', 'post/detail', { query: { id: theirs } })).status).toBe(404)
    expect((await call(staff, 'POST', 'post/submit', { body: { id: theirs, postName: 'x' } })).status).toBe(404)
    expect((await call(staff, 'POST', 'post/remove', { query: { ids: theirs } })).status).toBe(404)
    expect(
      (await call(admin, 'GET', 'post/list', { query: { size: 50 } })).data.records.map(
        (row: { id: string }) => row.id,
      ),
    ).toEqual(expect.arrayContaining([theirs, mine]))
    expect((await call(root, 'POST', 'data-scope/remove', { query: { ids: own } })).status).toBe(200)
    expect((await call(staff, 'GET', 'post/detail', { query: { id: theirs } })).status).toBe(200)
  })

  test(
    'of a kind one writes oneself are read by a small grammar and ' + 'refused when they are not understood',
    async () => {
      const custom = (scopeValue: string, more = {}) =>
        call(root, 'POST', 'data-scope/submit', { body: { ...scope, scopeType: 5, scopeValue, ...more } })
      for (const value of [
        '1=1',
        'create_user = ${userId}; drop table post',
        'select 1',
        "post_name = 'x' or",
        'nothing = 1',
        '${userId} = create_user',
      ]) {
        expect([value, (await custom(value)).data.reason]).toEqual([value, 'scope_unreadable'])
      }
      expect((await custom('')).status).toBe(400)
      expect(await custom('category = 1', { resourceCode: 'nothing' })).toMatchObject({
        status: 400,
        data: { reason: 'scope_resource_unknown' },
      })
      const saved = await custom("category in (1,2) and post_name <> 'x''; --'")
      expect(saved.status).toBe(200)
      await grant(root, ['post'], { dataScopeIds: [saved.data.id] })
      const shown = (await call(staff, 'GET', 'post/list', { query: { size: 50 } })).data.records as {
        category: number
      }[]
      expect(shown.length).toBeGreaterThan(0)
      expect(shown.every((row) => row.category === 1)).toBe(true)
      expect(
        await call(root, 'POST', 'data-scope/submit', { body: { ...scope, scopeColumn: 'no_such_column' } }),
      ).toMatchObject({ status: 400, data: { fields: { scopeColumn: expect.any(String) } } })
      await grant(admin, [])
    },
  )
})

describe('what a data scope may say', () => {
  const save = (who: CastMember, more: Record<string, unknown>) =>
    call(who, 'POST', 'data-scope/submit', {
      body: { menuId: menuId('post'), scopeName: 'x', resourceCode: 'post', ...more },
    })
  const meaning = async (who: CastMember, resourceCode: string) =>
    (await call(who, 'GET', 'data-scope/meaning', { query: { resourceCode } })).data

  test('is about a list there is, whatever its kind: nothing is saved that would show everything', async () => {
    for (const scopeType of [1, 2, 3, 4, 5, 6]) {
      expect([
        scopeType,
        (await save(root, { resourceCode: 'nothing', scopeType, scopeValue: 'id = 1' })).data.reason,
      ]).toEqual([scopeType, 'scope_resource_unknown'])
    }
    expect(await meaning(root, 'nothing')).toMatchObject({ known: false, types: [] })
  })

  test('asks only for what the rows of the list carry; an order has no department and no maker', async () => {
    expect((await meaning(root, 'shoppingOrder')).types).toEqual([1, 5, 6])
    for (const scopeType of [2, 3, 4])
      expect([scopeType, (await save(root, { resourceCode: 'shoppingOrder', scopeType })).data.reason]).toEqual([
        scopeType,
        'scope_without_meaning',
      ])
    expect((await save(root, { scopeType: 6 })).data.reason).toBe('scope_without_meaning')
    expect((await save(root, { scopeType: 2, scopeColumn: 'post_name' })).data.reason).toBe('scope_column_no_user')
    expect((await save(root, { scopeType: 3, scopeColumn: 'create_user' })).data.reason).toBe('scope_column_no_dept')
  })

  test(
    'never asks about a secret, and about a masked value only whole: what it ' + 'leaves in a list would tell the rest',
    async () => {
      const reason = async (resourceCode: string, scopeValue: string) =>
        (await save(admin, { resourceCode, scopeType: 5, scopeValue })).data.reason
      for (const scopeValue of [
        "password > 'a'",
        "password = 'a'",
        "passwordTime > '2026-01-01'",
        "must_change_password = 'true'",
        "phone >= '1385'",
        "phone < '2'",
      ])
        expect([scopeValue, await reason('user', scopeValue)]).toEqual([scopeValue, 'scope_unreadable'])
      expect(await reason('sms', "secret_key > 'a'")).toBe('scope_unreadable')
      // Otherwise a list of ten thousand numbers would reveal whose is among them.
      for (const scopeValue of ["phone in ('13800000000', '13800000001')", "phone = '13800000000'"])
        expect([scopeValue, await reason('wxUser', scopeValue)]).toEqual([scopeValue, 'scope_unreadable'])
      expect(await reason('user', "phone in ('13800000000') or phone <> '13900000000'")).toBeUndefined()
      // An unreadable scope saved earlier shows no rows.
      await grant(admin, ['user'])
      const id = (await save(admin, { resourceCode: 'user', scopeType: 5, scopeValue: "account <> ''" })).data
        .id as string
      await grant(admin, ['user'], { dataScopeIds: [id] })
      const seen = async () => (await server.call(staff, 'GET', '/api/blade-user/page')).data.records.length as number
      expect(await seen()).toBeGreaterThan(0)
      await server.services.unit({ tenantId }, (db) =>
        db.run(sql`update scope_data set scope_value = ${"password > ''"} where id = ${id}`),
      )
      await grant(admin, ['user'], { dataScopeIds: [id] })
      expect(await seen()).toBe(0)
      await grant(admin, [])
    },
  )

  test('is told with its columns and their units', async () => {
    const { columns, label } = await meaning(root, 'shoppingOrder')
    expect(label).toBe('订单')
    expect(columns).toContainEqual({
      name: 'pay_amount',
      label: expect.any(String),
      unit: expect.stringContaining('分'),
    })
    expect(columns.find(({ name }: { name: string }) => name === 'status').unit).toMatch(/^\d+ /)
  })

  test('of people by department counts every department a person is in', async () => {
    const deptId = await add(admin, 'dept', { deptName: '巡店', fullName: '巡店', deptCategory: 1, sort: 1 })
    const scoped = await add(admin, 'data-scope', {
      menuId: menuId('user'),
      scopeName: '本部门的人',
      resourceCode: 'user',
      scopeType: 3,
      scopeColumn: 'dept_id',
    })
    await server.services.unit({ tenantId }, (db) =>
      db.run(sql`update sys_user set dept_id = ${[deptId]}::bigint[] where id = ${staff.userId}`),
    )
    await grant(admin, ['user'], { dataScopeIds: [scoped] })
    const { data } = await server.call(staff, 'GET', '/api/blade-user/page')
    expect(data.records.map((row: { account: string }) => row.account)).toEqual(['staff'])
    await grant(admin, [])
    await server.services.unit({ tenantId }, (db) =>
      db.run(sql`update sys_user set dept_id = '{}' where id = ${staff.userId}`),
    )
  })

  test(
    'is written by a tenant’s administrator for the roles of the tenant, ' + 'not of another and not for all',
    async () => {
      expect(codes((await call(admin, 'GET', 'menu/routes')).data)).toContain('data_scope')
      const id = (await save(admin, { scopeType: 2 })).data.id as string
      expect((await call(stranger, 'GET', 'data-scope/detail', { query: { id } })).status).toBe(404)
      const ofAll = (await save(root, { scopeType: 2 })).data.id as string
      expect((await call(admin, 'GET', 'data-scope/detail', { query: { id: ofAll } })).status).toBe(200)
      expect((await call(admin, 'POST', 'data-scope/submit', { body: { id: ofAll, scopeType: 1 } })).data.reason).toBe(
        'common_to_all',
      )
      expect(codes((await call(admin, 'GET', 'menu/menu-list')).data)).not.toContain('tenant')
      await call(root, 'POST', 'data-scope/remove', { query: { ids: `${id},${ofAll}` } })
    },
  )

  test(
    'does not fall with the session’s role: a role left out limits as ' + 'before, one chosen limits by its own',
    async () => {
      const scoped = await add(admin, 'data-scope', {
        menuId: menuId('post'),
        scopeName: '自己的',
        resourceCode: 'post',
        scopeType: 2,
      })
      await grant(admin, ['post'], { dataScopeIds: [scoped] })
      const other = await add(admin, 'role', { roleName: '另一个', roleAlias: 'other', sort: 9 })
      await call(admin, 'POST', 'role/grant', {
        body: { roleIds: [other], menuIds: [menuId('post')], dataScopeIds: [], apiScopeIds: [] },
      })
      await server.services.unit({ tenantId }, (db) =>
        createUser(db, { account: 'two', name: 'x', password: 'two', roleIds: [staffRole, other] }),
      )
      const headerSets: Record<string, string>[] = [{}, { 'role-id': staffRole }, { 'role-id': other }]
      for (const headers of headerSets) {
        const answer = await server.call(undefined, 'POST', '/api/blade-auth/oauth/token', {
          query: { grant_type: 'password', tenantId, username: 'two', password: md5Hex('two') },
          headers: { authorization: basic('script', 'script_secret'), ...headers },
        })
        const two = { ...staff, token: answer.body.access_token as string }
        expect([headers, (await call(two, 'GET', 'post/list')).data.total]).toEqual([headers, 0])
      }
      await grant(admin, [])
      await call(admin, 'POST', 'data-scope/remove', { query: { ids: scoped } })
    },
  )
})

describe('api scopes', () => {
  test(
    'say whom they will shut out before they are saved: not administrators, not holders, ' +
      'nobody who has no right to the call',
    async () => {
      await grant(root, ['post'])
      const ask = (more = {}) =>
        call(root, 'GET', 'api-scope/shut-out', { query: { scopePath: '/api/blade-system/post/list', ...more } })
      const before = (await ask()).data
      expect(before.roles).toContainEqual({
        tenantName: expect.any(String),
        roleName: '店员',
        people: expect.any(Number),
      })
      expect(before.calls).toMatchObject([{ path: '/api/blade-system/post/list' }])
      expect(before.roles.map((row: { roleName: string }) => row.roleName)).not.toContain('管理员')
      const id = await add(root, 'api-scope', {
        menuId: menuId('post'),
        scopeName: '岗位',
        resourceCode: 'post',
        scopePath: '/api/blade-system/post/list',
        scopeType: 1,
      })
      await grant(root, ['post'], { apiScopeIds: [id] })
      expect((await ask({ id })).data.roles.map((row: { roleName: string }) => row.roleName)).not.toContain('店员')
      await call(root, 'POST', 'api-scope/remove', { query: { ids: id } })
      await grant(root, ['notice'])
      expect((await ask()).data.roles.map((row: { roleName: string }) => row.roleName)).not.toContain('店员')
      expect(
        (await call(admin, 'GET', 'api-scope/shut-out', { query: { scopePath: '/api/blade-system/post/list' } }))
          .status,
      ).toBe(403)
      await grant(root, [])
    },
  )

  test('guard a path: holders and administrators pass, others do not, also with the permission', async () => {
    await grant(root, ['post'])
    expect((await call(staff, 'GET', 'post/list')).status).toBe(200)
    const body = {
      menuId: menuId('post'),
      scopeName: '岗位接口',
      resourceCode: 'post',
      scopePath: '/api/blade-system/post/list',
      scopeType: 1,
    }
    expect((await call(admin, 'POST', 'api-scope/submit', { body })).status).toBe(403)
    for (const scopePath of ['/', 'post', '/api/', '/api'])
      expect([
        scopePath,
        (await call(root, 'POST', 'api-scope/submit', { body: { ...body, scopePath } })).status,
      ]).toEqual([scopePath, 400])
    const id = await add(root, 'api-scope', body)
    for (const spelling of ['post/list', 'post/%6cist', 'post/lis%74', 'post/list/', 'p%6Fst/list'])
      expect([spelling, (await call(staff, 'GET', spelling)).status]).toEqual([spelling, 403])
    expect((await call(staff, 'GET', 'post/detail', { query: { id: '1' } })).status).toBe(404)
    expect((await call(admin, 'GET', 'post/list')).status).toBe(200)
    await grant(root, ['post'], { apiScopeIds: [id] })
    expect((await call(staff, 'GET', 'post/list')).status).toBe(200)
    expect((await keys()).apiScope).toEqual([id])
    const tree = (await call(root, 'GET', 'menu/grant-tree')).data as { apiScope: Node[] }
    expect(tree.apiScope).toMatchObject([
      { id: menuId('post'), children: [{ id, parentId: menuId('post'), title: '岗位接口' }] },
    ])
    await call(root, 'POST', 'api-scope/remove', { query: { ids: id } })
    await grant(root, ['post'])
    expect((await call(staff, 'GET', 'post/list')).status).toBe(200)
  })

  test(
    'guard all addresses of a call, whichever of them is named, in part or whole, and ' +
      'what the kit tells of the same rows',
    async () => {
      await grant(root, ['user', 'post', 'post_delete'])
      const addresses = [
        '/api/blade-user/list',
        '/api/blade-user/page',
        '/api/blade-system/user/list',
        '/api/blade-system/user/page',
      ]
      const states = async (paths: string[]) =>
        Promise.all(paths.map(async (path) => (await server.call(staff, 'GET', path)).status))
      expect(await states(addresses)).toEqual([200, 200, 200, 200])
      for (const scopePath of ['/blade-user/list', '/api/blade-system/user/list', 'user/page']) {
        const id = await add(root, 'api-scope', {
          menuId: menuId('user'),
          scopeName: '用户接口',
          resourceCode: 'user',
          scopePath,
          scopeType: 1,
        })
        expect([scopePath, await states(addresses)]).toEqual([scopePath, [403, 403, 403, 403]])
        await call(root, 'POST', 'api-scope/remove', { query: { ids: id } })
      }
      const id = await add(root, 'api-scope', {
        menuId: menuId('post'),
        scopeName: '岗位接口',
        resourceCode: 'post',
        scopePath: '/blade-system/post',
        scopeType: 1,
      })
      expect(await states(['/api/kit/history/post?id=1', '/api/kit/bin/post', '/api/blade-user/page'])).toEqual([
        403, 403, 200,
      ])
      await call(root, 'POST', 'api-scope/remove', { query: { ids: id } })
      await grant(root, ['post'])
    },
  )

  test('guard pickers, bulk previews and exports of a list as they guard the list', async () => {
    const granted = ['post', 'post_edit', 'post_export']
    await grant(root, granted)
    await call(admin, 'POST', 'post/submit', {
      body: { category: 1, postCode: 'guarded', postName: '受保护', sort: 1 },
    })
    const ask = async () => {
      const bulk = (path: string) =>
        server.call(staff, 'POST', `/api/kit/bulk/post${path}`, {
          body: { operation: 'edit', filter: { postCode: 'guarded' }, expectedCount: 1, input: { category: 2 } },
        })
      const answers = [
        await server.call(staff, 'GET', '/api/kit/options/post', { query: { postCode_likeright: 'gua' } }),
        await bulk('/preview'),
        await bulk(''),
        await call(staff, 'POST', 'post/export', { body: {} }),
      ]
      return answers.map(({ status }) => status)
    }
    expect(await ask()).toEqual([200, 200, 200, 200])
    const id = await add(root, 'api-scope', {
      menuId: menuId('post'),
      scopeName: '岗位列表',
      resourceCode: 'post',
      scopePath: '/blade-system/post/list',
      scopeType: 1,
    })
    expect(await ask()).toEqual([403, 403, 403, 403])
    // Somebody who fills in a user's post chooses from titles, which are searched by name only.
    await grant(root, [...granted, 'user', 'user_edit'])
    const choices = async (query: Record<string, string>) =>
      (await server.call(staff, 'GET', '/api/kit/options/post', { query })).data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await choices({ key: '受保护' })).toEqual(['受保护'])
    expect(await choices({ key: '受保护', postCode_equal: 'another' })).toEqual(['受保护'])
    await call(root, 'POST', 'api-scope/remove', { query: { ids: id } })
    expect(await choices({ key: '受保护', postCode_equal: 'another' })).toEqual([])
    await grant(root, ['post'])
  })
})
