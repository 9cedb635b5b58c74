import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { md5Hex } from '#kit/server/security/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { basic, testServer, type TestServer } from '#tests/support/server.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { simulatedClient, startSignInSimulator, type SignInSimulator } from '#simulators/oidc/oidc.simulator.ts'
import { socialProvidersSlot } from './social.ts'
import { createSocialProviders } from './social.client.ts'

const OAUTH = '/api/blade-auth/oauth'
const browser = { authorization: basic('saber', 'saber_secret') }

let server: TestServer
let simulator: SignInSimulator
let tenantId: string

beforeAll(async () => {
  simulator = await startSignInSimulator()
  server = await testServer()
  const { services } = server
  services.slots.fill(
    socialProvidersSlot,
    createSocialProviders([
      { source: 'oidc', kind: 'oidc', ...simulatedClient, issuer: simulator.url },
      { source: 'dingtalk', kind: 'dingtalk', ...simulatedClient, gateway: simulator.url },
    ]),
  )
  tenantId = (
    await services.unit({ crossTenantReason: 'test' }, (db) =>
      createTenant(
        db,
        services,
        { tenantName: '邻里优选', linkman: '王', contactNumber: '13800000001', address: '成都' },
        { password: 'secret' },
      ),
    )
  ).tenantId
})
afterAll(async () => {
  await server?.close()
  await simulator?.close()
})

const redirectOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers.location)

/** Acts as the browser: starts a sign-in, agrees at the other service, returns and sends the code. */
async function signInAtProvider(source: string, login: string) {
  const sent = await server.call(undefined, 'GET', `${OAUTH}/render/${source}`)
  expect(sent.status).toBe(302)
  const target = new URL(redirectOf(sent))
  target.searchParams.set('login', login)
  const back = new URL((await fetch(target, { redirect: 'manual' })).headers.get('location')!)
  expect(back.pathname).toBe(`${OAUTH}/callback/${source}`)
  const home = await server.call(undefined, 'GET', back.pathname + back.search)
  const page = new URL(redirectOf(home), 'http://localhost')
  expect(page.pathname).toBe(`/oauth/redirect/${source}`)
  const cookie = String(sent.headers['set-cookie'])
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/)
  return {
    code: page.searchParams.get('code')!,
    state: page.searchParams.get('state')!,
    cookie: cookie.split(';')[0]!,
  }
}

const enter = (source: string, { cookie, ...came }: { code: string; state: string; cookie?: string }) =>
  server.call(undefined, 'POST', `${OAUTH}/token`, {
    query: { tenantId, grant_type: 'social', source, ...came, scope: 'all' },
    headers: { ...browser, 'tenant-id': tenantId, ...(cookie && { cookie }) },
  })
const register = (query: Record<string, unknown>, token?: string) =>
  server.call(undefined, 'POST', '/api/blade-user/register-guest', {
    query,
    headers: { ...browser, ...(token ? { 'blade-auth': `bearer ${token}` } : {}) },
  })

describe('signing in through another service', () => {
  test('is offered by name, as it is set up', async () => {
    expect((await server.call(undefined, 'GET', `${OAUTH}/social`)).data).toEqual([
      { source: 'oidc', name: '统一身份认证' },
      { source: 'dingtalk', name: '钉钉' },
    ])
    expect(await server.call(undefined, 'GET', `${OAUTH}/render/unknown`)).toMatchObject({
      status: 400,
      data: { reason: 'social_unknown' },
    })
  })

  test('is finished by the browser that began it alone: another one is not signed in as who did', async () => {
    const [mine, theirs] = [await signInAtProvider('oidc', 'lixiaohong'), await signInAtProvider('oidc', 'guest')]
    for (const cookie of [undefined, theirs.cookie, 'social-browser=short']) {
      const { code, state } = await signInAtProvider('oidc', 'lixiaohong')
      expect((await enter('oidc', { code, state, cookie })).data.reason).toBe('social_state_over')
    }
    expect([(await enter('oidc', mine)).status, (await enter('oidc', theirs)).status]).toEqual([200, 200])
  })

  test('makes a stranger a guest, who asks for an account, waits for a role, and then comes in', async () => {
    const guest = await enter('oidc', await signInAtProvider('oidc', 'wangjianguo'))
    expect(guest).toMatchObject({
      status: 200,
      body: {
        user_id: '',
        role_name: 'guest',
        tenant_id: tenantId,
        user_name: 'wangjianguo',
        role_id: '',
        dept_id: '',
      },
    })
    const { oauth_id: oauthId, access_token: guestToken, refresh_token: guestRefresh } = guest.body
    expect(await server.call({ token: guestToken } as never, 'GET', '/api/blade-user/info')).toMatchObject({
      status: 401,
    })
    expect(
      (
        await server.call(undefined, 'POST', `${OAUTH}/token`, {
          query: { grant_type: 'refresh_token', refresh_token: guestRefresh },
          headers: browser,
        })
      ).status,
    ).toBe(401)

    const registration = { tenantId, name: '王建国', account: 'wangjianguo', password: 'my-own-one', oauthId }
    expect(await register({ ...registration, oauthId: '123' })).toMatchObject({
      status: 400,
      msg: '第三方登陆信息错误!',
    })
    expect(await register({ ...registration, tenantId: '999999' })).toMatchObject({ status: 400, msg: '租户信息错误!' })
    expect(await register({ ...registration, account: 'admin' })).toMatchObject({
      status: 400,
      msg: '当前用户 [admin] 已存在!',
    })
    expect(await register({ ...registration, password: '' })).toMatchObject({ status: 400 })
    // The tenant of the sign-in counts, whatever the parameter says.
    expect(await register({ ...registration, tenantId: '000000' }, guestToken)).toMatchObject({
      status: 200,
      code: 200,
    })
    // As our page sends it: in the body, as a password does not belong in a URL.
    const inBody = await server.call(undefined, 'POST', '/api/blade-user/register-guest', {
      body: { ...registration, account: 'second' },
      headers: browser,
    })
    expect(inBody).toMatchObject({ status: 400, data: { reason: 'social_taken' } })
    expect(await register({ ...registration, account: 'second' })).toMatchObject({
      status: 400,
      data: { reason: 'social_taken' },
    })

    expect(await enter('oidc', await signInAtProvider('oidc', 'wangjianguo'))).toMatchObject({
      status: 400,
      msg: '未获得用户的角色信息',
    })
    const admin = await server.as('admin', { tenantId, password: 'secret' })
    const { records } = (await server.call(admin, 'GET', '/api/blade-user/page', { query: { account: 'wangjianguo' } }))
      .data
    expect(records).toMatchObject([{ account: 'wangjianguo', realName: '王建国', roleId: '', deptId: '', tenantId }])
    const roles = (await server.call(admin, 'GET', '/api/blade-system/role/tree')).data
    expect(
      (
        await server.call(admin, 'POST', '/api/blade-user/grant', {
          query: { userIds: records[0].id, roleIds: roles[0].id },
        })
      ).status,
    ).toBe(200)
    const bound = await enter('oidc', await signInAtProvider('oidc', 'wangjianguo'))
    expect(bound.body).toMatchObject({
      user_id: records[0].id,
      account: 'wangjianguo',
      oauth_id: oauthId,
      role_name: 'admin',
    })
    const byPassword = await server.call(undefined, 'POST', `${OAUTH}/token`, {
      query: { grant_type: 'password', tenantId, username: 'wangjianguo', password: md5Hex('my-own-one') },
      headers: { authorization: basic('script', 'script_secret') },
    })
    expect(byPassword.status).toBe(200)
  })

  test('understands services that name the code differently', async () => {
    expect((await enter('dingtalk', await signInAtProvider('dingtalk', 'lixiaohong'))).body).toMatchObject({
      role_name: 'guest',
      nick_name: '李小红',
    })
  })

  test('needs the state of a beginning here, once', async () => {
    const came = await signInAtProvider('oidc', 'lixiaohong')
    expect(await enter('oidc', { ...came, state: 'x'.repeat(32) })).toMatchObject({
      status: 400,
      data: { reason: 'social_state_over' },
    })
    expect(await enter('dingtalk', came)).toMatchObject({ status: 400 })
    expect((await enter('oidc', came)).status).toBe(400)
  })

  test('is closed to new accounts by the parameter, at once', async () => {
    const guest = await enter('oidc', await signInAtProvider('oidc', 'guest'))
    const root = await server.as('admin')
    const { records } = (
      await server.call(root, 'GET', '/api/blade-system/param/list', { query: { paramKey: 'account.registerUser' } })
    ).data
    await server.call(root, 'POST', '/api/blade-system/param/submit', {
      body: { id: records[0].id, paramValue: 'false' },
    })
    const registration = {
      tenantId,
      name: '访客',
      account: 'visitor',
      password: 'my-own-one',
      oauthId: guest.body.oauth_id,
    }
    expect(await register(registration)).toMatchObject({ status: 400, data: { reason: 'register_closed' } })
    await server.call(root, 'POST', '/api/blade-system/param/submit', {
      body: { id: records[0].id, paramValue: 'true' },
    })
    expect(await register(registration)).toMatchObject({ status: 200 })
  })
})

describe('single sign-on for other applications', () => {
  const redirectUri = 'https://reports.example.com/back?from=office'
  const app = { authorization: basic('reports', 'reports_secret') }
  const ask = (query: Record<string, unknown>, headers: Record<string, string> = {}) =>
    server.call(undefined, 'GET', `${OAUTH}/authorize`, {
      query: { client_id: 'reports', response_type: 'code', redirect_uri: redirectUri, ...query },
      headers,
    })
  const exchange = (code: string, uri = redirectUri, headers: Record<string, string> = app) =>
    server.call(undefined, 'POST', `${OAUTH}/token`, {
      query: { grant_type: 'authorization_code', tenantId, code, redirect_uri: uri, scope: 'all' },
      headers,
    })

  beforeAll(async () => {
    const root = await server.as('admin')
    const saved = await server.call(root, 'POST', '/api/blade-system/client/submit', {
      body: {
        clientId: 'reports',
        clientSecret: 'reports_secret',
        authorizedGrantTypes: 'authorization_code,refresh_token',
        webServerRedirectUri: redirectUri,
        accessTokenValidity: 600,
        refreshTokenValidity: 3600,
      },
    })
    expect(saved.body).toMatchObject({ code: 200 })
  })

  test('sends whoever is not signed in to the sign-in page and back', async () => {
    const answer = await ask({})
    expect(answer.status).toBe(302)
    expect(decodeURIComponent(redirectOf(answer))).toContain(`/login?redirect=${OAUTH}/authorize?client_id=reports`)
  })

  test('gives the application a code for tokens, once, with the tenant as state', async () => {
    const admin = await server.as('admin', { tenantId, password: 'secret' })
    const back = new URL(redirectOf(await ask({}, { cookie: `other=1; store-access-token=${admin.token}` })))
    expect(back.origin + back.pathname).toBe('https://reports.example.com/back')
    expect([back.searchParams.get('from'), back.searchParams.get('state')]).toEqual(['office', tenantId])
    const code = back.searchParams.get('code')!
    const tokens = await exchange(code)
    expect(tokens.body).toMatchObject({ account: 'admin', tenant_id: tenantId, client_id: 'reports', expires_in: 600 })
    expect(await exchange(code)).toMatchObject({ status: 400, data: { reason: 'code_invalid' } })
  })

  test('hands no code to an address or application that is not registered', async () => {
    const admin = await server.as('admin', { tenantId, password: 'secret' })
    const cookie = { cookie: `store-access-token=${admin.token}` }
    for (const uri of [
      'https://evil.example.com/back',
      'https://reports.example.com/back',
      `${redirectUri}&more=1`,
      '',
    ]) {
      const answer = await ask({ redirect_uri: uri }, cookie)
      expect([uri, answer.status, answer.headers.location]).toEqual([uri, 400, undefined])
    }
    expect((await ask({ client_id: 'nobody' }, cookie)).status).toBe(401)
    const code = () => ask({}, cookie).then((answer) => new URL(redirectOf(answer)).searchParams.get('code')!)
    expect((await exchange(await code(), 'https://reports.example.com/other')).status).toBe(400)
    expect((await exchange(await code(), redirectUri, browser)).status).toBe(400)
  })

  test('keeps a sign-in of another tenant out of sight', async () => {
    const rows = await server.services.unit({ tenantId: '000000' }, (db) => db.query(sql`select id from user_oauth`))
    expect(rows).toEqual([])
  })
})
