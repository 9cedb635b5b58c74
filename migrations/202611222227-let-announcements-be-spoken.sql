create table "announcement_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "audio_id" bigint,
  "shop_id" bigint,
  "text" text,
  "why" text,
  "link_id" bigint,
  "user_id" bigint,
  "event_id" bigint,
  "state" text,
  "message" text,
  "end_time" timestamptz(3),
  "command_id" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "announcement_log_list" on "announcement_log" (tenant_id, create_time desc, id desc);
create index "announcement_log_all" on "announcement_log" (create_time desc, id desc);
create index "announcement_log_by_shop_id" on "announcement_log" (tenant_id, shop_id, create_time desc, id desc);
create unique index "announcement_log_uq_command_id" on "announcement_log" (tenant_id, command_id);
grant select, insert, update, delete on "announcement_log" to store_app;
grant select, insert, update, delete on "announcement_log" to store_platform;
alter table "announcement_log" enable row level security;
create policy own_rows on "announcement_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "announcement_log" to store_platform using (true) with check (true);
create table "announcement_sound" (
  "tenant_id" text not null,
  "hash" text not null,
  "link" text not null,
  "alaw_link" text,
  "seconds" integer,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, hash)
);
grant select, insert, update, delete on "announcement_sound" to store_app;
grant select, insert, update, delete on "announcement_sound" to store_platform;
alter table "announcement_sound" enable row level security;
create policy own_rows on "announcement_sound" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "announcement_sound" to store_platform using (true) with check (true);
alter table "audio_conf" add column "pitch" numeric(18,1);
alter table "audio_conf" add column "recording" text;
alter table "audio_conf" add column "alarm_types" text[];
alter table "audio_conf" add column "times" integer;
alter table "audio_conf" add column "state" text;
alter table "audio_conf" add column "fail_reason" text;
alter table "audio_conf" add column "alaw_url" text;
alter table "audio_conf" add column "sound_ask" text;
create table "speech_engine" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "category" text not null,
  "app_key" text,
  "access_key" text,
  "secret_key" text,
  "region" text,
  "endpoint" text,
  "may_be_inside" boolean,
  "female_voice" text,
  "male_voice" text,
  "child_voice" text,
  "status" integer,
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
create index "speech_engine_list" on "speech_engine" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "speech_engine_all" on "speech_engine" (create_time desc, id desc) where is_deleted = 0;
create unique index "speech_engine_uq_name" on "speech_engine" (tenant_id, name) where is_deleted = 0;
create index "speech_engine_bin" on "speech_engine" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "speech_engine" to store_app;
grant select, insert, update, delete on "speech_engine" to store_platform;
alter table "speech_engine" enable row level security;
create policy own_rows on "speech_engine" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "speech_engine" to store_platform using (true) with check (true);
-- locks: a tenant has a handful of announcements, and nobody writes them by the second
update "audio_conf" set "state" = 'NONE', "pitch" = 1, "times" = 1;
