import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Keyring } from './keyring.ts'

/** Identity in a token, named as on the wire (several ids or aliases are comma-separated text). */
export type TokenIdentity = {
  tenant_id: string
  user_id: string
  dept_id: string
  post_id: string
  role_id: string
  oauth_id: string
  account: string
  user_name: string
  nick_name: string
  real_name: string
  role_name: string
  client_id: string
}

/** Session and id of the token (for revocation and reuse detection) and its validity. */
type TokenValidity = { sid: string; jti: string; iat: number; exp: number }

type AccessClaims = TokenIdentity & TokenValidity & { token_type: 'access_token' }
type RefreshClaims = Pick<TokenIdentity, 'tenant_id' | 'user_id' | 'dept_id' | 'role_id' | 'client_id'> &
  TokenValidity & {
    token_type: 'refresh_token'
  }

export type TokenService = {
  signAccess(
    identity: TokenIdentity,
    options: { sid: string; lifeSeconds: number },
  ): Promise<{ token: string; claims: AccessClaims }>
  signRefresh(
    identity: Pick<TokenIdentity, 'tenant_id' | 'user_id' | 'dept_id' | 'role_id' | 'client_id'>,
    options: { sid: string; lifeSeconds: number },
  ): Promise<{ token: string; claims: RefreshClaims }>
  /** Returns the claims of a currently valid access token, else undefined. Does not check revocation. */
  verifyAccess(token: string): Promise<AccessClaims | undefined>
  verifyRefresh(token: string): Promise<RefreshClaims | undefined>
  /** Session of an access token, even if expired; undefined if the token is forged. */
  sessionOf(token: string): Promise<Pick<AccessClaims, 'tenant_id' | 'sid'> | undefined>
}

const issuer = 'store-office'
const audience = 'store-office'
const algorithm = 'HS256'
const rememberedMax = 5_000
const tokenLengthMax = 8_192

async function sign<Claims extends object>(
  keyring: Keyring,
  iat: number,
  claims: Claims,
  { sid, lifeSeconds }: { sid: string; lifeSeconds: number },
) {
  const { kid, secret } = keyring.current()
  const full = {
    ...claims,
    sid,
    jti: randomUUID(),
    iat,
    nbf: iat,
    exp: iat + lifeSeconds,
    iss: issuer,
    aud: audience,
  }
  const token = await new SignJWT(full).setProtectedHeader({ alg: algorithm, typ: 'JWT', kid }).sign(secret)
  return { token, claims: full }
}

/** Signs and verifies tokens; caches verified ones, as verifying costs as much as a list. */
export function createTokenService(keyring: Keyring, now: () => Date = () => new Date()): TokenService {
  const verified = new LRUCache<string, JWTPayload>({ max: rememberedMax })
  const seconds = () => Math.floor(now().getTime() / 1000)

  async function verify(token: string, type: string): Promise<JWTPayload | undefined> {
    const claims = verified.get(token) ?? (await check(token))
    // Cached tokens of a retired key stay valid until they expire.
    const isGood = claims && claims.exp! > seconds() && claims.token_type === type
    return isGood ? claims : undefined
  }

  async function check(token: string, isEnding = false): Promise<JWTPayload | undefined> {
    if (token.length > tokenLengthMax) return undefined
    let unavailable: unknown
    const key = async ({ kid }: { kid?: string }) => {
      const found = await keyring.find(kid ?? '').catch((err: unknown) => {
        unavailable = err
        throw err
      })
      if (!found) throw new Error('Unknown key')
      return found.secret
    }
    try {
      const options = { issuer, audience, algorithms: [algorithm], currentDate: now() }
      const { payload } = await jwtVerify(token, key, options)
      verified.set(token, payload)
      return payload
    } catch (err) {
      // If the keys cannot be read, the server must not claim that the session has ended.
      if (unavailable) throw unavailable
      // The signature was checked before the expiry, so it is genuine.
      if (isEnding && err instanceof errors.JWTExpired) return err.payload
      return undefined
    }
  }

  return {
    signAccess: (identity, options) =>
      sign(keyring, seconds(), { token_type: 'access_token' as const, ...identity }, options),
    signRefresh: (identity, options) =>
      sign(keyring, seconds(), { token_type: 'refresh_token' as const, ...identity }, options),
    verifyAccess: (token) => verify(token, 'access_token') as Promise<AccessClaims | undefined>,
    verifyRefresh: (token) => verify(token, 'refresh_token') as Promise<RefreshClaims | undefined>,
    sessionOf: async (token) => {
      const claims = (await check(token, true)) as AccessClaims | undefined
      return claims?.token_type === 'access_token' ? claims : undefined
    },
  }
}
