import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { md5Hex, verifyPassword } from '#kit/server/security/index.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { testServer, type Answer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { platformAdministratorRoleId } from '#domains/platform/access/api.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createUser, firstAdministratorId } from './api.ts'

const USER = '/api/blade-user'

let server: TestServer
let tenantId: string
let root: CastMember
let admin: CastMember
let clerk: CastMember
let stranger: CastMember
const ids = { admin: '', clerk: '', staffRole: '', adminRole: '', north: '', northA: '', south: '', post: '' }

const call = (who: CastMember | undefined, method: 'GET' | 'POST', path: string, ask = {}) =>
  server.call(who, method, path.startsWith('/') ? path : `${USER}/${path}`, ask)
const submit = (who: CastMember, body: Record<string, unknown>) => call(who, 'POST', 'submit', { body })
const unit = <T>(work: Parameters<typeof server.services.unit<T>>[1]) => server.services.unit<T>({ tenantId }, work)

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
  ids.admin = admin.userId
  ids.adminRole = (await call(admin, 'GET', '/api/blade-system/role/list')).data[0].id
  const add = async (path: string, body: Record<string, unknown>) => {
    const answer = await call(admin, 'POST', `/api/blade-system/${path}/submit`, { body })
    expect(answer.body).toMatchObject({ code: 200 })
    return answer.data.id as string
  }
  ids.staffRole = await add('role', { roleName: '店员', roleAlias: 'staff', sort: 3 })
  ids.north = await add('dept', { deptName: '北区', fullName: '北区', deptCategory: 2, sort: 1 })
  ids.northA = await add('dept', {
    deptName: '北一店',
    fullName: '北一店',
    deptCategory: 3,
    sort: 1,
    parentId: ids.north,
  })
  ids.south = await add('dept', { deptName: '南区', fullName: '南区', deptCategory: 2, sort: 2 })
  ids.post = await add('post', { category: 3, postCode: 'clerk', postName: '店员', sort: 1 })
  ids.clerk = await unit((db) =>
    createUser(db, {
      account: 'clerk',
      name: '小王',
      password: 'clerk',
      roleIds: [ids.staffRole],
      deptIds: [ids.northA],
    }),
  )
  clerk = await server.as('clerk', { tenantId })
})
afterAll(() => server?.close())

describe('users', () => {
  test('are added with a password of their own or the initial one, and never tell it', async () => {
    const added = await submit(admin, {
      account: 'zhang',
      name: '小张',
      realName: '张三',
      password: 'plain-text',
      phone: '13800138000',
      sex: 1,
      roleId: ids.staffRole,
      deptId: `${ids.north},${ids.south}`,
      postId: ids.post,
      birthday: '1990-01-31 00:00:00',
    })
    expect(added.body).toMatchObject({ code: 200, data: { id: expect.stringMatching(/^\d+$/) } })
    const { data } = await call(admin, 'GET', 'detail', { query: { id: added.data.id } })
    expect(data).toMatchObject({
      account: 'zhang',
      realName: '张三',
      tenantId,
      tenantName: '一号公司',
      roleId: ids.staffRole,
      roleName: '店员',
      deptId: `${ids.north},${ids.south}`,
      deptName: '北区,南区',
      postId: ids.post,
      postName: '店员',
      userType: 1,
      userTypeName: 'WEB',
      sex: 1,
      sexName: '男',
      status: 1,
      statusName: '正常',
      birthday: '1990-01-31 00:00:00',
      avatar: '',
      email: '',
      isDeleted: 0,
    })
    expect(data.password ?? '').toBe('')
    expect(JSON.stringify(data)).not.toContain('argon2')
    expect((await server.as('zhang', { tenantId, password: 'plain-text' })).userId).toBe(added.data.id)
    const li = await submit(admin, { account: 'li', name: '小李', realName: '李四', roleId: ids.staffRole })
    expect(li.data.first).toEqual([
      { account: 'li', realName: '李四', password: expect.stringMatching(/^[a-hjkmnp-z2-9]{12}$/) },
    ])
    expect(added.data).not.toHaveProperty('first')
    await expect(server.as('li', { tenantId, password: '123456' })).rejects.toThrow('cannot sign in')
    expect((await server.as('li', { tenantId, password: li.data.first[0].password })).account).toBe('li')
  })

  test('are refused a password of blanks, which is not taken for none, and a birthday yet to come', async () => {
    const body = { account: 'blank', name: 'x', realName: 'x' }
    expect((await submit(admin, { ...body, password: '      ' })).data).toMatchObject({
      fields: { password: '密码不能全是空格' },
    })
    expect((await submit(admin, { ...body, birthday: '2999-01-01' })).data).toMatchObject({
      fields: { birthday: expect.stringMatching(/^用户生日不能晚于 \d{4}-\d{2}-\d{2}$/) },
    })
    expect(
      (await call(admin, 'POST', 'update-info', { body: { birthday: '2999-01-01 00:00:00' } })).data,
    ).toMatchObject({ fields: { birthday: expect.any(String) } })
  })

  test('are no second of an account that differs by capitals alone; those that are there stay', async () => {
    const named = (account: string) => submit(admin, { account, name: 'x', realName: 'x' })
    const { id } = (await named('capital')).data
    expect((await named('Capital')).data).toMatchObject({ fields: { account: '登录账号已存在' } })
    const other = (await named('other-capital')).data.id
    const rename = (to: string) => call(admin, 'POST', 'update', { body: { id: other, account: to } })
    expect((await rename('CAPITAL')).data).toMatchObject({ fields: { account: '登录账号已存在' } })
    expect((await rename('Other-Capital')).status).toBe(200)
    await server.services.systemPool.query("update sys_user set account = 'CAPITAL' where id = $1", [other])
    expect((await call(admin, 'POST', 'update', { body: { id, account: 'capital', realName: '大写' } })).status).toBe(
      200,
    )
  })

  test('are unique by account within a tenant, not between tenants', async () => {
    expect(await submit(admin, { account: 'clerk', name: 'x', realName: 'x' })).toMatchObject({
      status: 400,
      msg: '当前用户 [clerk] 已存在!',
    })
    expect((await submit(stranger, { account: 'clerk', name: 'x', realName: 'x' })).status).toBe(200)
    const { data } = await submit(admin, { account: 'chen', name: 'x', realName: 'x' })
    expect(await call(admin, 'POST', 'update', { body: { id: data.id, account: 'clerk' } })).toMatchObject({
      status: 400,
      msg: '当前用户 [clerk] 已存在!',
    })
    expect(
      (await call(admin, 'POST', 'update', { body: { id: data.id, account: 'chen', realName: '陈' } })).status,
    ).toBe(200)
  })

  test('keep their password through changes by others', async () => {
    expect(
      (await call(admin, 'POST', 'update', { body: { id: ids.clerk, password: 'taken-over', realName: '王小' } }))
        .status,
    ).toBe(200)
    expect((await call(admin, 'POST', 'submit', { body: { id: ids.clerk, password: 'taken-over' } })).status).toBe(200)
    const fresh = await server.call(undefined, 'POST', '/api/blade-auth/oauth/token', {
      query: { grant_type: 'password', tenantId, username: 'clerk', password: md5Hex('clerk') },
      headers: { authorization: `Basic ${btoa('script:script_secret')}` },
    })
    expect(fresh.status).toBe(200)
    clerk = { ...clerk, token: fresh.body.access_token }
  })

  test('of a department are found with those of all departments below it', async () => {
    const inDept = async (deptId: string) =>
      (await call(admin, 'GET', 'page', { query: { deptId, size: 50 } })).data.records
        .map((one: { account: string }) => one.account)
        .sort()
    expect(await inDept(ids.north)).toEqual(['clerk', 'zhang'])
    expect(await inDept(ids.northA)).toEqual(['clerk'])
    expect((await inDept('')).length).toBeGreaterThan(3)
    expect(
      (await call(admin, 'GET', 'list', { query: { account: 'cler', realName: '', userType: 1 } })).data,
    ).toMatchObject({ total: 1, records: [{ account: 'clerk' }] })
    expect((await call(admin, 'GET', '/api/blade-system/user/page', { query: { account: 'clerk' } })).data.total).toBe(
      1,
    )
  })

  test('of another tenant are not there', async () => {
    expect(await call(stranger, 'GET', 'detail', { query: { id: ids.clerk } })).toMatchObject({
      status: 404,
      msg: '用户不存在',
    })
    for (const [path, ask] of [
      ['remove', { query: { ids: ids.clerk } }],
      ['grant', { query: { userIds: ids.clerk, roleIds: '' } }],
      ['reset-password', { query: { userIds: ids.clerk } }],
      ['unlock', { query: { userIds: ids.clerk } }],
      ['submit', { body: { id: ids.clerk, realName: 'theirs' } }],
      ['update', { body: { id: ids.clerk, realName: 'theirs' } }],
      ['update-platform', { query: { userId: ids.clerk, userType: 2, userExt: '{}' } }],
    ] as const)
      expect([path, (await call(stranger, 'POST', path, ask)).status]).toEqual([path, 404])
    expect((await call(stranger, 'GET', 'page', { query: { tenantId } })).data.total).toBe(0)
    expect((await call(stranger, 'GET', 'search/worker', { query: { key: '王' } })).data).toEqual([])
    expect((await call(root, 'GET', 'page', { query: { tenantId, account: 'clerk' } })).data.records).toMatchObject([
      { id: ids.clerk, tenantName: '一号公司' },
    ])
  })

  test('cannot be given roles of another tenant or above the giver', async () => {
    const theirs = (await call(stranger, 'GET', '/api/blade-system/role/list')).data[0].id
    expect((await submit(admin, { account: 'a1', name: 'x', realName: 'x', roleId: theirs })).body).toMatchObject({
      code: 400,
      data: { fields: { roleId: '所属角色不存在' } },
    })
    expect(await call(admin, 'POST', 'grant', { query: { userIds: ids.clerk, roleIds: theirs } })).toMatchObject({
      status: 404,
    })
    expect(
      await call(admin, 'POST', 'grant', { query: { userIds: ids.clerk, roleIds: platformAdministratorRoleId } }),
    ).toMatchObject({ status: 404 })
    expect(await call(clerk, 'POST', 'grant', { query: { userIds: ids.clerk, roleIds: ids.adminRole } })).toMatchObject(
      { status: 403 },
    )
  })

  test('are not given back a role unseen that somebody else has just taken away', async () => {
    const give = (roleIds: string, was?: string[]) =>
      call(admin, 'POST', 'grant', { query: { userIds: ids.clerk, roleIds }, body: { was } })
    await give(ids.staffRole)
    expect((await give(`${ids.staffRole},${ids.adminRole}`, [])).body).toMatchObject({
      code: 409,
      data: { reason: 'changed_meanwhile' },
    })
    expect((await call(admin, 'GET', 'detail', { query: { id: ids.clerk } })).data).toMatchObject({
      roleId: ids.staffRole,
    })
    expect((await give(ids.staffRole, [ids.staffRole])).status).toBe(200)
  })

  test('who rank above the caller cannot be taken over by resetting, editing or removing them', async () => {
    const helper = await unit(async (db) => {
      const role = (await db.insert(server.services.registry.resource('role'), {
        roleName: '人事',
        roleAlias: 'hr',
        parentId: '0',
        sort: 5,
      })) as { id: string }
      const menus = ['user', 'user_add', 'user_edit', 'user_delete', 'user_role', 'user_reset', 'user_import']
      await db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${role.id}, id from menu
          where code = any(${menus}) and is_deleted = 0`,
      )
      return createUser(db, { account: 'hr', name: '人事', password: 'hr', roleIds: [role.id] })
    })
    const hr = await server.as('hr', { tenantId })
    expect(hr.userId).toBe(helper)
    for (const [path, ask] of [
      ['reset-password', { query: { userIds: ids.admin } }],
      ['grant', { query: { userIds: ids.admin, roleIds: ids.staffRole } }],
      ['remove', { query: { ids: ids.admin } }],
      ['submit', { body: { id: ids.admin, status: 2 } }],
    ] as const) {
      expect(await call(hr, 'POST', path, ask)).toMatchObject({ status: 403, data: { reason: 'user_above' } })
    }
    expect(await submit(hr, { account: 'b1', name: 'x', realName: 'x', roleId: ids.adminRole })).toMatchObject({
      status: 403,
    })
    expect((await submit(hr, { account: 'b1', name: 'x', realName: 'x', roleId: ids.staffRole })).status).toBe(200)
    expect((await call(hr, 'POST', 'reset-password', { query: { userIds: ids.clerk } })).status).toBe(200)
  })

  test('who are many get their passwords, each one of their own, by the statements that set one', async () => {
    const made: string[] = []
    for (let n = 0; n < 8; n++)
      made.push(
        await unit((db) => createUser(db, { account: `many${n}`, name: 'x', password: 'x', roleIds: [ids.staffRole] })),
      )
    const reset = async (userIds: readonly string[]) => {
      let answer: Answer | undefined
      const trips = await countRoundTrips(async () => {
        answer = await call(admin, 'POST', 'reset-password', { query: { userIds: userIds.join() } })
      })
      expect(answer!.status).toBe(200)
      return { trips, first: answer!.data.first as { account: string; password: string }[] }
    }
    const many = await reset(made)
    // Whether the caller may reset a password is asked of each account alone.
    for (const statement of [
      /insert into user_password/,
      /delete from user_password/,
      /update sys_user/,
      /update session/,
    ])
      expect([statement, many.trips.sent.filter(({ text }) => statement.test(text)).length]).toEqual([statement, 1])
    expect(new Set(many.first.map(({ password }) => password)).size).toBe(8)
    for (const { account, password } of many.first) {
      const { hash } = (await unit((db) =>
        db.one<{ hash: string }>(sql`select password as hash from sys_user where tenant_id = ${tenantId}
          and account = ${account}`),
      ))!
      expect([account, await verifyPassword(md5Hex(password), hash)]).toEqual([account, true])
    }
  })

  test('nobody hands out, or signs in with, more than they may do themselves', async () => {
    const roleWith = (alias: string, codes: string[]) =>
      unit(async (db) => {
        const role = (await db.insert(server.services.registry.resource('role'), {
          roleName: alias,
          roleAlias: alias,
          parentId: '0',
          sort: 6,
        })) as { id: string }
        await db.run(
          sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenantId}, ${role.id}, id from menu
            where code = any(${codes}) and is_deleted = 0`,
        )
        return role.id
      })
    const [desk, wide] = [
      await roleWith('desk', ['user', 'user_add', 'user_edit', 'user_role', 'user_reset', 'user_import']),
      await roleWith('wide', ['user', 'notice', 'notice_add']),
    ]
    const own = await unit((db) =>
      createUser(db, { account: 'helpdesk', name: '帮手', password: 'helpdesk', roleIds: [desk] }),
    )
    const mighty = await unit((db) =>
      createUser(db, { account: 'mighty', name: '老板', password: 'mighty', roleIds: [wide] }),
    )
    const helpdesk = await server.as('helpdesk', { tenantId })
    const beyond = { status: 403, data: { reason: 'role_beyond_own' } }
    expect(await call(helpdesk, 'POST', 'grant', { query: { userIds: own, roleIds: wide } })).toMatchObject(beyond)
    expect(await submit(helpdesk, { id: own, roleId: wide })).toMatchObject(beyond)
    expect(await call(helpdesk, 'POST', 'update', { body: { id: own, roleId: `${desk},${wide}` } })).toMatchObject(
      beyond,
    )
    expect(await submit(helpdesk, { account: 'b2', name: 'x', realName: 'x', roleId: wide })).toMatchObject(beyond)
    expect(await call(helpdesk, 'POST', 'reset-password', { query: { userIds: mighty } })).toMatchObject({
      status: 403,
      data: { reason: 'user_above' },
    })
    await server.as('mighty', { tenantId })
    expect((await call(helpdesk, 'GET', 'info')).data).toMatchObject({ roleId: desk })
    expect((await submit(helpdesk, { id: mighty, name: '老板娘' })).status).toBe(200)
    expect(
      (await call(helpdesk, 'POST', 'grant', { query: { userIds: ids.clerk, roleIds: ids.staffRole } })).status,
    ).toBe(200)
    expect((await call(admin, 'POST', 'grant', { query: { userIds: own, roleIds: wide } })).status).toBe(200)
  })

  test('keep settings of their own, but not without end', async () => {
    const keep = (key: string) => call(admin, 'POST', `/api/kit/settings/${key}`, { body: { value: { size: 20 } } })
    await unit((db) =>
      db.run(
        sql`insert into user_setting (tenant_id, user_id, key, value)
          select ${tenantId}, ${ids.admin}, 'filled.' || n, '{}' from generate_series(1, 499) n`,
      ),
    )
    expect((await keep('list.user')).status).toBe(200)
    expect(await keep('list.role')).toMatchObject({ status: 400, data: { reason: 'too_many_settings' } })
    expect((await keep('list.user')).status).toBe(200)
    expect((await call(stranger, 'GET', '/api/kit/settings/list.user')).data).toEqual({ value: {} })
  })

  test('keep their roles when a client forgets to say which', async () => {
    expect(await call(admin, 'POST', 'grant', { query: { userIds: ids.clerk } })).toMatchObject({
      status: 400,
      data: { reason: 'missing_parameter' },
    })
    expect((await call(admin, 'GET', 'detail', { query: { id: ids.clerk } })).data).toMatchObject({
      roleId: ids.staffRole,
    })
  })

  test('become platform administrators by the hand of one only', async () => {
    const { services } = server
    await services.unit({ tenantId: '000000' }, async (db) => {
      const role = (await db.insert(services.registry.resource('role'), {
        roleName: '平台运营',
        roleAlias: 'admin',
        parentId: '0',
        sort: 2,
      })) as { id: string }
      await db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select '000000', ${role.id}, id from menu
          where is_deleted = 0`,
      )
      await createUser(db, { account: 'operator', name: '运营', password: 'operator', roleIds: [role.id] })
    })
    const operator = await server.as('operator')
    expect(
      await call(operator, 'POST', 'grant', {
        query: { userIds: operator.userId, roleIds: platformAdministratorRoleId },
      }),
    ).toMatchObject({ status: 403, data: { reason: 'no_right_for_administrator' } })
    expect(
      await submit(operator, { account: 'puppet', name: 'x', realName: 'x', roleId: platformAdministratorRoleId }),
    ).toMatchObject({ status: 403 })
    expect(await call(operator, 'POST', 'reset-password', { query: { userIds: firstAdministratorId } })).toMatchObject({
      status: 403,
      data: { reason: 'user_above' },
    })
    expect((await call(operator, 'GET', 'page', { query: { tenantId } })).data.total).toBe(0)
    expect(
      await server.call(operator, 'POST', '/api/blade-system/menu/submit', {
        body: { name: 'x', code: 'x', path: '/x', category: 1, sort: 1 },
      }),
    ).toMatchObject({ status: 403, data: { reason: 'platform_only' } })
  })

  test('are refused over the tenant’s quota, also when many are added at once', async () => {
    const count = (await call(stranger, 'GET', 'page')).data.total as number
    await server.services.unit({ tenantId: stranger.tenantId }, (db) =>
      db.run(sql`update tenant set account_number = ${count + 2} where tenant_id = ${stranger.tenantId}`),
    )
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_one, n) => submit(stranger, { account: `quota${n}`, name: 'x', realName: 'x' })),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(2)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 400,
      msg: '当前租户已到最大账号额度!',
    })
    expect((await call(stranger, 'GET', 'page')).data.total).toBe(count + 2)
  })

  test('do not remove or disarm themselves', async () => {
    expect(await call(admin, 'POST', 'remove', { query: { ids: ids.admin } })).toMatchObject({
      status: 400,
      msg: '不能删除本账号!',
    })
    expect(await call(admin, 'POST', 'grant', { query: { userIds: ids.admin, roleIds: ids.staffRole } })).toMatchObject(
      { status: 400, data: { reason: 'own_role_stays' } },
    )
    expect(await submit(admin, { id: ids.admin, status: 2 })).toMatchObject({ status: 400 })
    expect(await call(root, 'POST', 'remove', { query: { ids: firstAdministratorId } })).toMatchObject({ status: 400 })
  })

  test('act by their new role in the next call', async () => {
    const id = await unit((db) =>
      createUser(db, { account: 'rise', name: 'x', password: 'rise', roleIds: [ids.staffRole] }),
    )
    const rise = await server.as('rise', { tenantId })
    expect((await call(rise, 'GET', 'page')).status).toBe(403)
    await call(admin, 'POST', 'grant', { query: { userIds: id, roleIds: `${ids.adminRole},${ids.staffRole}` } })
    expect((await call(rise, 'GET', 'page')).status).toBe(200)
    await call(admin, 'POST', 'grant', { query: { userIds: id, roleIds: ids.staffRole } })
    expect((await call(rise, 'GET', 'page')).status).toBe(403)
  })

  test('keep an extension for each platform', async () => {
    expect(
      (
        await call(admin, 'POST', 'update-platform', {
          query: { userId: ids.clerk, userType: 2, userExt: '{"shop":1}' },
        })
      ).status,
    ).toBe(200)
    expect((await call(admin, 'GET', 'platform-detail', { query: { id: ids.clerk } })).data).toMatchObject({
      id: ids.clerk,
      userType: 2,
      userExt: '{"shop":1}',
    })
    await call(admin, 'POST', 'update-platform', { query: { userId: ids.clerk, userType: 1, userExt: '' } })
  })
})

describe('one’s own account', () => {
  let me: CastMember
  beforeAll(async () => {
    await unit((db) => createUser(db, { account: 'me', name: '我', password: 'me', roleIds: [ids.staffRole] }))
    me = await server.as('me', { tenantId })
  })

  test('is shown and changed only in what concerns oneself', async () => {
    expect((await call(me, 'GET', 'info')).data).toMatchObject({
      id: me.userId,
      account: 'me',
      name: '我',
      roleName: '店员',
    })
    const answer = await call(me, 'POST', 'update-info', {
      body: {
        id: ids.clerk,
        name: '新名',
        phone: '13900000000',
        account: 'other',
        password: 'x',
        roleId: ids.adminRole,
        deptId: ids.north,
        tenantId: '000000',
      },
    })
    expect(answer.status).toBe(200)
    expect((await call(me, 'GET', 'info')).data).toMatchObject({
      id: me.userId,
      account: 'me',
      name: '新名',
      phone: '13900000000',
      roleId: ids.staffRole,
      deptId: '',
      tenantId,
    })
    expect((await call(admin, 'GET', 'detail', { query: { id: ids.clerk } })).data.name).not.toBe('新名')
    expect((await call(me, 'POST', 'update-info', { body: { phone: '12' } })).body).toMatchObject({
      code: 400,
      data: { fields: { phone: '手机号码不是11位' } },
    })
  })

  test('takes a new password only with the old one, and ends the other sessions', async () => {
    const other = (
      await server.call(undefined, 'POST', '/api/blade-auth/oauth/token', {
        query: { grant_type: 'password', tenantId, username: 'me', password: md5Hex('me') },
        headers: { authorization: `Basic ${btoa('script:script_secret')}` },
      })
    ).body.access_token as string
    const change = (old: string, next: string, again = next) =>
      call(me, 'POST', 'update-password', {
        query: { oldPassword: md5Hex(old), newPassword: md5Hex(next), newPassword1: md5Hex(again) },
      })
    expect(await change('guess', 'next')).toMatchObject({ status: 400, msg: '原密码不正确!' })
    expect(await change('me', 'next', 'nest')).toMatchObject({ status: 400, msg: '请输入正确的确认密码!' })
    expect((await change('me', 'next')).status).toBe(200)
    expect((await call(me, 'GET', 'info')).status).toBe(200)
    expect((await call({ ...me, token: other }, 'GET', 'info')).status).toBe(401)
    expect((await server.as('me', { tenantId, password: 'next' })).userId).toBe(me.userId)
  })
})

describe('a clerk without the permission', () => {
  test('is refused every call on others, with 403 and without effect', async () => {
    const plain = await (async () => {
      await unit((db) => createUser(db, { account: 'plain', name: 'x', password: 'plain', roleIds: [ids.staffRole] }))
      return server.as('plain', { tenantId })
    })()
    const before = (await call(admin, 'GET', 'detail', { query: { id: ids.clerk } })).data
    for (const [method, path] of [
      ['GET', 'page'],
      ['GET', 'list'],
      ['GET', 'detail'],
      ['GET', 'platform-detail'],
      ['GET', 'export-user'],
      ['GET', 'export-template'],
      ['POST', 'submit'],
      ['POST', 'update'],
      ['POST', 'remove'],
      ['POST', 'grant'],
      ['POST', 'reset-password'],
      ['POST', 'unlock'],
      ['POST', 'update-platform'],
      ['POST', 'import-user'],
    ] as const) {
      const ask = {
        query: { id: ids.clerk, ids: ids.clerk, userIds: ids.clerk, userId: ids.clerk, userType: 1, roleIds: '' },
        ...(method === 'POST' ? { body: { id: ids.clerk, realName: 'y' } } : {}),
      }
      expect([path, (await call(plain, method, path, ask)).status]).toEqual([path, 403])
      expect([path, (await call(undefined, method, path, ask)).status]).toEqual([path, 401])
    }
    expect((await call(admin, 'GET', 'detail', { query: { id: ids.clerk } })).data).toEqual(before)
    // Account names are neither listed nor searched for callers who do not administer users.
    expect((await call(plain, 'GET', 'search/worker', { query: { key: 'clerk' } })).data).toEqual([])
    expect((await call(plain, 'GET', 'user-list', { query: { account_likeright: 'c' } })).data.reason).toBe(
      'filter_hidden',
    )
    const accounts = new Set(
      (await call(admin, 'GET', 'user-list')).data.map((one: { account: string }) => one.account),
    )
    expect(accounts).toContain('clerk')
    const known = (await call(plain, 'GET', 'user-list')).data as { id: string; account: string; realName: string }[]
    expect(known.filter(({ account, realName }) => account !== realName && accounts.has(account))).toEqual([])
    expect(known.map(({ id }) => id)).toContain(ids.clerk)
    // A colleague's number is masked, and cannot be found by trying all numbers.
    for (let n = 0; n < 300; n++)
      await call(plain, 'GET', 'search/worker', { query: { key: `1380000${String(n).padStart(4, '0')}` } })
    const oneMore = await call(plain, 'GET', 'search/worker', { query: { key: '13800009999' } })
    expect([oneMore.status, oneMore.data?.id]).toEqual([429, undefined])
  })
})

describe('sheets of users', () => {
  let uploads = 0
  const upload = async (who: CastMember, bytes: Buffer, isCovered = 0, more: { isExact?: 1; lang?: 'en' } = {}) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'users.xlsx')
    const sent = new Request('http://x', { method: 'POST', body: form })
    const response = await server.http.inject({
      method: 'POST',
      // Calls are rate-limited by address.
      remoteAddress: `10.0.0.${++uploads}`,
      url: `${USER}/import-user?isCovered=${isCovered}${more.isExact ? '&isExact=1' : ''}`,
      headers: {
        'blade-auth': `bearer ${who.token}`,
        'content-type': sent.headers.get('content-type')!,
        'accept-language': more.lang ?? 'zh',
      },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
    return response.json() as {
      code: number
      msg: string
      data: { count: number; first: { account: string; password: string }[] }
    }
  }
  const sheetOf = async (lines: Record<string, string>[], formula?: string) => {
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
    for (const line of lines) sheet.addRow(headings.map((heading) => line[heading] ?? ''))
    if (formula) sheet.getCell('D2').value = { formula, result: 'computed' }
    return Buffer.from(await book.xlsx.writeBuffer())
  }
  const download = async (path: string, lang?: string) => {
    const response = await server.http.inject({
      method: 'GET',
      url: path,
      headers: lang ? { 'accept-language': lang } : {},
    })
    expect(response.headers['content-type']).toContain('spreadsheetml')
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(response.rawPayload as never)
    return book.worksheets[0]!
  }

  test('come in by names of roles, departments and posts, with the initial password', async () => {
    const sheet = await sheetOf([
      {
        租户编号: '000000',
        账户: 'in1',
        昵称: '一',
        姓名: '甲',
        手机: '13700000001',
        角色名称: '店员',
        部门名称: '北区,没有的',
        岗位名称: '店员',
        生日: '1999-09-09 00:00:00',
      },
      { 用户类型: 'APP', 账户: 'in2', 昵称: '二', 姓名: '乙' },
    ])
    const { code, data } = await upload(admin, sheet)
    expect([code, data.count, data.first.map((one) => one.account)]).toEqual([200, 2, ['in1', 'in2']])
    expect(data.first[0]!.password).not.toBe(data.first[1]!.password)
    const { records } = (
      await call(admin, 'GET', 'page', { query: { account: 'in', account_likeright: 'in', ascs: 'account' } })
    ).data
    expect(records).toMatchObject([
      {
        account: 'in1',
        tenantId,
        roleName: '店员',
        deptName: '北区',
        postName: '店员',
        birthday: '1999-09-09 00:00:00',
      },
      { account: 'in2', userType: 2, roleId: '' },
    ])
    expect((await server.as('in1', { tenantId, password: data.first[0]!.password })).userId).toBe(records[0].id)
    expect((await call(root, 'GET', 'page', { query: { account: 'in1', tenantId: '000000' } })).data.total).toBe(0)
  })

  test('refuse a name that several have, and one that nobody has where names must exist', async () => {
    for (const parentId of [ids.north, ids.south])
      await call(admin, 'POST', '/api/blade-system/dept/submit', {
        body: { deptName: '仓库', fullName: '仓库', deptCategory: 3, sort: 1, parentId },
      })
    const line = (account: string, more: Record<string, string>) => ({ 账户: account, 昵称: '一', 姓名: '甲', ...more })
    const sheet = await sheetOf([
      line('named1', { 角色名称: '店员,没有的角色' }),
      line('named2', { 部门名称: '没有的部门' }),
      line('named3', { 岗位名称: '没有的岗位' }),
      line('named4', { 部门名称: '仓库' }),
    ])
    expect(await upload(admin, sheet)).toMatchObject({
      code: 400,
      msg: '导入失败：第5行 部门名称有 2 条名为“仓库”的数据，请填写编号',
    })
    expect(await upload(admin, sheet, 0, { isExact: 1, lang: 'en' })).toMatchObject({
      code: 400,
      msg:
        'Import failed: line 2: Roles: “没有的角色” was not found; line 3: Departments: “没有的部门” was not found; ' +
        'line 4: Positions: “没有的岗位” was not found; ' +
        'line 5: Departments: 2 records are named “仓库”. Enter the code or ID.',
    })
    const { total } = (await call(admin, 'GET', 'page', { query: { account: 'named', account_likeright: 'named' } }))
      .data
    expect(total).toBe(0)
  })

  test('keep what is there where a cell of an overwritten user is empty, and take ids for names', async () => {
    const { id } = (
      await submit(admin, {
        account: 'kept',
        name: '小周',
        realName: '周一',
        phone: '13700000009',
        email: 'kept@example.com',
        userType: 2,
        status: 2,
        roleId: ids.staffRole,
        deptId: ids.north,
        postId: ids.post,
        birthday: '1991-02-03 00:00:00',
      })
    ).data
    const before = (await call(admin, 'GET', 'detail', { query: { id } })).data
    const sheet = await sheetOf([
      { 账户: 'kept', 姓名: '周二' },
      { 账户: 'byId', 昵称: '一', 姓名: '甲', 部门名称: ids.northA },
    ])
    expect(await upload(admin, sheet, 1, { isExact: 1 })).toMatchObject({ code: 200 })
    const { phone, email, userType, status, roleId, deptId, postId, birthday, name } = before
    expect((await call(admin, 'GET', 'detail', { query: { id } })).data).toMatchObject({
      realName: '周二',
      name,
      phone,
      email,
      userType,
      status,
      roleId,
      deptId,
      postId,
      birthday,
    })
    expect((await call(admin, 'GET', 'page', { query: { account: 'byId' } })).data.records[0].deptName).toBe('北一店')
  })

  test('come in whole or not at all, and say which line is wrong', async () => {
    const wrong = await upload(
      admin,
      await sheetOf([
        { 账户: 'whole1', 昵称: '一', 姓名: '甲' },
        { 账户: 'clerk', 昵称: '二', 姓名: '乙' },
        { 账户: '', 昵称: '三', 姓名: '丙' },
      ]),
    )
    expect(wrong).toMatchObject({ code: 400, msg: expect.stringContaining('第3行 当前用户 [clerk] 已存在!') })
    expect(wrong.msg).toContain('第4行 请输入登录账号')
    expect((await call(admin, 'GET', 'page', { query: { account: 'whole1' } })).data.total).toBe(0)
    expect(
      (await upload(admin, await sheetOf([{ 账户: 'clerk', 昵称: '改', 姓名: '改名', 角色名称: '店员' }]), 1)).code,
    ).toBe(200)
    expect((await call(admin, 'GET', 'detail', { query: { id: ids.clerk } })).data.realName).toBe('改名')
    expect((await upload(admin, Buffer.from('no sheet'))).code).toBe(400)
  })

  test('give nobody a role above the importer', async () => {
    const hr = await server.as('hr', { tenantId })
    expect(
      await upload(hr, await sheetOf([{ 账户: 'sneaky', 昵称: 'x', 姓名: 'x', 角色名称: '管理员' }])),
    ).toMatchObject({ code: 400, msg: expect.stringContaining('无权限') })
    expect((await call(admin, 'GET', 'page', { query: { account: 'sneaky' } })).data.total).toBe(0)
  })

  test('go out by a link with the token in it, in the reader’s language, without formulas', async () => {
    await submit(admin, { account: 'evil', name: '=HYPERLINK("http://x")', realName: '@cmd' })
    const sheet = await download(`${USER}/export-user?Blade-Auth=bearer%20${admin.token}&account=undefined&realName=`)
    expect(sheet.getRow(1).values).toContain('租户编号')
    const cells: string[] = []
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        expect(cell.type).not.toBe(ExcelJS.ValueType.Formula)
        cells.push(cell.text)
      }),
    )
    expect(cells).toContain(`'=HYPERLINK("http://x")`)
    expect(cells.some((text) => /argon2/.test(text))).toBe(false)
    expect(cells.filter((text) => text === 'clerk').length).toBe(1)
    const ofNorth = await download(`${USER}/export-user?deptId=${ids.north}&Blade-Auth=${admin.token}`)
    const listed = (await call(admin, 'GET', 'page', { query: { deptId: ids.north, size: 50 } })).data.records.map(
      (one: { account: string }) => one.account,
    )
    expect(ofNorth.getColumn(3).values.filter(Boolean)).toEqual(['账户', ...listed.toSorted()])
    const template = await download(`${USER}/export-template?blade-auth=${admin.token}`, 'en')
    expect([template.rowCount, template.getRow(1).getCell(3).text]).toEqual([1, 'Account'])
  })

  test('come back as they went out', async () => {
    const response = await server.http.inject({
      method: 'GET',
      url: `${USER}/export-user?account=evil&Blade-Auth=${admin.token}`,
    })
    expect(await upload(admin, response.rawPayload, 1)).toMatchObject({ code: 200 })
    expect((await call(admin, 'GET', 'page', { query: { account: 'evil' } })).data.records[0]).toMatchObject({
      name: '=HYPERLINK("http://x")',
      realName: '@cmd',
    })
  })
})
