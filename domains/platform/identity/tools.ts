import {
  createCaptchas,
  createTokenService,
  openKeyring,
  type Captchas,
  type Keyring,
  type TokenService,
} from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'

type Tools = { keyring: Promise<Keyring>; tokens: Promise<TokenService>; captchas: Captchas }

const known = new WeakMap<Services, Tools>()

/** Returns the installation's signing keys, token service and captchas, opened on first use. */
export function identityServicesOf(services: Services): Tools {
  const hit = known.get(services)
  if (hit) return hit
  const keyring = openKeyring(services.systemPool, services.shared, services.log)
  const tools = {
    keyring,
    tokens: keyring.then((keys) => createTokenService(keys, services.now)),
    captchas: createCaptchas(services.shared),
  }
  // Failed to open the keys: the next use tries again.
  tools.tokens.catch(() => known.delete(services))
  known.set(services, tools)
  return tools
}

export async function closeIdentityServices(services: Services): Promise<void> {
  const tools = known.get(services)
  known.delete(services)
  ;(await tools?.keyring.catch(() => undefined))?.close()
}
