create table "print_account" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "brand" text not null,
  "user" text not null,
  "secret_key" text not null,
  "endpoint" text,
  "may_be_inside" boolean,
  "callback_on" boolean,
  "callback_flag" integer,
  "callback_key" text,
  "access_token" text,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "print_account_callback_flag_range" check ("callback_flag" >= 1 and "callback_flag" <= 5),
  primary key (tenant_id, id)
);
create index "print_account_list" on "print_account" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "print_account_all" on "print_account" (create_time desc, id desc) where is_deleted = 0;
create unique index "print_account_uq_brand_name" on "print_account" (tenant_id, brand, name) where is_deleted = 0;
create index "print_account_bin" on "print_account" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "print_account" to store_app;
grant select, insert, update, delete on "print_account" to store_platform;
alter table "print_account" enable row level security;
create policy own_rows on "print_account" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "print_account" to store_platform using (true) with check (true);
create table "print_job" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text,
  "kind" text,
  "state" text,
  "printer_id" bigint,
  "shop_id" bigint,
  "order_id" bigint,
  "copies" integer,
  "reason" text,
  "maker_no" text,
  "parts" jsonb,
  "columns" integer,
  "reprint_of" bigint,
  "expire_time" timestamptz(3),
  "sent_time" timestamptz(3),
  "printed_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "print_job_list" on "print_job" (tenant_id, create_time desc, id desc);
create index "print_job_all" on "print_job" (create_time desc, id desc);
create index "print_job_by_shop_id" on "print_job" (tenant_id, shop_id, create_time desc, id desc);
create index "print_job_by_order_id" on "print_job" (tenant_id, order_id);
create index "print_job_by_printer_id" on "print_job" (tenant_id, printer_id);
create index "print_job_by_maker_no" on "print_job" (tenant_id, maker_no);
create index "print_job_by_state" on "print_job" (tenant_id, state);
grant select, insert, update, delete on "print_job" to store_app;
grant select, insert, update, delete on "print_job" to store_platform;
alter table "print_job" enable row level security;
create policy own_rows on "print_job" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "print_job" to store_platform using (true) with check (true);
alter table "printer_info" add column "label_size" text;
alter table "printer_info" add column "auto_print" boolean;
alter table "printer_info" add column "note" text;
