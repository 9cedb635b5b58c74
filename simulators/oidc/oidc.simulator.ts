import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { consentPage } from './consent.ts'
import { simulatedClient } from './exchange.ts'
import type { Failure, Reply, Route } from './exchange.ts'
import { createGrants, type Grants } from './grants.ts'
import { openIdConnect } from './openid-connect.ts'
import { vendorShapes } from './vendor-shapes.ts'

export { simulatedClient } from './exchange.ts'

export type SignInSimulator = {
  /** Issuer of the OpenID Connect provider, and base address of the vendors. */
  url: string
  fail(failure: Failure): void
  close(): Promise<void>
}

/** Consent pages by path: the service's name, and its name for the code parameter. */
const AUTHORIZE = new Map<string, { service: string; codeName?: string }>([
  ['/authorize', { service: 'OpenID Connect' }],
  ['/github.com/login/oauth/authorize', { service: 'GitHub' }],
  ['/gitee.com/oauth/authorize', { service: 'Gitee' }],
  ['/open.weixin.qq.com/connect/qrconnect', { service: '微信' }],
  ['/login.dingtalk.com/oauth2/auth', { service: '钉钉', codeName: 'authCode' }],
  ['/login.work.weixin.qq.com/wwlogin/sso/login', { service: '企业微信' }],
])

/**
 * Starts simulated sign-in services on loopback: an OpenID Connect provider with real signatures at the root, and
 * GitHub, Gitee, WeChat, DingTalk and WeCom below their host names. `?login=<name>` answers the consent page.
 */
export async function startSignInSimulator(port = 0): Promise<SignInSimulator> {
  let failure: Failure = 'none'
  let routes = new Map<string, Route>()
  const server = createServer(
    (request, response) =>
      void handleRequest(routes, failure, request).then((reply) => reply && sendReply(response, reply)),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  routes = await routesOf(base)

  return {
    url: base,
    fail(next) {
      failure = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function routesOf(base: string): Promise<Map<string, Route>> {
  const grants = createGrants()
  const pages = [...AUTHORIZE].map(([path, { service, codeName = 'code' }]): [string, Route] => [
    path,
    ({ url, values }) => authorize(grants, url, values, service, codeName),
  ])
  return new Map([
    ...pages,
    ...Object.entries(await openIdConnect(base, grants)),
    ...Object.entries(vendorShapes(grants)),
  ])
}

async function handleRequest(
  routes: ReadonlyMap<string, Route>,
  failure: Failure,
  request: IncomingMessage,
): Promise<Reply | undefined> {
  try {
    const url = new URL(request.url!, `http://${request.headers.host}`)
    const route = routes.get(url.pathname)
    if (!route) return { status: 404, body: { error: 'not_found' } }
    const isPage = AUTHORIZE.has(url.pathname)
    if (!isPage && failure === 'timeout') return undefined
    if (!isPage && failure === 'server_error') return { status: 503, body: '<html>Bad gateway</html>' }
    if (!isPage && failure === 'no_json') return { body: '<html>维护中</html>' }
    const values = { ...Object.fromEntries(url.searchParams), ...(await bodyOf(request)) }
    return await route({ url, method: request.method!, headers: request.headers, values, failure })
  } catch (error) {
    return { status: 500, body: { error: (error as Error).message } }
  }
}

function sendReply(response: ServerResponse, reply: Reply): void {
  const { status = reply.location ? 302 : 200, body, html, location } = reply
  response.writeHead(status, {
    'content-type': html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    ...(location && { location }),
  })
  response.end(html ?? (typeof body === 'string' ? body : JSON.stringify(body ?? {})))
}

function authorize(grants: Grants, url: URL, values: Record<string, string>, service: string, codeName: string): Reply {
  const clientId = values.client_id ?? values.appid
  if (clientId !== simulatedClient.clientId || !values.redirect_uri)
    return { status: 400, html: '<h1>redirect_uri 参数错误</h1>' }
  const { redirect_uri: redirectUri, login, state = '', nonce = '', code_challenge: challenge = '' } = values
  if (login === undefined) return { html: consentPage(service, url) }
  const back = new URL(redirectUri)
  back.searchParams.set('state', state)
  const code = grants.issue(login, { clientId, redirectUri, nonce, challenge })
  if (code) back.searchParams.set(codeName, code)
  else back.searchParams.set('error', 'access_denied')
  return { location: back.href }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  const body = await text(request)
  if (!body) return {}
  return request.headers['content-type']?.includes('json')
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body))
}
