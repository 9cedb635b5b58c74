import {
  findPlatformAccount,
  decryptPlatformAccount,
  type PlatformAccount,
} from '#domains/sales/delivery-platforms/api.ts'
import { thirdApi } from '#domains/sales/delivery-platforms/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import './refusals.ts'

export const ELE_PLATFORM_NAME = 'ele'

const IN_USE = 1
const NAME = /^(\d{6,12})-(\d{1,19})$/

/** Returns the tenant's Ele account. Refuses with `ele_no_account` when none is enabled. */
export async function requireAccount(db: Db, services: Services): Promise<PlatformAccount> {
  const account = await findPlatformAccount(db, services, ELE_PLATFORM_NAME)
  if (!account) throw new Refused('ele_no_account')
  return account
}

/**
 * Returns the account a webhook call is for; its address names tenant and row, `100001-1234`. Undefined when unknown,
 * disabled or without a secret.
 */
export async function findEleAccountByKey(services: Services, name: string): Promise<PlatformAccount | undefined> {
  const [, tenantId, id] = NAME.exec(name) ?? []
  if (!tenantId) return undefined
  const row = await services.unit({ tenantId }, (db) => db.get(thirdApi, id!))
  if (row?.platform !== ELE_PLATFORM_NAME || row.status !== IN_USE || !row.hasSecret) return undefined
  return decryptPlatformAccount(services, row)
}
