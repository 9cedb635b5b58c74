alter table "ele_order" add column "refund_asked" text;
create table "ele_sync" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ele_shop_id" bigint,
  "shop_id" bigint,
  "state" integer,
  "step" text,
  "total" integer,
  "done" integer,
  "different" integer,
  "unknown" integer,
  "begin_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "message" text,
  "bookmark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ele_sync_list" on "ele_sync" (tenant_id, begin_time desc, id desc);
create index "ele_sync_all" on "ele_sync" (begin_time desc, id desc);
create index "ele_sync_by_shop_id" on "ele_sync" (tenant_id, shop_id, begin_time desc, id desc);
create unique index "ele_sync_uq_ele_shop_id" on "ele_sync" (tenant_id, ele_shop_id);
grant select, insert, update, delete on "ele_sync" to store_app;
grant select, insert, update, delete on "ele_sync" to store_platform;
alter table "ele_sync" enable row level security;
create policy own_rows on "ele_sync" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_sync" to store_platform using (true) with check (true);
