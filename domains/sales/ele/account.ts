import {
  findPlatformAccount,
  decryptPlatformAccount,
  type PlatformAccount,
} from '#domains/sales/delivery-platforms/api.ts'
import { thirdApi } from '#domains/sales/delivery-platforms/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Services } from '#kit/server/services.ts'
import './refusals.ts'

export const ELE_PLATFORM_NAME = 'ele'

const IN_USE = 1
const NAME = /^(\d{6,12})-(\d{1,19})$/

/** The tenant's account there, or the refusal that says what is missing. */
export async function requireAccount(db: Db, services: Services): Promise<PlatformAccount> {
  const account = await findPlatformAccount(db, services, ELE_PLATFORM_NAME)
  if (!account) throw new Refused('ele_no_account')
  return account
}

/** The account a call from outside is about: its address names the tenant and the row, `100001-1234`. */
export async function findEleAccountByKey(services: Services, name: string): Promise<PlatformAccount | undefined> {
  const [, tenantId, id] = NAME.exec(name) ?? []
  if (!tenantId) return undefined
  const row = await services.unit({ tenantId }, (db) => db.get(thirdApi, id!))
  if (row?.platform !== ELE_PLATFORM_NAME || row.status !== IN_USE || !row.hasSecret) return undefined
  return decryptPlatformAccount(services, row)
}
