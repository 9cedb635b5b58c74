import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Grants } from './grants.ts'
import { simulatedClient } from './exchange.ts'
import type { Exchange, Route } from './exchange.ts'
import type { Person } from './people.ts'

const tokenSeconds = 3600

/** Returns the server-to-server calls of an OpenID Connect provider, with RS256 keys made at the start. */
export async function openIdConnect(issuer: string, grants: Grants): Promise<Record<string, Route>> {
  const kid = 'simulated-1'
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const stranger = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' }

  return {
    '/.well-known/openid-configuration': () => ({ body: discoveryOf(issuer) }),

    '/jwks': () => ({ body: { keys: [jwk] } }),

    '/token': async (exchange) => {
      const { values, failure } = exchange
      if (!isOurClient(exchange))
        return { status: 401, body: { error: 'invalid_client', error_description: 'Client authentication failed' } }
      if (values.grant_type !== 'authorization_code') return { status: 400, body: { error: 'unsupported_grant_type' } }
      const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier } = values
      const grant =
        failure === 'invalid_grant'
          ? undefined
          : grants.redeem({ code, clientId: simulatedClient.clientId, redirectUri, verifier })
      if (!grant)
        return {
          status: 400,
          body: { error: 'invalid_grant', error_description: 'The code is invalid, expired or used' },
        }
      const nonce = failure === 'wrong_nonce' ? 'another' : grant.nonce
      const id_token = await new SignJWT({ nonce })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(issuer)
        .setAudience(grant.clientId)
        .setSubject(grant.person.id)
        .setIssuedAt()
        .setExpirationTime(`${tokenSeconds}s`)
        .sign(failure === 'wrong_key' ? stranger.privateKey : privateKey)
      return {
        body: {
          access_token: grants.access(grant),
          token_type: 'Bearer',
          expires_in: tokenSeconds,
          scope: 'openid profile email',
          id_token,
        },
      }
    },

    '/userinfo': ({ headers }) => {
      const person = grants.who(headers.authorization?.replace(/^Bearer /i, '') ?? '')
      return person ? { body: claimsOf(person) } : { status: 401, body: { error: 'invalid_token' } }
    },
  }
}

const discoveryOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  scopes_supported: ['openid', 'profile', 'email'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
})

const claimsOf = (person: Person) => ({
  sub: person.id,
  preferred_username: person.login,
  name: person.name,
  picture: person.avatar,
  website: person.website,
  gender: person.sex,
  address: { formatted: person.city },
  ...(person.email && { email: person.email, email_verified: true }),
})

function isOurClient({ headers, values }: Exchange): boolean {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  const pair = basic ? Buffer.from(basic, 'base64').toString() : `${values.client_id}:${values.client_secret}`
  return pair === `${simulatedClient.clientId}:${simulatedClient.clientSecret}`
}
