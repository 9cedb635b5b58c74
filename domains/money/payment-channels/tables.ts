import { defineTable } from '#kit/server/database/schema.ts'

/** Payments of an order: one row for each means of payment. */
export const orderPaymentTable = defineTable({
  name: 'order_payment',
  tenancy: 'tenant',
  appendOnly: true,
  partitioned: 'quarter',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    order_id: 'bigint not null',
    shop_id: 'bigint not null',
    channel: 'text not null',
    amount: 'bigint not null check (amount > 0)',
    transaction_no: 'text',
    pay_time: 'timestamptz(3)',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: { order_payment_by_order_id: '(tenant_id, order_id)' },
})

/** Refunds of orders, one row for each payment to refund: waiting → asked → sent → done / failed, or cancelled. */
export const refundPaymentTable = defineTable({
  name: 'refund_payment',
  tenancy: 'tenant',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    refund_id: 'bigint not null',
    order_id: 'bigint not null',
    payment_id: 'bigint not null',
    channel: 'text not null',
    transaction_no: 'text',
    amount: 'bigint not null check (amount > 0)',
    out_no: 'text not null',
    state: "text not null check (state in ('waiting', 'asked', 'sent', 'done', 'failed', 'cancelled'))",
    channel_refund_id: 'text',
    way: 'text',
    ask_time: 'timestamptz(3)',
    attempts: 'integer not null default 0',
    last_error: 'text',
    is_abnormal: 'boolean not null default false',
    /** Paid out by people, so nothing left the platform account. */
    is_handed_over: 'boolean not null default false',
    /** Account a person chose instead, encrypted; emptied when the platform has accepted it. */
    redirect_to: 'text',
    create_time: 'timestamptz(3) not null default now()',
    asked_time: 'timestamptz(3)',
    sent_time: 'timestamptz(3)',
    done_time: 'timestamptz(3)',
  },
  indexes: {
    refund_payment_by_refund_id: '(tenant_id, refund_id)',
    refund_payment_by_order_id: '(tenant_id, order_id)',
    refund_payment_uq_out_no: '(tenant_id, out_no)',
  },
})
