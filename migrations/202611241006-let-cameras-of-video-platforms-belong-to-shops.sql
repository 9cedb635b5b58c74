alter table "announcement_log" add column "camera_id" bigint;
create table "camera" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint,
  "device_id" bigint,
  "watched" boolean,
  "remark" text,
  "account_id" bigint,
  "platform" text,
  "gb_device_id" text,
  "gb_channel_id" text,
  "channel_key" text,
  "voice_channel" text,
  "ptz_type" text,
  "has_audio" boolean,
  "model" text,
  "online" boolean,
  "last_seen_time" timestamptz(3),
  "state" text,
  "picture" text,
  "picture_time" timestamptz(3),
  "usual" jsonb,
  "last_hash" text,
  "odd_times" integer,
  "clock_error" integer,
  "clock_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "camera_list" on "camera" (tenant_id, create_time desc, id desc);
create index "camera_all" on "camera" (create_time desc, id desc);
create index "camera_by_shop_id" on "camera" (tenant_id, shop_id);
create index "camera_by_account_id" on "camera" (tenant_id, account_id);
create index "camera_by_online_last_seen_time" on "camera" (tenant_id, online, last_seen_time);
create unique index "camera_uq_everywhere_platform_gb_device_id_gb_channel_id" on "camera" (platform, gb_device_id, gb_channel_id);
grant select, insert, update, delete on "camera" to store_app;
grant select, insert, update, delete on "camera" to store_platform;
alter table "camera" enable row level security;
create policy own_rows on "camera" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "camera" to store_platform using (true) with check (true);
create table "camera_picture" (
  "id" bigint not null,
  "tenant_id" text not null,
  "taken_time" timestamptz(3) not null,
  "camera_id" bigint,
  "shop_id" bigint,
  "ref_type" text,
  "ref_id" bigint,
  "picture" text,
  "user_id" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "camera_picture_list" on "camera_picture" (tenant_id, taken_time desc, id desc);
create index "camera_picture_all" on "camera_picture" (taken_time desc, id desc);
create index "camera_picture_by_shop_id" on "camera_picture" (tenant_id, shop_id, taken_time desc, id desc);
create index "camera_picture_by_ref_type_ref_id" on "camera_picture" (tenant_id, ref_type, ref_id);
create index "camera_picture_old" on "camera_picture" (create_time);
grant select, insert, update, delete on "camera_picture" to store_app;
grant select, insert, update, delete on "camera_picture" to store_platform;
alter table "camera_picture" enable row level security;
create policy own_rows on "camera_picture" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "camera_picture" to store_platform using (true) with check (true);
create table "video_account" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "endpoint" text not null,
  "generation" text not null,
  "media_base" text,
  "rtsp_base" text,
  "username" text,
  "secret_key" text,
  "api_key" text,
  "may_be_inside" boolean,
  "enabled" boolean,
  "sync_time" timestamptz(3),
  "cameras" integer,
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
create index "video_account_list" on "video_account" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "video_account_all" on "video_account" (create_time desc, id desc) where is_deleted = 0;
create unique index "video_account_uq_name" on "video_account" (tenant_id, name) where is_deleted = 0;
create index "video_account_bin" on "video_account" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "video_account" to store_app;
grant select, insert, update, delete on "video_account" to store_platform;
alter table "video_account" enable row level security;
create policy own_rows on "video_account" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "video_account" to store_platform using (true) with check (true);
