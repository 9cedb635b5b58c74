import { randomBytes } from 'node:crypto'
import { tokenFromCookie } from '#kit/server/request/authenticate.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call, HttpReply } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'
import { findClientById, type ClientRow } from '#domains/platform/system/api.ts'
import { requireActiveTenant } from './login.ts'
import { issueTokens, findUserById, type SignInOrigin, type TokenResponse } from './sessions.ts'

const CODE_SECONDS = 60

type Grant = { clientId: string; redirectUri: string; tenantId: string; userId: string }

const codeKey = defineGlobalSharedKey('sso-code', 'a client shows nothing but the code, which nobody guesses')

/** Whether a redirect URI is registered, compared exactly: looser matching would hand codes to strangers. */
const isRegistered = (client: ClientRow, address: string) =>
  client.webServerRedirectUri.split(/[\s,]+/).includes(address)

type AuthorizeQuery = {
  client_id: string | null
  redirect_uri: string | null
  response_type: string | null
  state: string | null
}

/**
 * OAuth authorize endpoint for the operator's other applications: redirects back with a code, or to our sign-in page
 * first. Refuses unknown clients and redirect URIs.
 */
export async function handleOauthAuthorize(call: Call<AuthorizeQuery>): Promise<HttpReply> {
  const { input, services } = call
  const client = await findClientById(services, input.client_id ?? '')
  if (!client?.authorizedGrantTypes.includes('authorization_code')) throw new Refused('bad_client')
  const redirectUri = input.redirect_uri ?? ''
  if (!isRegistered(client, redirectUri)) throw new Refused('redirect_not_registered')
  const back = new URL(redirectUri)
  const go = (location: string) => call.reply({ status: 302, headers: { location, 'cache-control': 'no-store' } })
  if (input.response_type !== 'code') {
    back.searchParams.set('error', 'unsupported_response_type')
    return go(back.href)
  }
  // Uses the session cookie, since a followed link cannot carry headers.
  const token = call.caller.userId ? undefined : tokenFromCookie(call.request.headers)
  const caller = token ? await services.access.callerOf(token).catch(() => undefined) : call.caller
  if (!caller?.userId) return go(`/login?redirect=${encodeURIComponent(call.request.url)}`)
  const code = randomBytes(24).toString('base64url')
  const grant: Grant = { clientId: client.clientId, redirectUri, tenantId: caller.tenantId, userId: caller.userId }
  await services.shared.put(codeKey(code), grant, CODE_SECONDS)
  back.searchParams.set('code', code)
  // Clients of this protocol read the tenant from `state`, unless they sent a state of their own.
  back.searchParams.set('state', input.state || caller.tenantId)
  return go(back.href)
}

/** Exchanges a code for tokens: once, within a minute, by the same client and redirect URI. Refuses otherwise. */
export async function exchangeAuthorizationCode(
  services: Services,
  client: ClientRow,
  code: string,
  redirectUri: string,
  from: SignInOrigin,
): Promise<TokenResponse> {
  const grant = /^[\w-]{32}$/.test(code)
    ? ((await services.shared.take(codeKey(code))) as Grant | undefined)
    : undefined
  if (!grant || grant.clientId !== client.clientId || grant.redirectUri !== redirectUri)
    throw new Refused('code_invalid')
  await requireActiveTenant(services, grant.tenantId)
  return services.unit({ tenantId: grant.tenantId }, async (db) => {
    const user = await findUserById(db, grant.userId)
    if (!user) throw new Refused('code_invalid')
    return issueTokens({ db, services, client, user, place: {}, from })
  })
}
