import { createHash, randomBytes } from 'node:crypto'
import { people } from './people.ts'
import type { Person } from './people.ts'

type Grant = {
  person: Person
  clientId: string
  redirectUri: string
  nonce: string
  challenge: string
  expires: number
}
type Access = { person: Person; clientId: string; expires: number }

const codeMs = 5 * 60_000
const tokenMs = 3600_000

type Redeeming = {
  code: string
  clientId: string
  redirectUri?: string | undefined
  verifier?: string | undefined
}

/**
 * Keeps the simulated services' codes and access tokens. A code is valid once, for the client and redirect address it
 * was made for.
 */
export function createGrants() {
  const codes = new Map<string, Grant>()
  const accesses = new Map<string, Access>()

  return {
    issue(login: string, about: Omit<Grant, 'person' | 'expires'>): string | undefined {
      const person = people.find((one) => one.login === login)
      if (!person) return undefined
      const code = randomBytes(16).toString('hex')
      codes.set(code, { ...about, person, expires: Date.now() + codeMs })
      return code
    },
    redeem({ code, clientId, redirectUri, verifier }: Redeeming): Grant | undefined {
      const grant = codes.get(code)
      codes.delete(code)
      if (!grant || grant.expires < Date.now() || grant.clientId !== clientId) return undefined
      if (redirectUri !== undefined && redirectUri !== grant.redirectUri) return undefined
      const isProven =
        !grant.challenge ||
        createHash('sha256')
          .update(verifier ?? '')
          .digest('base64url') === grant.challenge
      return isProven ? grant : undefined
    },
    /** Issues an access token. For services without persons it belongs to the client itself. */
    access({ person, clientId }: Pick<Access, 'person' | 'clientId'>): string {
      const token = randomBytes(24).toString('hex')
      accesses.set(token, { person, clientId, expires: Date.now() + tokenMs })
      return token
    },
    who(token: string): Person | undefined {
      const access = accesses.get(token)
      return access && access.expires > Date.now() ? access.person : undefined
    },
  }
}

export type Grants = ReturnType<typeof createGrants>
