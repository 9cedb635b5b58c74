import { claimLatestSnapshot, repushOpenState, type PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import type { EleShopFacts } from './ele-wire.ts'

/** Review state: approved, the shop may be open. */
export const ELE_SHOP_APPROVED = 6
export const ELE_SHOP_OPEN = 1
/** Review states of a rejected new shop and a rejected change. */
export const ELE_SHOP_REJECTED_STATES = new Set([4, 8])

/** A shop's state as read, and when the reading began. */
type Reading = { facts: EleShopStatus; begun: string }
type EleShopStatus = Pick<EleShopFacts, 'sys_status' | 'business_status' | 'status' | 'reject_reason'>

/** The columns of our row for a shop's state at Ele. */
export function toEleShopStatus(facts: EleShopStatus) {
  const sysStatus = Number(facts.sys_status ?? 0)
  const businessStatus = Number(facts.business_status ?? facts.status ?? 0)
  return {
    sysStatus,
    businessStatus: businessStatus || null,
    ...(ELE_SHOP_REJECTED_STATES.has(sysStatus) && { syncError: (facts.reject_reason ?? '').slice(0, 500) || null }),
  }
}

/** Stores a shop's state unless a later reading was stored. A shop approved just now is opened. */
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
