import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCaptchas, md5Hex } from '#kit/server/security/index.ts'
import { basic, testServer, type Answer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { sql } from '#kit/server/database/db.ts'
import { platformAdministratorRoleId } from '#domains/platform/access/api.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createUser } from './api.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'
import { beginLoginAttempt, recordLoginFailure } from './attempts.ts'

const OAUTH = '/api/blade-auth/oauth'
const browser = { authorization: basic('saber', 'saber_secret') }
const script = { authorization: basic('script', 'script_secret') }

let server: TestServer
let tenantId: string
let skew = 0

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + skew) })
  const { services } = server
  tenantId = (
    await services.unit({ crossTenantReason: 'test' }, (db) =>
      createTenant(
        db,
        services,
        { tenantName: '街角便利', linkman: '李', contactNumber: '13800000000', address: '杭州' },
        { password: 'secret' },
      ),
    )
  ).tenantId
})
afterAll(() => server?.close())
// Resets the rate limit: these tests sign in more often than one address may in a minute.
const rateKey = defineGlobalSharedKey('rate', 'as the limit names it')
beforeEach(() => server.services.shared.forget(rateKey(`${OAUTH}/token`, '127.0.0.1')))

const unit = <T>(work: Parameters<typeof server.services.unit<T>>[1], tenant = tenantId) =>
  server.services.unit<T>({ tenantId: tenant }, work)

async function aUser(account: string, aliases = ['staff'], depts: string[] = []): Promise<string> {
  return unit(async (db) => {
    const roleIds: string[] = []
    const deptIds: string[] = []
    for (const alias of aliases) {
      const known = await db.one<{ id: string }>(
        sql`select id from sys_role where tenant_id = ${db.tenantId} and role_alias = ${alias}`,
      )
      roleIds.push(
        known?.id ??
          (
            (await db.insert(server.services.registry.resource('role'), {
              roleName: alias,
              roleAlias: alias,
              parentId: '0',
              sort: 1,
            })) as { id: string }
          ).id,
      )
    }
    for (const name of depts)
      deptIds.push(
        (
          (await db.insert(server.services.registry.resource('dept'), {
            deptName: name,
            fullName: name,
            parentId: '0',
            ancestors: '0',
            deptCategory: 2,
            sort: 1,
          })) as { id: string }
        ).id,
      )
    return createUser(db, { account, name: account, password: account, roleIds, deptIds })
  })
}

const token = (query: Record<string, unknown>, headers: Record<string, string> = script) =>
  server.call(undefined, 'POST', `${OAUTH}/token`, { query: { scope: 'all', type: 'account', ...query }, headers })
const password = (account: string, plain = account, headers: Record<string, string> = {}) =>
  token(
    { grant_type: 'password', tenantId, username: account, password: md5Hex(plain) },
    { ...script, 'tenant-id': tenantId, ...headers },
  )
const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
  token({ grant_type: 'refresh_token', tenantId, refresh_token: refreshToken }, { ...script, ...headers })
const person = (answer: Answer): CastMember => ({
  token: answer.body.access_token,
  refreshToken: answer.body.refresh_token,
  userId: answer.body.user_id,
  tenantId: answer.body.tenant_id,
  account: answer.body.account,
})
const info = (answer: Answer) => server.call(person(answer), 'GET', `${OAUTH}/user-info`)

describe('signing in with a captcha', () => {
  const withCaptcha = (key: string, code: string, plain = 'admin') =>
    token(
      { grant_type: 'captcha', tenantId: '000000', username: 'admin', password: md5Hex(plain) },
      { ...browser, 'tenant-id': '000000', 'captcha-key': key, 'captcha-code': code },
    )
  const draw = async () => {
    const { body } = await server.call(undefined, 'GET', `${OAUTH}/captcha`)
    expect(body).toEqual({ key: expect.any(String), image: expect.stringMatching(/^data:image\//) })
    return { key: body.key as string, code: (await createCaptchas(server.services.shared).reveal(body.key as string))! }
  }

  test('answers tokens and who one is, bare, with lists as text', async () => {
    const { key, code } = await draw()
    const { status, body } = await withCaptcha(key, code.toUpperCase())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      tenant_id: '000000',
      account: 'admin',
      user_name: 'admin',
      role_name: 'administrator',
      role_id: platformAdministratorRoleId,
      oauth_id: '',
      client_id: 'saber',
      detail: { type: 'web' },
      user_id: expect.stringMatching(/^\d+$/),
      dept_id: expect.stringMatching(/^\d+$/),
      post_id: expect.stringMatching(/^\d+$/),
      avatar: '',
      license: expect.any(String),
    })
    expect(body).not.toHaveProperty('code')
    expect(body).not.toHaveProperty('data')
  })

  test('refuses a wrong captcha and one that was used, in the words old clients read', async () => {
    const { key, code } = await draw()
    const wrong = await withCaptcha(key, 'zzzzz')
    expect(wrong).toMatchObject({
      status: 400,
      code: 400,
      success: false,
      msg: '验证码不正确',
      body: { error_code: 400, error_description: '验证码不正确', data: { reason: 'captcha_wrong' } },
    })
    expect(await withCaptcha(key, code)).toMatchObject({ status: 400, msg: '验证码不正确' })
  })

  test('is the only way in by password for a browser’s client', async () => {
    const answer = await token(
      { grant_type: 'password', tenantId: '000000', username: 'admin', password: md5Hex('admin') },
      browser,
    )
    expect(answer).toMatchObject({ status: 400, body: { error_code: 400, data: { reason: 'grant_not_for_client' } } })
    expect(answer.body).not.toHaveProperty('access_token')
  })

  test('needs a client that is known', async () => {
    expect(await token({ grant_type: 'captcha' }, {})).toMatchObject({ status: 401, code: 401, msg: '客户端认证失败!' })
    expect(await token({ grant_type: 'captcha' }, { authorization: basic('saber', 'guess') })).toMatchObject({
      status: 401,
    })
    expect(await token({ grant_type: 'miracle' }, browser)).toMatchObject({
      status: 400,
      body: { data: { reason: 'grant_unknown' } },
    })
  })
})

describe('signing in by password', () => {
  test('is refused for a wrong password and an unknown account in the same words', async () => {
    await aUser('wang')
    const wrong = await password('wang', 'guess')
    expect(wrong).toMatchObject({ status: 400, body: { code: 400, error_description: '用户名或密码不正确' } })
    expect((await password('nobody')).body).toEqual(wrong.body)
    expect((await password('wang', 'wang', { 'accept-language': 'en' })).status).toBe(200)
  })

  test('is locked after five failures, even with the right password, until somebody unlocks it', async () => {
    const id = await aUser('lucky')
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await password('lucky', 'guess')).msg).toBe('用户名或密码不正确')
    expect(await password('lucky')).toMatchObject({ status: 400, msg: '登录错误次数过多,请稍后再试' })
    const admin = await server.as('admin', { tenantId, password: 'secret' })
    expect(await server.call(admin, 'POST', '/api/blade-user/unlock', { query: {} })).toMatchObject({
      status: 400,
      msg: '请至少选择一个用户',
    })
    expect(await server.call(admin, 'POST', '/api/blade-user/unlock', { query: { userIds: id } })).toMatchObject({
      status: 200,
    })
    expect((await password('lucky')).status).toBe(200)
  })

  test('signs in as often at once as asked, when the password is right', async () => {
    await aUser('eager')
    const answers = await Promise.all(Array.from({ length: 12 }, () => password('eager', 'eager')))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
  })

  test('tries no more than five of twelve guesses that come at once', async () => {
    await aUser('parallel')
    const answers = await Promise.all(Array.from({ length: 12 }, () => password('parallel', 'guess')))
    expect(answers.every(({ status }) => status === 400)).toBe(true)
    expect(answers.filter(({ msg }) => msg === '用户名或密码不正确').length).toBeLessThanOrEqual(5)
  })

  test('guesses from one network of IPv6 count together, however many addresses it has', async () => {
    const { services } = server
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => recordLoginFailure(services, `2001:db8:7:1::${(n + 1).toString(16)}`)),
    )
    const begin = (ip: string) => beginLoginAttempt(services, tenantId, 'of-nobody', ip)
    await expect(begin('2001:db8:7:1:ffff::1')).rejects.toMatchObject({ code: 'login_locked' })
    await expect(begin('2001:db8:7:2::1')).resolves.toBeDefined()
  })

  describe('where it was done lately', () => {
    const [HOME, OTHER, AWAY, NOWHERE] = ['10.1.0.1', '10.1.0.2', '10.9.0.1', '10.9.0.2'] as const
    const from = async (remoteAddress: string, account: string, plain = account): Promise<string> => {
      await server.services.shared.forget(rateKey(`${OAUTH}/token`, remoteAddress))
      const query = { grant_type: 'password', tenantId, username: account, password: md5Hex(plain) }
      const url = `${OAUTH}/token?${new URLSearchParams(query).toString()}`
      const answer = await server.http.inject({ method: 'POST', url, remoteAddress, headers: script })
      return answer.statusCode === 200 ? 'in' : (answer.json().data.reason as string)
    }
    const guess = async (remoteAddress: string, account: string, times = 5) => {
      for (let at = 0; at < times; at++) expect(await from(remoteAddress, account, 'guess')).toBe('login_wrong')
    }

    test('is not shut by strangers elsewhere, who are shut out themselves and everywhere else', async () => {
      await aUser('homely')
      expect(await from(HOME, 'homely')).toBe('in')
      await guess(AWAY, 'homely')
      expect(await from(AWAY, 'homely')).toBe('login_locked')
      expect(await from(NOWHERE, 'homely')).toBe('login_locked')
      expect(await from(HOME, 'homely')).toBe('in')
      // The owner's sign-in does not give strangers another five attempts.
      expect(await from(AWAY, 'homely', 'guess')).toBe('login_locked')
    })

    test('has no more than five guesses either, one after another or at once, until somebody unlocks it', async () => {
      const id = await aUser('lodger')
      for (const address of [HOME, OTHER]) expect(await from(address, 'lodger')).toBe('in')
      await guess(HOME, 'lodger')
      expect(await from(HOME, 'lodger')).toBe('login_locked')
      expect(await from(OTHER, 'lodger')).toBe('in')
      const admin = await server.as('admin', { tenantId, password: 'secret' })
      await server.call(admin, 'POST', '/api/blade-user/unlock', { query: { userIds: id } })
      const answers = await Promise.all(Array.from({ length: 8 }, () => from(HOME, 'lodger', 'guess')))
      expect(answers.filter((answer) => answer === 'login_wrong').length).toBeLessThanOrEqual(5)
    })

    test('is known for thirty days, by the account that signed in alone', async () => {
      await aUser('leaving')
      await aUser('neighbour')
      expect(await from(HOME, 'leaving')).toBe('in')
      await guess(AWAY, 'neighbour')
      expect(await from(HOME, 'neighbour')).toBe('login_locked')
      await guess(AWAY, 'leaving')
      skew += 31 * 24 * 3_600_000
      expect(await from(HOME, 'leaving')).toBe('login_locked')
      skew -= 31 * 24 * 3_600_000
      expect(await from(HOME, 'leaving')).toBe('in')
    })
  })

  test('waits for an administrator while the account has no role', async () => {
    await aUser('pending', [])
    expect(await password('pending')).toMatchObject({ status: 400, msg: '未获得用户的角色信息' })
  })

  test('is refused for a tenant that does not exist or has expired', async () => {
    expect(
      await token({ grant_type: 'password', tenantId: '999999', username: 'x', password: md5Hex('x') }),
    ).toMatchObject({ status: 400, msg: '未获得用户的租户信息' })
    await aUser('late')
    const before = await password('late')
    await unit((db) =>
      db.run(sql`update tenant set expire_time = now() - interval '1 day' where tenant_id = ${tenantId}`),
    )
    expect(await password('late')).toMatchObject({ status: 400, msg: '租户授权已过期,请联系管理员' })
    expect((await refresh(before.body.refresh_token)).status).toBe(401)
    await unit((db) => db.run(sql`update tenant set expire_time = null where tenant_id = ${tenantId}`))
  })

  test('narrows the session to one department and role in switch mode', async () => {
    await aUser('two', ['hr', 'manager'], ['北店', '南店'])
    const whole = await password('two')
    const [deptIds, roleIds] = [whole.body.dept_id.split(','), whole.body.role_id.split(',')]
    expect([deptIds.length, roleIds.length]).toEqual([2, 2])
    const offered = await server.call(undefined, 'GET', '/api/blade-system/dept/select', {
      query: { deptId: whole.body.dept_id },
      headers: script,
    })
    expect(offered.data.map((one: { deptName: string }) => one.deptName).sort()).toEqual(['北店', '南店'])
    expect(Object.keys(offered.data[0]).sort()).toEqual(['deptName', 'id'])
    const one = await password('two', 'two', { 'dept-id': deptIds[1], 'role-id': roleIds[0] })
    expect(one.body).toMatchObject({ dept_id: deptIds[1], role_id: roleIds[0] })
    expect(one.body.role_name).not.toContain(',')
    expect((await info(one)).data.roles).toEqual([one.body.role_name])
    const later = await refresh(one.body.refresh_token)
    expect(later.body).toMatchObject({ dept_id: deptIds[1], role_id: roleIds[0] })
    const other = await refresh(later.body.refresh_token, { 'dept-id': deptIds[0], 'role-id': roleIds[1] })
    expect(other.body).toMatchObject({ dept_id: deptIds[0], role_id: roleIds[1] })
    expect((await password('two', 'two', { 'dept-id': '1', 'role-id': '1' })).body).toMatchObject({
      dept_id: whole.body.dept_id,
    })
  })

  test('shows strangers no department or role that was not just offered', async () => {
    for (const [path, key] of [
      ['dept', 'deptId'],
      ['role', 'roleId'],
    ]) {
      expect(
        await server.call(undefined, 'GET', `/api/blade-system/${path}/select`, {
          query: { [key!]: platformAdministratorRoleId },
        }),
      ).toMatchObject({ status: 401 })
      expect(
        (
          await server.call(undefined, 'GET', `/api/blade-system/${path}/select`, {
            query: { [key!]: platformAdministratorRoleId },
            headers: script,
          })
        ).data,
      ).toEqual([])
    }
  })
})

describe('a session', () => {
  test('is renewed with both tokens new, while the old access token serves calls under way', async () => {
    await aUser('renew')
    const first = await password('renew')
    const second = await refresh(first.body.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
    expect((await info(first)).status).toBe(200)
    expect((await info(second)).data).toMatchObject({ roles: ['staff'], account: 'renew' })
    const wrapped = await server.call(undefined, 'POST', `${OAUTH}/token/refresh`, {
      query: { refresh_token: second.body.refresh_token },
      headers: script,
    })
    expect(wrapped).toMatchObject({ status: 200, code: 200, data: { token_type: 'bearer', account: 'renew' } })
  })

  test('bears two tabs that renew at the same moment', async () => {
    await aUser('tabs')
    const { body } = await password('tabs')
    const [one, two] = await Promise.all([refresh(body.refresh_token), refresh(body.refresh_token)])
    expect([one.status, two.status]).toEqual([200, 200])
    expect((await refresh(one.body.refresh_token)).status).toBe(200)
    expect((await refresh(two.body.refresh_token)).status).toBe(200)
  })

  test('ends for everybody when a used refresh token comes back later', async () => {
    await aUser('stolen')
    const first = await password('stolen')
    const second = await refresh(first.body.refresh_token)
    skew += 60_000
    expect(await refresh(first.body.refresh_token)).toMatchObject({
      status: 401,
      code: 401,
      body: { error_description: '令牌授权已过期' },
    })
    expect((await refresh(second.body.refresh_token)).status).toBe(401)
    expect(await info(second)).toMatchObject({ status: 401, msg: '请求未授权' })
    skew -= 60_000
  })

  test('cannot be renewed with an access token, by another client, or with nonsense', async () => {
    await aUser('mixed')
    const { body } = await password('mixed')
    expect((await refresh(body.access_token)).status).toBe(401)
    expect((await refresh('nonsense')).status).toBe(401)
    expect((await token({ grant_type: 'refresh_token', refresh_token: body.refresh_token }, browser)).status).toBe(401)
    expect(
      (await server.call({ ...person({ body } as Answer), token: body.refresh_token }, 'GET', `${OAUTH}/user-info`))
        .status,
    ).toBe(401)
  })

  test('ends with the access token when nobody renews it, and signing out works even then', async () => {
    await aUser('gone')
    const answer = await password('gone')
    skew += 3_601_000
    expect((await info(answer)).status).toBe(401)
    const out = await server.call(person(answer), 'GET', `${OAUTH}/logout`)
    expect(out).toMatchObject({ status: 200, body: { success: 'true', msg: 'success' } })
    skew -= 3_601_000
    expect((await info(answer)).status).toBe(401)
    expect((await refresh(answer.body.refresh_token)).status).toBe(401)
  })

  test(
    'ends by a token of ours alone: one that somebody else signed, or ' + 'nobody, ends nothing and says nothing',
    async () => {
      await aUser('signed')
      const answer = await password('signed')
      const [head, claims] = String(answer.body.access_token).split('.') as [string, string]
      const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
      const guess = createHmac('sha256', 'guess').update(`${head}.${claims}`).digest('base64url')
      const foreign = `${head}.${claims}.${guess}`
      for (const forged of [unsigned, foreign, `${head}.${claims}.`, answer.body.refresh_token as string]) {
        expect((await server.call({ ...person(answer), token: forged }, 'GET', `${OAUTH}/logout`)).body).toEqual({
          success: 'true',
          msg: 'success',
        })
        expect([forged, (await info(answer)).status]).toEqual([forged, 200])
      }
    },
  )

  test('does not end when a browser uploads its error log under the name of signing out', async () => {
    await aUser('logger')
    const answer = await password('logger')
    const sent = await server.call(person(answer), 'POST', `${OAUTH}/logout`, {
      body: [
        { url: '/wel/index', time: '2026-01-01 08:00:00', type: 'error', message: 'broken', stack: 'at x', info: 'i' },
        7,
      ],
    })
    expect(sent).toMatchObject({ status: 200, code: 200 })
    expect(await server.call(person(answer), 'POST', `${OAUTH}/logout`, { body: {} })).toMatchObject({ status: 400 })
    expect((await info(answer)).status).toBe(200)
  })

  test('ends when the user is removed, disabled or given a new password', async () => {
    const admin = await server.as('admin', { tenantId, password: 'secret' })
    for (const [account, path, ask] of [
      ['removed', 'remove', (id: string) => ({ query: { ids: id } })],
      ['disabled', 'submit', (id: string) => ({ body: { id, status: 2 } })],
      ['reset', 'reset-password', (id: string) => ({ query: { userIds: id } })],
    ] as const) {
      const id = await aUser(account)
      const answer = await password(account)
      expect((await info(answer)).status).toBe(200)
      expect((await server.call(admin, 'POST', `/api/blade-user/${path}`, ask(id))).body).toMatchObject({ code: 200 })
      expect([account, (await info(answer)).status]).toEqual([account, 401])
      expect([account, (await refresh(answer.body.refresh_token)).status]).toEqual([account, 401])
    }
    expect((await password('reset', '123456')).status).toBe(400)
    expect(await password('disabled')).toMatchObject({ status: 400, msg: '账号已停用,请联系管理员' })
  })

  test('has harmless companions', async () => {
    expect((await server.call(undefined, 'GET', `${OAUTH}/clear-cache`)).body).toEqual({
      success: 'true',
      msg: 'success',
    })
    expect((await server.call(undefined, 'GET', `${OAUTH}/logout`)).body).toEqual({ success: 'true', msg: 'success' })
    expect(await server.call(undefined, 'GET', `${OAUTH}/user-info`)).toMatchObject({ status: 401, code: 401 })
  })
})
