create table "ai_app" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "workflow" text not null,
  "endpoint" text not null,
  "may_be_inside" boolean,
  "api_key" text not null,
  "price_per_million" bigint,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "ai_app_price_per_million_range" check ("price_per_million" >= 0 and "price_per_million" <= 99999999999999),
  primary key (tenant_id, id)
);
create index "ai_app_list" on "ai_app" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "ai_app_all" on "ai_app" (create_time desc, id desc) where is_deleted = 0;
create unique index "ai_app_uq_workflow" on "ai_app" (tenant_id, workflow) where is_deleted = 0;
create unique index "ai_app_uq_name" on "ai_app" (tenant_id, name) where is_deleted = 0;
create index "ai_app_bin" on "ai_app" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "ai_app" to store_app;
grant select, insert, update, delete on "ai_app" to store_platform;
alter table "ai_app" enable row level security;
create policy own_rows on "ai_app" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ai_app" to store_platform using (true) with check (true);
create table "ai_finding" (
  "id" bigint not null,
  "tenant_id" text not null,
  "said" text,
  "picture" text,
  "type" text,
  "confidence" numeric(7,2),
  "box" jsonb,
  "advice" text,
  "upc" text,
  "task_id" bigint,
  "log_id" bigint,
  "shop_id" bigint,
  "target_name" text,
  "subject" text,
  "event_id" bigint,
  "work_id" bigint,
  "verdict" text,
  "judge" bigint,
  "judge_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ai_finding_list" on "ai_finding" (tenant_id, create_time desc, id desc);
create index "ai_finding_all" on "ai_finding" (create_time desc, id desc);
create index "ai_finding_by_shop_id" on "ai_finding" (tenant_id, shop_id, create_time desc, id desc);
create index "ai_finding_by_task_id_verdict" on "ai_finding" (tenant_id, task_id, verdict);
create index "ai_finding_by_log_id" on "ai_finding" (tenant_id, log_id);
create index "ai_finding_by_verdict_create_time" on "ai_finding" (tenant_id, verdict, create_time desc);
grant select, insert, update, delete on "ai_finding" to store_app;
grant select, insert, update, delete on "ai_finding" to store_platform;
alter table "ai_finding" enable row level security;
create policy own_rows on "ai_finding" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ai_finding" to store_platform using (true) with check (true);
alter table "ai_task" add column "on_events" text[];
alter table "ai_task" add column "prompt" text;
alter table "ai_task" add column "outcome" text;
alter table "ai_task" add column "threshold" numeric(7,2);
alter table "ai_task" add column "right_count" integer;
alter table "ai_task" add column "wrong_count" integer;
alter table "ai_task" add column "failed_runs" integer;
alter table "ai_task_log" add column "target_type" text;
alter table "ai_task_log" add column "target_id" text;
alter table "ai_task_log" add column "target_name" text;
alter table "ai_task_log" add column "cause" text;
alter table "ai_task_log" add column "event_id" bigint;
alter table "ai_task_log" add column "level" text;
alter table "ai_task_log" add column "summary" text;
alter table "ai_task_log" add column "picture" text;
alter table "ai_task_log" add column "step" text;
alter table "ai_task_log" add column "steps" integer;
alter table "ai_task_log" add column "said" text;
alter table "ai_task_log" add column "dify_task_id" text;
alter table "ai_task_log" add column "cost" numeric(18,4);
alter table "ai_task_log" add column "price" bigint;
alter table "ai_task_log" add column "tries" integer;
create table "ai_usage" (
  "id" bigint not null,
  "tenant_id" text not null,
  "month" text not null,
  "budget" bigint,
  "cost" bigint,
  "tokens" bigint,
  "runs" integer,
  "ended" integer,
  "charge" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  constraint "ai_usage_budget_range" check ("budget" >= 0),
  primary key (tenant_id, id)
);
create index "ai_usage_list" on "ai_usage" (tenant_id, month desc, id desc);
create index "ai_usage_all" on "ai_usage" (month desc, id desc);
create unique index "ai_usage_uq_month" on "ai_usage" (tenant_id, month);
grant select, insert, update, delete on "ai_usage" to store_app;
grant select, insert, update, delete on "ai_usage" to store_platform;
alter table "ai_usage" enable row level security;
create policy own_rows on "ai_usage" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ai_usage" to store_platform using (true) with check (true);
create table "personal_opening" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint,
  "account" text,
  "family" text,
  "row_id" text,
  "row_title" text,
  "shown" text[],
  "reason" text,
  "until_time" timestamptz(3),
  "remote_ip" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "personal_opening_list" on "personal_opening" (tenant_id, create_time desc, id desc);
create index "personal_opening_all" on "personal_opening" (create_time desc, id desc);
create index "personal_opening_by_user_id_family_row_id" on "personal_opening" (tenant_id, user_id, family, row_id);
create index "personal_opening_by_family_row_id" on "personal_opening" (tenant_id, family, row_id);
grant select, insert on "personal_opening" to store_app;
grant select, insert on "personal_opening" to store_platform;
grant delete on "personal_opening" to store_platform;
create policy young_stay on "personal_opening" as restrictive for delete to store_platform
  using (create_time < now() - interval '180 days');
alter table "personal_opening" enable row level security;
create policy own_rows on "personal_opening" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "personal_opening" to store_platform using (true) with check (true);
