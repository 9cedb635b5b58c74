import { fillLocalizedText } from '#kit/base/localized-text.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { raiseEvent, updateOpenEvent, resolveEvents } from '#domains/shops/shop-events/api.ts'
import { isLowStock } from '#domains/catalogue/products/index.ts'
import { expiringBatchesSql } from './expiring.ts'
import { homeTopic } from '#domains/shops/shops/index.ts'

type Watched = { id: string; shopId: string; name: string; stock: number; lowStock: number | null }

/** A product after a change, whether it was low before, and its stock before. */
type LowChange = { good: Watched; wasLow: boolean; before: number }

const lowWords = (good: Watched) => ({
  zh: `“${good.name}”库存 ${good.stock}，不高于预警值 ${good.lowStock}`,
  en: `"${good.name}" is down to ${good.stock}; its warning line is ${good.lowStock}`,
})

/**
 * Raises one event when a product falls to its warning line and resolves it when it rises above. Until then a change
 * updates the text without a new notification. If somebody resolved the event while stock is still low, the next
 * decrease raises it again.
 */
export async function checkLowStock(db: Db, changes: readonly LowChange[]): Promise<void> {
  const touched = changes.filter(({ good, wasLow }) => wasLow || isLowStock(good.stock, good.lowStock))
  const turned = touched.filter(({ good, wasLow }) => isLowStock(good.stock, good.lowStock) !== wasLow)
  for (const { good, wasLow, before } of touched.toSorted((a, b) => (BigInt(a.good.id) < BigInt(b.good.id) ? -1 : 1))) {
    const about = { shopId: good.shopId, type: 'lowStock', goodId: good.id } as const
    const content = lowWords(good)
    if (!isLowStock(good.stock, good.lowStock)) await resolveEvents(db, about)
    else if (!wasLow || (!(await updateOpenEvent(db, about, content)) && good.stock < before))
      await raiseEvent(db, { ...about, content })
  }
  for (const shop of new Set(turned.map(({ good }) => good.shopId))) db.publish(homeTopic, {}, { limits: { shop } })
}

const expiring = (batch: { id: string; shopId: string }) =>
  ({ shopId: batch.shopId, type: 'expiring', subject: batch.id }) as const

/** Resolves the expiry events of empty batches. The caller holds the lock of their goods. */
export async function resolveExpiryAlerts(db: Db, batches: readonly { id: string; shopId: string }[]): Promise<void> {
  if (!batches.length) return
  await db.run(
    sql`update storage_batch set is_warned = false where tenant_id = ${db.tenantId}
      and id = any(${batches.map((batch) => batch.id)}::bigint[])`,
  )
  for (const batch of batches) await resolveEvents(db, expiring(batch))
}

type Expiring = { name: string; batchNo: string; remaining: number; expiryDate: string }

/** Level and text of the event: 1 for a batch that expires soon, 2 for an expired one. */
function expiringWords(one: Expiring, today: string): { level: 1 | 2; content: { zh: string; en: string } } {
  return one.expiryDate < today
    ? { level: 2, content: fillLocalizedText(expiry.over, one) }
    : { level: 1, content: fillLocalizedText(expiry.soon, one) }
}

const expiry = {
  over: {
    zh: '“{name}”批次 {batchNo} 已于 {expiryDate} 过期，还剩 {remaining} 件，请下架',
    en:
      '“{name}” batch {batchNo} expired on {expiryDate}. {remaining} {remaining|piece|pieces} left. ' +
      'Remove {remaining|it|them} from the shelf.',
  },
  soon: {
    zh: '“{name}”批次 {batchNo} 将于 {expiryDate} 到期，还剩 {remaining} 件',
    en: '“{name}” batch {batchNo} expires on {expiryDate}. {remaining} {remaining|piece|pieces} left.',
  },
}

/**
 * Updates the texts of open expiry events to what is left of the batches. Raises the event anew when a batch has
 * expired meanwhile, as that is more serious.
 */
export async function renewExpiryAlerts(db: Db, today: string): Promise<void> {
  const open = await db.query<
    Expiring & { id: string; shopId: string; goodId: string; level: number; content: string }
  >(sql`
    select b.id, b.shop_id, b.good_id, b.batch_no, b.remaining, b.expiry_date, g.name, e.level, e.content
    from shop_event e
    join storage_batch b on b.tenant_id = e.tenant_id and b.id::text = e.subject and b.is_warned
    and b.expiry_date is not null
    join good_info g on g.tenant_id = b.tenant_id and g.id = b.good_id
    where e.tenant_id = ${db.tenantId} and e.type = 'expiring' and e.open_key is not null order by b.id limit 5000`)
  for (const batch of open) {
    const { level, content } = expiringWords(batch, today)
    if (content.zh === batch.content) continue
    if (level > batch.level) await raiseEvent(db, { ...expiring(batch), goodId: batch.goodId, level, content })
    else await updateOpenEvent(db, expiring(batch), content)
  }
}

const GOODS_AT_ONCE = 200

/**
 * Raises an event for each batch that has come within its warning days, and resolves it when that no longer holds.
 * Handles up to `GOODS_AT_ONCE` goods a call; returns the number of batches changed, 0 when all are done.
 */
export async function warnExpiringBatches(db: Db, today: string): Promise<number> {
  const isExpiring = sql`(true${expiringBatchesSql(today)})`
  const turned = await db.query<{ goodId: string }>(
    sql`select distinct good_id from storage_batch r where tenant_id = ${db.tenantId}
      and coalesce(is_warned, false) <> coalesce(${isExpiring}, false)
      and (is_warned or expiry_date is not null) order by good_id limit ${GOODS_AT_ONCE}`,
  )
  if (!turned.length) return 0
  const ids = turned.map((one) => one.goodId)
  // Locks goods before batches, in the same order as all stock code.
  await db.query(
    sql`select id from good_info where tenant_id = ${db.tenantId} and id = any(${ids}::bigint[])
      order by id for no key update`,
  )
  const batches = await db.query<{
    id: string
    shopId: string
    goodId: string
    batchNo: string
    remaining: number
    expiryDate: string
    name: string
    isWarned: boolean
  }>(
    sql`update storage_batch r set is_warned = not coalesce(r.is_warned, false) from good_info g
      where g.id = r.good_id and g.tenant_id = r.tenant_id and r.tenant_id = ${db.tenantId}
      and r.good_id = any(${ids}::bigint[]) and coalesce(r.is_warned, false) <> coalesce(${isExpiring}, false)
      returning r.id, r.shop_id, r.good_id, r.batch_no, r.remaining, r.expiry_date, g.name, r.is_warned`,
  )
  for (const batch of batches.filter((one) => !one.isWarned)) await resolveEvents(db, expiring(batch))
  const raised = batches.filter((one) => one.isWarned)
  for (const batch of raised)
    await raiseEvent(db, { ...expiring(batch), goodId: batch.goodId, ...expiringWords(batch, today) })
  return batches.length
}
