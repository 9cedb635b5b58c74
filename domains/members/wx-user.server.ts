import { sql, type Db } from '#kit/server/database/db.ts'
import { refuseHandEdit } from '#kit/server/resource/hand-edit.ts'
import { serve } from '#kit/server/room.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { lockCustomer } from './accounts.ts'
import { seenIn } from './booking-shop.ts'
import { wxUser } from './wx-user.resource.ts'

/** In which shops a customer has bought: whoever is limited to shops sees their customers alone. */
export const customerShopTable = defineTable({
  name: 'wx_user_shop',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'shop_id', 'wx_user_id'],
  busy: true,
  columns: {
    tenant_id: 'text not null',
    shop_id: 'bigint not null',
    wx_user_id: 'bigint not null',
    order_count: 'integer not null default 0',
    last_time: 'timestamptz(3)',
  },
  indexes: { wx_user_shop_by_wx_user_id: '(tenant_id, wx_user_id)' },
})

export const wxUserServer = serve(wxUser, {
  handEdit: true,
  beforeSave: (_draft, was) => refuseHandEdit(wxUser, was),
  where: (call) => seenIn(call, sql`r.id`),
  // An account that went into another takes nothing any more.
  offers: () => sql` and r.merged_into is null`,
})

/** Counts a purchase (or, negative, what was refunded) into a customer's own figures. */
export async function countPurchase(
  db: Db,
  purchase: { wxUserId: string; shopId: string; spent: number; orders: number; time?: string },
): Promise<void> {
  const { shopId, spent, orders, time } = purchase
  const { id: wxUserId } = await lockCustomer(db, purchase.wxUserId)
  await db.run(sql`update wx_user set total_spent = greatest(0, coalesce(total_spent, 0) + ${spent}),
    order_count = coalesce(order_count, 0) + ${orders},
    last_visit_time = greatest(last_visit_time, ${time ?? null}::timestamptz) where id = ${wxUserId}
    and tenant_id = ${db.tenantId}`)
  if (orders) {
    await db.run(sql`insert into wx_user_shop as c (tenant_id, shop_id, wx_user_id, order_count, last_time)
      values (${db.tenantId}, ${shopId}, ${wxUserId}, ${orders}, ${time ?? null})
      on conflict (tenant_id, shop_id, wx_user_id) do update set order_count = c.order_count + excluded.order_count,
      last_time = greatest(c.last_time, excluded.last_time)`)
  }
}
