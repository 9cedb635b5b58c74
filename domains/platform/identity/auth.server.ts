import { f } from '#kit/resource/index.ts'
import { tokenFromRequest } from '#kit/server/request/authenticate.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type InputOf } from '#kit/server/module/module.ts'
import { recordBrowserErrors, type BrowserErrorReport } from '#domains/platform/logs/api.ts'
import { clearSystemCaches, findTenantStatus } from '#domains/platform/system/api.ts'
import { handleOauthAuthorize, exchangeAuthorizationCode } from './authorize.ts'
import { findClientByBasicAuth } from './access-provider.ts'
import { signIn } from './login.ts'
import { refreshSession } from './refresh.ts'
import { logSignIn } from './sign-in-log.ts'
import { endSessions, type ActingDepartmentAndRole, type TokenResponse } from './sessions.ts'
import { beginSocialSignIn, finishSocialSignIn, listSocialSources } from './social.ts'
import { identityServicesOf } from './tools.ts'

const BASE = '/api/blade-auth/oauth'
const text = (zh: string, en: string, max = 100) => f.text({ label: { zh, en }, max })

const tokenInput = {
  tenantId: text('租户编号', 'Tenant', 12),
  username: text('账号', 'Account'),
  password: text('密码', 'Password', 64),
  grant_type: text('授权类型', 'Grant type', 40),
  refresh_token: f.longText({ label: { zh: '刷新令牌', en: 'Refresh token' }, max: 8192 }),
  source: text('第三方', 'Provider', 40),
  code: f.longText({ label: { zh: '授权码', en: 'Authorization code' }, max: 2048 }),
  state: text('状态', 'Status', 200),
  redirect_uri: f.longText({ label: { zh: '回调地址', en: 'Redirect URL' }, max: 2048 }),
  scope: text('范围', 'Scope'),
  type: text('类型', 'Type', 40),
}

type TokenCall = Call<InputOf<typeof tokenInput>>

const header = (call: Call<any>, name: string): string => {
  const value = call.request.headers[name]
  return ((Array.isArray(value) ? value[0] : value) ?? '').trim()
}

const placeOf = (call: Call<any>): ActingDepartmentAndRole => ({
  deptId: header(call, 'dept-id') || undefined,
  roleId: header(call, 'role-id') || undefined,
})

function given(value: string | null | undefined, name: string): string {
  if (!value) throw new Refused('missing_parameter', { name })
  return value
}

const grants: Record<
  string,
  (
    call: TokenCall,
    client: NonNullable<Awaited<ReturnType<typeof findClientByBasicAuth>>>,
    tenantId: string,
  ) => Promise<TokenResponse>
> = {
  captcha: async (call, client, tenantId) => {
    const isRight = await identityServicesOf(call.services).captchas.check(
      header(call, 'captcha-key'),
      header(call, 'captcha-code'),
    )
    if (!isRight) throw new Refused('captcha_wrong')
    return grants.password!(call, client, tenantId)
  },
  password: (call, client, tenantId) =>
    signIn(call.services, {
      client,
      tenantId,
      account: given(call.input.username, 'username'),
      md5: given(call.input.password, 'password').toLowerCase(),
      place: placeOf(call),
      from: call.request,
    }),
  refresh_token: (call, client) =>
    refreshSession(
      call.services,
      client,
      given(call.input.refresh_token, 'refresh_token'),
      placeOf(call),
      call.request,
    ),
  social: (call, client, tenantId) =>
    finishSocialSignIn(call.services, {
      client,
      tenantId,
      source: given(call.input.source, 'source'),
      code: given(call.input.code, 'code'),
      state: given(call.input.state, 'state'),
      headers: call.request.headers,
      place: placeOf(call),
      from: call.request,
    }),
  authorization_code: (call, client) =>
    exchangeAuthorizationCode(
      call.services,
      client,
      given(call.input.code, 'code'),
      given(call.input.redirect_uri, 'redirect_uri'),
      call.request,
    ),
}

/**
 * Issues tokens for a grant type. Each client's row lists those it may use; the browser's has no password grant without
 * captcha.
 */
async function tokens(call: TokenCall, grant: string | null): Promise<TokenResponse> {
  const started = performance.now()
  const tenantId = header(call, 'tenant-id') || call.input.tenantId || MANAGEMENT_TENANT
  try {
    const client = await findClientByBasicAuth(call.services, header(call, 'authorization'))
    if (!client) throw new Refused('bad_client')
    const name = given(grant, 'grant_type')
    if (!Object.hasOwn(grants, name)) throw new Refused('grant_unknown', { grant: name })
    if (!client.authorizedGrantTypes.includes(name)) throw new Refused('grant_not_for_client')
    const answer = await grants[name]!(call, client, tenantId)
    if (name !== 'refresh_token' && answer.user_id)
      logSignIn(
        call,
        { tenantId: answer.tenant_id, account: answer.account, userId: answer.user_id, grant: name },
        started,
      )
    return answer
  } catch (error) {
    const account = call.input.username
    // Not logged: an unknown tenant has no log, and an expired refresh token is no sign-in attempt.
    if (
      error instanceof Refused &&
      account &&
      grant !== 'refresh_token' &&
      (await findTenantStatus(call.services, tenantId))
    )
      logSignIn(call, { tenantId, account, grant: grant ?? '' }, started, error.code)
    if (error instanceof Refused) throw new Refused(error.code, error.params, { ...error.data, oauth: true })
    throw error
  }
}

const DONE = { success: 'true', msg: 'success' }

/**
 * Ends the session of the request's token if we signed it, even when it has expired. A session id alone ends nothing.
 */
async function logout(call: Call): Promise<typeof DONE> {
  const token = tokenFromRequest(call.request.headers, call.query)
  const session = token ? await (await identityServicesOf(call.services).tokens).sessionOf(token) : undefined
  // A guest's token has no session.
  if (session?.sid)
    await call.services.unit({ tenantId: session.tenant_id }, (db) =>
      endSessions(db, call.services, { sid: session.sid }, 'signed out'),
    )
  return DONE
}

const TEXT_MAX = 20_000
const part = (value: unknown) =>
  (typeof value === 'string'
    ? value.replaceAll('\u0000', '').toWellFormed()
    : typeof value === 'number'
      ? String(value)
      : ''
  ).slice(0, TEXT_MAX)

/**
 * Writes errors reported by a browser to the error log. Does not end the session, although the API name suggests it
 * (wire contract §2.5).
 */
async function uploadLogs(call: Call): Promise<undefined> {
  if (!Array.isArray(call.body)) throw new Refused('bad_body')
  recordBrowserErrors(call, call.body as BrowserErrorReport[])
  return undefined
}

const title = (zh: string, en: string) => ({ zh, en })
const source = { source: text('第三方', 'Provider', 40) }

/**
 * Receives the browser from another sign-in service (which may name the code differently) and redirects to our sign-in
 * page, which holds the client's credentials.
 */
function callback(call: Call): Promise<ReturnType<Call['reply']>> {
  const given = {
    ...(typeof call.body === 'object' && call.body !== null ? (call.body as Record<string, unknown>) : {}),
    ...call.query,
  }
  const query = new URLSearchParams({
    code: part(given.code || given.authCode || given.auth_code),
    state: part(given.state),
  })
  const location = given.error
    ? '/login'
    : `/oauth/redirect/${encodeURIComponent(part(given.source))}?${query.toString()}`
  return Promise.resolve(call.reply({ status: 302, headers: { location, 'cache-control': 'no-store' } }))
}

export const authRoutes = [
  defineRoute({
    method: 'POST',
    path: `${BASE}/token`,
    title: title('登录', 'Sign in'),
    can: { open: 'this is how one comes in' },
    tx: false,
    rawResponse: true,
    perMinute: 120,
    log: false,
    input: tokenInput,
    handle: (call) => tokens(call, call.input.grant_type),
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/token/refresh`,
    title: title('刷新令牌', 'Refresh token'),
    can: { open: 'the refresh token is the proof' },
    tx: false,
    perMinute: 60,
    log: false,
    input: tokenInput,
    handle: (call) => tokens(call, 'refresh_token'),
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/captcha`,
    title: title('验证码', 'Captcha'),
    can: { open: 'asked before signing in' },
    tx: false,
    rawResponse: true,
    perMinute: 60,
    handle: (call) => identityServicesOf(call.services).captchas.draw(),
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/logout`,
    title: title('退出登录', 'Sign out'),
    can: { open: 'an expired session must be able to end' },
    tx: false,
    rawResponse: true,
    perMinute: 120,
    handle: logout,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/logout`,
    title: title('上传错误日志', 'Upload error log'),
    can: { signedIn: 'a browser reports its own errors' },
    tx: false,
    perMinute: 30,
    log: false,
    handle: uploadLogs,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/user-info`,
    title: title('登录信息', 'Current user'),
    can: { signedIn: 'oneself' },
    tx: false,
    allowedBeforePasswordChange: true,
    handle: async ({ caller }) => ({
      userId: caller.userId,
      tenantId: caller.tenantId,
      account: caller.account,
      realName: caller.name,
      clientId: caller.clientId,
      roles: caller.roleAliases,
    }),
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/clear-cache`,
    title: title('清除缓存', 'Clear cache'),
    can: { open: 'harmless: reads again what is read all the time' },
    tx: false,
    rawResponse: true,
    perMinute: 30,
    handle: async ({ caller, services }) => {
      if (caller.isAdmin) await clearSystemCaches(services)
      return DONE
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/social`,
    title: title('第三方登录方式', 'Third-party sign-in methods'),
    can: { open: 'shown on the sign-in page' },
    tx: false,
    handle: async ({ services, lang }) => listSocialSources(services, lang),
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/render/:source`,
    title: title('第三方登录', 'Third-party sign-in'),
    can: { open: 'leads to another service' },
    tx: false,
    perMinute: 30,
    input: source,
    handle: async (call) => {
      const { location, cookie } = await beginSocialSignIn(
        call.services,
        given(call.input.source, 'source'),
        call.request.headers,
      )
      return call.reply({ status: 302, headers: { location, 'set-cookie': cookie, 'cache-control': 'no-store' } })
    },
  }),
  defineRoute({
    method: 'ANY',
    path: `${BASE}/callback/:source`,
    title: title('第三方登录返回', 'Third-party sign-in callback'),
    can: { open: 'leads to the sign-in page' },
    tx: false,
    perMinute: 60,
    log: false,
    handle: callback,
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/authorize`,
    title: title('单点登录', 'Single sign-on'),
    can: { open: 'leads to the sign-in page whoever is not signed in' },
    tx: false,
    perMinute: 60,
    input: {
      client_id: text('客户端', 'Client', 48),
      redirect_uri: tokenInput.redirect_uri,
      response_type: text('响应类型', 'Response type', 40),
      state: text('状态', 'Status', 500),
    },
    handle: handleOauthAuthorize,
  }),
]
