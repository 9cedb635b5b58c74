alter table "ele_order" add column "is_own_delivery" boolean;
alter table "ele_order" add column "return_state" integer;
alter table "meituan_order" add column "is_own_delivery" boolean;
alter table "meituan_task" add column "failures" jsonb;
alter table "meituan_task" add column "known" jsonb;
alter table "meituan_task" add column "sent_time" timestamptz(3);
alter table "platform_ask" add column "rider_name" text;
alter table "platform_ask" add column "rider_phone" text;
alter table "platform_step" add column "asked" jsonb;
alter table "platform_step" add column "task_id" bigint;
create table "platform_difference" (
  "id" bigint not null,
  "tenant_id" text not null,
  "platform" text,
  "shop_id" bigint,
  "shop_there" text,
  "row_key" text,
  "good_id" bigint,
  "name" text,
  "upc" text,
  "kind" text,
  "ours" text,
  "theirs" text,
  "state" text,
  "found_time" timestamptz(3),
  "done_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "platform_difference_list" on "platform_difference" (tenant_id, found_time desc, id desc);
create index "platform_difference_all" on "platform_difference" (found_time desc, id desc);
create index "platform_difference_by_shop_id" on "platform_difference" (tenant_id, shop_id, found_time desc, id desc);
create index "platform_difference_by_shop_there_state" on "platform_difference" (tenant_id, shop_there, state);
create index "platform_difference_by_row_key_state" on "platform_difference" (tenant_id, row_key, state);
create index "platform_difference_by_state_found_time_id" on "platform_difference" (tenant_id, state, found_time, id);
create index "platform_difference_by_found_time_id" on "platform_difference" (tenant_id, found_time, id);
create index "platform_difference_old" on "platform_difference" (create_time);
grant select, insert, update, delete on "platform_difference" to store_app;
grant select, insert, update, delete on "platform_difference" to store_platform;
alter table "platform_difference" enable row level security;
create policy own_rows on "platform_difference" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "platform_difference" to store_platform using (true) with check (true);
create table "settlement_change" (
  "id" bigint not null,
  "tenant_id" text not null,
  "merchant_id" bigint not null,
  "sub_mchid" text,
  "status" text,
  "bank_account_type" text not null,
  "account_name" text not null,
  "account_bank" text not null,
  "bank_region" text not null,
  "bank_name" text,
  "account_number" text,
  "account_tail" text,
  "ask_user" bigint,
  "second_user" bigint,
  "application_no" text,
  "sent_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "fail_reason" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (tenant_id, id)
);
create index "settlement_change_list" on "settlement_change" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "settlement_change_all" on "settlement_change" (create_time desc, id desc) where is_deleted = 0;
create index "settlement_change_by_merchant_id_create_time" on "settlement_change" (tenant_id, merchant_id, create_time desc) where is_deleted = 0;
create index "settlement_change_by_status_create_time_id" on "settlement_change" (tenant_id, status, create_time desc, id desc) where is_deleted = 0;
create index "settlement_change_bin" on "settlement_change" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "settlement_change" to store_app;
grant select, insert, update, delete on "settlement_change" to store_platform;
alter table "settlement_change" enable row level security;
create policy own_rows on "settlement_change" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "settlement_change" to store_platform using (true) with check (true);
