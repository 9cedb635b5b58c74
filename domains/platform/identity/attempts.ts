import { setTimeout } from 'node:timers/promises'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey, tenantSharedKey } from '#kit/server/shared/index.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { LOGIN_FAILURES_MAX_PARAM } from './params.ts'
import { networkPrefixOf } from '#kit/server/request/egress.ts'

const WINDOW_SECONDS = 30 * 60
/**
 * An address may fail this many times as often as an account, since it may be a whole office that one stranger must not
 * lock out.
 */
const ADDRESS_TIMES = 10
const [LOOKS, LOOK_MS] = [10, 50]

const accountKey = (tenantId: string, account: string) => tenantSharedKey(tenantId, 'login-failed', account)
const addressKey = defineGlobalSharedKey(
  'login-failed-from',
  'guesses from one address are counted over all tenants it guesses at',
)

/** Days an address counts as known to an account after its last sign-in from there. */
const KNOWN_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const KNOWN_MAX = 20

const knownKey = (tenantId: string, account: string) => tenantSharedKey(tenantId, 'signed-in-from', account)
const knownCountKey = (tenantId: string, account: string, ip: string) =>
  tenantSharedKey(tenantId, 'login-failed', account, ip)

/** Returns the addresses an account was recently signed in from, each with the time it is forgotten (ms). */
async function knownOf({ shared, now }: Services, tenantId: string, account: string): Promise<Map<string, number>> {
  const kept = ((await shared.read(knownKey(tenantId, account))) ?? {}) as Record<string, number>
  return new Map(Object.entries(kept).filter(([, until]) => until > now().getTime()))
}

async function noteKnown(services: Services, tenantId: string, account: string, ip: string): Promise<void> {
  const known = await knownOf(services, tenantId, account)
  const until = services.now().getTime() + KNOWN_DAYS * DAY_MS
  // Accuracy of a day is enough, and saves a write on most sign-ins.
  if ((known.get(ip) ?? 0) > until - DAY_MS) return
  const newest = [...known.set(ip, until)].sort(([, one], [, other]) => other - one).slice(0, KNOWN_MAX)
  await services.shared.put(knownKey(tenantId, account), Object.fromEntries(newest), (KNOWN_DAYS * DAY_MS) / 1000)
}

type Attempt = {
  /** Call when the password was right: resets the count and remembers the address as known. */
  succeeded: () => Promise<void>
}

/**
 * Counts a sign-in attempt before its password is checked, so that parallel guesses cannot exceed the limit. Refuses
 * when the account or the address failed too often within half an hour, even if the password is right.
 *
 * An address the account was recently signed in from has its own count: guesses from elsewhere do not lock the owner
 * out there, and guesses from there get no more attempts than others.
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
  // Counted attempts may be in progress and turn out right, as when a script signs in ten times at once: waits for
  // them.
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

/** Resets the failed attempts of an account, from every address. */
export async function unlockAccount(services: Services, tenantId: string, account: string): Promise<void> {
  const known = await knownOf(services, tenantId, account)
  const counts = [accountKey(tenantId, account), ...[...known.keys()].map((ip) => knownCountKey(tenantId, account, ip))]
  await Promise.all(counts.map((key) => services.shared.forget(key)))
}
