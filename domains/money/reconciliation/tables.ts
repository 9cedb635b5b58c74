import { defineTable } from '#kit/server/database/schema.ts'

/**
 * Lines of the platforms' statements: trades, fund flows, and settlements of delivery platforms. `amount` is the change
 * of the account in cents before `fee`, negative when out. In a fund flow `transaction_no` is the business number,
 * `order_no` the voucher and `received` the balance; of a delivery order `received` is what the shop gets.
 */
export const statementLineTable = defineTable({
  name: 'tally_line',
  tenancy: 'tenant',
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    day_id: 'bigint not null',
    source: "text not null check (source in ('trade', 'flow', 'order'))",
    kind: 'text not null',
    time: 'timestamptz(3) not null',
    transaction_no: 'text not null',
    order_no: 'text not null',
    refund_no: 'text not null',
    refund_there: 'text not null',
    amount: 'bigint not null',
    fee: 'bigint not null',
    received: 'bigint not null',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    tally_line_by_day: '(tenant_id, day_id, source)',
    tally_line_by_transaction_no: '(tenant_id, transaction_no)',
    tally_line_by_order_no: '(tenant_id, order_no)',
    tally_line_by_create_time: '(create_time)',
  },
})

/**
 * Returns of money that belongs to nothing here: asked → sent → done / failed, and again asked on a retry. `out_no` is
 * our number, paid once; `refund_there` WeChat Pay's, once it has accepted the refund.
 */
export const moneyReturnTable = defineTable({
  name: 'tally_back',
  tenancy: 'tenant',
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    difference_id: 'bigint not null',
    merchant_id: 'bigint not null',
    /** WeChat Pay number of the account that has the money. */
    sub_mchid: 'text',
    transaction_no: 'text not null',
    order_no: 'text not null',
    out_no: 'text not null',
    paid: 'bigint not null check (paid > 0)',
    paid_fee: 'bigint not null',
    paid_time: 'timestamptz(3) not null',
    state: "text not null check (state in ('asked', 'sent', 'done', 'failed'))",
    refund_there: 'text',
    last_error: 'text',
    attempts: 'integer not null default 0',
    create_time: 'timestamptz(3) not null default now()',
    done_time: 'timestamptz(3)',
  },
  indexes: {
    tally_back_uq_transaction_no: '(tenant_id, transaction_no)',
    tally_back_uq_out_no: '(tenant_id, out_no)',
    tally_back_by_merchant_id: '(tenant_id, merchant_id)',
  },
})
