import { setTimeout as pause } from 'node:timers/promises'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import type { PlatformName } from './platform.ts'
import { thirdApi } from './third-api.resource.ts'

/** A tenant's credentials at a platform, decrypted. */
export type PlatformAccount = {
  tenantId: string
  appNo: string
  secret: string
  /** Empty: the platform's own. */
  baseUrl: string
  callbackUrl: string
  mayBeInside: boolean
  /** Calls per second the platform allows. */
  perSecond: number
}

const PER_SECOND = 18

export function decryptPlatformAccount(services: Services, row: RowOf<typeof thirdApi>): PlatformAccount {
  return {
    tenantId: row.tenantId,
    appNo: row.appKey,
    secret: row.appSecret ? secretCipherOf(services).open(row.appSecret) : '',
    baseUrl: (row.baseUrl ?? '').replace(/\/$/, ''),
    callbackUrl: (row.callbackUrl ?? '').replace(/\/$/, ''),
    mayBeInside: row.mayBeInside === true,
    perSecond: row.perSecond ?? PER_SECOND,
  }
}

/** The tenant's account at a platform; undefined while there is none in use, or none with a secret. */
export async function findPlatformAccount(
  db: Db,
  services: Services,
  platform: PlatformName,
): Promise<PlatformAccount | undefined> {
  const [row] = await db.find(
    thirdApi,
    sql`r.platform = ${platform} and r.status = 1 and r.has_secret`,
    sql`order by r.id limit 1`,
  )
  return row && decryptPlatformAccount(services, row)
}

const SECOND_MS = 1_000

type Caller = Pick<PlatformAccount, 'tenantId' | 'appNo' | 'perSecond'>

/**
 * Waits until the account's calls per second, counted over all servers, leave room for one more. Counted per tenant as
 * well as per application number, so a tenant who enters another's number cannot slow it down.
 */
export async function waitForPlatformRateLimit(
  { shared }: Pick<Services, 'shared'>,
  platform: PlatformName,
  { tenantId, appNo, perSecond }: Caller,
): Promise<void> {
  for (;;) {
    const now = Date.now()
    const taken = await shared.increment(
      tenantSharedKey(tenantId, 'platform', platform, appNo, Math.floor(now / SECOND_MS)),
      2,
    )
    if (taken <= perSecond) return
    await pause(SECOND_MS - (now % SECOND_MS))
  }
}
