import { defineTable } from '#kit/server/database/schema.ts'

/** A price guaranteed for a basket, with what it reserves: open → used → returned, or freed when it expires. */
export const priceQuoteTable = defineTable({
  name: 'price_quote',
  tenancy: 'tenant',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    shop_id: 'bigint not null',
    wx_user_id: 'bigint',
    /** Who asked, for example `register/7`. */
    holder: 'text not null',
    /** The asker's own number of the sale. */
    holder_key: 'text not null',
    digest: 'text not null',
    priced: 'jsonb not null',
    ticket_ids: "bigint[] not null default '{}'",
    points: 'integer not null default 0',
    points_returned: 'integer not null default 0',
    state: "text not null check (state in ('open', 'used', 'freed', 'returned'))",
    valid_until: 'timestamptz(3) not null',
    order_id: 'bigint',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    price_quote_uq_holder: "(tenant_id, holder, holder_key) where state in ('open', 'used')",
    price_quote_by_order_id: '(tenant_id, order_id)',
    price_quote_open: "(tenant_id, valid_until) where state = 'open'",
    price_quote_open_customer: "(tenant_id, wx_user_id) where state = 'open'",
    price_quote_open_all: "(valid_until) where state = 'open'",
    price_quote_old: "(create_time) where state <> 'open'",
  },
})

/**
 * A campaign's discount for one basket: reserved by a quote → used by its order → returned with the whole order, or
 * freed.
 */
export const campaignUseTable = defineTable({
  name: 'campaign_use',
  tenancy: 'tenant',
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    campaign_id: 'bigint not null',
    quote_id: 'bigint not null',
    order_id: 'bigint',
    shop_id: 'bigint not null',
    wx_user_id: 'bigint',
    amount: 'bigint not null check (amount > 0)',
    quantity: 'integer not null',
    sales_amount: 'bigint not null default 0',
    cost_amount: 'bigint not null default 0',
    state: "text not null check (state in ('reserved', 'used', 'freed', 'returned'))",
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    campaign_use_by_customer: '(tenant_id, campaign_id, wx_user_id)',
    campaign_use_by_quote_id: '(tenant_id, quote_id)',
    campaign_use_by_order_id: '(tenant_id, order_id)',
  },
})
