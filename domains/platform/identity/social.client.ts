import { defineRefusals, Refused, type CodesOf } from '#kit/server/base/refused.ts'
import { oidcSignInProvider } from './social-oidc.client.ts'
import { createSocialHttpClient, type SocialSignInFault, type SocialHttpClient } from './social-http.client.ts'
import {
  dingtalkSignInProvider,
  giteeSignInProvider,
  githubSignInProvider,
  wechatSignInProvider,
  wecomSignInProvider,
} from './social-vendors.client.ts'

const refusals = defineRefusals({
  social_unknown: { zh: '未开通的第三方登录方式: {source}', en: 'This sign-in method is not enabled: {source}' },
  social_denied: {
    zh: '第三方登录未成功，请重新登录 ({reason})',
    en: 'Third-party sign-in failed. Sign in again ({reason}).',
  },
  social_unavailable: {
    zh: '第三方登录服务暂无响应，请稍后再试',
    en: 'The third-party sign-in service is not responding. Try again later.',
  },
})

declare module '#kit/server/base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

/** A person's profile at another service; '' for what it does not tell. */
export type SocialProfile = {
  uuid: string
  username: string
  nickname: string
  avatar: string
  email: string
  blog: string
  company: string
  location: string
  /** As in the dictionary `sex`: 1 male, 2 female, 3 unknown. */
  gender: 1 | 2 | 3
  source: string
}

export type SocialSettings = {
  /** Name used in URLs and rows; the kind by default. */
  source: string
  kind: keyof typeof vendors
  clientId: string
  clientSecret: string
  /** OpenID Connect: the issuer, whose discovery document has the endpoints. */
  issuer?: string | undefined
  /** WeCom: the application id. */
  agentId?: string | undefined
  /** Replaces all of the vendor's hosts, each host becoming the first path segment: for simulators and proxies. */
  gateway?: string | undefined
}

/** Context of one sign-in for a vendor's adapter. `proof` is a secret derived from the state (PKCE, nonce). */
export type SocialSignInContext = {
  settings: SocialSettings
  state: string
  redirectUri: string
  proof: string
  call: SocialHttpClient
}

export type SocialSignInProvider = {
  authorizeUrl(signIn: SocialSignInContext): string | Promise<string>
  profile(signIn: SocialSignInContext, code: string): Promise<Omit<SocialProfile, 'source'>>
}

const vendors = {
  oidc: oidcSignInProvider,
  github: githubSignInProvider,
  gitee: giteeSignInProvider,
  wechat_open: wechatSignInProvider,
  dingtalk: dingtalkSignInProvider,
  wecom: wecomSignInProvider,
}

export type SocialProviders = {
  sources(): string[]
  /** Returns the URL to send the browser to. `state` must be unguessable, stored by the caller and valid once. */
  authorizeUrl(source: string, state: string, redirectUri: string): Promise<string>
  /**
   * Exchanges the code for the person's profile. Refuses with `social_denied` or `social_unavailable`; `onFault` gets
   * the details.
   */
  exchange(source: string, code: string, state: string, redirectUri: string): Promise<SocialProfile>
}

type Options = { timeoutMs?: number; onFault?: (source: string, fault: SocialSignInFault) => void }

/** Creates the sign-in through other services, one per entry of `settings`. */
export function createSocialProviders(settings: SocialSettings[], options: Options = {}): SocialProviders {
  const bySource = new Map(settings.map((entry) => [entry.source, entry]))
  const call = createSocialHttpClient(options.timeoutMs)

  async function signIn<T>(
    source: string,
    state: string,
    redirectUri: string,
    ask: (vendor: SocialSignInProvider, signIn: SocialSignInContext) => T | Promise<T>,
  ) {
    const found = bySource.get(source)
    if (!found) throw new Refused('social_unknown', { source })
    try {
      const proof = call.proofOf(found.clientSecret, state)
      return await ask(vendors[found.kind], { settings: found, state, redirectUri, proof, call })
    } catch (err) {
      const fault = call.faultOf(err)
      if (!fault) throw err
      options.onFault?.(source, fault)
      throw new Refused(fault.kind === 'denied' ? 'social_denied' : 'social_unavailable', { reason: fault.code })
    }
  }

  return {
    sources: () => [...bySource.keys()],
    authorizeUrl: (source, state, redirectUri) =>
      signIn(source, state, redirectUri, (vendor, about) => vendor.authorizeUrl(about)),
    exchange: (source, code, state, redirectUri) =>
      signIn(source, state, redirectUri, async (vendor, about) => ({ ...(await vendor.profile(about, code)), source })),
  }
}

/**
 * Reads `SOCIAL_<KIND>_ID` and `_SECRET` for each kind (with `SOCIAL_OIDC_ISSUER`, `SOCIAL_WECOM_AGENT`, and
 * `SOCIAL_<KIND>_SOURCE` or `_GATEWAY` where wanted).
 */
export function readSocialSettings(env: NodeJS.ProcessEnv): SocialSettings[] {
  return (Object.keys(vendors) as (keyof typeof vendors)[]).flatMap((kind) => {
    const read = (name: string) => env[`SOCIAL_${kind.toUpperCase()}_${name}`] || undefined
    const [clientId, clientSecret, issuer] = [read('ID'), read('SECRET'), read('ISSUER')]
    if (!clientId || !clientSecret) return []
    if (kind === 'oidc' && !issuer) throw new Error('SOCIAL_OIDC_ISSUER is missing')
    return [
      {
        source: read('SOURCE') ?? kind,
        kind,
        clientId,
        clientSecret,
        issuer,
        agentId: read('AGENT'),
        gateway: read('GATEWAY'),
      },
    ]
  })
}
