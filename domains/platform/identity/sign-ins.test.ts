import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { menuId } from '#kit/server/mount/menus.ts'
import { md5Hex } from '#kit/server/security/index.ts'
import { basic, testServer, type Answer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createUser } from './api.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'

const TOKEN = '/api/blade-auth/oauth/token'
const USER = '/api/blade-user'
let server: TestServer
let tenantId: string
let admin: CastMember
let skew = 0
let staffRole: string

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + skew) })
  const { services } = server
  tenantId = (
    await services.unit({ crossTenantReason: 'test' }, (db) =>
      createTenant(db, services, { tenantName: '街角便利', linkman: '李' }, { password: 'secret' }),
    )
  ).tenantId
  admin = await server.as('admin', { tenantId, password: 'secret' })
  const role = await server.call(admin, 'POST', '/api/blade-system/role/submit', {
    body: { roleName: '店员', roleAlias: 'staff', sort: 3 },
  })
  staffRole = role.data.id
})
afterAll(() => server?.close())
const rateKey = defineGlobalSharedKey('rate', 'as the limit names it')
beforeEach(() => server.services.shared.forget(rateKey(TOKEN, '127.0.0.1')))

const aUser = (account: string, password = account) =>
  server.services.unit({ tenantId }, (db) => createUser(db, { account, name: account, password, roleIds: [staffRole] }))
const enter = (account: string, plain = account, more: { tenantId?: string; headers?: Record<string, string> } = {}) =>
  server.call(undefined, 'POST', TOKEN, {
    query: {
      grant_type: 'password',
      tenantId: more.tenantId ?? tenantId,
      username: account,
      password: md5Hex(plain),
      scope: 'all',
      type: 'account',
    },
    headers: {
      authorization: basic('script', 'script_secret'),
      'tenant-id': more.tenantId ?? tenantId,
      ...more.headers,
    },
  })
const person = ({ body }: Answer): CastMember => ({
  token: body.access_token,
  refreshToken: body.refresh_token,
  userId: body.user_id,
  tenantId: body.tenant_id,
  account: body.account,
})
const root = () => server.as('admin')
async function setParam(key: string, paramValue: string): Promise<void> {
  const { records } = (
    await server.call(await root(), 'GET', '/api/blade-system/param/list', { query: { paramKey: key } })
  ).data
  expect(
    (
      await server.call(await root(), 'POST', '/api/blade-system/param/submit', {
        body: { id: records[0].id, paramValue },
      })
    ).status,
  ).toBe(200)
}
const logged = async (who: CastMember, query: object = {}) => {
  await (server.services.logs as unknown as { flush: () => Promise<void> }).flush()
  return (
    await server.call(who, 'GET', '/api/blade-log/api/list', { query: { requestUri: TOKEN, size: 50, ...query } })
  ).data.records as Record<string, unknown>[]
}

describe('a sign-in', () => {
  test(
    'stands in the log of its own tenant with the account, a refused one with the reason, and in ' +
      'no other tenant’s; no password with them',
    async () => {
      await aUser('logged')
      const agent = { 'user-agent': 'Mozilla/5.0 Log' }
      await enter('logged', 'wrong', { headers: agent })
      await enter('logged', 'logged', { headers: agent })
      await enter('nobody', 'wrong', { headers: agent })
      await enter('logged', 'x', { tenantId: '123456' })
      const mine = await logged(admin)
      expect(
        mine
          .filter(({ createBy }) => createBy === 'logged')
          .map(({ title, httpStatus, reason, tenantId: of }) => [title, httpStatus, reason, of]),
      ).toEqual([
        ['登录', 200, '', tenantId],
        ['登录失败', 400, 'login_wrong', tenantId],
      ])
      expect(mine.filter(({ createBy }) => createBy === 'nobody')).toMatchObject([
        { reason: 'login_wrong', userAgent: agent['user-agent'], remoteIp: '127.0.0.1' },
      ])
      expect(JSON.stringify(mine)).not.toContain(md5Hex('logged'))
      expect(
        (await logged(await root(), { tenantId: '000000' })).filter(({ createBy }) => createBy === 'logged'),
      ).toEqual([])
    },
  )

  test('is remembered with the user, when and from where, and changes no version of the row', async () => {
    const id = await aUser('seen')
    const seen = async () =>
      (await server.call(admin, 'GET', `${USER}/page`, { query: { account: 'seen' } })).data.records[0]
    const before = await seen()
    expect(before).toMatchObject({ id, lastLoginTime: '', lastLoginIp: '' })
    await enter('seen', 'wrong')
    expect((await seen()).lastLoginTime).toBe('')
    await enter('seen')
    expect(await seen()).toMatchObject({
      lastLoginTime: expect.stringMatching(/^\d{4}-/),
      lastLoginIp: '127.0.0.1',
      version: before.version,
      sex: 3,
      sexName: '未知',
    })
  })
})

describe('open sessions', () => {
  const sids = async (who: CastMember) =>
    (await server.call(who, 'GET', `${USER}/session/own`)).data as {
      sid: string
      isCurrent: boolean
      userAgent: string
    }[]
  const isIn = async (who: CastMember) => (await server.call(who, 'GET', `${USER}/info`)).status === 200

  test(
    'are seen by oneself, which one asks, and ended one by one or all others ' + 'at once; those of others are not',
    async () => {
      const [stranger, ...ids] = [await aUser('other'), await aUser('many')]
      const phones = [
        person(await enter('many', 'many', { headers: { 'user-agent': 'Phone' } })),
        person(await enter('many')),
        person(await enter('many')),
      ]
      const other = person(await enter('other'))
      expect(ids).toHaveLength(1)
      expect(stranger).toBe(other.userId)
      const seen = await sids(phones[1]!)
      expect(seen).toHaveLength(3)
      expect(seen.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
      const [foreign] = await sids(other)
      expect(
        (await server.call(phones[1], 'POST', `${USER}/session/end-own`, { body: { sid: foreign!.sid } })).status,
      ).toBe(404)
      expect(
        (
          await server.call(phones[1], 'POST', `${USER}/session/end-own`, {
            body: { sid: seen.find(({ userAgent }) => userAgent === 'Phone')!.sid },
          })
        ).status,
      ).toBe(200)
      expect(await Promise.all([...phones, other].map(isIn))).toEqual([false, true, true, true])
      expect((await server.call(phones[1], 'POST', `${USER}/session/end-own`, { body: {} })).status).toBe(200)
      expect(await Promise.all([...phones, other].map(isIn))).toEqual([false, true, false, true])
    },
  )

  test(
    'of their people are seen and ended by administrators, not by ' + 'colleagues, and not in other tenants',
    async () => {
      const userId = await aUser('watched')
      const watched = person(await enter('watched'))
      const colleague = person(await enter('other'))
      expect((await server.call(colleague, 'GET', `${USER}/session/list`, { query: { userId } })).status).toBe(403)
      const { data } = await server.call(admin, 'GET', `${USER}/session/list`, { query: { userId } })
      expect(data).toMatchObject([{ ip: '127.0.0.1', isCurrent: false, clientId: 'script' }])
      expect(
        (await server.call(admin, 'GET', `${USER}/session/list`, { query: { userId: (await root()).userId } })).status,
      ).toBe(404)
      expect((await server.call(admin, 'POST', `${USER}/session/end`, { body: { userId, sid: 'x' } })).status).toBe(404)
      expect(await isIn(watched)).toBe(true)
      expect(
        (await server.call(admin, 'POST', `${USER}/session/end`, { body: { userId, sid: data[0].sid } })).status,
      ).toBe(200)
      expect(await isIn(watched)).toBe(false)
      const again = person(await enter('watched'))
      expect((await server.call(admin, 'POST', `${USER}/session/end`, { body: { userId } })).status).toBe(200)
      expect(await isIn(again)).toBe(false)
      expect(await isIn(colleague)).toBe(true)
    },
  )

  test(
    'of somebody who may do more are neither seen nor ended: who may not ' + 'set a password ends no session',
    async () => {
      const role = async (alias: string, codes: string[]) => {
        const { id } = (
          await server.call(admin, 'POST', '/api/blade-system/role/submit', {
            body: { roleName: alias, roleAlias: alias, sort: 4 },
          })
        ).data
        const body = { roleIds: [id], menuIds: codes.map(menuId), dataScopeIds: [], apiScopeIds: [] }
        expect((await server.call(admin, 'POST', '/api/blade-system/role/grant', { body })).status).toBe(200)
        return id as string
      }
      const [helpers, leaders] = [
        await role('helper', ['user', 'user_reset']),
        await role('leader', ['user', 'user_reset', 'post']),
      ]
      const make = (account: string, roleId: string) =>
        server.services.unit({ tenantId }, (db) =>
          createUser(db, { account, name: account, password: account, roleIds: [roleId] }),
        )
      const [, above, sibling] = [
        await make('helper', helpers),
        await make('leader', leaders),
        await make('mate', helpers),
      ]
      const [helper, leader, mate] = [
        person(await enter('helper')),
        person(await enter('leader')),
        person(await enter('mate')),
      ]
      const ask = (path: string, userId: string) =>
        server.call(
          helper,
          path === 'list' ? 'GET' : 'POST',
          `${USER}/session/${path}`,
          path === 'list' ? { query: { userId } } : { body: { userId } },
        )
      for (const path of ['list', 'end'])
        expect([path, (await ask(path, above)).data]).toMatchObject([path, { reason: 'user_above' }])
      expect(await isIn(leader)).toBe(true)
      expect((await ask('list', sibling)).data).toHaveLength(1)
      expect((await ask('end', sibling)).status).toBe(200)
      expect(await isIn(mate)).toBe(false)
    },
  )
})

describe('the first password of a tenant’s administrator', () => {
  const change = (who: CastMember, from: string, to: string, more: object = {}) =>
    server.call(who, 'POST', `${USER}/update-password`, {
      body: { oldPassword: md5Hex(from), newPassword: md5Hex(to), newPassword1: md5Hex(to), ...more },
    })

  test(
    'is told once with number and account, opens nothing but its own ' + 'change, and then is good for nothing',
    async () => {
      const made = await server.call(await root(), 'POST', '/api/blade-system/tenant/submit', {
        body: { tenantName: '新店' },
      })
      expect(made.data).toEqual({
        id: expect.any(String),
        tenantId: expect.stringMatching(/^\d{6}$/),
        account: 'admin',
        password: 'admin',
      })
      const first = await enter('admin', made.data.password, { tenantId: made.data.tenantId })
      expect(first.body).toMatchObject({ must_change_password: true })
      const boss = person(first)
      for (const path of ['page', 'session/own', 'list'])
        expect(await server.call(boss, 'GET', `${USER}/${path}`)).toMatchObject({
          status: 403,
          data: { reason: 'password_must_change' },
        })
      expect((await server.call(boss, 'GET', '/api/blade-system/menu/routes')).status).toBe(403)
      expect((await server.call(boss, 'GET', `${USER}/info`)).status).toBe(200)
      expect((await change(boss, 'admin', 'admin', { newPlain: 'admin' })).status).toBe(400)
      expect((await change(boss, 'admin', 'Better-1', { newPlain: 'Better-1' })).status).toBe(200)
      expect((await server.call(boss, 'GET', `${USER}/page`)).status).toBe(200)
      expect((await enter('admin', 'admin', { tenantId: made.data.tenantId })).status).toBe(400)
      expect((await enter('admin', 'Better-1', { tenantId: made.data.tenantId })).body).not.toHaveProperty(
        'must_change_password',
      )
    },
  )

  test('of an account that was made or reset opens nothing but its own change', async () => {
    const make = async (account: string) =>
      (
        await server.call(admin, 'POST', `${USER}/submit`, {
          body: { account, name: account, realName: '新人', roleId: staffRole },
        })
      ).data as { id: string; first: { password: string }[] }
    const reset = async (id: string) =>
      (await server.call(admin, 'POST', `${USER}/reset-password`, { query: { userIds: id } })).data.first[0] as {
        account: string
        password: string
      }
    const one = await make('first-random')
    for (const given of [() => one.first[0]!, () => reset(one.id)]) {
      const answer = await enter('first-random', (await given()).password)
      expect(answer.body).toMatchObject({ must_change_password: true })
      expect((await server.call(person(answer), 'GET', `${USER}/user-list`)).data.reason).toBe('password_must_change')
    }
    // A fixed initial password must be changed too, unless a parameter says otherwise.
    await setParam('account.initPassword', 'Of-all-1')
    const other = await make('first-fixed')
    expect(other.first[0]!.password).toBe('Of-all-1')
    expect((await enter('first-fixed', 'Of-all-1')).body).toMatchObject({ must_change_password: true })
    await setParam('account.firstPasswordChange', 'false')
    expect((await reset(other.id)).account).toBe('first-fixed')
    expect((await enter('first-fixed', 'Of-all-1')).body).not.toHaveProperty('must_change_password')
    await setParam('account.firstPasswordChange', 'true')
    // Users who still have it, or the one all earlier installations used, must change it now.
    expect((await enter('first-fixed', 'Of-all-1')).body).toMatchObject({ must_change_password: true })
    await setParam('account.initPassword', 'random')
    await aUser('of-long-ago', '123456')
    const old = await enter('of-long-ago', '123456')
    expect(old.body).toMatchObject({ must_change_password: true })
    expect((await server.call(person(old), 'GET', `${USER}/user-list`)).status).toBe(403)
  })

  test('is made up for each tenant where the parameter says so', async () => {
    await setParam('tenant.default.password', 'random')
    const make = async () =>
      (await server.call(await root(), 'POST', '/api/blade-system/tenant/submit', { body: { tenantName: '随机' } }))
        .data
    const [one, other] = [await make(), await make()]
    await setParam('tenant.default.password', 'admin')
    expect(one.password).toMatch(/^[\w-]{12}$/)
    expect(other.password).not.toBe(one.password)
    expect((await enter('admin', one.password, { tenantId: one.tenantId })).status).toBe(200)
  })
})

describe('rules for passwords', () => {
  const change = (who: CastMember, from: string, to: string, more: object = { newPlain: to }) =>
    server.call(who, 'POST', `${USER}/update-password`, {
      body: { oldPassword: md5Hex(from), newPassword: md5Hex(to), newPassword1: md5Hex(to), ...more },
    })
  const reason = async (answer: Promise<Answer>) => (await answer).data?.reason

  test('refuse what anybody would try first, also of a client that sends md5 alone', async () => {
    await aUser('guessed')
    const me = person(await enter('guessed'))
    expect((await change(me, 'guessed', 'Password1', {})).data).toMatchObject({
      reason: 'password_common',
      fields: { newPassword: expect.any(String) },
    })
    expect(await reason(change(me, 'guessed', 'guessed@2026'))).toBe('password_is_account')
    expect((await change(me, 'guessed', 'Regen-im-Mai', {})).status).toBe(200)
  })

  test(
    'are parameters: length, kinds, not the account, and refuse by the field; a client that sends ' +
      'md5 alone changes it while they ask for no more than the product',
    async () => {
      await aUser('ruled')
      const me = person(await enter('ruled'))
      expect((await change(me, 'ruled', 'abc')).data).toMatchObject({
        reason: 'password_short',
        fields: { newPassword: expect.stringContaining('6') },
      })
      expect(await reason(change(me, 'ruled', 'ruled', {}))).toBe('password_is_account')
      expect((await change(me, 'ruled', '      ')).data).toMatchObject({
        reason: 'password_blank',
        fields: { newPassword: '密码不能全是空格' },
      })
      // The plain text beside the md5 is used only if it matches.
      expect((await change(me, 'ruled', 'md5-only', { newPlain: 'Some-Other-Long-1' })).status).toBe(200)
      await setParam('account.passwordLength', '10')
      await setParam('account.passwordKinds', '3')
      expect(await reason(change(me, 'md5-only', 'Abcdefgh-1', {}))).toBe('password_unseen')
      expect(await reason(change(me, 'md5-only', 'a', { newPlain: 'Abcdefgh-1' }))).toBe('password_unseen')
      expect(await reason(change(me, 'md5-only', 'abcdefghij'))).toBe('password_simple')
      expect((await change(me, 'md5-only', 'Abcdefgh-1')).status).toBe(200)
      const added = await server.call(admin, 'POST', `${USER}/submit`, {
        body: { account: 'weak', name: 'w', realName: 'w', userType: 1, password: 'short' },
      })
      expect(added.data).toMatchObject({ reason: 'password_short', fields: { password: expect.any(String) } })
      expect((await server.call(undefined, 'GET', `${USER}/password-rules`)).status).toBe(401)
      expect((await server.call(me, 'GET', `${USER}/password-rules`)).data).toMatchObject({
        length: 10,
        kinds: 3,
        history: 0,
      })
      await setParam('account.passwordLength', '6')
      await setParam('account.passwordKinds', '1')
    },
  )

  test(
    'let no former password come back, as many as they say, and an old one must ' + 'be changed before anything else',
    async () => {
      await aUser('former')
      const me = person(await enter('former'))
      expect(await reason(change(me, 'former', 'former-2'))).toBeUndefined()
      expect(await reason(change(me, 'former-2', 'former-2'))).toBe('password_known')
      await setParam('account.passwordHistory', '2')
      expect(await reason(change(me, 'former-2', 'former-3'))).toBeUndefined()
      expect(await reason(change(me, 'former-3', 'former-2'))).toBe('password_known')
      await setParam('account.passwordHistory', '0')
      await setParam('account.passwordDays', '30')
      skew += 31 * 86_400_000
      expect((await enter('former', 'former-3')).body).toMatchObject({ must_change_password: true })
      const late = person(await enter('former', 'former-3'))
      expect((await server.call(late, 'GET', `${USER}/session/own`)).data).toMatchObject({
        reason: 'password_must_change',
      })
      expect((await change(late, 'former-3', 'former-4')).status).toBe(200)
      expect((await server.call(late, 'GET', `${USER}/session/own`)).status).toBe(200)
      skew -= 31 * 86_400_000
      await setParam('account.passwordDays', '0')
    },
  )

  test('keep what they were told of to themselves: a former password is a hash', async () => {
    const rows = await server.services.unit({ tenantId }, (db) =>
      db.query<{ hash: string }>(sql`select hash from user_password`),
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ hash }) => hash.startsWith('$argon2id$'))).toBe(true)
  })
})
