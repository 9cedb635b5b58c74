create table "money_move" (
  "id" bigint not null,
  "tenant_id" text not null,
  "kind" text,
  "subject_no" text,
  "order_id" bigint,
  "shop_id" bigint,
  "amount" bigint,
  "state" text,
  "ask_user" bigint,
  "second_user" bigint,
  "second_time" timestamptz(3),
  "second_remark" text,
  "subject_key" text,
  "sealed_ask" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "money_move_list" on "money_move" (tenant_id, create_time desc, id desc);
create index "money_move_all" on "money_move" (create_time desc, id desc);
create index "money_move_by_shop_id" on "money_move" (tenant_id, shop_id, create_time desc, id desc);
create index "money_move_by_state_create_time_id" on "money_move" (tenant_id, state, create_time desc, id desc);
create index "money_move_by_order_id" on "money_move" (tenant_id, order_id);
grant select, insert, update, delete on "money_move" to store_app;
grant select, insert, update, delete on "money_move" to store_platform;
alter table "money_move" enable row level security;
create policy own_rows on "money_move" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "money_move" to store_platform using (true) with check (true);
create table "pay_attempt" (
  "id" bigint not null,
  "tenant_id" text not null,
  "pay_no" text,
  "order_id" bigint,
  "shop_id" bigint,
  "way" text,
  "state" text,
  "amount" bigint,
  "transaction_no" text,
  "asked_time" timestamptz(3),
  "deadline" timestamptz(3),
  "paid_time" timestamptz(3),
  "note" text,
  "back_state" text,
  "back_no" text,
  "back_note" text,
  "sub_mchid" text,
  "code_url" text,
  "prepay_no" text,
  "payer_openid" text,
  "code_digest" text,
  "ask_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "pay_attempt_list" on "pay_attempt" (tenant_id, create_time desc, id desc);
create index "pay_attempt_all" on "pay_attempt" (create_time desc, id desc);
create index "pay_attempt_by_shop_id" on "pay_attempt" (tenant_id, shop_id, create_time desc, id desc);
create index "pay_attempt_by_order_id" on "pay_attempt" (tenant_id, order_id);
create index "pay_attempt_by_state_ask_time" on "pay_attempt" (tenant_id, state, ask_time);
create unique index "pay_attempt_uq_pay_no" on "pay_attempt" (tenant_id, pay_no);
create unique index "pay_attempt_uq_back_no" on "pay_attempt" (tenant_id, back_no);
grant select, insert, update, delete on "pay_attempt" to store_app;
grant select, insert, update, delete on "pay_attempt" to store_platform;
alter table "pay_attempt" enable row level security;
create policy own_rows on "pay_attempt" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "pay_attempt" to store_platform using (true) with check (true);
alter table "refund_payment" add column "is_abnormal" boolean not null default false;
alter table "refund_payment" add column "redirect_to" text;
alter table "refunds" add column "is_abnormal" boolean;
