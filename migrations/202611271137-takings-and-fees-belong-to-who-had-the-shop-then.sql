create table "merchant_term" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "merchant_id" bigint,
  "fee_rate" numeric(7,2) not null,
  "start_time" timestamptz(3) not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "merchant_term_by_shop_id" on "merchant_term" (tenant_id, shop_id, start_time, id);
create index "merchant_term_by_merchant_id" on "merchant_term" (tenant_id, merchant_id);
grant select, insert on "merchant_term" to store_app;
grant select, insert on "merchant_term" to store_platform;
alter table "merchant_term" enable row level security;
create policy own_rows on "merchant_term" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "merchant_term" to store_platform using (true) with check (true);
-- Nobody wrote down who had a shop before: its merchant of today has had it, at the rate of today.
-- locks: the table is new, and the shops are only read
insert into "merchant_term" (id, tenant_id, shop_id, merchant_id, fee_rate, start_time)
  select b.id, b.tenant_id, b.id, m.id, coalesce(m.fee_rate, 0), timestamptz '2000-01-01 00:00:00+08'
  from basic_shop_info b join merchant_info m on m.tenant_id = b.tenant_id and m.id = b.merchant_id
  where m.is_deleted = 0;
-- What the port refused of payments we asked for ourselves was sent the wrong way: tried again it goes to WeChat Pay.
-- locks: refunds that failed are few, and no others are touched
update "refund_payment" set way = 'wechat/' where way = 'port' and channel = 'wechat' and state = 'failed'
  and exists (select 1 from pay_attempt a where a.tenant_id = refund_payment.tenant_id
  and a.order_id = refund_payment.order_id and a.transaction_no = refund_payment.transaction_no
  and a.sub_mchid is not null);
