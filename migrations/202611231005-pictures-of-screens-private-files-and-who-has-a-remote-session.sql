create table "register_screenshot" (
  "id" bigint not null,
  "tenant_id" text not null,
  "register_id" bigint not null,
  "shop_id" bigint,
  "user_id" bigint,
  "reason" text,
  "command_id" bigint,
  "size" integer,
  "openings" integer,
  "file_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "register_screenshot_list" on "register_screenshot" (tenant_id, create_time desc, id desc);
create index "register_screenshot_all" on "register_screenshot" (create_time desc, id desc);
create index "register_screenshot_by_shop_id" on "register_screenshot" (tenant_id, shop_id, create_time desc, id desc);
create index "register_screenshot_by_register_id_create_time" on "register_screenshot" (tenant_id, register_id, create_time desc);
create index "register_screenshot_by_create_time" on "register_screenshot" (tenant_id, create_time desc);
grant select, insert, update, delete on "register_screenshot" to store_app;
grant select, insert, update, delete on "register_screenshot" to store_platform;
alter table "register_screenshot" enable row level security;
create policy own_rows on "register_screenshot" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "register_screenshot" to store_platform using (true) with check (true);
alter table "remote_session" add column "operator" text;
alter table "remote_session" add column "took_from_id" bigint;
create table "screenshot_opening" (
  "id" bigint not null,
  "tenant_id" text not null,
  "screenshot_id" bigint,
  "register_id" bigint not null,
  "shop_id" bigint,
  "user_id" bigint,
  "reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "screenshot_opening_list" on "screenshot_opening" (tenant_id, create_time desc, id desc);
create index "screenshot_opening_all" on "screenshot_opening" (create_time desc, id desc);
create index "screenshot_opening_by_shop_id" on "screenshot_opening" (tenant_id, shop_id, create_time desc, id desc);
create index "screenshot_opening_by_screenshot_id" on "screenshot_opening" (tenant_id, screenshot_id);
create index "screenshot_opening_by_create_time" on "screenshot_opening" (tenant_id, create_time desc);
grant select, insert on "screenshot_opening" to store_app;
grant select, insert on "screenshot_opening" to store_platform;
grant delete on "screenshot_opening" to store_platform;
create policy young_stay on "screenshot_opening" as restrictive for delete to store_platform
  using (create_time < now() - interval '90 days');
alter table "screenshot_opening" enable row level security;
create policy own_rows on "screenshot_opening" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "screenshot_opening" to store_platform using (true) with check (true);
alter table "stored_file" add column "is_private" boolean;
