import { sql, type Db } from '#kit/server/database/db.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { serve } from '#kit/server/module/module.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { lockCustomer } from './accounts.ts'
import { visibleCustomersSql } from './booking-shop.ts'
import { wxUser } from './wx-user.resource.ts'

/**
 * The shops each customer belongs to, with orders and last visit. Staff limited to shops see only the customers of
 * these.
 */
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
  allowManualEdit: true,
  beforeSave: (_draft, was) => rejectManualCreate(wxUser, was),
  where: (call) => visibleCustomersSql(call, sql`r.id`),
  // A closed (merged) account is not offered as a choice.
  offers: () => sql` and r.merged_into is null`,
})

/** Subtracts a refunded amount (cents) from the customer's total spent. */
export async function reduceCustomerTotalSpent(db: Db, customerId: string, amount: number): Promise<void> {
  const { id } = await lockCustomer(db, customerId)
  await db.run(sql`update wx_user set total_spent = greatest(0, coalesce(total_spent, 0) - ${amount}::bigint)
    where id = ${id} and tenant_id = ${db.tenantId}`)
}
