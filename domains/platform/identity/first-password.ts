import { hashPassword, hashGeneratedPassword, md5Hex, randomPassword } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/services.ts'
import { paramValue } from '#domains/platform/system/api.ts'
import { INITIAL_PASSWORD_CHANGE_PARAM, INITIAL_PASSWORD_PARAM } from './params.ts'

/** What an account is first opened with: told once, and kept as its hash alone. */
export type InitialPassword = { plain: string; hash: string; mustChange: boolean }
/** Who was given which, for the answer of the one call that made it. */
export type IssuedPassword = { account: string; realName: string; password: string }

/** What every installation of this lineage began its accounts with. */
const USUAL = '123456'

const mustChange = async (services: Services) =>
  (await paramValue(services, INITIAL_PASSWORD_CHANGE_PARAM)).trim() !== 'false'

/** The password the parameter says, or another one each time where it says `random`. */
export async function createInitialPasswordFactory(services: Services): Promise<() => Promise<InitialPassword>> {
  const said = await paramValue(services, INITIAL_PASSWORD_PARAM)
  const isChanged = await mustChange(services)
  if (said.trim().toLowerCase() === 'random')
    return async () => {
      const plain = randomPassword()
      return { plain, hash: await hashGeneratedPassword(plain), mustChange: isChanged }
    }
  const hash = await hashPassword(said)
  return async () => ({ plain: said, hash, mustChange: isChanged })
}

/** Whether somebody still signs in with a password others were given too, and so has to change it. */
export async function isSharedInitialPassword(services: Services, md5: string): Promise<boolean> {
  const said = await paramValue(services, INITIAL_PASSWORD_PARAM)
  return [USUAL, said].some((one) => md5Hex(one) === md5) && mustChange(services)
}
