import { Refused } from '#kit/server/base/refused.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { invalidFieldRefusal, type Call } from '#kit/server/module/module.ts'
import { findPlatformAccount, enqueueSync } from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'

const MISSING = ['address', 'phone', 'longitude', 'latitude', 'shippingTime'] as const

/**
 * Submits a shop to the platform together with its rows here that are not in sync; refused ones are tried again.
 * Refuses without an account or a required field.
 */
export async function submitMeituanShop(shop: Record<string, unknown> & { id: string }, call: Call): Promise<void> {
  const { db, services } = call
  if (!(await findPlatformAccount(db, services, 'meituan'))) throw new Refused('meituan_no_account')
  const missing = MISSING.find((key) => shop[key] === null || shop[key] === undefined || shop[key] === '')
  if (missing) throw invalidFieldRefusal(meituanShopInfo, missing, 'required')
  await allWait(db, shop.id)
  await enqueueSync(db, services.now())
}

async function allWait(db: Db, id: string): Promise<void> {
  await db.run(sql`update meituan_shop_info set sync_status = ${SYNC_STATE.waiting}, sync_error = null
    where tenant_id = ${db.tenantId} and id = ${id}`)
  const stale = sql`set sync_status = ${SYNC_STATE.waiting}, sync_error = null where tenant_id = ${db.tenantId}
    and meituan_shop_id = ${id} and is_deleted = 0 and sync_status <> ${SYNC_STATE.done}`
  await db.run(sql`update meituan_good_type ${stale}`)
  await db.run(sql`update meituan_sku_info ${stale}`)
  await db.run(sql`update meituan_aptitude ${stale}`)
}
