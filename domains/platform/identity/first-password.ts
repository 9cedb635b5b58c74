import { hashPassword, hashRandom, md5Hex, randomPassword } from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/services.ts'
import { paramValue } from '#domains/platform/system/api.ts'
import { FIRST_CHANGE, INIT_PASSWORD } from './params.ts'

/** What an account is first opened with: told once, and kept as its hash alone. */
export type FirstPassword = { plain: string; hash: string; mustChange: boolean }
/** Who was given which, for the answer of the one call that made it. */
export type Given = { account: string; realName: string; password: string }

/** What every installation of this lineage began its accounts with. */
const USUAL = '123456'

const mustChange = async (services: Services) => (await paramValue(services, FIRST_CHANGE)).trim() !== 'false'

/** The password the parameter says, or another one each time where it says `random`. */
export async function firstPassword(services: Services): Promise<() => Promise<FirstPassword>> {
  const said = await paramValue(services, INIT_PASSWORD)
  const isChanged = await mustChange(services)
  if (said.trim().toLowerCase() === 'random')
    return async () => {
      const plain = randomPassword()
      return { plain, hash: await hashRandom(plain), mustChange: isChanged }
    }
  const hash = await hashPassword(said)
  return async () => ({ plain: said, hash, mustChange: isChanged })
}

/** Whether somebody still signs in with a password others were given too, and so has to change it. */
export async function isCommonFirst(services: Services, md5: string): Promise<boolean> {
  const said = await paramValue(services, INIT_PASSWORD)
  return [USUAL, said].some((one) => md5Hex(one) === md5) && mustChange(services)
}
