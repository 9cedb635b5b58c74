import type { Services } from '#kit/server/module/services.ts'
import { SECRET_PREFIX_V1, SECRET_PREFIX_V2, secretCipherOf } from './secrets.ts'

/**
 * Returns a URL part that holds encrypted data for the server, valid for `seconds` and one purpose. Without the
 * installation's key nobody can forge or prolong it.
 */
export function createEncryptedUrlPart(services: Services, purpose: string, content: object, seconds: number): string {
  const until = services.now().getTime() + seconds * 1000
  return secretCipherOf(services)
    .seal(JSON.stringify({ said: content, purpose, until }))
    .slice(SECRET_PREFIX_V2.length)
}

/** Returns the data of such a URL part; undefined when it is expired, forged or for another purpose. */
export function readEncryptedUrlPart<T extends object>(
  services: Services,
  purpose: string,
  part: string,
): T | undefined {
  try {
    const whole = `${part.includes('.') ? SECRET_PREFIX_V2 : SECRET_PREFIX_V1}${part}`
    const sealed = JSON.parse(secretCipherOf(services).open(whole)) as Record<string, unknown>
    const isGood = sealed.purpose === purpose && (sealed.until as number) > services.now().getTime()
    return isGood ? (sealed.said as T) : undefined
  } catch {
    return undefined
  }
}
