import { enqueueSync } from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { invalidFieldRefusal, type Call } from '#kit/server/module/module.ts'
import { requireAccount } from './account.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'

/** Fields without which the platform does not accept a shop. */
const NEEDED = ['categoryId', 'phone', 'address', 'longitude', 'latitude', 'businessTime'] as const

/**
 * Submits a shop to the platform together with its rows here that are not in sync; refused ones are tried again.
 * Refuses without an account or a required field.
 */
export async function enqueueEleShopSync(shop: Record<string, unknown> & { id: string }, call: Call): Promise<void> {
  const { db, services } = call
  await requireAccount(db, services)
  const missing = NEEDED.find((key) => shop[key] === null || shop[key] === undefined || shop[key] === '')
  if (missing) throw invalidFieldRefusal(eleShopInfo, missing, 'required')
  await allWait(db, shop.id)
  await enqueueSync(db, services.now())
}

async function allWait(db: Db, id: string): Promise<void> {
  const wait = sql`set sync_status = ${SYNC_STATE.waiting}, sync_error = null where tenant_id = ${db.tenantId}`
  await db.run(sql`update ele_shop_info ${wait} and id = ${id}`)
  const inside = sql`${wait} and ele_shop_id = ${id} and is_deleted = 0 and sync_status <> ${SYNC_STATE.done}`
  await db.run(sql`update ele_good_type ${inside}`)
  await db.run(sql`update ele_sku_info ${inside}`)
  await db.run(sql`update ele_aptitude ${inside}`)
}
