import { setTimeout } from 'node:timers/promises'
import { Refused } from '#kit/server/refused.ts'
import type { Services } from '#kit/server/services.ts'
import { paramNumber } from '#domains/system/doors.ts'
import { FAIL_COUNT } from './params.ts'

const WINDOW_SECONDS = 30 * 60
/**
 * One address may be a whole office: it gets more than one account does, so that a stranger cannot lock out the house.
 */
const ADDRESS_TIMES = 10
const [LOOKS, LOOK_MS] = [10, 50]

const accountKey = (tenantId: string, account: string) => `login-failed/${tenantId}/${account}`
const addressKey = (ip: string) => `login-failed-from/${ip}`

type Attempt = {
  /** The password was right: the account's count starts anew. */
  succeeded: () => Promise<void>
}

/**
 * Counts an attempt to sign in before it is decided, so that parallel guesses do not outrun the count. Refuses once an
 * account or an address has failed too often within half an hour, even with the right password.
 */
export async function beginAttempt(
  services: Services,
  tenantId: string,
  account: string,
  ip: string,
): Promise<Attempt> {
  const limit = await paramNumber(services, FAIL_COUNT)
  const { shared } = services
  const [byAccount, byAddress] = [accountKey(tenantId, account), addressKey(ip)]
  const [fromAddress, before] = await Promise.all([shared.count(byAddress), shared.count(byAccount)])
  if (fromAddress >= limit * ADDRESS_TIMES) throw new Refused('login_locked')
  // What is counted may still be under way and turn out right: a script that signs in ten times at once is no thief.
  for (let look = 1; ; look++) {
    const isOpen =
      (look === 1 ? before : await shared.count(byAccount)) < limit &&
      (await shared.increment(byAccount, WINDOW_SECONDS, 'sliding')) <= limit
    if (isOpen) return { succeeded: () => shared.forget(byAccount) }
    if (look === LOOKS) throw new Refused('login_locked')
    await setTimeout(LOOK_MS)
  }
}

export const noteFailure = (services: Services, ip: string): Promise<number> =>
  services.shared.increment(addressKey(ip), WINDOW_SECONDS, 'sliding')

export const unlock = (services: Services, tenantId: string, account: string): Promise<void> =>
  services.shared.forget(accountKey(tenantId, account))
