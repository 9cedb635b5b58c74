create table "report_sent" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text,
  "timing_id" bigint,
  "user_id" bigint,
  "kind" text,
  "state" text,
  "found" integer,
  "reason" text,
  "due_time" timestamptz(3),
  "send_time" timestamptz(3),
  "family" text,
  "query" jsonb,
  "task_id" bigint,
  "content" jsonb,
  "reach" jsonb,
  "once_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "report_sent_list" on "report_sent" (tenant_id, create_time desc, id desc);
create index "report_sent_all" on "report_sent" (create_time desc, id desc);
create index "report_sent_by_user_id_create_time" on "report_sent" (tenant_id, user_id, create_time desc);
create index "report_sent_by_timing_id_user_id_create_time" on "report_sent" (tenant_id, timing_id, user_id, create_time desc);
create unique index "report_sent_uq_once_key" on "report_sent" (tenant_id, once_key);
grant select, insert, update, delete on "report_sent" to store_app;
grant select, insert, update, delete on "report_sent" to store_platform;
alter table "report_sent" enable row level security;
create policy own_rows on "report_sent" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "report_sent" to store_platform using (true) with check (true);
create table "report_timing" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "report_id" bigint,
  "view_id" bigint,
  "view_name" text,
  "kind" text not null,
  "cron" text not null,
  "threshold" integer,
  "user_ids" bigint[] not null,
  "enabled" boolean,
  "next_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "report_timing_threshold_range" check ("threshold" >= 0),
  primary key (tenant_id, id)
);
create index "report_timing_list" on "report_timing" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "report_timing_all" on "report_timing" (create_time desc, id desc) where is_deleted = 0;
create index "report_timing_by_next_time" on "report_timing" (tenant_id, next_time) where is_deleted = 0;
create index "report_timing_bin" on "report_timing" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "report_timing" to store_app;
grant select, insert, update, delete on "report_timing" to store_platform;
alter table "report_timing" enable row level security;
create policy own_rows on "report_timing" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "report_timing" to store_platform using (true) with check (true);
create table "report_view" (
  "id" bigint not null,
  "tenant_id" text not null default '000000',
  "name" text not null,
  "family" text,
  "question" jsonb not null,
  "role_id" bigint,
  "paper" text,
  "heading" text,
  "footer" text,
  "built_in" text,
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
create index "report_view_list" on "report_view" (tenant_id, update_time desc, id desc) where is_deleted = 0;
create index "report_view_all" on "report_view" (update_time desc, id desc) where is_deleted = 0;
create index "report_view_by_role_id" on "report_view" (tenant_id, role_id) where is_deleted = 0;
create index "report_view_bin" on "report_view" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "report_view" to store_app;
grant select, insert, update, delete on "report_view" to store_platform;
alter table "report_view" enable row level security;
create policy read_own_and_shared on "report_view" for select to store_app using (tenant_id in (current_setting('app.tenant', true), '000000'));
create policy add_own on "report_view" for insert to store_app with check (tenant_id = current_setting('app.tenant', true));
create policy change_own on "report_view" for update to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy remove_own on "report_view" for delete to store_app using (tenant_id = current_setting('app.tenant', true));
create policy every_row on "report_view" to store_platform using (true) with check (true);
