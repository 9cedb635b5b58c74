alter table "notice_log" add column "wechat_message_id" bigint;
create table "wechat_app" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "kind" text not null,
  "appid" text not null,
  "secret_key" text not null,
  "program_state" text,
  "endpoint" text,
  "may_be_inside" boolean,
  "enabled" boolean,
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
create index "wechat_app_list" on "wechat_app" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "wechat_app_all" on "wechat_app" (create_time desc, id desc) where is_deleted = 0;
create unique index "wechat_app_uq_appid" on "wechat_app" (tenant_id, appid) where is_deleted = 0;
create index "wechat_app_bin" on "wechat_app" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "wechat_app" to store_app;
grant select, insert, update, delete on "wechat_app" to store_platform;
alter table "wechat_app" enable row level security;
create policy own_rows on "wechat_app" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wechat_app" to store_platform using (true) with check (true);
create table "wechat_message" (
  "id" bigint not null,
  "tenant_id" text not null,
  "wechat_app_id" bigint,
  "openid" text,
  "template_no" text,
  "target" text,
  "content" text,
  "state" text,
  "fail_reason" text,
  "answer_code" text,
  "answer" text,
  "message_no" text,
  "attempts" integer,
  "first_time" timestamptz(3),
  "lease_until" timestamptz(3),
  "sent_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "wechat_message_list" on "wechat_message" (tenant_id, create_time desc, id desc);
create index "wechat_message_all" on "wechat_message" (create_time desc, id desc);
grant select, insert, update, delete on "wechat_message" to store_app;
grant select, insert, update, delete on "wechat_message" to store_platform;
alter table "wechat_message" enable row level security;
create policy own_rows on "wechat_message" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wechat_message" to store_platform using (true) with check (true);
create table "wechat_template" (
  "id" bigint not null,
  "tenant_id" text not null,
  "notice" text not null,
  "wechat_app_id" bigint not null,
  "template_no" text not null,
  "target" text,
  "content_field" text not null,
  "shop_field" text,
  "kind_field" text,
  "time_field" text,
  "enabled" boolean,
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
create index "wechat_template_list" on "wechat_template" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "wechat_template_all" on "wechat_template" (create_time desc, id desc) where is_deleted = 0;
create unique index "wechat_template_uq_notice_template_no" on "wechat_template" (tenant_id, notice, template_no) where is_deleted = 0;
create index "wechat_template_bin" on "wechat_template" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "wechat_template" to store_app;
grant select, insert, update, delete on "wechat_template" to store_platform;
alter table "wechat_template" enable row level security;
create policy own_rows on "wechat_template" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wechat_template" to store_platform using (true) with check (true);
create table "wechat_token" (
  "tenant_id" text not null,
  "app_id" bigint not null,
  "access_token" text,
  "end_time" timestamptz(3),
  "lease_until" timestamptz(3),
  "lease_no" text,
  primary key (tenant_id, app_id)
);
grant select, insert, update, delete on "wechat_token" to store_app;
grant select, insert, update, delete on "wechat_token" to store_platform;
alter table "wechat_token" enable row level security;
create policy own_rows on "wechat_token" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wechat_token" to store_platform using (true) with check (true);
