import * as openid from 'openid-client'
import { createSignInDeniedError, textOrEmpty } from './social-http.client.ts'
import type { SocialHttpClient } from './social-http.client.ts'
import type { SocialSettings, SocialSignInProvider } from './social.client.ts'

const clockToleranceSeconds = 60

/** Reads the provider's discovery document, which must name exactly the issuer that was set up. */
async function discover(settings: SocialSettings, call: SocialHttpClient): Promise<openid.Configuration> {
  const issuer = new URL(settings.issuer!)
  const config = await openid.discovery(
    issuer,
    settings.clientId,
    { [openid.clockTolerance]: clockToleranceSeconds },
    basicAuthentication(settings.clientSecret),
    {
      [openid.customFetch]: call.fetchJson,
      execute: [
        // Signatures of id tokens are checked although they come straight from the provider.
        openid.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    },
  )
  const { issuer: found } = config.serverMetadata()
  // The library takes issuers for equal that differ by a final slash.
  if (found !== settings.issuer)
    throw createSignInDeniedError('issuer_mismatch', `The discovery document speaks for ${found}`)
  return config
}

const nonceOf = (proof: string) => openid.calculatePKCECodeChallenge(`nonce ${proof}`)

/** Sign-in with any OpenID Connect provider: discovery, code with PKCE and nonce, signed id token, user info. */
export const oidcSignInProvider: SocialSignInProvider = {
  async authorizeUrl({ settings, state, redirectUri, proof, call }) {
    const config = await discover(settings, call).catch(denyAs(call, 'issuer_mismatch'))
    return openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce: await nonceOf(proof),
      code_challenge: await openid.calculatePKCECodeChallenge(proof),
      code_challenge_method: 'S256',
    }).href
  },

  async profile({ settings, redirectUri, proof, call }, code) {
    const config = await discover(settings, call).catch(denyAs(call, 'issuer_mismatch'))
    const back = new URL(redirectUri)
    // The state has been checked before, and a state belongs to one issuer.
    back.search = new URLSearchParams({ code, iss: settings.issuer! }).toString()
    const checks = { pkceCodeVerifier: proof, expectedNonce: await nonceOf(proof) }
    const tokens = await openid.authorizationCodeGrant(config, back, checks).catch(denyAs(call, 'id_token_invalid'))
    const { sub } = tokens.claims()!
    const info = await openid.fetchUserInfo(config, tokens.access_token, sub).catch(denyAs(call, 'sub_mismatch'))
    return {
      uuid: sub,
      username: textOrEmpty(info.preferred_username ?? info.email ?? sub),
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

/** Rethrows a missing answer as it is, and all else as a refusal with the provider's code or the given one. */
const denyAs =
  (call: SocialHttpClient, code: string) =>
  (error: Error): never => {
    if (call.faultOf(error.cause)) throw error.cause
    if (error instanceof openid.ResponseBodyError) throw createSignInDeniedError(error.error, error.error_description)
    throw createSignInDeniedError(code, error.cause instanceof Error ? error.cause.message : error.message)
  }

/**
 * Authenticates with the Basic header, both parts form-encoded (RFC 6749 §2.3.1). The library also encodes what
 * needs no encoding, and providers that decode nothing would refuse a secret with a hyphen.
 */
function basicAuthentication(secret: string): openid.ClientAuth {
  const encode = (part: string) => encodeURIComponent(part).replaceAll('%20', '+')
  return (_server, { client_id }, _body, headers) => {
    const pair = `${encode(client_id)}:${encode(secret)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
}
