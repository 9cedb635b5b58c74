import { setTimeout } from 'node:timers/promises'
import { Refused } from '#kit/server/refused.ts'
import type { Services } from '#kit/server/services.ts'
import { defineGlobalSharedKey, tenantSharedKey } from '#kit/server/shared/index.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { LOGIN_FAILURES_MAX_PARAM } from './params.ts'
import { networkPrefixOf } from '#kit/server/request/egress.ts'

const WINDOW_SECONDS = 30 * 60
/**
 * One address may be a whole office: it gets more than one account does, so that a stranger cannot lock out the house.
 */
const ADDRESS_TIMES = 10
const [LOOKS, LOOK_MS] = [10, 50]

const accountKey = (tenantId: string, account: string) => tenantSharedKey(tenantId, 'login-failed', account)
const addressKey = defineGlobalSharedKey(
  'login-failed-from',
  'guesses from one address are counted over all tenants it guesses at',
)

/** Whose own count an address has, and for how long after the last sign-in from it. */
const KNOWN_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const KNOWN_MAX = 20

const knownKey = (tenantId: string, account: string) => tenantSharedKey(tenantId, 'signed-in-from', account)
const knownCountKey = (tenantId: string, account: string, ip: string) =>
  tenantSharedKey(tenantId, 'login-failed', account, ip)

/** Addresses an account was signed in from lately, with the moment each is forgotten. */
async function knownOf({ shared, now }: Services, tenantId: string, account: string): Promise<Map<string, number>> {
  const kept = ((await shared.read(knownKey(tenantId, account))) ?? {}) as Record<string, number>
  return new Map(Object.entries(kept).filter(([, until]) => until > now().getTime()))
}

async function noteKnown(services: Services, tenantId: string, account: string, ip: string): Promise<void> {
  const known = await knownOf(services, tenantId, account)
  const until = services.now().getTime() + KNOWN_DAYS * DAY_MS
  // To a day is near enough, and spares a write with most sign-ins.
  if ((known.get(ip) ?? 0) > until - DAY_MS) return
  const newest = [...known.set(ip, until)].sort(([, one], [, other]) => other - one).slice(0, KNOWN_MAX)
  await services.shared.put(knownKey(tenantId, account), Object.fromEntries(newest), (KNOWN_DAYS * DAY_MS) / 1000)
}

type Attempt = {
  /** The password was right: the count the attempt was under starts anew, and the address is known from now on. */
  succeeded: () => Promise<void>
}

/**
 * Counts an attempt to sign in before it is decided, so that parallel guesses do not outrun the count. Refuses once an
 * account or an address has failed too often within half an hour, even with the right password.
 *
 * An address this account was signed in from lately has a count of its own: strangers elsewhere do not shut the owner
 * out there, and who guesses there gets no more guesses than anybody.
 */
export async function beginLoginAttempt(
  services: Services,
  tenantId: string,
  account: string,
  address: string,
): Promise<Attempt> {
  const ip = networkPrefixOf(address)
  const limit = await paramNumber(services, LOGIN_FAILURES_MAX_PARAM)
  const { shared } = services
  const known = await knownOf(services, tenantId, account)
  const byAccount = known.has(ip) ? knownCountKey(tenantId, account, ip) : accountKey(tenantId, account)
  const [fromAddress, before] = await Promise.all([shared.count(addressKey(ip)), shared.count(byAccount)])
  if (fromAddress >= limit * ADDRESS_TIMES) throw new Refused('login_locked')
  // What is counted may still be under way and turn out right: a script that signs in ten times at once is no thief.
  for (let look = 1; ; look++) {
    const isOpen =
      (look === 1 ? before : await shared.count(byAccount)) < limit &&
      (await shared.increment(byAccount, WINDOW_SECONDS, 'sliding')) <= limit
    if (isOpen)
      return {
        succeeded: async () =>
          void (await Promise.all([shared.forget(byAccount), noteKnown(services, tenantId, account, ip)])),
      }
    if (look === LOOKS) throw new Refused('login_locked')
    await setTimeout(LOOK_MS)
  }
}

export const recordLoginFailure = (services: Services, ip: string): Promise<number> =>
  services.shared.increment(addressKey(networkPrefixOf(ip)), WINDOW_SECONDS, 'sliding')

/** An account may be tried again from everywhere. */
export async function unlockAccount(services: Services, tenantId: string, account: string): Promise<void> {
  const known = await knownOf(services, tenantId, account)
  const counts = [accountKey(tenantId, account), ...[...known.keys()].map((ip) => knownCountKey(tenantId, account, ip))]
  await Promise.all(counts.map((key) => services.shared.forget(key)))
}
