import { definePayable } from '#domains/money/payment-channels/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

/** SQL sum of the earlier refunds of the same payment, before part `p` of refund `r`. */
const backBefore = sql`(select coalesce(sum(x.amount), 0)::bigint from refund_payment x
      join refunds y on y.tenant_id = x.tenant_id and y.id = x.refund_id and y.status = ${REFUND_STATE.succeeded}
      where x.tenant_id = p.tenant_id and x.order_id = p.order_id and x.payment_id = p.payment_id and x.state = 'done'
      and not x.is_handed_over
      and (y.finish_time, x.id) < (r.finish_time, p.id))`

const order = {
  id: sql`o.id`,
  no: sql`o.order_no`,
  merchantId: sql`null::bigint`,
  subMchid: sql`null::text`,
  payTime: sql`o.pay_time`,
  transactionNo: sql`o.transaction_no`,
  paymentNo: sql`p.transaction_no`,
  channel: sql`p.channel`,
  amount: sql`p.amount`,
  fee: sql`null::bigint`,
}

/** Orders as a payable: paid by their payments, given back by their refunds. */
definePayable({
  name: shoppingOrder.name,
  numbers: {
    from: sql`shopping_order o`,
    tenantId: sql`o.tenant_id`,
    no: sql`o.order_no`,
    transactionNo: sql`o.transaction_no`,
    channel: sql`o.pay_type`,
  },
  payments: {
    from: sql`shopping_order o join order_payment p on p.tenant_id = o.tenant_id and p.order_id = o.id`,
    columns: {
      ...order,
      tenantId: sql`o.tenant_id`,
      shopId: sql`o.shop_id`,
      paymentId: sql`p.id`,
      createTime: sql`o.create_time`,
      heardTime: sql`p.create_time`,
    },
  },
  refunds: {
    from: sql`refunds r join refund_payment p on p.tenant_id = r.tenant_id and p.refund_id = r.id
      join shopping_order o on o.tenant_id = r.tenant_id and o.id = r.order_id`,
    columns: {
      ...order,
      // A part that was paid by hand left no account at the provider.
      channel: sql`case when p.is_handed_over then 'cash' else p.channel end`,
      tenantId: sql`r.tenant_id`,
      shopId: sql`r.shop_id`,
      partId: sql`p.id`,
      refundNo: sql`p.out_no`,
      numberThere: sql`p.channel_refund_id`,
      isDone: sql`(p.state = 'done' and r.status = ${REFUND_STATE.succeeded})`,
      isUnderWay: sql`(p.state in ('asked', 'sent'))`,
      askedTime: sql`coalesce(p.asked_time, p.create_time)`,
      doneTime: sql`r.finish_time`,
      backBefore,
    },
  },
})
