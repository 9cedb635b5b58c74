alter table "cash_register_client_version" alter column "md5" drop not null;
alter table "cash_register_client_version" add column "sha256" text;
alter table "client_version" alter column "md5" drop not null;
alter table "client_version" add column "sha256" text;
create table "platform_key" (
  "name" text not null,
  "public_part" text not null,
  "sealed" text not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (name)
);
grant select on "platform_key" to store_app;
grant select, insert, update, delete on "platform_key" to store_platform;
alter table "platform_key" enable row level security;
create policy read_all on "platform_key" for select to store_app using (true);
create policy every_row on "platform_key" to store_platform using (true) with check (true);
create table "remote_line" (
  "id" bigint not null,
  "tenant_id" text not null,
  "session_id" bigint,
  "client_id" text,
  "shop_id" bigint,
  "user_id" bigint,
  "seq" integer,
  "kind" text,
  "text" text,
  "exit_code" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "remote_line_list" on "remote_line" (tenant_id, create_time desc, id desc);
create index "remote_line_all" on "remote_line" (create_time desc, id desc);
create index "remote_line_by_shop_id" on "remote_line" (tenant_id, shop_id, create_time desc, id desc);
create index "remote_line_by_session_id_seq" on "remote_line" (tenant_id, session_id, seq);
create index "remote_line_by_create_time" on "remote_line" (tenant_id, create_time desc);
grant select, insert on "remote_line" to store_app;
grant select, insert on "remote_line" to store_platform;
grant delete on "remote_line" to store_platform;
create policy young_stay on "remote_line" as restrictive for delete to store_platform
  using (create_time < now() - interval '90 days');
alter table "remote_line" enable row level security;
create policy own_rows on "remote_line" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "remote_line" to store_platform using (true) with check (true);
create table "remote_session" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint,
  "client_id" text,
  "shop_id" bigint,
  "user_id" bigint,
  "state" text,
  "shell" text,
  "cwd" text,
  "last_time" timestamptz(3),
  "end_time" timestamptz(3),
  "end_reason" text,
  "last_seq" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "remote_session_list" on "remote_session" (tenant_id, create_time desc, id desc);
create index "remote_session_all" on "remote_session" (create_time desc, id desc);
create index "remote_session_by_shop_id" on "remote_session" (tenant_id, shop_id, create_time desc, id desc);
create index "remote_session_by_link_id_state" on "remote_session" (tenant_id, link_id, state);
grant select, insert, update, delete on "remote_session" to store_app;
grant select, insert, update, delete on "remote_session" to store_platform;
alter table "remote_session" enable row level security;
create policy own_rows on "remote_session" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "remote_session" to store_platform using (true) with check (true);
create table "rollout" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "module" text not null,
  "program_id" bigint,
  "shop_ids" bigint[],
  "canary_shops" bigint[],
  "waves" text not null,
  "failure_max" numeric(7,2) not null,
  "window_start" text,
  "window_end" text,
  "remark" text,
  "state" text,
  "version_name" text,
  "wave" integer,
  "total" integer,
  "done_count" integer,
  "failed_count" integer,
  "stop_reason" text,
  "stop_reason_en" text,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "rollout_failure_max_range" check ("failure_max" >= 0 and "failure_max" <= 100),
  primary key (tenant_id, id)
);
create index "rollout_list" on "rollout" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "rollout_all" on "rollout" (create_time desc, id desc) where is_deleted = 0;
create index "rollout_by_shop_ids" on "rollout" (tenant_id, shop_ids, create_time desc, id desc) where is_deleted = 0;
create index "rollout_by_state" on "rollout" (tenant_id, state) where is_deleted = 0;
create index "rollout_bin" on "rollout" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "rollout" to store_app;
grant select, insert, update, delete on "rollout" to store_platform;
alter table "rollout" enable row level security;
create policy own_rows on "rollout" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "rollout" to store_platform using (true) with check (true);
create table "rollout_device" (
  "id" bigint not null,
  "tenant_id" text not null,
  "rollout_id" bigint,
  "link_id" bigint,
  "client_id" text,
  "shop_id" bigint,
  "wave" integer,
  "state" text,
  "reason" text,
  "from_version" text,
  "command_id" bigint,
  "ask_time" timestamptz(3),
  "end_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "rollout_device_list" on "rollout_device" (tenant_id, create_time desc, id desc);
create index "rollout_device_all" on "rollout_device" (create_time desc, id desc);
create index "rollout_device_by_shop_id" on "rollout_device" (tenant_id, shop_id, create_time desc, id desc);
create index "rollout_device_by_rollout_id_wave_state" on "rollout_device" (tenant_id, rollout_id, wave, state);
create index "rollout_device_by_command_id" on "rollout_device" (tenant_id, command_id);
create unique index "rollout_device_uq_rollout_id_link_id" on "rollout_device" (tenant_id, rollout_id, link_id);
grant select, insert, update, delete on "rollout_device" to store_app;
grant select, insert, update, delete on "rollout_device" to store_platform;
alter table "rollout_device" enable row level security;
create policy own_rows on "rollout_device" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "rollout_device" to store_platform using (true) with check (true);
