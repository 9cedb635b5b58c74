import { claimLatestSnapshot, repushOpenState, type PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import type { ShopFacts } from './ele-wire.ts'

/** The review there is over and the shop may be open. */
export const ELE_SHOP_APPROVED = 6
export const ELE_SHOP_OPEN = 1
/** What somebody there did not like: a new shop, a change of one. */
export const ELE_SHOP_REJECTED_STATES = new Set([4, 8])

/** Facts of a shop, and when the reading of them began. */
type Reading = { facts: EleShopStatus; begun: string }
type EleShopStatus = Pick<ShopFacts, 'sys_status' | 'business_status' | 'status' | 'reject_reason'>

/** How a shop stands there, in the words of its row. */
export function toEleShopStatus(facts: EleShopStatus) {
  const sysStatus = Number(facts.sys_status ?? 0)
  const businessStatus = Number(facts.business_status ?? facts.status ?? 0)
  return {
    sysStatus,
    businessStatus: businessStatus || null,
    ...(ELE_SHOP_REJECTED_STATES.has(sysStatus) && { syncError: (facts.reject_reason ?? '').slice(0, 500) || null }),
  }
}

/** A shop's row says how it stands there; one that was let in just now is to be opened. */
export async function saveEleShopStatus(
  db: Db,
  services: Services,
  id: string,
  { facts, begun }: Reading,
): Promise<void> {
  const was = (await db.get(eleShopInfo, id, 'forUpdate')) as PlatformRow | undefined
  if (!was || !(await claimLatestSnapshot(db, id, begun))) return
  const standing: Record<string, unknown> = toEleShopStatus(facts)
  if (Object.entries(standing).every(([key, value]) => was[key] === value)) return
  const row = await db.update(eleShopInfo, id, standing)
  if (was.sysStatus !== ELE_SHOP_APPROVED && standing.sysStatus === ELE_SHOP_APPROVED)
    await repushOpenState(db, eleShopInfo, id, services.now())
  publishRowsChanged({ db }, eleShopInfo, [row])
}
