import { createHash } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { urlWithParameters, createSignInDeniedError, textOrEmpty } from './social-http.client.ts'
import type { JsonObject, SocialHttpClient } from './social-http.client.ts'
import type { SocialSignInContext, SocialSignInProvider } from './social.client.ts'

/** Permitted signature algorithms: never "none", no shared secrets. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']
const clockToleranceSeconds = 60

async function discover(call: SocialHttpClient, issuer: string): Promise<JsonObject> {
  const found = await call.json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (found.issuer !== issuer)
    throw createSignInDeniedError('issuer_mismatch', `The discovery document speaks for ${found.issuer}`)
  return found
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Sign-in with any OpenID Connect provider: discovery, code with PKCE and nonce, signed id token, user info. */
export const oidcSignInProvider: SocialSignInProvider = {
  async authorizeUrl({ settings, state, redirectUri, proof, call }) {
    const { authorization_endpoint } = await discover(call, settings.issuer!)
    return urlWithParameters(authorization_endpoint, {
      response_type: 'code',
      client_id: settings.clientId,
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce: challengeOf(`nonce ${proof}`),
      code_challenge: challengeOf(proof),
      code_challenge_method: 'S256',
    })
  },

  async profile(signIn, code) {
    const { settings, redirectUri, proof, call } = signIn
    const provider = await discover(call, settings.issuer!)
    const answer = await call.json(provider.token_endpoint, {
      form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: proof },
      headers: { authorization: basic(settings.clientId, settings.clientSecret) },
    })
    if (answer.error || !answer.id_token)
      throw createSignInDeniedError(answer.error ?? 'no_id_token', answer.error_description)
    const claims = await verified(signIn, provider, answer.id_token)
    const info = await call.json(provider.userinfo_endpoint, {
      headers: { authorization: `Bearer ${answer.access_token}` },
    })
    if (info.sub !== claims.sub)
      throw createSignInDeniedError('sub_mismatch', 'The user information speaks of somebody else')
    return {
      uuid: textOrEmpty(claims.sub),
      username: textOrEmpty(info.preferred_username ?? info.email ?? claims.sub),
      nickname: textOrEmpty(info.name ?? info.nickname ?? info.preferred_username),
      avatar: textOrEmpty(info.picture),
      email: info.email_verified === false ? '' : textOrEmpty(info.email),
      blog: textOrEmpty(info.website),
      company: '',
      location: textOrEmpty(info.address?.formatted),
      gender: info.gender === 'male' ? 1 : info.gender === 'female' ? 2 : 3,
    }
  },
}

async function verified({ settings, proof, call }: SocialSignInContext, provider: JsonObject, idToken: string) {
  const keys = createLocalJWKSet((await call.json(provider.jwks_uri)) as { keys: [] })
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: settings.issuer!,
      audience: settings.clientId,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    if (payload.nonce !== challengeOf(`nonce ${proof}`)) throw new Error('The nonce is not ours')
    return payload
  } catch (err) {
    throw createSignInDeniedError('id_token_invalid', (err as Error).message)
  }
}

/** Basic header of a client; both parts are form-encoded first (RFC 6749 §2.3.1). */
function basic(id: string, secret: string): string {
  const encode = (part: string) => encodeURIComponent(part).replaceAll('%20', '+')
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
}
