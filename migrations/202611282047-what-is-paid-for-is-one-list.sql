alter table "annual_fee_log" add column "refund_amount" bigint;
alter table "annual_fee_log" add column "refund_reason" text;
alter table "pay_attempt" add column "back_time" timestamptz(3);
alter table "pay_attempt" add column "is_shared" boolean;
create table "payment_refund" (
  "id" bigint not null,
  "tenant_id" text not null,
  "refund_no" text,
  "payable" text,
  "payable_no" text,
  "shop_id" bigint,
  "amount" bigint,
  "channel" text,
  "transaction_no" text,
  "paid" bigint,
  "pay_time" timestamptz(3),
  "reason" text,
  "state" text,
  "note" text,
  "number_there" text,
  "done_time" timestamptz(3),
  "done_user" bigint,
  "payable_id" text,
  "way" text,
  "attempts" integer,
  "ask_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "payment_refund_list" on "payment_refund" (tenant_id, create_time desc, id desc);
create index "payment_refund_all" on "payment_refund" (create_time desc, id desc);
create index "payment_refund_by_shop_id" on "payment_refund" (tenant_id, shop_id, create_time desc, id desc);
create index "payment_refund_by_payable_id" on "payment_refund" (tenant_id, payable_id);
create index "payment_refund_by_state_create_time_id" on "payment_refund" (tenant_id, state, create_time desc, id desc);
create index "payment_refund_by_shop_id_done_time" on "payment_refund" (tenant_id, shop_id, done_time);
create index "payment_refund_by_transaction_no" on "payment_refund" (tenant_id, transaction_no);
create unique index "payment_refund_uq_refund_no" on "payment_refund" (tenant_id, refund_no);
grant select, insert, update, delete on "payment_refund" to store_app;
grant select, insert, update, delete on "payment_refund" to store_platform;
alter table "payment_refund" enable row level security;
create policy own_rows on "payment_refund" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "payment_refund" to store_platform using (true) with check (true);
alter table "tally_back" add column "sub_mchid" text;
-- Money sent back by a comparison lay in the account of the day it was found on.
-- locks: a few rows for each tenant, written by nobody but the comparison
update "tally_back" b set sub_mchid = y.account_no from tally_difference d join tally_day y
  on y.tenant_id = d.tenant_id and y.id = d.day_id
  where d.tenant_id = b.tenant_id and d.id = b.difference_id;
-- Payments that went back by themselves did so when their row was last written.
-- locks: a few rows for each tenant
update "pay_attempt" set back_time = update_time where back_state = 'done';
-- What was refunded of recharges before was paid out by somebody, who did not say so.
insert into "payment_refund" (id, tenant_id, refund_no, payable, payable_id, payable_no, shop_id, amount, channel,
  transaction_no, paid, pay_time, reason, state, note, attempts, done_time, create_user, create_time)
  select r.id, r.tenant_id, 'RB' || r.id, 'rechargeLog', r.id::text, r.recharge_no, r.shop_id, r.refund_amount,
    r.pay_type, r.transaction_no, r.amount, r.pay_time, r.refund_reason, 'handed', '升级前登记的退款', 0, r.update_time,
    r.create_user, r.update_time
  from recharge_log r where r.refund_amount > 0;
