import { sql, type Db } from '#kit/server/db.ts'
import { raiseEvent, settleEvents } from '#domains/shops/doors.ts'
import { expiringAt } from './expiring.ts'

type Watched = { id: string; shopId: string; name: string; stock: number; lowStock: number | null }

export const isLow = (stock: number, lowStock: number | null) => stock <= (lowStock ?? 0)

/** Goods that fell to their warning line raise one event, which is settled when they rise above it; in between nothing is said again. */
export async function watchLow(db: Db, changes: readonly { good: Watched; wasLow: boolean }[]): Promise<void> {
  const turned = changes.filter(({ good, wasLow }) => isLow(good.stock, good.lowStock) !== wasLow)
  for (const { good, wasLow } of turned.toSorted((a, b) => (BigInt(a.good.id) < BigInt(b.good.id) ? -1 : 1))) {
    const about = { shopId: good.shopId, type: 'lowStock', goodId: good.id } as const
    if (wasLow) await settleEvents(db, about)
    else
      await raiseEvent(db, {
        ...about,
        content: {
          zh: `“${good.name}”库存 ${good.stock}，不高于预警值 ${good.lowStock ?? 0}`,
          en: `"${good.name}" is down to ${good.stock}; its warning line is ${good.lowStock ?? 0}`,
        },
      })
  }
  for (const shop of new Set(turned.map(({ good }) => good.shopId))) db.tell('home.changed', {}, { limits: { shop } })
}

const expiring = (batch: { id: string; shopId: string }) => ({ shopId: batch.shopId, type: 'expiring', subject: batch.id }) as const

/** Batches that were warned of and are gone: nothing of them can expire. Their goods are locked. */
export async function settleExpiring(db: Db, batches: readonly { id: string; shopId: string }[]): Promise<void> {
  if (!batches.length) return
  await db.run(sql`update storage_batch set is_warned = false where tenant_id = ${db.tenantId} and id = any(${batches.map((batch) => batch.id)}::bigint[])`)
  for (const batch of batches) await settleEvents(db, expiring(batch))
}

const GOODS_AT_ONCE = 200

/** Says of each batch that it expires soon, once; and takes it back where the date was changed. Answers how many turned. */
export async function warnExpiring(db: Db, today: string): Promise<number> {
  const isExpiring = sql`(true${expiringAt(today)})`
  const turned = await db.query<{ goodId: string }>(
    sql`select distinct good_id from storage_batch r where tenant_id = ${db.tenantId} and coalesce(is_warned, false) <> coalesce(${isExpiring}, false)
      and (is_warned or expiry_date is not null) order by good_id limit ${GOODS_AT_ONCE}`,
  )
  if (!turned.length) return 0
  const ids = turned.map((one) => one.goodId)
  // Goods before batches, as everywhere.
  await db.query(sql`select id from good_info where tenant_id = ${db.tenantId} and id = any(${ids}::bigint[]) order by id for no key update`)
  const batches = await db.query<{ id: string; shopId: string; goodId: string; batchNo: string; remaining: number; expiryDate: string; name: string; isWarned: boolean }>(
    sql`update storage_batch r set is_warned = not coalesce(r.is_warned, false) from good_info g
      where g.id = r.good_id and g.tenant_id = r.tenant_id and r.tenant_id = ${db.tenantId} and r.good_id = any(${ids}::bigint[]) and coalesce(r.is_warned, false) <> coalesce(${isExpiring}, false)
      returning r.id, r.shop_id, r.good_id, r.batch_no, r.remaining, r.expiry_date, g.name, r.is_warned`,
  )
  for (const batch of batches.filter((one) => !one.isWarned)) await settleEvents(db, expiring(batch))
  const raised = batches.filter((one) => one.isWarned)
  for (const { name, batchNo, remaining, expiryDate, goodId, ...batch } of raised) {
    const isOver = expiryDate < today
    await raiseEvent(db, {
      ...expiring(batch),
      goodId,
      level: isOver ? 2 : 1,
      content: isOver
        ? {
            zh: `“${name}”批次 ${batchNo} 已于 ${expiryDate} 过期，还剩 ${remaining} 件，请下架`,
            en: `"${name}", batch ${batchNo}, expired on ${expiryDate}; ${remaining} are left and must leave the shelf`,
          }
        : {
            zh: `“${name}”批次 ${batchNo} 将于 ${expiryDate} 到期，还剩 ${remaining} 件`,
            en: `"${name}", batch ${batchNo}, expires on ${expiryDate}; ${remaining} are left`,
          },
    })
  }
  return batches.length
}
