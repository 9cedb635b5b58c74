import { objectSchema, textSchema, type ResponseTypeOf } from '#kit/resource/index.ts'
import { hashPassword, hashGeneratedPassword, md5Hex, randomPassword } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { paramValue } from '#domains/platform/system/api.ts'
import { INITIAL_PASSWORD_CHANGE_PARAM, INITIAL_PASSWORD_PARAM } from './params.ts'

/** An initial password: `plain` is shown once, only the hash is stored. */
export type InitialPassword = { plain: string; hash: string; mustChange: boolean }
/** An initial password with its account, for the response of the call that made it. */
export const issuedPasswordSchema = objectSchema({ account: textSchema, realName: textSchema, password: textSchema })
export type IssuedPassword = ResponseTypeOf<typeof issuedPasswordSchema>

/** The fixed initial password of all earlier versions of the product. */
const USUAL = '123456'

const mustChange = async (services: Services) =>
  (await paramValue(services, INITIAL_PASSWORD_CHANGE_PARAM)).trim() !== 'false'

/**
 * Returns a factory of initial passwords: the parameter's fixed one, or a new random one each time when it is `random`.
 */
export async function createInitialPasswordFactory(services: Services): Promise<() => Promise<InitialPassword>> {
  const configured = await paramValue(services, INITIAL_PASSWORD_PARAM)
  const isChanged = await mustChange(services)
  if (configured.trim().toLowerCase() === 'random')
    return async () => {
      const plain = randomPassword()
      return { plain, hash: await hashGeneratedPassword(plain), mustChange: isChanged }
    }
  const hash = await hashPassword(configured)
  return async () => ({ plain: configured, hash, mustChange: isChanged })
}

/** Whether a password (md5) is an initial one that others were given too and must be changed. */
export async function isSharedInitialPassword(services: Services, md5: string): Promise<boolean> {
  const configured = await paramValue(services, INITIAL_PASSWORD_PARAM)
  return [USUAL, configured].some((one) => md5Hex(one) === md5) && mustChange(services)
}
