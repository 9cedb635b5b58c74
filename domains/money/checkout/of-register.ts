import { cancelUnpaid } from '#domains/sales/orders/api.ts'
import { ORDER_STATE, shoppingOrder } from '#domains/sales/orders/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import type { PaymentAttempt } from './create-attempt.ts'
import { payAttempt } from './pay-attempt.resource.ts'

type OfRegister = { tenantId: string; registerId: string; saleNo: string }

const CANCELLED = defineSystemText({ zh: '收银机取消收款', en: 'Payment canceled at the register' })

const latest = sql`order by r.id desc limit 1`

/** Returns the last payment attempt of a sale by the register's sale number; refuses an unknown sale. */
export async function requireLastRegisterPayment(
  services: Services,
  { tenantId, registerId, saleNo }: OfRegister,
): Promise<PaymentAttempt> {
  const [row] = await services.unit({ tenantId }, (db) =>
    db.find(
      payAttempt,
      sql`r.order_id = (select o.id from shopping_order o where o.tenant_id = ${tenantId}
        and o.cash_register_id = ${registerId} and o.sale_no = ${saleNo})`,
      latest,
    ),
  )
  if (!row) throw new Refused('pay_no_attempt', { saleNo })
  return row
}

/**
 * Cancels a sale when the customer leaves without buying: ends the order and its payment attempts. A payment made
 * meanwhile is refunded.
 */
export async function cancelByRegister(services: Services, ask: OfRegister): Promise<PaymentAttempt> {
  const row = await requireLastRegisterPayment(services, ask)
  await services.unit({ tenantId: ask.tenantId }, async (db) => {
    const order = await db.get(shoppingOrder, row.orderId!, 'forUpdate')
    if (order?.status === ORDER_STATE.toPay) await cancelUnpaid(db, order, CANCELLED, services.now())
  })
  return requireLastRegisterPayment(services, ask)
}
