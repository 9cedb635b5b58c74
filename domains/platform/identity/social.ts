import { defineSlot } from '#kit/server/base/slots.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import { digestSecret } from '#kit/server/security/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'
import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import type { ClientRow } from '#domains/platform/system/api.ts'
import { requireActiveTenant } from './login.ts'
import {
  issueTokens,
  findUserById,
  type SignInOrigin,
  type ActingDepartmentAndRole,
  type TokenResponse,
} from './sessions.ts'
import type { SocialSignInFault } from './social-http.client.ts'
import { createSocialProviders, readSocialSettings, type SocialProfile, type SocialProviders } from './social.client.ts'
import { identityServicesOf } from './tools.ts'

const STATE_SECONDS = 10 * 60
const GUEST_SECONDS = 30 * 60

const names: Record<string, { zh: string; en: string }> = {
  oidc: { zh: '统一身份认证', en: 'Single sign-on' },
  github: { zh: 'GitHub', en: 'GitHub' },
  gitee: { zh: 'Gitee', en: 'Gitee' },
  wechat_open: { zh: '微信', en: 'WeChat' },
  dingtalk: { zh: '钉钉', en: 'DingTalk' },
  wecom: { zh: '企业微信', en: 'WeCom' },
}

export const socialProvidersSlot = defineSlot<SocialProviders>('social')

/**
 * Returns the other services people can sign in with, from the environment unless demo data or a test supplied them.
 */
function providersOf(services: Services): SocialProviders {
  const known = services.slots.find(socialProvidersSlot)
  if (known) return known
  const onFault = (source: string, fault: SocialSignInFault) =>
    services.log.warn({ source, fault }, 'a sign-in through another service failed')
  const providers = createSocialProviders(readSocialSettings(process.env), { onFault })
  services.slots.fill(socialProvidersSlot, providers)
  return providers
}

export const listSocialSources = (services: Services, lang: 'zh' | 'en') =>
  providersOf(services)
    .sources()
    .map((source) => ({ source, name: names[source]?.[lang] ?? source }))

const callbackUrl = (services: Services, source: string) =>
  `${services.config.publicUrl}/api/blade-auth/oauth/callback/${encodeURIComponent(source)}`
const stateKey = defineGlobalSharedKey('social-state', 'nobody has signed in yet; a number nobody guesses')

const BROWSER = 'social-browser'

/** Cookie that ties a sign-in to the browser that began it; neither scripts nor other sites can use it. */
const cookieOf = ({ config }: Services, browser: string) =>
  `${BROWSER}=${browser}; Path=/; Max-Age=${STATE_SECONDS}; HttpOnly; SameSite=Lax` +
  (config.publicUrl.startsWith('https:') ? '; Secure' : '')

const browserOf = (headers: Headers): string =>
  new RegExp(`(?:^|;\\s*)${BROWSER}=([\\w-]{32})(?:;|$)`).exec(String(headers.cookie ?? ''))?.[1] ?? ''

type Headers = Record<string, string | string[] | undefined>
type Begun = { source: string; browser: string }

/**
 * Begins a sign-in at another service: returns its URL and a cookie. With the state alone, an attacker's sign-in could
 * be completed in a browser that never began one.
 */
export async function beginSocialSignIn(
  services: Services,
  source: string,
  headers: Headers,
): Promise<{ location: string; cookie: string }> {
  const [state, fresh] = [randomBytes(24), randomBytes(24)].map((bytes) => bytes.toString('base64url')) as [
    string,
    string,
  ]
  // Reuses the cookie, so that two sign-ins begun in parallel can both complete.
  const browser = browserOf(headers) || fresh
  const location = await providersOf(services).authorizeUrl(source, state, callbackUrl(services, source))
  await services.shared.put(stateKey(state), { source, browser: digestSecret(browser) } satisfies Begun, STATE_SECONDS)
  return { location, cookie: cookieOf(services, browser) }
}

type LinkedAccount = { id: string; userId: string | null }

const randomId = () => (randomBytes(8).readBigUInt64BE() >> 2n).toString()

async function remember(db: Db, profile: SocialProfile): Promise<LinkedAccount> {
  const known = await db.one<LinkedAccount>(sql`
    insert into user_oauth as o (id, tenant_id, source, uuid, username, nickname, avatar, email)
    values (${randomId()}, ${db.tenantId}, ${profile.source}, ${profile.uuid}, ${profile.username}, ${profile.nickname},
    ${profile.avatar}, ${profile.email})
    on conflict (tenant_id, source, uuid) do update set username = excluded.username, nickname = excluded.nickname,
    avatar = excluded.avatar, email = excluded.email, update_time = now()
    returning o.id::text as id, o.user_id::text as user_id`)
  return known!
}

async function guestAnswer(
  services: Services,
  client: ClientRow,
  tenantId: string,
  oauthId: string,
  profile: SocialProfile,
): Promise<TokenResponse> {
  const account = profile.username || profile.uuid
  const identity = {
    tenant_id: tenantId,
    user_id: '',
    dept_id: '',
    post_id: '',
    role_id: '',
    oauth_id: oauthId,
    account,
    user_name: account,
    nick_name: profile.nickname,
    real_name: profile.nickname,
    role_name: 'guest',
    client_id: client.clientId,
  }
  const tokens = await identityServicesOf(services).tokens
  const options = { sid: randomUUID(), lifeSeconds: GUEST_SECONDS }
  const [access, refresh] = await Promise.all([
    tokens.signAccess(identity, options),
    tokens.signRefresh(identity, options),
  ])
  return {
    ...identity,
    access_token: access.token,
    refresh_token: refresh.token,
    token_type: 'bearer',
    expires_in: GUEST_SECONDS,
    avatar: profile.avatar,
    detail: { type: 'web' },
    license: 'unmanned-store-office',
  }
}

type Arrival = {
  client: ClientRow
  tenantId: string
  source: string
  code: string
  state: string
  headers: Headers
  place: ActingDepartmentAndRole
  from: SignInOrigin
}

/**
 * Completes a sign-in at another service: issues tokens for the linked user, else a guest's, with which to register.
 * Refuses an unknown, used or foreign state.
 */
export async function finishSocialSignIn(
  services: Services,
  { client, tenantId, source, code, state, headers, place, from }: Arrival,
): Promise<TokenResponse> {
  const begun = /^[\w-]{32}$/.test(state)
    ? ((await services.shared.take(stateKey(state))) as Begun | undefined)
    : undefined
  if (begun?.source !== source || begun.browser !== digestSecret(browserOf(headers)))
    throw new Refused('social_state_over')
  await requireActiveTenant(services, tenantId)
  const profile = await callAndLogExternal(
    services,
    {
      tenantId,
      system: source === 'wechat_open' ? 'wechat' : 'social',
      method: 'POST',
      url: `exchange/${source}`,
      request: { source },
    },
    () => providersOf(services).exchange(source, code, state, callbackUrl(services, source)),
    () => ({ bizCode: 'OK' }),
  )
  const found = await services.unit({ tenantId }, async (db) => {
    const known = await remember(db, profile)
    const user = known.userId ? await findUserById(db, known.userId) : undefined
    return {
      known,
      tokens: user && (await issueTokens({ db, services, client, user, place, from, oauthId: known.id })),
    }
  })
  return found.tokens ?? guestAnswer(services, client, tenantId, found.known.id, profile)
}
