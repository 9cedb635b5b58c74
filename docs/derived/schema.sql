create table if not exists job (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  queue text not null,
  payload jsonb not null,
  dedupe_key text,
  state text not null default 'asked' check (state in ('asked', 'running', 'done', 'failed')),
  run_at timestamptz not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  lease_until timestamptz,
  leased_by text,
  last_error text not null default '',
  again_at timestamptz,
  create_time timestamptz not null default clock_timestamp(),
  start_time timestamptz,
  finish_time timestamptz,
  trace_id text not null default ''
);
create unique index if not exists job_dedupe on job (queue, tenant_id, dedupe_key) where state in ('asked', 'running');
create index if not exists job_asked on job (queue, run_at) where state = 'asked';
create index if not exists job_running on job (lease_until) where state = 'running';
create index if not exists job_finished on job (finish_time) where state in ('done', 'failed');
create index if not exists job_failed on job (finish_time) where state = 'failed';
create table if not exists job_schedule (
  name text primary key,
  cron text not null,
  tz text not null,
  next_at timestamptz not null,
  last_at timestamptz
);

create unlogged table if not exists shared_entry (
  key text primary key,
  value jsonb,
  hits integer not null default 0,
  expires_at timestamptz not null
);
create index if not exists shared_entry_expires_at on shared_entry (expires_at);

create table if not exists jwt_key (
  kid text primary key,
  secret text not null,
  create_time timestamptz not null default clock_timestamp(),
  retire_time timestamptz
);
create unique index if not exists jwt_key_current on jwt_key ((true)) where retire_time is null;

create function text_grams(tenant text, value text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  small text := lower(value);
  grams text[] := '{}';
begin
  for i in 1 .. length(small) loop grams := grams || (tenant || ':' || substr(small, i, 2)); end loop;
  return array_to_tsvector(grams);
end $$;

create function grams_asked(tenant text, part text) returns tsquery
language sql immutable strict parallel safe as $$
  select string_agg('''' || replace(replace(tenant || ':' || gram, '\', '\\'), '''', '''''') || ''''
    || case when length(gram) = 1 then ':*' else '' end, ' & ')::tsquery
  from (
    select substr(small, i, 2) as gram
    from (select lower(part) as small) asked,
      generate_series(1, greatest(1, least(length(small) - 1, 24))) i
  ) pairs
$$;

grant select, insert, update, delete on job, job_schedule, shared_entry, jwt_key to store_platform;
create or replace function database_state() returns jsonb
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object(
    'version', current_setting('server_version'),
    'bytes', pg_database_size(current_database()),
    'connectionsMax', current_setting('max_connections')::integer,
    'connections', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select coalesce(state, 'hidden') as state, count(*) as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' group by 1) s),
    'oldestSeconds', (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()),
    'waitingForLocks', (select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'),
    'standbys', (select coalesce(jsonb_agg(jsonb_build_object('name', application_name, 'state', state,
      'sync', sync_state, 'behindBytes', pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))), '[]')
      from pg_stat_replication))
$$;
revoke all on function database_state() from public;
grant execute on function database_state() to store_platform;

grant usage on all sequences in schema public to store_platform, store_app;
-- Work is asked for inside a tenant's transaction: the store role may add jobs of its own tenant and see them, no more.
grant select, insert on job to store_app;
alter table job enable row level security;
create policy own_jobs on job to store_app using (tenant_id = current_setting('app.tenant', true))
  with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on job to store_platform using (true) with check (true);

create table "advertising" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "screen" text not null,
  "type" text not null,
  "material" text not null,
  "seconds" integer not null,
  "shop_ids" bigint[],
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "day_start" text,
  "day_end" text,
  "sort" integer,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "advertising_seconds_range" check ("seconds" >= 3 and "seconds" <= 600),
  constraint "advertising_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "advertising_list" on "advertising" (tenant_id, sort, id) where is_deleted = 0;
create index "advertising_all" on "advertising" (sort, id) where is_deleted = 0;
create index "advertising_by_screen_sort" on "advertising" (tenant_id, screen, sort) where is_deleted = 0;
create index "advertising_bin" on "advertising" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "advertising" to store_app;
grant select, insert, update, delete on "advertising" to store_platform;
alter table "advertising" enable row level security;
create policy own_rows on "advertising" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "advertising" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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
  "count" integer,
  "first_time" timestamptz(3),
  "last_time" timestamptz(3),
  "open_key" text,
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
create index "ai_finding_list" on "ai_finding" (tenant_id, last_time desc, id desc);
create index "ai_finding_all" on "ai_finding" (last_time desc, id desc);
create index "ai_finding_by_shop_id" on "ai_finding" (tenant_id, shop_id, last_time desc, id desc);
create index "ai_finding_by_task_id_verdict" on "ai_finding" (tenant_id, task_id, verdict);
create index "ai_finding_by_log_id" on "ai_finding" (tenant_id, log_id);
create index "ai_finding_by_verdict_create_time" on "ai_finding" (tenant_id, verdict, create_time desc);
create unique index "ai_finding_uq_open_key" on "ai_finding" (tenant_id, open_key);
create index "ai_finding_old" on "ai_finding" (create_time);
grant select, insert, update, delete on "ai_finding" to store_app;
grant select, insert, update, delete on "ai_finding" to store_platform;
alter table "ai_finding" enable row level security;
create policy own_rows on "ai_finding" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ai_finding" to store_platform using (true) with check (true);

create table "ai_task" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint not null,
  "target_type" text not null,
  "target_ids" bigint[],
  "workflow" text not null,
  "cron" text,
  "on_events" text[],
  "prompt" text,
  "inputs" jsonb,
  "outcome" text,
  "threshold" numeric(7,2),
  "enabled" boolean,
  "right_count" integer,
  "wrong_count" integer,
  "failed_runs" integer,
  "last_run_time" timestamptz(3),
  "last_status" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "ai_task_threshold_range" check ("threshold" >= 0 and "threshold" <= 100),
  primary key (tenant_id, id)
);
create index "ai_task_list" on "ai_task" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "ai_task_all" on "ai_task" (create_time desc, id desc) where is_deleted = 0;
create index "ai_task_by_shop_id" on "ai_task" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "ai_task_uq_shop_id_name" on "ai_task" (tenant_id, shop_id, name) where is_deleted = 0;
create index "ai_task_bin" on "ai_task" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "ai_task" to store_app;
grant select, insert, update, delete on "ai_task" to store_platform;
alter table "ai_task" enable row level security;
create policy own_rows on "ai_task" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ai_task" to store_platform using (true) with check (true);

create table "ai_task_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "task_id" bigint,
  "shop_id" bigint,
  "target_type" text,
  "target_id" text,
  "target_name" text,
  "cause" text,
  "event_id" bigint,
  "status" text,
  "level" text,
  "summary" text,
  "picture" text,
  "step" text,
  "steps" integer,
  "said" text,
  "run_id" text,
  "dify_task_id" text,
  "start_time" timestamptz(3),
  "seconds" numeric(18,1),
  "tokens" integer,
  "cost" numeric(18,4),
  "price" bigint,
  "tries" integer,
  "inputs" jsonb,
  "outputs" jsonb,
  "error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ai_task_log_list" on "ai_task_log" (tenant_id, start_time desc, id desc);
create index "ai_task_log_all" on "ai_task_log" (start_time desc, id desc);
create index "ai_task_log_by_shop_id" on "ai_task_log" (tenant_id, shop_id, start_time desc, id desc);
create index "ai_task_log_by_status_start_time" on "ai_task_log" (tenant_id, status, start_time);
create index "ai_task_log_by_dify_task_id" on "ai_task_log" (tenant_id, dify_task_id);
create index "ai_task_log_by_start_time_id" on "ai_task_log" (tenant_id, start_time, id);
create index "ai_task_log_by_task_id_start_time" on "ai_task_log" (tenant_id, task_id, start_time);
create index "ai_task_log_by_shop_id_start_time" on "ai_task_log" (tenant_id, shop_id, start_time);
create index "ai_task_log_old" on "ai_task_log" (create_time);
grant select, insert, update, delete on "ai_task_log" to store_app;
grant select, insert, update, delete on "ai_task_log" to store_platform;
alter table "ai_task_log" enable row level security;
create policy own_rows on "ai_task_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ai_task_log" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "announcement_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "audio_id" bigint,
  "shop_id" bigint,
  "text" text,
  "why" text,
  "link_id" bigint,
  "camera_id" bigint,
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

create table "annual_fee_conf" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "level" bigint not null,
  "fee" bigint not null,
  "months" integer not null,
  "benefits" text,
  "enabled" boolean,
  "sort" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "annual_fee_conf_fee_range" check ("fee" >= 0 and "fee" <= 10000000),
  constraint "annual_fee_conf_months_range" check ("months" >= 1 and "months" <= 120),
  constraint "annual_fee_conf_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "annual_fee_conf_list" on "annual_fee_conf" (tenant_id, sort, id) where is_deleted = 0;
create index "annual_fee_conf_all" on "annual_fee_conf" (sort, id) where is_deleted = 0;
create index "annual_fee_conf_by_level" on "annual_fee_conf" (tenant_id, level) where is_deleted = 0;
create index "annual_fee_conf_bin" on "annual_fee_conf" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "annual_fee_conf" to store_app;
grant select, insert, update, delete on "annual_fee_conf" to store_platform;
alter table "annual_fee_conf" enable row level security;
create policy own_rows on "annual_fee_conf" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "annual_fee_conf" to store_platform using (true) with check (true);

create table "annual_fee_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "fee_no" text,
  "wx_user_id" bigint,
  "conf_id" bigint,
  "level" bigint,
  "fee" bigint,
  "months" integer,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "vip_info_id" bigint,
  "pay_type" text,
  "pay_status" integer,
  "pay_time" timestamptz(3),
  "transaction_no" text,
  "shop_id" bigint,
  "refund_amount" bigint,
  "reason" text,
  "refund_reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "annual_fee_log_list" on "annual_fee_log" (tenant_id, create_time desc, id desc);
create index "annual_fee_log_all" on "annual_fee_log" (create_time desc, id desc);
create index "annual_fee_log_by_shop_id" on "annual_fee_log" (tenant_id, shop_id, create_time desc, id desc);
create index "annual_fee_log_by_wx_user_id_create_time_id" on "annual_fee_log" (tenant_id, wx_user_id, create_time desc, id desc);
create index "annual_fee_log_by_conf_id" on "annual_fee_log" (tenant_id, conf_id);
create index "annual_fee_log_by_pay_time" on "annual_fee_log" (tenant_id, pay_time);
create index "annual_fee_log_by_transaction_no" on "annual_fee_log" (tenant_id, transaction_no);
create unique index "annual_fee_log_uq_fee_no" on "annual_fee_log" (tenant_id, fee_no);
grant select, insert, update, delete on "annual_fee_log" to store_app;
grant select, insert, update, delete on "annual_fee_log" to store_platform;
alter table "annual_fee_log" enable row level security;
create policy own_rows on "annual_fee_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "annual_fee_log" to store_platform using (true) with check (true);

create table "attach" (
  "id" bigint not null,
  "tenant_id" text not null,
  "original_name" text not null,
  "name" text,
  "link" text not null,
  "domain" text,
  "extension" text,
  "attach_size" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "attach_attach_size_range" check ("attach_size" >= 0),
  primary key (tenant_id, id)
);
create index "attach_list" on "attach" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "attach_all" on "attach" (create_time desc, id desc) where is_deleted = 0;
grant select, insert, update, delete on "attach" to store_app;
grant select, insert, update, delete on "attach" to store_platform;
alter table "attach" enable row level security;
create policy own_rows on "attach" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "attach" to store_platform using (true) with check (true);

create table "audio_conf" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint not null,
  "text" text not null,
  "voice" text not null,
  "speed" numeric(18,1),
  "pitch" numeric(18,1),
  "recording" text,
  "trigger" text not null,
  "cron" text,
  "alarm_types" text[],
  "volume" integer,
  "times" integer,
  "gb_id" text,
  "enabled" boolean,
  "state" text,
  "fail_reason" text,
  "audio_url" text,
  "alaw_url" text,
  "seconds" integer,
  "sound_ask" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "audio_conf_speed_range" check ("speed" >= 0.5 and "speed" <= 2),
  constraint "audio_conf_pitch_range" check ("pitch" >= 0.5 and "pitch" <= 1.5),
  constraint "audio_conf_volume_range" check ("volume" >= 0 and "volume" <= 100),
  constraint "audio_conf_times_range" check ("times" >= 1 and "times" <= 5),
  primary key (tenant_id, id)
);
create index "audio_conf_list" on "audio_conf" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "audio_conf_all" on "audio_conf" (create_time desc, id desc) where is_deleted = 0;
create index "audio_conf_by_shop_id" on "audio_conf" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "audio_conf_by_trigger" on "audio_conf" (tenant_id, trigger) where is_deleted = 0;
create index "audio_conf_bin" on "audio_conf" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "audio_conf" to store_app;
grant select, insert, update, delete on "audio_conf" to store_platform;
alter table "audio_conf" enable row level security;
create policy own_rows on "audio_conf" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "audio_conf" to store_platform using (true) with check (true);

create table "background_task" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint not null,
  "kind" text not null,
  "resource" text not null,
  "state" text not null default 'waiting',
  "lang" text not null,
  "ask" jsonb not null,
  "progress" jsonb not null default '{}',
  "step" integer not null default 0,
  "done" integer not null default 0,
  "total" integer,
  "result" jsonb not null default '{}',
  "problem" jsonb,
  "create_time" timestamptz(3) not null default now(),
  "update_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "background_task_own" on "background_task" (tenant_id, user_id, create_time desc);
create index "background_task_old" on "background_task" (create_time);
grant select, insert, update, delete on "background_task" to store_app;
grant select, insert, update, delete on "background_task" to store_platform;
alter table "background_task" enable row level security;
create policy own_rows on "background_task" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "background_task" to store_platform using (true) with check (true);

create table "background_task_row" (
  "task_id" bigint not null,
  "line" integer not null,
  "tenant_id" text not null,
  "state" text not null,
  "title" text,
  "row_id" bigint,
  "entity" jsonb not null default '{}',
  "changes" jsonb not null default '[]',
  "problems" jsonb not null default '[]',
  primary key (tenant_id, task_id, line)
);
create index "background_task_row_of" on "background_task_row" (task_id, state, line);
grant select, insert, update, delete on "background_task_row" to store_app;
grant select, insert, update, delete on "background_task_row" to store_platform;
alter table "background_task_row" enable row level security;
create policy own_rows on "background_task_row" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "background_task_row" to store_platform using (true) with check (true);

create table "balance_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "wx_user_id" bigint,
  "type" text,
  "change" bigint,
  "before" bigint,
  "after" bigint,
  "shop_id" bigint,
  "ref_type" text,
  "ref_id" bigint,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "balance_log_list" on "balance_log" (tenant_id, create_time desc, id desc);
create index "balance_log_all" on "balance_log" (create_time desc, id desc);
create index "balance_log_by_shop_id" on "balance_log" (tenant_id, shop_id, create_time desc, id desc);
create index "balance_log_by_wx_user_id_create_time_id" on "balance_log" (tenant_id, wx_user_id, create_time desc, id desc);
create index "balance_log_by_ref_id" on "balance_log" (tenant_id, ref_id);
create index "balance_log_of_type" on "balance_log" (tenant_id, type, create_time, id);
create index "balance_log_of_change" on "balance_log" (tenant_id, change, create_time, id);
create index "balance_log_of_ref_type" on "balance_log" (tenant_id, ref_type, create_time, id);
grant select, insert on "balance_log" to store_app;
grant select, insert on "balance_log" to store_platform;
alter table "balance_log" enable row level security;
create policy own_rows on "balance_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "balance_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "balance_log_past" partition of "balance_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;
create unique index "balance_log_uq_wx_user_id_ref_type_ref_id_type_past" on "balance_log_past" (tenant_id, wx_user_id, ref_type, ref_id, type);

create table "banner_conf" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text not null,
  "position" text not null,
  "picture" text not null,
  "link" text,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "sort" integer,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "banner_conf_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "banner_conf_list" on "banner_conf" (tenant_id, sort, id) where is_deleted = 0;
create index "banner_conf_all" on "banner_conf" (sort, id) where is_deleted = 0;
create index "banner_conf_by_position_sort" on "banner_conf" (tenant_id, position, sort) where is_deleted = 0;
create index "banner_conf_bin" on "banner_conf" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "banner_conf" to store_app;
grant select, insert, update, delete on "banner_conf" to store_platform;
alter table "banner_conf" enable row level security;
create policy own_rows on "banner_conf" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "banner_conf" to store_platform using (true) with check (true);

create table "barcodes" (
  "id" bigint not null,
  "tenant_id" text not null default '000000',
  "upc" text not null,
  "name" text not null,
  "spec" text,
  "brand" text,
  "unit" text,
  "picture" text,
  "suggest_price" bigint,
  "origin" text,
  "category" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "barcodes_suggest_price_range" check ("suggest_price" >= 0 and "suggest_price" <= 99999999),
  primary key (tenant_id, id)
);
create index "barcodes_list" on "barcodes" (tenant_id, upc, id) where is_deleted = 0;
create index "barcodes_all" on "barcodes" (upc, id) where is_deleted = 0;
create unique index "barcodes_uq_upc" on "barcodes" (tenant_id, upc) where is_deleted = 0;
create index "barcodes_bin" on "barcodes" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "barcodes" to store_app;
grant select, insert, update, delete on "barcodes" to store_platform;
alter table "barcodes" enable row level security;
create policy read_own_and_shared on "barcodes" for select to store_app using (tenant_id in (current_setting('app.tenant', true), '000000'));
create policy add_own on "barcodes" for insert to store_app with check (tenant_id = current_setting('app.tenant', true));
create policy change_own on "barcodes" for update to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy remove_own on "barcodes" for delete to store_app using (tenant_id = current_setting('app.tenant', true));
create policy every_row on "barcodes" to store_platform using (true) with check (true);

create table "basic_shop_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_name" text not null,
  "shop_code" text not null,
  "status" integer,
  "last_seen_time" timestamptz(3),
  "mode" integer,
  "client_id" text,
  "boss_user_id" bigint,
  "dept_id" bigint,
  "merchant_id" bigint,
  "province" text,
  "city" text,
  "district" text,
  "address" text,
  "longitude" numeric(18,6),
  "latitude" numeric(18,6),
  "phone" text,
  "area" numeric(18,1),
  "logo" text,
  "pictures" text[],
  "open_date" date,
  "unmanned_start" text,
  "unmanned_end" text,
  "search_key" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "basic_shop_info_longitude_range" check ("longitude" >= -180 and "longitude" <= 180),
  constraint "basic_shop_info_latitude_range" check ("latitude" >= -90 and "latitude" <= 90),
  constraint "basic_shop_info_area_range" check ("area" >= 0 and "area" <= 100000),
  primary key (tenant_id, id)
);
create index "basic_shop_info_list" on "basic_shop_info" (tenant_id, shop_code, id) where is_deleted = 0;
create index "basic_shop_info_all" on "basic_shop_info" (shop_code, id) where is_deleted = 0;
create index "basic_shop_info_by_boss_user_id" on "basic_shop_info" (tenant_id, boss_user_id) where is_deleted = 0;
create index "basic_shop_info_by_status" on "basic_shop_info" (tenant_id, status) where is_deleted = 0;
create unique index "basic_shop_info_uq_shop_code" on "basic_shop_info" (tenant_id, shop_code) where is_deleted = 0;
create unique index "basic_shop_info_uq_client_id" on "basic_shop_info" (tenant_id, client_id) where is_deleted = 0;
create index "basic_shop_info_bin" on "basic_shop_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "basic_shop_info" to store_app;
grant select, insert, update, delete on "basic_shop_info" to store_platform;
alter table "basic_shop_info" enable row level security;
create policy own_rows on "basic_shop_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "basic_shop_info" to store_platform using (true) with check (true);

create table "black_appeal" (
  "id" bigint not null,
  "tenant_id" text not null,
  "black_list_id" bigint not null,
  "shop_id" bigint,
  "statement" text not null,
  "phone" text,
  "pictures" text[],
  "status" integer,
  "decide_user" bigint,
  "decide_time" timestamptz(3),
  "decision" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "black_appeal_list" on "black_appeal" (tenant_id, create_time desc, id desc);
create index "black_appeal_all" on "black_appeal" (create_time desc, id desc);
create index "black_appeal_by_black_list_id" on "black_appeal" (tenant_id, black_list_id);
create index "black_appeal_by_shop_id_create_time_id" on "black_appeal" (tenant_id, shop_id, create_time desc, id desc);
create index "black_appeal_by_status" on "black_appeal" (tenant_id, status);
grant select, insert, update, delete on "black_appeal" to store_app;
grant select, insert, update, delete on "black_appeal" to store_platform;
alter table "black_appeal" enable row level security;
create policy own_rows on "black_appeal" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "black_appeal" to store_platform using (true) with check (true);

create table "black_list" (
  "id" bigint not null,
  "tenant_id" text not null,
  "wx_user_id" bigint,
  "phone" text,
  "shop_id" bigint,
  "reason" text not null,
  "pictures" text[],
  "visit_id" bigint,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "lift_reason" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "black_list_list" on "black_list" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "black_list_all" on "black_list" (create_time desc, id desc) where is_deleted = 0;
create index "black_list_by_wx_user_id" on "black_list" (tenant_id, wx_user_id) where is_deleted = 0;
create index "black_list_by_phone" on "black_list" (tenant_id, phone) where is_deleted = 0;
create index "black_list_by_shop_id_create_time_id" on "black_list" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "black_list_by_end_time" on "black_list" (tenant_id, end_time) where is_deleted = 0;
create index "black_list_bin" on "black_list" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "black_list" to store_app;
grant select, insert, update, delete on "black_list" to store_platform;
alter table "black_list" enable row level security;
create policy own_rows on "black_list" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "black_list" to store_platform using (true) with check (true);

create table "bulk_run" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint not null,
  "ask" jsonb not null,
  "ids" bigint[] not null,
  "done" integer not null default 0,
  "failed" integer not null default 0,
  "refused" jsonb not null default '[]',
  "create_time" timestamptz(3) not null default now(),
  "finish_time" timestamptz(3),
  "dry_run_rows" jsonb,
  "sums" jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index "bulk_run_by_user" on "bulk_run" (tenant_id, user_id, create_time desc);
create index "bulk_run_old" on "bulk_run" (create_time);
grant select, insert, update, delete on "bulk_run" to store_app;
grant select, insert, update, delete on "bulk_run" to store_platform;
alter table "bulk_run" enable row level security;
create policy own_rows on "bulk_run" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "bulk_run" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "campaign_use" (
  "id" bigint not null,
  "tenant_id" text not null,
  "campaign_id" bigint not null,
  "quote_id" bigint not null,
  "order_id" bigint,
  "shop_id" bigint not null,
  "wx_user_id" bigint,
  "amount" bigint not null check (amount > 0),
  "quantity" integer not null,
  "sales_amount" bigint not null default 0,
  "cost_amount" bigint not null default 0,
  "state" text not null check (state in ('reserved', 'used', 'freed', 'returned')),
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "campaign_use_by_customer" on "campaign_use" (tenant_id, campaign_id, wx_user_id);
create index "campaign_use_by_quote_id" on "campaign_use" (tenant_id, quote_id);
create index "campaign_use_by_order_id" on "campaign_use" (tenant_id, order_id);
grant select, insert, update, delete on "campaign_use" to store_app;
grant select, insert, update, delete on "campaign_use" to store_platform;
alter table "campaign_use" enable row level security;
create policy own_rows on "campaign_use" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "campaign_use" to store_platform using (true) with check (true);

create table "cash_register" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "sn" text not null,
  "shop_id" bigint not null,
  "status" integer,
  "app_version" text,
  "last_heartbeat" timestamptz(3),
  "clock_skew" bigint,
  "unsent" integer,
  "screen_state" text,
  "key_issued_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "cash_register_list" on "cash_register" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "cash_register_all" on "cash_register" (create_time desc, id desc) where is_deleted = 0;
create index "cash_register_by_shop_id" on "cash_register" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "cash_register_by_status_last_heartbeat" on "cash_register" (tenant_id, status, last_heartbeat) where is_deleted = 0;
create unique index "cash_register_uq_sn" on "cash_register" (tenant_id, sn) where is_deleted = 0;
create index "cash_register_bin" on "cash_register" (tenant_id, update_time desc, id desc) where is_deleted = 1;
create index "cash_register_found_sn" on "cash_register" (sn) where is_deleted = 0;
grant select, insert, update, delete on "cash_register" to store_app;
grant select, insert, update, delete on "cash_register" to store_platform;
alter table "cash_register" enable row level security;
create policy own_rows on "cash_register" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "cash_register" to store_platform using (true) with check (true);

create table "cash_register_client_version" (
  "id" bigint not null,
  "tenant_id" text not null,
  "version_name" text not null,
  "version_code" integer not null,
  "url" text not null,
  "md5" text,
  "size" integer,
  "sha256" text,
  "rollout" numeric(7,2) not null,
  "status" integer,
  "notes" text,
  "force" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "cash_register_client_version_version_code_range" check ("version_code" >= 1 and "version_code" <= 2000000000),
  constraint "cash_register_client_version_size_range" check ("size" >= 1 and "size" <= 2000000000),
  constraint "cash_register_client_version_rollout_range" check ("rollout" >= 0 and "rollout" <= 100),
  primary key (tenant_id, id)
);
create index "cash_register_client_version_list" on "cash_register_client_version" (tenant_id, version_code desc, id desc) where is_deleted = 0;
create index "cash_register_client_version_all" on "cash_register_client_version" (version_code desc, id desc) where is_deleted = 0;
create unique index "cash_register_client_version_uq_version_code" on "cash_register_client_version" (tenant_id, version_code) where is_deleted = 0;
create index "cash_register_client_version_bin" on "cash_register_client_version" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "cash_register_client_version" to store_app;
grant select, insert, update, delete on "cash_register_client_version" to store_platform;
alter table "cash_register_client_version" enable row level security;
create policy own_rows on "cash_register_client_version" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "cash_register_client_version" to store_platform using (true) with check (true);

create table "cash_register_pic" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "picture" text not null,
  "position" text not null,
  "shop_ids" bigint[],
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "sort" integer,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "cash_register_pic_sort_range" check ("sort" >= 0 and "sort" <= 9999),
  primary key (tenant_id, id)
);
create index "cash_register_pic_list" on "cash_register_pic" (tenant_id, sort, id) where is_deleted = 0;
create index "cash_register_pic_all" on "cash_register_pic" (sort, id) where is_deleted = 0;
create index "cash_register_pic_by_shop_ids" on "cash_register_pic" (tenant_id, shop_ids, sort, id) where is_deleted = 0;
create index "cash_register_pic_bin" on "cash_register_pic" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "cash_register_pic" to store_app;
grant select, insert, update, delete on "cash_register_pic" to store_platform;
alter table "cash_register_pic" enable row level security;
create policy own_rows on "cash_register_pic" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "cash_register_pic" to store_platform using (true) with check (true);

create table "client_version" (
  "id" bigint not null,
  "tenant_id" text not null,
  "version_name" text not null,
  "version_code" integer not null,
  "url" text not null,
  "md5" text,
  "size" integer,
  "sha256" text,
  "rollout" numeric(7,2) not null,
  "status" integer,
  "notes" text,
  "model" text not null,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "client_version_version_code_range" check ("version_code" >= 1 and "version_code" <= 2000000000),
  constraint "client_version_size_range" check ("size" >= 1 and "size" <= 2000000000),
  constraint "client_version_rollout_range" check ("rollout" >= 0 and "rollout" <= 100),
  primary key (tenant_id, id)
);
create index "client_version_list" on "client_version" (tenant_id, version_code desc, id desc) where is_deleted = 0;
create index "client_version_all" on "client_version" (version_code desc, id desc) where is_deleted = 0;
create unique index "client_version_uq_model_version_code" on "client_version" (tenant_id, model, version_code) where is_deleted = 0;
create index "client_version_bin" on "client_version" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "client_version" to store_app;
grant select, insert, update, delete on "client_version" to store_platform;
alter table "client_version" enable row level security;
create policy own_rows on "client_version" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "client_version" to store_platform using (true) with check (true);

create table "customer_ticket" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ticket_no" text,
  "ticket_id" bigint,
  "wx_user_id" bigint,
  "status" integer,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "source" text,
  "lock_time" timestamptz(3),
  "quote_id" bigint,
  "used_time" timestamptz(3),
  "used_amount" bigint,
  "order_id" bigint,
  "shop_id" bigint,
  "shop_ids" bigint[],
  "is_revoked" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "customer_ticket_list" on "customer_ticket" (tenant_id, create_time desc, id desc);
create index "customer_ticket_all" on "customer_ticket" (create_time desc, id desc);
create index "customer_ticket_by_wx_user_id_status_end_time" on "customer_ticket" (tenant_id, wx_user_id, status, end_time);
create index "customer_ticket_by_ticket_id_wx_user_id" on "customer_ticket" (tenant_id, ticket_id, wx_user_id);
create index "customer_ticket_by_status_end_time" on "customer_ticket" (tenant_id, status, end_time);
create index "customer_ticket_by_order_id" on "customer_ticket" (tenant_id, order_id);
create index "customer_ticket_by_quote_id" on "customer_ticket" (tenant_id, quote_id);
create unique index "customer_ticket_uq_ticket_no" on "customer_ticket" (tenant_id, ticket_no);
grant select, insert, update, delete on "customer_ticket" to store_app;
grant select, insert, update, delete on "customer_ticket" to store_platform;
alter table "customer_ticket" enable row level security;
create policy own_rows on "customer_ticket" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "customer_ticket" to store_platform using (true) with check (true);

create table "customer_visit_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "wx_user_id" bigint,
  "enter_time" timestamptz(3) not null,
  "leave_time" timestamptz(3),
  "entry_mode" text,
  "result" text,
  "paid_amount" bigint,
  "order_ids" bigint[],
  "snapshot" text,
  "video_url" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "customer_visit_log_list" on "customer_visit_log" (tenant_id, enter_time desc, id desc);
create index "customer_visit_log_all" on "customer_visit_log" (enter_time desc, id desc);
create index "customer_visit_log_by_shop_id" on "customer_visit_log" (tenant_id, shop_id, enter_time desc, id desc);
create index "customer_visit_log_by_wx_user_id_enter_time" on "customer_visit_log" (tenant_id, wx_user_id, enter_time);
create index "customer_visit_log_by_result_enter_time" on "customer_visit_log" (tenant_id, result, enter_time);
create index "customer_visit_log_of_leave_time" on "customer_visit_log" (tenant_id, leave_time, enter_time, id);
create index "customer_visit_log_of_entry_mode" on "customer_visit_log" (tenant_id, entry_mode, enter_time, id);
create index "customer_visit_log_of_result" on "customer_visit_log" (tenant_id, result, enter_time, id);
create index "customer_visit_log_of_paid_amount" on "customer_visit_log" (tenant_id, paid_amount, enter_time, id);
grant select, insert, update, delete on "customer_visit_log" to store_app;
grant select, insert, update, delete on "customer_visit_log" to store_platform;
alter table "customer_visit_log" enable row level security;
create policy own_rows on "customer_visit_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "customer_visit_log" to store_platform using (true) with check (true);

create table "data_source" (
  "id" bigint not null,
  "name" text not null,
  "driver_class" text not null,
  "host" text not null,
  "port" integer not null,
  "database_name" text not null,
  "schema_name" text,
  "username" text not null,
  "password" text,
  "use_tls" boolean,
  "test_state" text,
  "test_time" timestamptz(3),
  "test_note" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "data_source_port_range" check ("port" >= 1 and "port" <= 65535),
  primary key (id)
);
create index "data_source_list" on "data_source" (create_time desc, id desc) where is_deleted = 0;
create unique index "data_source_uq_name" on "data_source" (name) where is_deleted = 0;
create index "data_source_bin" on "data_source" (update_time desc, id desc) where is_deleted = 1;
grant select on "data_source" to store_app;
grant select, insert, update, delete on "data_source" to store_platform;
alter table "data_source" enable row level security;
create policy read_all on "data_source" for select to store_app using (true);
create policy every_row on "data_source" to store_platform using (true) with check (true);

create table "delivery_address" (
  "id" bigint not null,
  "tenant_id" text not null,
  "wx_user_id" bigint,
  "name" text,
  "phone" text,
  "province" text,
  "city" text,
  "district" text,
  "address" text,
  "longitude" numeric(18,6),
  "latitude" numeric(18,6),
  "is_default" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "delivery_address_list" on "delivery_address" (tenant_id, create_time desc, id desc);
create index "delivery_address_all" on "delivery_address" (create_time desc, id desc);
create index "delivery_address_by_wx_user_id_create_time" on "delivery_address" (tenant_id, wx_user_id, create_time desc);
create index "delivery_address_by_create_time_id" on "delivery_address" (tenant_id, create_time desc, id desc);
grant select, insert, update, delete on "delivery_address" to store_app;
grant select, insert, update, delete on "delivery_address" to store_platform;
alter table "delivery_address" enable row level security;
create policy own_rows on "delivery_address" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "delivery_address" to store_platform using (true) with check (true);

create table "delivery_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "order_id" bigint,
  "shop_id" bigint,
  "wx_user_id" bigint,
  "status" integer,
  "name" text,
  "phone" text,
  "address" text,
  "longitude" numeric(18,6),
  "latitude" numeric(18,6),
  "distance" integer,
  "expect_time" timestamptz(3),
  "carrier" text,
  "rider_name" text,
  "rider_phone" text,
  "fee" bigint,
  "accept_time" timestamptz(3),
  "pick_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "fail_reason" text,
  "pictures" text[],
  "track" jsonb,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "delivery_info_list" on "delivery_info" (tenant_id, create_time desc, id desc);
create index "delivery_info_all" on "delivery_info" (create_time desc, id desc);
create index "delivery_info_by_shop_id" on "delivery_info" (tenant_id, shop_id, create_time desc, id desc);
create index "delivery_info_by_order_id" on "delivery_info" (tenant_id, order_id);
create index "delivery_info_by_shop_id_status_create_time_id" on "delivery_info" (tenant_id, shop_id, status, create_time desc, id desc);
create index "delivery_info_by_status_create_time_id" on "delivery_info" (tenant_id, status, create_time desc, id desc);
create index "delivery_info_by_create_time_id" on "delivery_info" (tenant_id, create_time desc, id desc);
grant select, insert, update, delete on "delivery_info" to store_app;
grant select, insert, update, delete on "delivery_info" to store_platform;
alter table "delivery_info" enable row level security;
create policy own_rows on "delivery_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "delivery_info" to store_platform using (true) with check (true);

create table "dept" (
  "id" bigint not null,
  "tenant_id" text not null,
  "dept_name" text not null,
  "full_name" text not null,
  "parent_id" bigint,
  "dept_category" integer not null,
  "sort" integer not null,
  "remark" text,
  "ancestors" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "dept_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (tenant_id, id)
);
create index "dept_list" on "dept" (tenant_id, sort, id) where is_deleted = 0;
create index "dept_all" on "dept" (sort, id) where is_deleted = 0;
create index "dept_by_parent_id_sort" on "dept" (tenant_id, parent_id, sort) where is_deleted = 0;
create index "dept_bin" on "dept" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "dept" to store_app;
grant select, insert, update, delete on "dept" to store_platform;
alter table "dept" enable row level security;
create policy own_rows on "dept" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "dept" to store_platform using (true) with check (true);

create table "develop_code" (
  "id" bigint not null,
  "tenant_id" text not null,
  "code_name" text not null,
  "model_id" bigint not null,
  "with_page" boolean,
  "with_server" boolean,
  "service_name" text not null,
  "api_path" text,
  "web_path" text,
  "menu_under" text,
  "menu_icon" text,
  "table_name" text,
  "tenancy_kind" text not null,
  "template_type" text,
  "tree_pid" text,
  "sub_model_id" bigint,
  "sub_fk_id" text,
  "author" text,
  "table_prefix" text,
  "pk_name" text,
  "package_name" text,
  "base_mode" integer,
  "wrap_mode" integer,
  "feign_mode" integer,
  "code_style" text,
  "tree_id" text,
  "tree_name" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "develop_code_list" on "develop_code" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "develop_code_all" on "develop_code" (create_time desc, id desc) where is_deleted = 0;
create unique index "develop_code_uq_code_name" on "develop_code" (tenant_id, code_name) where is_deleted = 0;
create index "develop_code_bin" on "develop_code" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "develop_code" to store_app;
grant select, insert, update, delete on "develop_code" to store_platform;
alter table "develop_code" enable row level security;
create policy own_rows on "develop_code" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "develop_code" to store_platform using (true) with check (true);

create table "develop_model" (
  "id" bigint not null,
  "tenant_id" text not null,
  "datasource_id" bigint,
  "model_table" text,
  "model_name" text not null,
  "model_name_en" text,
  "model_code" text not null,
  "model_class" text,
  "model_remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "develop_model_list" on "develop_model" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "develop_model_all" on "develop_model" (create_time desc, id desc) where is_deleted = 0;
create unique index "develop_model_uq_model_code" on "develop_model" (tenant_id, model_code) where is_deleted = 0;
create index "develop_model_bin" on "develop_model" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "develop_model" to store_app;
grant select, insert, update, delete on "develop_model" to store_platform;
alter table "develop_model" enable row level security;
create policy own_rows on "develop_model" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "develop_model" to store_platform using (true) with check (true);

create table "develop_prototype" (
  "id" bigint not null,
  "tenant_id" text not null,
  "model_id" bigint not null,
  "jdbc_name" text not null,
  "jdbc_type" text,
  "property_name" text not null,
  "property_type" text,
  "property_entity" text,
  "comment" text,
  "label_zh" text,
  "label_en" text,
  "field_kind" text,
  "is_list" integer,
  "is_form" integer,
  "is_row" integer,
  "is_required" integer,
  "is_query" integer,
  "component_type" text,
  "dict_code" text,
  "query_type" text,
  "options" jsonb,
  "ref_table" text,
  "ref_to" text,
  "column_length" bigint,
  "column_scale" integer,
  "default_value" text,
  "unique_group" text,
  "sort" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  constraint "develop_prototype_column_length_range" check ("column_length" >= 0),
  constraint "develop_prototype_column_scale_range" check ("column_scale" >= 0 and "column_scale" <= 100),
  constraint "develop_prototype_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "develop_prototype_list" on "develop_prototype" (tenant_id, sort, id);
create index "develop_prototype_all" on "develop_prototype" (sort, id);
create index "develop_prototype_by_model_id_sort" on "develop_prototype" (tenant_id, model_id, sort);
grant select, insert, update, delete on "develop_prototype" to store_app;
grant select, insert, update, delete on "develop_prototype" to store_platform;
alter table "develop_prototype" enable row level security;
create policy own_rows on "develop_prototype" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "develop_prototype" to store_platform using (true) with check (true);

create table "device_command" (
  "id" bigint not null,
  "tenant_id" text not null,
  "method" text,
  "link_id" bigint,
  "client_id" text,
  "shop_id" bigint,
  "state" text,
  "source" text,
  "user_id" bigint,
  "reason" text,
  "params" jsonb,
  "code" integer,
  "message" text,
  "result" jsonb,
  "step" text,
  "percent" integer,
  "sent_time" timestamptz(3),
  "taken_time" timestamptz(3),
  "end_time" timestamptz(3),
  "seen_time" timestamptz(3),
  "expire_time" timestamptz(3),
  "ask_key" text,
  "lane" text,
  "about" text,
  "visit_id" bigint,
  "tries" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_command_list" on "device_command" (tenant_id, create_time desc, id desc);
create index "device_command_all" on "device_command" (create_time desc, id desc);
create index "device_command_by_shop_id" on "device_command" (tenant_id, shop_id, create_time desc, id desc);
create index "device_command_by_link_id_create_time" on "device_command" (tenant_id, link_id, create_time desc);
create index "device_command_by_about" on "device_command" (tenant_id, about);
create index "device_command_by_visit_id" on "device_command" (tenant_id, visit_id);
create unique index "device_command_uq_ask_key" on "device_command" (tenant_id, ask_key);
grant select, insert, update, delete on "device_command" to store_app;
grant select, insert, update, delete on "device_command" to store_platform;
alter table "device_command" enable row level security;
create policy own_rows on "device_command" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_command" to store_platform using (true) with check (true);

create table "device_command_due" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint not null,
  "due_time" timestamptz(3) not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_command_due_by_time" on "device_command_due" (due_time);
create index "device_command_due_by_link" on "device_command_due" (tenant_id, link_id);
grant select, insert, update, delete on "device_command_due" to store_app;
grant select, insert, update, delete on "device_command_due" to store_platform;
alter table "device_command_due" enable row level security;
create policy own_rows on "device_command_due" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_command_due" to store_platform using (true) with check (true);

create table "device_event" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint not null,
  "eid" text not null,
  "type" text not null,
  "data" jsonb not null,
  "time" timestamptz(3) not null,
  "said_time" timestamptz(3) not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "device_event_uq_link_id_eid" on "device_event" (tenant_id, link_id, eid);
create index "device_event_by_link_id" on "device_event" (tenant_id, link_id, time);
create index "device_event_by_create_time" on "device_event" (create_time);
grant select, insert, update, delete on "device_event" to store_app;
grant select, insert, update, delete on "device_event" to store_platform;
alter table "device_event" enable row level security;
create policy own_rows on "device_event" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_event" to store_platform using (true) with check (true);

create table "device_holder" (
  "tenant_id" text not null,
  "link_id" bigint not null,
  "client_id" text not null,
  primary key (tenant_id, link_id)
);
create unique index "device_holder_uq_client_id" on "device_holder" (client_id);
grant select, insert, update, delete on "device_holder" to store_app;
grant select, insert, update, delete on "device_holder" to store_platform;
alter table "device_holder" enable row level security;
create policy own_rows on "device_holder" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_holder" to store_platform using (true) with check (true);

create table "device_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "type" text not null,
  "sn" text not null,
  "shop_id" bigint not null,
  "model" text,
  "position" text,
  "install_time" date,
  "warranty_end" date,
  "client_id" text,
  "gb_device_id" text,
  "gb_channel_id" text,
  "online" boolean,
  "last_seen_time" timestamptz(3),
  "firmware" text,
  "ip" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "device_info_list" on "device_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "device_info_all" on "device_info" (create_time desc, id desc) where is_deleted = 0;
create index "device_info_by_shop_id" on "device_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "device_info_by_shop_id_type" on "device_info" (tenant_id, shop_id, type) where is_deleted = 0;
create index "device_info_by_type_online" on "device_info" (tenant_id, type, online) where is_deleted = 0;
create unique index "device_info_uq_sn" on "device_info" (tenant_id, sn) where is_deleted = 0;
create index "device_info_bin" on "device_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "device_info" to store_app;
grant select, insert, update, delete on "device_info" to store_platform;
alter table "device_info" enable row level security;
create policy own_rows on "device_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_info" to store_platform using (true) with check (true);

create table "device_key" (
  "tenant_id" text not null,
  "link_id" bigint not null,
  "digest" text not null,
  "previous_digest" text,
  "previous_until" timestamptz(3),
  primary key (tenant_id, link_id)
);
grant select, insert, update, delete on "device_key" to store_app;
grant select, insert, update, delete on "device_key" to store_platform;
alter table "device_key" enable row level security;
create policy own_rows on "device_key" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_key" to store_platform using (true) with check (true);

create table "device_link" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text,
  "kind" text,
  "client_id" text,
  "shop_id" bigint,
  "state" text,
  "state_time" timestamptz(3),
  "end_reason" text,
  "refused_time" timestamptz(3),
  "refused_reason" text,
  "last_seen_time" timestamptz(3),
  "firmware" text,
  "hardware" text,
  "ip" text,
  "clock_offset" bigint,
  "health" jsonb,
  "reported" jsonb,
  "conn" text,
  "boot" text,
  "key_issued_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_link_list" on "device_link" (tenant_id, create_time desc, id desc);
create index "device_link_all" on "device_link" (create_time desc, id desc);
create index "device_link_by_shop_id" on "device_link" (tenant_id, shop_id, create_time desc, id desc);
create index "device_link_by_state_last_seen_time" on "device_link" (tenant_id, state, last_seen_time);
create index "device_link_by_firmware" on "device_link" (tenant_id, firmware);
create unique index "device_link_uq_client_id" on "device_link" (tenant_id, client_id);
create index "device_link_found_client_id" on "device_link" (client_id);
grant select, insert, update, delete on "device_link" to store_app;
grant select, insert, update, delete on "device_link" to store_platform;
alter table "device_link" enable row level security;
create policy own_rows on "device_link" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_link" to store_platform using (true) with check (true);

create table "device_message_aside" (
  "id" bigint not null,
  "tenant_id" text not null,
  "client_id" text,
  "link_id" bigint,
  "shop_id" bigint,
  "about" text,
  "type" text,
  "fault" text,
  "reason" text,
  "state" text,
  "count" integer,
  "tries" integer,
  "last_time" timestamptz(3),
  "handled_time" timestamptz(3),
  "handler" bigint,
  "topic" text,
  "content" text,
  "payload" text,
  "may_try" boolean,
  "open_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_message_aside_list" on "device_message_aside" (tenant_id, create_time desc, id desc);
create index "device_message_aside_all" on "device_message_aside" (create_time desc, id desc);
create index "device_message_aside_by_shop_id" on "device_message_aside" (tenant_id, shop_id, create_time desc, id desc);
create index "device_message_aside_by_state_create_time" on "device_message_aside" (tenant_id, state, create_time desc);
create index "device_message_aside_by_link_id_state" on "device_message_aside" (tenant_id, link_id, state);
create unique index "device_message_aside_uq_open_key" on "device_message_aside" (tenant_id, open_key);
grant select, insert, update, delete on "device_message_aside" to store_app;
grant select, insert, update, delete on "device_message_aside" to store_platform;
alter table "device_message_aside" enable row level security;
create policy own_rows on "device_message_aside" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_message_aside" to store_platform using (true) with check (true);

create table "dict" (
  "id" bigint not null,
  "parent_id" bigint,
  "code" text not null,
  "dict_key" text,
  "dict_value" text not null,
  "dict_value_en" text,
  "colour" text,
  "sort" integer not null,
  "is_sealed" integer not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "dict_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (id)
);
create index "dict_list" on "dict" (sort, id) where is_deleted = 0;
create index "dict_by_parent_id" on "dict" (parent_id) where is_deleted = 0;
create unique index "dict_uq_code_dict_key" on "dict" (code, dict_key) where is_deleted = 0;
create index "dict_bin" on "dict" (update_time desc, id desc) where is_deleted = 1;
grant select on "dict" to store_app;
grant select, insert, update, delete on "dict" to store_platform;
alter table "dict" enable row level security;
create policy read_all on "dict" for select to store_app using (true);
create policy every_row on "dict" to store_platform using (true) with check (true);

create table "dict_biz" (
  "id" bigint not null,
  "tenant_id" text not null,
  "parent_id" bigint,
  "code" text not null,
  "dict_key" text,
  "dict_value" text not null,
  "dict_value_en" text,
  "colour" text,
  "sort" integer not null,
  "is_sealed" integer not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "dict_biz_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (tenant_id, id)
);
create index "dict_biz_list" on "dict_biz" (tenant_id, sort, id) where is_deleted = 0;
create index "dict_biz_all" on "dict_biz" (sort, id) where is_deleted = 0;
create index "dict_biz_by_parent_id" on "dict_biz" (tenant_id, parent_id) where is_deleted = 0;
create unique index "dict_biz_uq_code_dict_key" on "dict_biz" (tenant_id, code, dict_key) where is_deleted = 0;
create index "dict_biz_bin" on "dict_biz" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "dict_biz" to store_app;
grant select, insert, update, delete on "dict_biz" to store_platform;
alter table "dict_biz" enable row level security;
create policy own_rows on "dict_biz" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "dict_biz" to store_platform using (true) with check (true);

create table "discount_conf" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "type" text not null,
  "rules" jsonb not null,
  "shop_ids" bigint[],
  "good_ids" bigint[],
  "good_type_ids" bigint[],
  "upcs" text[],
  "members_only" boolean,
  "start_time" timestamptz(3) not null,
  "end_time" timestamptz(3) not null,
  "stackable" boolean,
  "with_vip" boolean,
  "with_ticket" boolean,
  "waits_for_tags" boolean,
  "priority" integer,
  "budget" bigint,
  "per_user" integer,
  "status" integer,
  "used_amount" bigint,
  "reserved_amount" bigint,
  "used_count" integer,
  "publish_time" timestamptz(3),
  "publish_user" bigint,
  "stop_time" timestamptz(3),
  "stop_reason" text,
  "rehearsal" jsonb,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "discount_conf_priority_range" check ("priority" >= 0 and "priority" <= 999),
  constraint "discount_conf_budget_range" check ("budget" >= 1 and "budget" <= 99999999),
  constraint "discount_conf_per_user_range" check ("per_user" >= 0 and "per_user" <= 999),
  primary key (tenant_id, id)
);
create index "discount_conf_list" on "discount_conf" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "discount_conf_all" on "discount_conf" (create_time desc, id desc) where is_deleted = 0;
create index "discount_conf_by_status_start_time_end_time" on "discount_conf" (tenant_id, status, start_time, end_time) where is_deleted = 0;
create index "discount_conf_bin" on "discount_conf" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "discount_conf" to store_app;
grant select, insert, update, delete on "discount_conf" to store_platform;
alter table "discount_conf" enable row level security;
create policy own_rows on "discount_conf" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "discount_conf" to store_platform using (true) with check (true);

create table "discount_ticket" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "code" text,
  "type" text not null,
  "amount" bigint,
  "rate" numeric(7,2),
  "cap" bigint,
  "threshold" bigint,
  "shop_ids" bigint[],
  "good_ids" bigint[],
  "good_type_ids" bigint[],
  "upcs" text[],
  "stackable" boolean,
  "valid_from" timestamptz(3),
  "valid_to" timestamptz(3),
  "valid_days" integer,
  "total" integer,
  "per_user" integer,
  "received" integer,
  "used" integer,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "discount_ticket_amount_range" check ("amount" >= 1 and "amount" <= 9999999),
  constraint "discount_ticket_rate_range" check ("rate" >= 1 and "rate" <= 99),
  constraint "discount_ticket_cap_range" check ("cap" >= 0 and "cap" <= 9999999),
  constraint "discount_ticket_threshold_range" check ("threshold" >= 0 and "threshold" <= 9999999),
  constraint "discount_ticket_valid_days_range" check ("valid_days" >= 1 and "valid_days" <= 3650),
  constraint "discount_ticket_total_range" check ("total" >= 0 and "total" <= 10000000),
  constraint "discount_ticket_per_user_range" check ("per_user" >= 0 and "per_user" <= 999),
  primary key (tenant_id, id)
);
create index "discount_ticket_list" on "discount_ticket" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "discount_ticket_all" on "discount_ticket" (create_time desc, id desc) where is_deleted = 0;
create unique index "discount_ticket_uq_code" on "discount_ticket" (tenant_id, code) where is_deleted = 0;
create index "discount_ticket_bin" on "discount_ticket" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "discount_ticket" to store_app;
grant select, insert, update, delete on "discount_ticket" to store_platform;
alter table "discount_ticket" enable row level security;
create policy own_rows on "discount_ticket" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "discount_ticket" to store_platform using (true) with check (true);

create table "door_control_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "door_no" text,
  "action" text,
  "source" text,
  "user_id" bigint,
  "wx_user_id" bigint,
  "result" text,
  "reason" text,
  "message" text,
  "cost_ms" integer,
  "visit_id" bigint,
  "client_id" text,
  "command_id" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "door_control_log_list" on "door_control_log" (tenant_id, create_time desc, id desc);
create index "door_control_log_all" on "door_control_log" (create_time desc, id desc);
create index "door_control_log_by_shop_id" on "door_control_log" (tenant_id, shop_id, create_time desc, id desc);
create index "door_control_log_by_wx_user_id_create_time" on "door_control_log" (tenant_id, wx_user_id, create_time desc);
create index "door_control_log_by_visit_id" on "door_control_log" (tenant_id, visit_id);
create index "door_control_log_of_action" on "door_control_log" (tenant_id, action, create_time, id);
create index "door_control_log_of_source" on "door_control_log" (tenant_id, source, create_time, id);
create index "door_control_log_of_user_id" on "door_control_log" (tenant_id, user_id, create_time, id);
create index "door_control_log_of_result" on "door_control_log" (tenant_id, result, create_time, id);
create index "door_control_log_of_cost_ms" on "door_control_log" (tenant_id, cost_ms, create_time, id);
create index "door_control_log_of_client_id" on "door_control_log" (tenant_id, client_id, create_time, id);
create index "door_control_log_of_command_id" on "door_control_log" (tenant_id, command_id, create_time, id);
grant select, insert on "door_control_log" to store_app;
grant select, insert on "door_control_log" to store_platform;
grant delete on "door_control_log" to store_platform;
create policy young_stay on "door_control_log" as restrictive for delete to store_platform
  using (create_time < now() - interval '30 days');
alter table "door_control_log" enable row level security;
create policy own_rows on "door_control_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "door_control_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "door_control_log_past" partition of "door_control_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "ele_aptitude" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ele_shop_id" bigint not null,
  "shop_id" bigint,
  "license_name" text not null,
  "license_number" text not null,
  "legal_person" text,
  "license_address" text,
  "is_long_term" boolean,
  "valid_date" date,
  "photos" text[],
  "food_license_number" text,
  "food_photos" text[],
  "food_valid_date" date,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "ele_aptitude_list" on "ele_aptitude" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "ele_aptitude_all" on "ele_aptitude" (create_time desc, id desc) where is_deleted = 0;
create index "ele_aptitude_by_shop_id" on "ele_aptitude" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "ele_aptitude_uq_ele_shop_id" on "ele_aptitude" (tenant_id, ele_shop_id) where is_deleted = 0;
create index "ele_aptitude_bin" on "ele_aptitude" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "ele_aptitude" to store_app;
grant select, insert, update, delete on "ele_aptitude" to store_platform;
alter table "ele_aptitude" enable row level security;
create policy own_rows on "ele_aptitude" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_aptitude" to store_platform using (true) with check (true);

create table "ele_delivery_address" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ele_order_id" bigint,
  "shop_id" bigint,
  "name" text,
  "phone" text,
  "province" text,
  "city" text,
  "district" text,
  "address" text,
  "longitude" numeric(18,6),
  "latitude" numeric(18,6),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ele_delivery_address_list" on "ele_delivery_address" (tenant_id, create_time desc, id desc);
create index "ele_delivery_address_all" on "ele_delivery_address" (create_time desc, id desc);
create index "ele_delivery_address_by_shop_id" on "ele_delivery_address" (tenant_id, shop_id, create_time desc, id desc);
create unique index "ele_delivery_address_uq_ele_order_id" on "ele_delivery_address" (tenant_id, ele_order_id);
grant select, insert, update, delete on "ele_delivery_address" to store_app;
grant select, insert, update, delete on "ele_delivery_address" to store_platform;
alter table "ele_delivery_address" enable row level security;
create policy own_rows on "ele_delivery_address" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_delivery_address" to store_platform using (true) with check (true);

create table "ele_good_type" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ele_shop_id" bigint not null,
  "shop_id" bigint,
  "good_type_id" bigint,
  "name" text not null,
  "platform_category_id" text,
  "parent_category_id" text,
  "rank" integer,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "ele_good_type_rank_range" check ("rank" >= 1 and "rank" <= 100000),
  primary key (tenant_id, id)
);
create index "ele_good_type_list" on "ele_good_type" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "ele_good_type_all" on "ele_good_type" (create_time desc, id desc) where is_deleted = 0;
create index "ele_good_type_by_shop_id" on "ele_good_type" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "ele_good_type_uq_ele_shop_id_name" on "ele_good_type" (tenant_id, ele_shop_id, name) where is_deleted = 0;
create index "ele_good_type_bin" on "ele_good_type" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "ele_good_type" to store_app;
grant select, insert, update, delete on "ele_good_type" to store_platform;
alter table "ele_good_type" enable row level security;
create policy own_rows on "ele_good_type" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_good_type" to store_platform using (true) with check (true);

create table "ele_order" (
  "id" bigint not null,
  "tenant_id" text not null,
  "platform_order_id" text,
  "order_index" integer,
  "ele_shop_id" bigint,
  "shop_id" bigint,
  "order_id" bigint,
  "status" integer,
  "is_own_delivery" boolean,
  "total_fee" bigint,
  "user_fee" bigint,
  "shop_fee" bigint,
  "send_fee" bigint,
  "package_fee" bigint,
  "discount_fee" bigint,
  "commission" bigint,
  "billed_time" timestamptz(3),
  "order_time" timestamptz(3),
  "confirm_time" timestamptz(3),
  "send_time" timestamptz(3),
  "finished_time" timestamptz(3),
  "cancel_time" timestamptz(3),
  "cancel_reason" text,
  "rider_name" text,
  "rider_phone" text,
  "customer_remark" text,
  "refund_asked" text,
  "return_state" integer,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "raw" jsonb,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ele_order_list" on "ele_order" (tenant_id, order_time desc, id desc);
create index "ele_order_all" on "ele_order" (order_time desc, id desc);
create index "ele_order_by_shop_id" on "ele_order" (tenant_id, shop_id, order_time desc, id desc);
create index "ele_order_by_shop_id_order_time_id" on "ele_order" (tenant_id, shop_id, order_time, id);
create index "ele_order_by_order_time_id" on "ele_order" (tenant_id, order_time, id);
create index "ele_order_by_status_order_time" on "ele_order" (tenant_id, status, order_time);
create index "ele_order_by_order_id" on "ele_order" (tenant_id, order_id);
create unique index "ele_order_uq_platform_order_id" on "ele_order" (tenant_id, platform_order_id);
grant select, insert, update, delete on "ele_order" to store_app;
grant select, insert, update, delete on "ele_order" to store_platform;
alter table "ele_order" enable row level security;
create policy own_rows on "ele_order" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_order" to store_platform using (true) with check (true);

create table "ele_order_detail" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ele_order_id" bigint,
  "shop_id" bigint,
  "good_id" bigint,
  "platform_sku_id" text,
  "upc" text,
  "name" text,
  "bag_index" integer,
  "quantity" integer,
  "price" bigint,
  "amount" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ele_order_detail_list" on "ele_order_detail" (tenant_id, create_time desc, id desc);
create index "ele_order_detail_all" on "ele_order_detail" (create_time desc, id desc);
create index "ele_order_detail_by_shop_id" on "ele_order_detail" (tenant_id, shop_id, create_time desc, id desc);
create index "ele_order_detail_by_ele_order_id" on "ele_order_detail" (tenant_id, ele_order_id);
grant select, insert, update, delete on "ele_order_detail" to store_app;
grant select, insert, update, delete on "ele_order_detail" to store_platform;
alter table "ele_order_detail" enable row level security;
create policy own_rows on "ele_order_detail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_order_detail" to store_platform using (true) with check (true);

create table "ele_order_discount" (
  "id" bigint not null,
  "tenant_id" text not null,
  "ele_order_id" bigint,
  "shop_id" bigint,
  "activity_id" text,
  "type" text,
  "name" text,
  "fee" bigint,
  "shop_rate" bigint,
  "platform_rate" bigint,
  "agent_rate" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "ele_order_discount_list" on "ele_order_discount" (tenant_id, create_time desc, id desc);
create index "ele_order_discount_all" on "ele_order_discount" (create_time desc, id desc);
create index "ele_order_discount_by_shop_id" on "ele_order_discount" (tenant_id, shop_id, create_time desc, id desc);
create index "ele_order_discount_by_ele_order_id" on "ele_order_discount" (tenant_id, ele_order_id);
grant select, insert, update, delete on "ele_order_discount" to store_app;
grant select, insert, update, delete on "ele_order_discount" to store_platform;
alter table "ele_order_discount" enable row level security;
create policy own_rows on "ele_order_discount" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_order_discount" to store_platform using (true) with check (true);

create table "ele_shop_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "name" text not null,
  "platform_shop_id" text,
  "sys_status" integer,
  "business_status" integer,
  "category_id" text,
  "phone" text,
  "province" text,
  "city" text,
  "county" text,
  "address" text,
  "longitude" numeric(18,6),
  "latitude" numeric(18,6),
  "logo" text,
  "business_time" text,
  "package_fee" bigint,
  "min_order_price" bigint,
  "is_auto_accepted" boolean,
  "markup" integer,
  "stock_buffer" integer,
  "opens_there" boolean,
  "pauses_itself" boolean,
  "paused_time" timestamptz(3),
  "paused_why" text,
  "paused_why_en" text,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "ele_shop_info_longitude_range" check ("longitude" >= -180 and "longitude" <= 180),
  constraint "ele_shop_info_latitude_range" check ("latitude" >= -90 and "latitude" <= 90),
  constraint "ele_shop_info_package_fee_range" check ("package_fee" >= 0 and "package_fee" <= 9900),
  constraint "ele_shop_info_min_order_price_range" check ("min_order_price" >= 0 and "min_order_price" <= 99900),
  constraint "ele_shop_info_markup_range" check ("markup" >= 0 and "markup" <= 300),
  constraint "ele_shop_info_stock_buffer_range" check ("stock_buffer" >= 0 and "stock_buffer" <= 9999),
  primary key (tenant_id, id)
);
create index "ele_shop_info_list" on "ele_shop_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "ele_shop_info_all" on "ele_shop_info" (create_time desc, id desc) where is_deleted = 0;
create index "ele_shop_info_by_shop_id" on "ele_shop_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "ele_shop_info_uq_shop_id" on "ele_shop_info" (tenant_id, shop_id) where is_deleted = 0;
create unique index "ele_shop_info_uq_platform_shop_id" on "ele_shop_info" (tenant_id, platform_shop_id) where is_deleted = 0;
create index "ele_shop_info_bin" on "ele_shop_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "ele_shop_info" to store_app;
grant select, insert, update, delete on "ele_shop_info" to store_platform;
alter table "ele_shop_info" enable row level security;
create policy own_rows on "ele_shop_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_shop_info" to store_platform using (true) with check (true);

create table "ele_sku_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "ele_shop_id" bigint not null,
  "shop_id" bigint,
  "good_id" bigint not null,
  "upc" text,
  "ele_good_type_id" bigint,
  "platform_sku_id" text,
  "sale_price" bigint not null,
  "follows_price" boolean,
  "stock" integer,
  "status" integer not null,
  "weight" integer,
  "minimum" integer,
  "picture" text,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "ele_sku_info_sale_price_range" check ("sale_price" >= 1 and "sale_price" <= 99999900),
  constraint "ele_sku_info_weight_range" check ("weight" >= 0 and "weight" <= 1000000),
  constraint "ele_sku_info_minimum_range" check ("minimum" >= 1 and "minimum" <= 999),
  primary key (tenant_id, id)
);
create index "ele_sku_info_list" on "ele_sku_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "ele_sku_info_all" on "ele_sku_info" (create_time desc, id desc) where is_deleted = 0;
create index "ele_sku_info_by_shop_id" on "ele_sku_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "ele_sku_info_by_good_id" on "ele_sku_info" (tenant_id, good_id) where is_deleted = 0;
create index "ele_sku_info_by_platform_sku_id" on "ele_sku_info" (tenant_id, platform_sku_id) where is_deleted = 0;
create unique index "ele_sku_info_uq_ele_shop_id_good_id" on "ele_sku_info" (tenant_id, ele_shop_id, good_id) where is_deleted = 0;
create index "ele_sku_info_bin" on "ele_sku_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "ele_sku_info" to store_app;
grant select, insert, update, delete on "ele_sku_info" to store_platform;
alter table "ele_sku_info" enable row level security;
create policy own_rows on "ele_sku_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "ele_sku_info" to store_platform using (true) with check (true);

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

create table "entry_ask" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint not null,
  "ask_id" text not null,
  "code_key" text,
  "answer" jsonb not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "entry_ask_uq_link_id_ask_id" on "entry_ask" (tenant_id, link_id, ask_id);
create index "entry_ask_by_create_time" on "entry_ask" (create_time);
create unique index "entry_ask_uq_code_key" on "entry_ask" (tenant_id, code_key) where code_key is not null;
grant select, insert, update, delete on "entry_ask" to store_app;
grant select, insert, update, delete on "entry_ask" to store_platform;
alter table "entry_ask" enable row level security;
create policy own_rows on "entry_ask" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "entry_ask" to store_platform using (true) with check (true);

create table "epa_device" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "gateway_id" bigint not null,
  "shop_id" bigint,
  "client_id" text not null,
  "address" text,
  "kind" text not null,
  "power" boolean,
  "lost" boolean,
  "watts" numeric(18,1),
  "voltage" numeric(18,1),
  "current" numeric(18,2),
  "energy" numeric(18,3),
  "doubtful_energy" numeric(18,3),
  "energy_time" timestamptz(3),
  "last_report_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "epa_device_list" on "epa_device" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "epa_device_all" on "epa_device" (create_time desc, id desc) where is_deleted = 0;
create index "epa_device_by_shop_id" on "epa_device" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "epa_device_by_shop_id_kind" on "epa_device" (tenant_id, shop_id, kind) where is_deleted = 0;
create unique index "epa_device_uq_gateway_id_client_id" on "epa_device" (tenant_id, gateway_id, client_id) where is_deleted = 0;
create index "epa_device_bin" on "epa_device" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "epa_device" to store_app;
grant select, insert, update, delete on "epa_device" to store_platform;
alter table "epa_device" enable row level security;
create policy own_rows on "epa_device" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "epa_device" to store_platform using (true) with check (true);

create table "epa_gateway" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "client_id" text not null,
  "shop_id" bigint not null,
  "info_version" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "epa_gateway_list" on "epa_gateway" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "epa_gateway_all" on "epa_gateway" (create_time desc, id desc) where is_deleted = 0;
create index "epa_gateway_by_shop_id" on "epa_gateway" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "epa_gateway_uq_client_id" on "epa_gateway" (tenant_id, client_id) where is_deleted = 0;
create index "epa_gateway_bin" on "epa_gateway" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "epa_gateway" to store_app;
grant select, insert, update, delete on "epa_gateway" to store_platform;
alter table "epa_gateway" enable row level security;
create policy own_rows on "epa_gateway" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "epa_gateway" to store_platform using (true) with check (true);

create table "event_read" (
  "tenant_id" text not null,
  "user_id" bigint not null,
  "event_id" bigint not null,
  "read_time" timestamptz(3) not null default now(),
  primary key (tenant_id, user_id, event_id)
);
grant select, insert, update, delete on "event_read" to store_app;
grant select, insert, update, delete on "event_read" to store_platform;
alter table "event_read" enable row level security;
create policy own_rows on "event_read" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "event_read" to store_platform using (true) with check (true);

create table "flow_act" (
  "id" bigint not null,
  "tenant_id" text not null,
  "instance_id" bigint not null,
  "key" text not null default '',
  "name" text not null default '',
  "act" text not null,
  "user_id" bigint,
  "people" bigint[] not null default '{}',
  "comment" text not null default '',
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "flow_act_of" on "flow_act" (tenant_id, instance_id, id);
grant select, insert, update, delete on "flow_act" to store_app;
grant select, insert, update, delete on "flow_act" to store_platform;
alter table "flow_act" enable row level security;
create policy own_rows on "flow_act" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_act" to store_platform using (true) with check (true);

create table "flow_away" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint not null,
  "deputy_id" bigint not null,
  "start_time" timestamptz(3) not null,
  "end_time" timestamptz(3) not null,
  "hand_over" boolean,
  "reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "flow_away_list" on "flow_away" (tenant_id, start_time desc, id desc) where is_deleted = 0;
create index "flow_away_all" on "flow_away" (start_time desc, id desc) where is_deleted = 0;
create index "flow_away_bin" on "flow_away" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "flow_away" to store_app;
grant select, insert, update, delete on "flow_away" to store_platform;
alter table "flow_away" enable row level security;
create policy own_rows on "flow_away" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_away" to store_platform using (true) with check (true);

create table "flow_change" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text,
  "title_en" text,
  "path" text,
  "state" integer,
  "user_id" bigint,
  "rule_id" bigint,
  "instance_id" bigint,
  "expire_time" timestamptz(3),
  "end_time" timestamptz(3),
  "outcome" text,
  "outcome_en" text,
  "digest" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "flow_change_list" on "flow_change" (tenant_id, create_time desc, id desc);
create index "flow_change_all" on "flow_change" (create_time desc, id desc);
create index "flow_change_by_user_id_state_digest" on "flow_change" (tenant_id, user_id, state, digest);
grant select, insert, update, delete on "flow_change" to store_app;
grant select, insert, update, delete on "flow_change" to store_platform;
alter table "flow_change" enable row level security;
create policy own_rows on "flow_change" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_change" to store_platform using (true) with check (true);

create table "flow_change_call" (
  "id" bigint not null,
  "tenant_id" text not null,
  "call" jsonb not null,
  "asker" jsonb not null,
  "effects" jsonb not null,
  "moved" jsonb,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
grant select, insert, update, delete on "flow_change_call" to store_app;
grant select, insert, update, delete on "flow_change_call" to store_platform;
alter table "flow_change_call" enable row level security;
create policy own_rows on "flow_change_call" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_change_call" to store_platform using (true) with check (true);

create table "flow_copy" (
  "id" bigint not null,
  "tenant_id" text not null,
  "instance_id" bigint not null,
  "user_id" bigint not null,
  "by_id" bigint,
  "name" text not null default '',
  "comment" text not null default '',
  "read_time" timestamptz(3),
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "flow_copy_of" on "flow_copy" (tenant_id, user_id, id);
create unique index "flow_copy_uq_one" on "flow_copy" (tenant_id, instance_id, user_id);
grant select, insert, update, delete on "flow_copy" to store_app;
grant select, insert, update, delete on "flow_copy" to store_platform;
alter table "flow_copy" enable row level security;
create policy own_rows on "flow_copy" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_copy" to store_platform using (true) with check (true);

create table "flow_history" (
  "id" bigint not null,
  "tenant_id" text not null,
  "instance_id" bigint not null,
  "key" text not null,
  "node" text not null,
  "name" text not null,
  "element" text not null,
  "create_time" timestamptz(3) not null default now(),
  "end_time" timestamptz(3),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "flow_history_uq_key" on "flow_history" (tenant_id, instance_id, key);
grant select, insert, update, delete on "flow_history" to store_app;
grant select, insert, update, delete on "flow_history" to store_platform;
alter table "flow_history" enable row level security;
create policy own_rows on "flow_history" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_history" to store_platform using (true) with check (true);

create table "flow_instance" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text,
  "process_definition_key" text,
  "process_definition_id" bigint,
  "process_version" integer,
  "category" text not null,
  "start_user_id" bigint,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "outcome" integer,
  "suspension_state" integer,
  "business_table" text,
  "business_id" bigint,
  "stand" jsonb,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "flow_instance_list" on "flow_instance" (tenant_id, start_time desc, id desc);
create index "flow_instance_all" on "flow_instance" (start_time desc, id desc);
create index "flow_instance_by_start_user_id_start_time" on "flow_instance" (tenant_id, start_user_id, start_time);
create index "flow_instance_by_process_definition_id" on "flow_instance" (tenant_id, process_definition_id);
grant select, insert, update, delete on "flow_instance" to store_app;
grant select, insert, update, delete on "flow_instance" to store_platform;
alter table "flow_instance" enable row level security;
create policy own_rows on "flow_instance" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_instance" to store_platform using (true) with check (true);

create table "flow_model" (
  "id" bigint not null,
  "tenant_id" text not null,
  "model_key" text not null,
  "name" text not null,
  "description" text,
  "model_editor_xml" text not null,
  "forms" jsonb,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (tenant_id, id)
);
create index "flow_model_list" on "flow_model" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "flow_model_all" on "flow_model" (create_time desc, id desc) where is_deleted = 0;
create unique index "flow_model_uq_model_key" on "flow_model" (tenant_id, model_key) where is_deleted = 0;
create index "flow_model_bin" on "flow_model" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "flow_model" to store_app;
grant select, insert, update, delete on "flow_model" to store_platform;
alter table "flow_model" enable row level security;
create policy own_rows on "flow_model" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_model" to store_platform using (true) with check (true);

create table "flow_process" (
  "id" bigint not null,
  "tenant_id" text not null default '000000',
  "name" text,
  "key" text,
  "category" text not null,
  "process_version" integer,
  "suspension_state" integer,
  "xml" text,
  "graph" jsonb,
  "forms" jsonb,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "flow_process_list" on "flow_process" (tenant_id, create_time desc, id desc);
create index "flow_process_all" on "flow_process" (create_time desc, id desc);
create unique index "flow_process_uq_key_process_version" on "flow_process" (tenant_id, key, process_version);
grant select, insert, update, delete on "flow_process" to store_app;
grant select, insert, update, delete on "flow_process" to store_platform;
alter table "flow_process" enable row level security;
create policy read_own_and_shared on "flow_process" for select to store_app using (tenant_id in (current_setting('app.tenant', true), '000000'));
create policy add_own on "flow_process" for insert to store_app with check (tenant_id = current_setting('app.tenant', true));
create policy change_own on "flow_process" for update to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy remove_own on "flow_process" for delete to store_app using (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_process" to store_platform using (true) with check (true);

create table "flow_rule" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "act" text not null,
  "condition" text,
  "process_id" bigint,
  "user_ids" bigint[],
  "role_ids" bigint[],
  "mode" text,
  "hours" integer,
  "enabled" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "flow_rule_hours_range" check ("hours" >= 1 and "hours" <= 720),
  primary key (tenant_id, id)
);
create index "flow_rule_list" on "flow_rule" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "flow_rule_all" on "flow_rule" (create_time desc, id desc) where is_deleted = 0;
create index "flow_rule_bin" on "flow_rule" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "flow_rule" to store_app;
grant select, insert, update, delete on "flow_rule" to store_platform;
alter table "flow_rule" enable row level security;
create policy own_rows on "flow_rule" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_rule" to store_platform using (true) with check (true);

create table "flow_task" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text,
  "instance_id" bigint,
  "key" text,
  "node" text,
  "state" text,
  "assignee" bigint,
  "owner" bigint,
  "users" text[],
  "groups" text[],
  "comment" text,
  "is_passed" boolean,
  "due_time" timestamptz(3),
  "claim_time" timestamptz(3),
  "end_time" timestamptz(3),
  "urge_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "flow_task_list" on "flow_task" (tenant_id, create_time desc, id desc);
create index "flow_task_all" on "flow_task" (create_time desc, id desc);
create index "flow_task_by_assignee_state_end_time" on "flow_task" (tenant_id, assignee, state, end_time);
create index "flow_task_by_state_create_time" on "flow_task" (tenant_id, state, create_time desc);
create unique index "flow_task_uq_instance_id_key" on "flow_task" (tenant_id, instance_id, key);
grant select, insert, update, delete on "flow_task" to store_app;
grant select, insert, update, delete on "flow_task" to store_platform;
alter table "flow_task" enable row level security;
create policy own_rows on "flow_task" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_task" to store_platform using (true) with check (true);

create table "good_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint not null,
  "upc" text not null,
  "good_type_id" bigint,
  "picture" text,
  "spec" text,
  "brand" text,
  "unit" text,
  "sale_price" bigint not null,
  "cost_price" bigint,
  "vip_price" bigint,
  "stock" integer,
  "stock_seq" integer,
  "low_stock" integer,
  "shelf_no" text,
  "on_sale" boolean,
  "sort" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "good_info_sale_price_range" check ("sale_price" >= 0 and "sale_price" <= 99999999),
  constraint "good_info_cost_price_range" check ("cost_price" >= 0 and "cost_price" <= 99999999),
  constraint "good_info_vip_price_range" check ("vip_price" >= 0 and "vip_price" <= 99999999),
  constraint "good_info_low_stock_range" check ("low_stock" >= 0 and "low_stock" <= 1000000),
  constraint "good_info_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "good_info_list" on "good_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "good_info_all" on "good_info" (create_time desc, id desc) where is_deleted = 0;
create index "good_info_by_shop_id" on "good_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "good_info_by_good_type_id" on "good_info" (tenant_id, good_type_id) where is_deleted = 0;
create index "good_info_by_shop_id_update_time_id" on "good_info" (tenant_id, shop_id, update_time, id) where is_deleted = 0;
create index "good_info_by_upc" on "good_info" (tenant_id, upc) where is_deleted = 0;
create index "good_info_of_sale_price" on "good_info" (tenant_id, sale_price, create_time, id) where is_deleted = 0;
create index "good_info_of_vip_price" on "good_info" (tenant_id, vip_price, create_time, id) where is_deleted = 0;
create index "good_info_of_stock" on "good_info" (tenant_id, stock, create_time, id) where is_deleted = 0;
create index "good_info_of_on_sale" on "good_info" (tenant_id, on_sale, create_time, id) where is_deleted = 0;
create unique index "good_info_uq_shop_id_upc" on "good_info" (tenant_id, shop_id, upc) where is_deleted = 0;
create index "good_info_bin" on "good_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
create index "good_info_grams_of_name" on "good_info" using gin (text_grams(tenant_id, "name")) where is_deleted = 0;
create index "good_info_grams_of_brand" on "good_info" using gin (text_grams(tenant_id, "brand")) where is_deleted = 0;
create index "good_info_grams_of_shelf_no" on "good_info" using gin (text_grams(tenant_id, "shelf_no")) where is_deleted = 0;
grant select, insert, update, delete on "good_info" to store_app;
grant select, insert, update, delete on "good_info" to store_platform;
alter table "good_info" enable row level security;
create policy own_rows on "good_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "good_info" to store_platform using (true) with check (true);

create table "good_price_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "good_id" bigint,
  "upc" text,
  "old_price" bigint,
  "new_price" bigint,
  "old_vip_price" bigint,
  "new_vip_price" bigint,
  "old_cost_price" bigint,
  "new_cost_price" bigint,
  "operator" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "good_price_log_list" on "good_price_log" (tenant_id, create_time desc, id desc);
create index "good_price_log_all" on "good_price_log" (create_time desc, id desc);
create index "good_price_log_by_shop_id" on "good_price_log" (tenant_id, shop_id, create_time desc, id desc);
create index "good_price_log_by_good_id_create_time" on "good_price_log" (tenant_id, good_id, create_time desc);
grant select, insert on "good_price_log" to store_app;
grant select, insert on "good_price_log" to store_platform;
alter table "good_price_log" enable row level security;
create policy own_rows on "good_price_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "good_price_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "good_price_log_past" partition of "good_price_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "good_type" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint,
  "parent_id" bigint,
  "icon" text,
  "sort" integer,
  "owner_platform_ids" text[],
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "good_type_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "good_type_list" on "good_type" (tenant_id, sort, id) where is_deleted = 0;
create index "good_type_all" on "good_type" (sort, id) where is_deleted = 0;
create index "good_type_by_shop_id_parent_id" on "good_type" (tenant_id, shop_id, parent_id) where is_deleted = 0;
create index "good_type_by_parent_id" on "good_type" (tenant_id, parent_id) where is_deleted = 0;
create unique index "good_type_uq_shop_id_parent_id_name" on "good_type" (tenant_id, shop_id, parent_id, name) where is_deleted = 0;
create index "good_type_bin" on "good_type" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "good_type" to store_app;
grant select, insert, update, delete on "good_type" to store_platform;
alter table "good_type" enable row level security;
create policy own_rows on "good_type" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "good_type" to store_platform using (true) with check (true);

create table "goods_by_day" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "good_id" bigint not null,
  "sales" bigint not null,
  "items" bigint not null,
  "cost" bigint not null,
  "refunds" bigint not null,
  "refund_items" bigint not null,
  primary key (tenant_id, shop_id, at, good_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "goods_by_day_by_time" on "goods_by_day" (tenant_id, at);
grant select, insert, update, delete on "goods_by_day" to store_app;
grant select, insert, update, delete on "goods_by_day" to store_platform;
alter table "goods_by_day" enable row level security;
create policy own_rows on "goods_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "goods_by_day" to store_platform using (true) with check (true);

create table "goods_by_month" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "good_id" bigint not null,
  "sales" bigint not null,
  "items" bigint not null,
  "cost" bigint not null,
  "refunds" bigint not null,
  "refund_items" bigint not null,
  primary key (tenant_id, shop_id, at, good_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "goods_by_month_by_time" on "goods_by_month" (tenant_id, at);
grant select, insert, update, delete on "goods_by_month" to store_app;
grant select, insert, update, delete on "goods_by_month" to store_platform;
alter table "goods_by_month" enable row level security;
create policy own_rows on "goods_by_month" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "goods_by_month" to store_platform using (true) with check (true);

create table "goods_delta" (
  "id" bigint generated always as identity,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "good_id" bigint not null,
  "sales" bigint not null,
  "items" bigint not null,
  "cost" bigint not null,
  "refunds" bigint not null,
  "refund_items" bigint not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "goods_delta_by_time" on "goods_delta" (tenant_id, at);
grant select, insert, update, delete on "goods_delta" to store_app;
grant select, insert, update, delete on "goods_delta" to store_platform;
alter table "goods_delta" enable row level security;
create policy own_rows on "goods_delta" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "goods_delta" to store_platform using (true) with check (true);

create table "guard_case" (
  "id" bigint not null,
  "tenant_id" text not null,
  "kind" text,
  "shop_id" bigint,
  "status" integer,
  "level" integer,
  "came_time" timestamptz(3),
  "taker_id" bigint,
  "take_time" timestamptz(3),
  "first_time" timestamptz(3),
  "end_time" timestamptz(3),
  "outcome" text,
  "remark" text,
  "event_id" bigint,
  "visit_id" bigint,
  "refund_id" bigint,
  "wx_user_id" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "guard_case_list" on "guard_case" (tenant_id, create_time desc, id desc);
create index "guard_case_all" on "guard_case" (create_time desc, id desc);
create index "guard_case_by_shop_id" on "guard_case" (tenant_id, shop_id, create_time desc, id desc);
create index "guard_case_by_status_came_time" on "guard_case" (tenant_id, status, came_time);
create index "guard_case_by_taker_id_came_time" on "guard_case" (tenant_id, taker_id, came_time);
grant select, insert, update, delete on "guard_case" to store_app;
grant select, insert, update, delete on "guard_case" to store_platform;
alter table "guard_case" enable row level security;
create policy own_rows on "guard_case" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_case" to store_platform using (true) with check (true);

create table "guard_deed" (
  "id" bigint not null,
  "tenant_id" text not null,
  "case_id" bigint not null,
  "kind" text not null,
  "user_id" bigint not null,
  "to_user" bigint,
  "note" text,
  "command_id" bigint,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "guard_deed_by_case_id" on "guard_deed" (tenant_id, case_id, id);
create index "guard_deed_by_user_id" on "guard_deed" (tenant_id, user_id, create_time);
create index "guard_deed_by_create_time" on "guard_deed" (create_time);
grant select, insert on "guard_deed" to store_app;
grant select, insert on "guard_deed" to store_platform;
grant delete on "guard_deed" to store_platform;
create policy young_stay on "guard_deed" as restrictive for delete to store_platform
  using (create_time < now() - interval '30 days');
alter table "guard_deed" enable row level security;
create policy own_rows on "guard_deed" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_deed" to store_platform using (true) with check (true);

create table "guard_phrase" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "audio_id" bigint not null,
  "kinds" text[],
  "sort" integer,
  "enabled" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "guard_phrase_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "guard_phrase_list" on "guard_phrase" (tenant_id, sort, id) where is_deleted = 0;
create index "guard_phrase_all" on "guard_phrase" (sort, id) where is_deleted = 0;
create unique index "guard_phrase_uq_name" on "guard_phrase" (tenant_id, name) where is_deleted = 0;
create index "guard_phrase_bin" on "guard_phrase" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "guard_phrase" to store_app;
grant select, insert, update, delete on "guard_phrase" to store_platform;
alter table "guard_phrase" enable row level security;
create policy own_rows on "guard_phrase" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_phrase" to store_platform using (true) with check (true);

create table "guard_shift" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint,
  "status" integer,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "shop_ids" bigint[],
  "came" integer,
  "done" integer,
  "itself" integer,
  "left" integer,
  "answer_p95" integer,
  "handover" jsonb,
  "note" text,
  "open_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "guard_shift_list" on "guard_shift" (tenant_id, start_time desc, id desc);
create index "guard_shift_all" on "guard_shift" (start_time desc, id desc);
create index "guard_shift_by_shop_ids" on "guard_shift" (tenant_id, shop_ids, start_time desc, id desc);
create unique index "guard_shift_uq_open_key" on "guard_shift" (tenant_id, open_key);
grant select, insert, update, delete on "guard_shift" to store_app;
grant select, insert, update, delete on "guard_shift" to store_platform;
alter table "guard_shift" enable row level security;
create policy own_rows on "guard_shift" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "guard_shift" to store_platform using (true) with check (true);

create table "integral_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "wx_user_id" bigint,
  "type" text,
  "change" integer,
  "before" integer,
  "after" integer,
  "shop_id" bigint,
  "ref_type" text,
  "ref_id" bigint,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "integral_log_list" on "integral_log" (tenant_id, create_time desc, id desc);
create index "integral_log_all" on "integral_log" (create_time desc, id desc);
create index "integral_log_by_shop_id" on "integral_log" (tenant_id, shop_id, create_time desc, id desc);
create index "integral_log_by_wx_user_id_create_time_id" on "integral_log" (tenant_id, wx_user_id, create_time desc, id desc);
create index "integral_log_by_ref_id" on "integral_log" (tenant_id, ref_id);
create index "integral_log_of_type" on "integral_log" (tenant_id, type, create_time, id);
create index "integral_log_of_change" on "integral_log" (tenant_id, change, create_time, id);
create index "integral_log_of_ref_type" on "integral_log" (tenant_id, ref_type, create_time, id);
grant select, insert on "integral_log" to store_app;
grant select, insert on "integral_log" to store_platform;
alter table "integral_log" enable row level security;
create policy own_rows on "integral_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "integral_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "integral_log_past" partition of "integral_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;
create unique index "integral_log_uq_wx_user_id_ref_type_ref_id_type_past" on "integral_log_past" (tenant_id, wx_user_id, ref_type, ref_id, type);

create table "join_us" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "phone" text not null,
  "status" integer,
  "source" text,
  "province" text,
  "city" text,
  "district" text,
  "shop_area" numeric(18,1),
  "has_shop" boolean,
  "budget" bigint,
  "message" text,
  "follow_user" bigint,
  "next_follow_time" timestamptz(3),
  "follow_remark" text,
  "last_follow_time" timestamptz(3),
  "follow_count" integer,
  "close_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "join_us_shop_area_range" check ("shop_area" >= 0 and "shop_area" <= 100000),
  constraint "join_us_budget_range" check ("budget" >= 0 and "budget" <= 99999999999999),
  primary key (tenant_id, id)
);
create index "join_us_list" on "join_us" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "join_us_all" on "join_us" (create_time desc, id desc) where is_deleted = 0;
create index "join_us_by_status" on "join_us" (tenant_id, status) where is_deleted = 0;
create index "join_us_by_follow_user_next_follow_time" on "join_us" (tenant_id, follow_user, next_follow_time) where is_deleted = 0;
create index "join_us_bin" on "join_us" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "join_us" to store_app;
grant select, insert, update, delete on "join_us" to store_platform;
alter table "join_us" enable row level security;
create policy own_rows on "join_us" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "join_us" to store_platform using (true) with check (true);

create table "join_us_follow" (
  "id" bigint not null,
  "tenant_id" text not null,
  "join_id" bigint,
  "way" text,
  "status" integer,
  "content" text,
  "next_follow_time" timestamptz(3),
  "user_id" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "join_us_follow_list" on "join_us_follow" (tenant_id, create_time desc, id desc);
create index "join_us_follow_all" on "join_us_follow" (create_time desc, id desc);
create index "join_us_follow_by_join_id_create_time" on "join_us_follow" (tenant_id, join_id, create_time desc);
grant select, insert on "join_us_follow" to store_app;
grant select, insert on "join_us_follow" to store_platform;
alter table "join_us_follow" enable row level security;
create policy own_rows on "join_us_follow" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "join_us_follow" to store_platform using (true) with check (true);

create table "list_view" (
  "id" bigint not null,
  "tenant_id" text not null,
  "resource" text not null,
  "user_id" bigint not null,
  "role_id" bigint,
  "name" text not null,
  "state" jsonb not null,
  "create_time" timestamptz(3) not null default now(),
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "as_tab" boolean not null default false,
  "as_tile" boolean not null default false,
  "as_link" boolean not null default false,
  primary key (tenant_id, id)
);
create index "list_view_by_resource" on "list_view" (tenant_id, resource);
create index "list_view_by_user" on "list_view" (tenant_id, user_id);
grant select, insert, update, delete on "list_view" to store_app;
grant select, insert, update, delete on "list_view" to store_platform;
alter table "list_view" enable row level security;
create policy own_rows on "list_view" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "list_view" to store_platform using (true) with check (true);

create table "log_api" (
  "id" bigint not null,
  "tenant_id" text not null,
  "service_id" text,
  "server_host" text,
  "server_ip" text,
  "env" text,
  "method" text,
  "request_uri" text,
  "user_agent" text,
  "remote_ip" text,
  "method_class" text,
  "method_name" text,
  "params" text,
  "time" text,
  "create_by" text,
  "trace_id" text,
  "type" text,
  "title" text,
  "http_status" integer,
  "reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "log_api_list" on "log_api" (tenant_id, create_time desc, id desc);
create index "log_api_all" on "log_api" (create_time desc, id desc);
create index "log_api_of_trace_id" on "log_api" (tenant_id, trace_id, create_time, id);
create index "log_api_of_http_status" on "log_api" (tenant_id, http_status, create_time, id);
grant select, insert on "log_api" to store_app;
grant select, insert on "log_api" to store_platform;
grant delete on "log_api" to store_platform;
create policy young_stay on "log_api" as restrictive for delete to store_platform
  using (create_time < now() - interval '180 days');
alter table "log_api" enable row level security;
create policy own_rows on "log_api" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "log_api" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "log_api_past" partition of "log_api" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "log_error" (
  "id" bigint not null,
  "tenant_id" text not null,
  "service_id" text,
  "server_host" text,
  "server_ip" text,
  "env" text,
  "method" text,
  "request_uri" text,
  "user_agent" text,
  "remote_ip" text,
  "method_class" text,
  "method_name" text,
  "params" text,
  "time" text,
  "create_by" text,
  "trace_id" text,
  "exception_name" text,
  "summary" text,
  "message" text,
  "stack_trace" text,
  "file_name" text,
  "line_number" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "log_error_list" on "log_error" (tenant_id, create_time desc, id desc);
create index "log_error_all" on "log_error" (create_time desc, id desc);
create index "log_error_of_trace_id" on "log_error" (tenant_id, trace_id, create_time, id);
create index "log_error_grams_of_service_id" on "log_error" using gin (text_grams(tenant_id, "service_id"));
create index "log_error_grams_of_server_host" on "log_error" using gin (text_grams(tenant_id, "server_host"));
create index "log_error_grams_of_request_uri" on "log_error" using gin (text_grams(tenant_id, "request_uri"));
create index "log_error_grams_of_remote_ip" on "log_error" using gin (text_grams(tenant_id, "remote_ip"));
create index "log_error_grams_of_create_by" on "log_error" using gin (text_grams(tenant_id, "create_by"));
create index "log_error_grams_of_exception_name" on "log_error" using gin (text_grams(tenant_id, "exception_name"));
create index "log_error_grams_of_summary" on "log_error" using gin (text_grams(tenant_id, "summary"));
grant select, insert on "log_error" to store_app;
grant select, insert on "log_error" to store_platform;
grant delete on "log_error" to store_platform;
create policy young_stay on "log_error" as restrictive for delete to store_platform
  using (create_time < now() - interval '1 days');
alter table "log_error" enable row level security;
create policy own_rows on "log_error" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "log_error" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "log_error_past" partition of "log_error" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "log_usual" (
  "id" bigint not null,
  "tenant_id" text not null,
  "service_id" text,
  "server_host" text,
  "server_ip" text,
  "env" text,
  "method" text,
  "request_uri" text,
  "user_agent" text,
  "remote_ip" text,
  "method_class" text,
  "method_name" text,
  "params" text,
  "time" text,
  "create_by" text,
  "trace_id" text,
  "log_level" text,
  "log_id" text,
  "log_data" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "log_usual_list" on "log_usual" (tenant_id, create_time desc, id desc);
create index "log_usual_all" on "log_usual" (create_time desc, id desc);
create index "log_usual_of_trace_id" on "log_usual" (tenant_id, trace_id, create_time, id);
create index "log_usual_of_log_level" on "log_usual" (tenant_id, log_level, create_time, id);
create index "log_usual_grams_of_service_id" on "log_usual" using gin (text_grams(tenant_id, "service_id"));
create index "log_usual_grams_of_server_host" on "log_usual" using gin (text_grams(tenant_id, "server_host"));
create index "log_usual_grams_of_request_uri" on "log_usual" using gin (text_grams(tenant_id, "request_uri"));
create index "log_usual_grams_of_remote_ip" on "log_usual" using gin (text_grams(tenant_id, "remote_ip"));
create index "log_usual_grams_of_create_by" on "log_usual" using gin (text_grams(tenant_id, "create_by"));
create index "log_usual_grams_of_log_id" on "log_usual" using gin (text_grams(tenant_id, "log_id"));
grant select, insert on "log_usual" to store_app;
grant select, insert on "log_usual" to store_platform;
grant delete on "log_usual" to store_platform;
create policy young_stay on "log_usual" as restrictive for delete to store_platform
  using (create_time < now() - interval '180 days');
alter table "log_usual" enable row level security;
create policy own_rows on "log_usual" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "log_usual" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "log_usual_past" partition of "log_usual" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "marketing_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text not null,
  "cover" text,
  "channel" text not null,
  "discount_conf_id" bigint,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "enabled" boolean,
  "read_count" integer,
  "body" text not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "marketing_info_list" on "marketing_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "marketing_info_all" on "marketing_info" (create_time desc, id desc) where is_deleted = 0;
create index "marketing_info_by_channel_create_time" on "marketing_info" (tenant_id, channel, create_time desc) where is_deleted = 0;
create index "marketing_info_bin" on "marketing_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "marketing_info" to store_app;
grant select, insert, update, delete on "marketing_info" to store_platform;
alter table "marketing_info" enable row level security;
create policy own_rows on "marketing_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "marketing_info" to store_platform using (true) with check (true);

create table "meituan_aptitude" (
  "id" bigint not null,
  "tenant_id" text not null,
  "meituan_shop_id" bigint not null,
  "shop_id" bigint,
  "license_name" text not null,
  "license_number" text not null,
  "legal_person" text,
  "license_address" text,
  "is_long_term" boolean,
  "valid_date" date,
  "photos" text[],
  "food_license_number" text,
  "food_photos" text[],
  "food_valid_date" date,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "meituan_aptitude_list" on "meituan_aptitude" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "meituan_aptitude_all" on "meituan_aptitude" (create_time desc, id desc) where is_deleted = 0;
create index "meituan_aptitude_by_shop_id" on "meituan_aptitude" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "meituan_aptitude_uq_meituan_shop_id" on "meituan_aptitude" (tenant_id, meituan_shop_id) where is_deleted = 0;
create index "meituan_aptitude_bin" on "meituan_aptitude" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "meituan_aptitude" to store_app;
grant select, insert, update, delete on "meituan_aptitude" to store_platform;
alter table "meituan_aptitude" enable row level security;
create policy own_rows on "meituan_aptitude" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_aptitude" to store_platform using (true) with check (true);

create table "meituan_general_attrs" (
  "id" bigint not null,
  "tenant_id" text not null default '000000',
  "tag_id" text not null,
  "attr_id" text not null,
  "attr_name" text not null,
  "attr_value_type" integer not null,
  "is_needed" boolean,
  "text_max_length" integer,
  "sequence" integer,
  "value_list" jsonb,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "meituan_general_attrs_text_max_length_range" check ("text_max_length" >= 0 and "text_max_length" <= 10000),
  constraint "meituan_general_attrs_sequence_range" check ("sequence" >= 0),
  primary key (tenant_id, id)
);
create index "meituan_general_attrs_list" on "meituan_general_attrs" (tenant_id, tag_id, id) where is_deleted = 0;
create index "meituan_general_attrs_all" on "meituan_general_attrs" (tag_id, id) where is_deleted = 0;
create unique index "meituan_general_attrs_uq_tag_id_attr_id" on "meituan_general_attrs" (tenant_id, tag_id, attr_id) where is_deleted = 0;
create index "meituan_general_attrs_bin" on "meituan_general_attrs" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "meituan_general_attrs" to store_app;
grant select, insert, update, delete on "meituan_general_attrs" to store_platform;
alter table "meituan_general_attrs" enable row level security;
create policy read_own_and_shared on "meituan_general_attrs" for select to store_app using (tenant_id in (current_setting('app.tenant', true), '000000'));
create policy add_own on "meituan_general_attrs" for insert to store_app with check (tenant_id = current_setting('app.tenant', true));
create policy change_own on "meituan_general_attrs" for update to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy remove_own on "meituan_general_attrs" for delete to store_app using (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_general_attrs" to store_platform using (true) with check (true);

create table "meituan_good_type" (
  "id" bigint not null,
  "tenant_id" text not null,
  "meituan_shop_id" bigint not null,
  "shop_id" bigint,
  "good_type_id" bigint,
  "name" text not null,
  "category_code" text,
  "parent_category_id" text,
  "rank" integer,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "meituan_good_type_rank_range" check ("rank" >= 1 and "rank" <= 100000),
  primary key (tenant_id, id)
);
create index "meituan_good_type_list" on "meituan_good_type" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "meituan_good_type_all" on "meituan_good_type" (create_time desc, id desc) where is_deleted = 0;
create index "meituan_good_type_by_shop_id" on "meituan_good_type" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "meituan_good_type_uq_meituan_shop_id_name" on "meituan_good_type" (tenant_id, meituan_shop_id, name) where is_deleted = 0;
create index "meituan_good_type_bin" on "meituan_good_type" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "meituan_good_type" to store_app;
grant select, insert, update, delete on "meituan_good_type" to store_platform;
alter table "meituan_good_type" enable row level security;
create policy own_rows on "meituan_good_type" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_good_type" to store_platform using (true) with check (true);

create table "meituan_goods_audit_status" (
  "id" bigint not null,
  "tenant_id" text not null,
  "meituan_shop_id" bigint,
  "shop_id" bigint,
  "meituan_sku_id" bigint,
  "app_spu_code" text,
  "name" text,
  "audit_status" integer,
  "is_sold_out" integer,
  "tag_id" text,
  "reason" text,
  "audit_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "meituan_goods_audit_status_list" on "meituan_goods_audit_status" (tenant_id, create_time desc, id desc);
create index "meituan_goods_audit_status_all" on "meituan_goods_audit_status" (create_time desc, id desc);
create index "meituan_goods_audit_status_by_shop_id" on "meituan_goods_audit_status" (tenant_id, shop_id, create_time desc, id desc);
create unique index "meituan_goods_audit_status_uq_meituan_shop_id_app_spu_code" on "meituan_goods_audit_status" (tenant_id, meituan_shop_id, app_spu_code);
grant select, insert, update, delete on "meituan_goods_audit_status" to store_app;
grant select, insert, update, delete on "meituan_goods_audit_status" to store_platform;
alter table "meituan_goods_audit_status" enable row level security;
create policy own_rows on "meituan_goods_audit_status" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_goods_audit_status" to store_platform using (true) with check (true);

create table "meituan_order" (
  "id" bigint not null,
  "tenant_id" text not null,
  "platform_order_id" text,
  "day_seq" integer,
  "meituan_shop_id" bigint,
  "shop_id" bigint,
  "order_id" bigint,
  "status" integer,
  "is_own_delivery" boolean,
  "total_fee" bigint,
  "user_fee" bigint,
  "shop_fee" bigint,
  "send_fee" bigint,
  "package_fee" bigint,
  "discount_fee" bigint,
  "service_fee" bigint,
  "billed_time" timestamptz(3),
  "order_time" timestamptz(3),
  "confirm_time" timestamptz(3),
  "send_time" timestamptz(3),
  "finished_time" timestamptz(3),
  "cancel_time" timestamptz(3),
  "cancel_reason" text,
  "rider_name" text,
  "rider_phone" text,
  "recipient_name" text,
  "recipient_phone" text,
  "recipient_address" text,
  "customer_remark" text,
  "refund_asked" text,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "raw" jsonb,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "meituan_order_list" on "meituan_order" (tenant_id, order_time desc, id desc);
create index "meituan_order_all" on "meituan_order" (order_time desc, id desc);
create index "meituan_order_by_shop_id" on "meituan_order" (tenant_id, shop_id, order_time desc, id desc);
create index "meituan_order_by_shop_id_order_time_id" on "meituan_order" (tenant_id, shop_id, order_time, id);
create index "meituan_order_by_order_time_id" on "meituan_order" (tenant_id, order_time, id);
create index "meituan_order_by_status_order_time" on "meituan_order" (tenant_id, status, order_time);
create index "meituan_order_by_order_id" on "meituan_order" (tenant_id, order_id);
create unique index "meituan_order_uq_platform_order_id" on "meituan_order" (tenant_id, platform_order_id);
grant select, insert, update, delete on "meituan_order" to store_app;
grant select, insert, update, delete on "meituan_order" to store_platform;
alter table "meituan_order" enable row level security;
create policy own_rows on "meituan_order" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_order" to store_platform using (true) with check (true);

create table "meituan_order_detail" (
  "id" bigint not null,
  "tenant_id" text not null,
  "meituan_order_id" bigint,
  "shop_id" bigint,
  "good_id" bigint,
  "platform_sku_id" text,
  "upc" text,
  "name" text,
  "spec" text,
  "quantity" integer,
  "price" bigint,
  "amount" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "meituan_order_detail_list" on "meituan_order_detail" (tenant_id, create_time desc, id desc);
create index "meituan_order_detail_all" on "meituan_order_detail" (create_time desc, id desc);
create index "meituan_order_detail_by_shop_id" on "meituan_order_detail" (tenant_id, shop_id, create_time desc, id desc);
create index "meituan_order_detail_by_meituan_order_id" on "meituan_order_detail" (tenant_id, meituan_order_id);
grant select, insert, update, delete on "meituan_order_detail" to store_app;
grant select, insert, update, delete on "meituan_order_detail" to store_platform;
alter table "meituan_order_detail" enable row level security;
create policy own_rows on "meituan_order_detail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_order_detail" to store_platform using (true) with check (true);

create table "meituan_shop_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "name" text not null,
  "platform_shop_id" text,
  "app_poi_code" text,
  "audit_status" integer,
  "audit_reason" text,
  "is_online" integer,
  "open_level" integer,
  "category_name" text,
  "phone" text,
  "address" text,
  "longitude" numeric(18,6),
  "latitude" numeric(18,6),
  "logo" text,
  "shipping_time" text,
  "shipping_fee" bigint,
  "promotion_info" text,
  "is_invoice_supported" boolean,
  "is_auto_accepted" boolean,
  "markup" integer,
  "stock_buffer" integer,
  "opens_there" boolean,
  "pauses_itself" boolean,
  "paused_time" timestamptz(3),
  "paused_why" text,
  "paused_why_en" text,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "meituan_shop_info_longitude_range" check ("longitude" >= -180 and "longitude" <= 180),
  constraint "meituan_shop_info_latitude_range" check ("latitude" >= -90 and "latitude" <= 90),
  constraint "meituan_shop_info_shipping_fee_range" check ("shipping_fee" >= 0 and "shipping_fee" <= 9900),
  constraint "meituan_shop_info_markup_range" check ("markup" >= 0 and "markup" <= 300),
  constraint "meituan_shop_info_stock_buffer_range" check ("stock_buffer" >= 0 and "stock_buffer" <= 9999),
  primary key (tenant_id, id)
);
create index "meituan_shop_info_list" on "meituan_shop_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "meituan_shop_info_all" on "meituan_shop_info" (create_time desc, id desc) where is_deleted = 0;
create index "meituan_shop_info_by_shop_id" on "meituan_shop_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "meituan_shop_info_uq_shop_id" on "meituan_shop_info" (tenant_id, shop_id) where is_deleted = 0;
create unique index "meituan_shop_info_uq_platform_shop_id" on "meituan_shop_info" (tenant_id, platform_shop_id) where is_deleted = 0;
create index "meituan_shop_info_bin" on "meituan_shop_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "meituan_shop_info" to store_app;
grant select, insert, update, delete on "meituan_shop_info" to store_platform;
alter table "meituan_shop_info" enable row level security;
create policy own_rows on "meituan_shop_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_shop_info" to store_platform using (true) with check (true);

create table "meituan_sku_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "meituan_shop_id" bigint not null,
  "shop_id" bigint,
  "good_id" bigint not null,
  "upc" text,
  "meituan_good_type_id" bigint,
  "platform_sku_id" text,
  "sale_price" bigint not null,
  "follows_price" boolean,
  "stock" integer,
  "status" integer not null,
  "weight" integer,
  "min_order_count" integer,
  "box_num" integer,
  "box_price" bigint,
  "tag_id" text,
  "attributes" jsonb,
  "picture" text,
  "sync_status" integer,
  "sync_time" timestamptz(3),
  "sync_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "meituan_sku_info_sale_price_range" check ("sale_price" >= 1 and "sale_price" <= 99999900),
  constraint "meituan_sku_info_weight_range" check ("weight" >= 0 and "weight" <= 1000000),
  constraint "meituan_sku_info_min_order_count_range" check ("min_order_count" >= 1 and "min_order_count" <= 999),
  constraint "meituan_sku_info_box_num_range" check ("box_num" >= 0 and "box_num" <= 100),
  constraint "meituan_sku_info_box_price_range" check ("box_price" >= 0 and "box_price" <= 9900),
  primary key (tenant_id, id)
);
create index "meituan_sku_info_list" on "meituan_sku_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "meituan_sku_info_all" on "meituan_sku_info" (create_time desc, id desc) where is_deleted = 0;
create index "meituan_sku_info_by_shop_id" on "meituan_sku_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "meituan_sku_info_by_good_id" on "meituan_sku_info" (tenant_id, good_id) where is_deleted = 0;
create index "meituan_sku_info_by_platform_sku_id" on "meituan_sku_info" (tenant_id, platform_sku_id) where is_deleted = 0;
create unique index "meituan_sku_info_uq_meituan_shop_id_good_id" on "meituan_sku_info" (tenant_id, meituan_shop_id, good_id) where is_deleted = 0;
create index "meituan_sku_info_bin" on "meituan_sku_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "meituan_sku_info" to store_app;
grant select, insert, update, delete on "meituan_sku_info" to store_platform;
alter table "meituan_sku_info" enable row level security;
create policy own_rows on "meituan_sku_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_sku_info" to store_platform using (true) with check (true);

create table "meituan_tag_list" (
  "id" bigint not null,
  "tenant_id" text not null default '000000',
  "tag_id" text not null,
  "name" text not null,
  "level" integer,
  "parent_tag_id" text,
  "name_path" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "meituan_tag_list_level_range" check ("level" >= 1 and "level" <= 5),
  primary key (tenant_id, id)
);
create index "meituan_tag_list_list" on "meituan_tag_list" (tenant_id, tag_id, id) where is_deleted = 0;
create index "meituan_tag_list_all" on "meituan_tag_list" (tag_id, id) where is_deleted = 0;
create unique index "meituan_tag_list_uq_tag_id" on "meituan_tag_list" (tenant_id, tag_id) where is_deleted = 0;
create index "meituan_tag_list_bin" on "meituan_tag_list" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "meituan_tag_list" to store_app;
grant select, insert, update, delete on "meituan_tag_list" to store_platform;
alter table "meituan_tag_list" enable row level security;
create policy read_own_and_shared on "meituan_tag_list" for select to store_app using (tenant_id in (current_setting('app.tenant', true), '000000'));
create policy add_own on "meituan_tag_list" for insert to store_app with check (tenant_id = current_setting('app.tenant', true));
create policy change_own on "meituan_tag_list" for update to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy remove_own on "meituan_tag_list" for delete to store_app using (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_tag_list" to store_platform using (true) with check (true);

create table "meituan_task" (
  "id" bigint not null,
  "tenant_id" text not null,
  "task_id" text,
  "meituan_shop_id" bigint,
  "shop_id" bigint,
  "task_type" text,
  "status" integer,
  "total" integer,
  "success" integer,
  "failed" integer,
  "failures" jsonb,
  "known" jsonb,
  "detail_link" text,
  "sent_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "meituan_task_list" on "meituan_task" (tenant_id, create_time desc, id desc);
create index "meituan_task_all" on "meituan_task" (create_time desc, id desc);
create index "meituan_task_by_shop_id" on "meituan_task" (tenant_id, shop_id, create_time desc, id desc);
create index "meituan_task_by_status_create_time_id" on "meituan_task" (tenant_id, status, create_time desc, id desc);
create unique index "meituan_task_uq_task_id" on "meituan_task" (tenant_id, task_id);
grant select, insert, update, delete on "meituan_task" to store_app;
grant select, insert, update, delete on "meituan_task" to store_platform;
alter table "meituan_task" enable row level security;
create policy own_rows on "meituan_task" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_task" to store_platform using (true) with check (true);

create table "meituan_token_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "meituan_shop_id" bigint,
  "shop_id" bigint,
  "app_poi_code" text,
  "access_token" text,
  "refresh_token" text,
  "status" integer,
  "expire_time" timestamptz(3),
  "refresh_expire_time" timestamptz(3),
  "last_error" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "meituan_token_info_list" on "meituan_token_info" (tenant_id, create_time desc, id desc);
create index "meituan_token_info_all" on "meituan_token_info" (create_time desc, id desc);
create index "meituan_token_info_by_shop_id" on "meituan_token_info" (tenant_id, shop_id, create_time desc, id desc);
create unique index "meituan_token_info_uq_meituan_shop_id" on "meituan_token_info" (tenant_id, meituan_shop_id);
grant select, insert, update, delete on "meituan_token_info" to store_app;
grant select, insert, update, delete on "meituan_token_info" to store_platform;
alter table "meituan_token_info" enable row level security;
create policy own_rows on "meituan_token_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "meituan_token_info" to store_platform using (true) with check (true);

create table "menu" (
  "id" bigint not null,
  "name" text not null,
  "name_en" text,
  "path" text,
  "parent_id" bigint,
  "source" text,
  "code" text not null,
  "category" integer not null,
  "alias" text,
  "action" integer,
  "is_open" integer,
  "component" text,
  "sort" integer not null,
  "remark" text,
  "declared" boolean,
  "touched" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "menu_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (id)
);
create index "menu_list" on "menu" (sort, id) where is_deleted = 0;
create index "menu_by_parent_id_sort" on "menu" (parent_id, sort) where is_deleted = 0;
create unique index "menu_uq_code" on "menu" (code) where is_deleted = 0;
create index "menu_bin" on "menu" (update_time desc, id desc) where is_deleted = 1;
grant select on "menu" to store_app;
grant select, insert, update, delete on "menu" to store_platform;
alter table "menu" enable row level security;
create policy read_all on "menu" for select to store_app using (true);
create policy every_row on "menu" to store_platform using (true) with check (true);

create table "merchant_bill" (
  "id" bigint not null,
  "tenant_id" text not null,
  "bill_no" text,
  "merchant_id" bigint,
  "bill_type" text,
  "period_start" date,
  "period_end" date,
  "status" integer,
  "order_count" integer,
  "order_amount" bigint,
  "income" bigint,
  "offline_amount" bigint,
  "refund_count" integer,
  "refund" bigint,
  "offline_refund" bigint,
  "fee" bigint,
  "share_out" bigint,
  "net" bigint,
  "differences" integer,
  "statement_time" timestamptz(3),
  "statement_problem" text,
  "check_user" bigint,
  "check_time" timestamptz(3),
  "check_remark" text,
  "pay_time" timestamptz(3),
  "pay_no" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "merchant_bill_list" on "merchant_bill" (tenant_id, period_start desc, id desc);
create index "merchant_bill_all" on "merchant_bill" (period_start desc, id desc);
create index "merchant_bill_by_period_start_id" on "merchant_bill" (tenant_id, period_start, id);
create index "merchant_bill_by_status_period_start" on "merchant_bill" (tenant_id, status, period_start);
create unique index "merchant_bill_uq_bill_no" on "merchant_bill" (tenant_id, bill_no);
create unique index "merchant_bill_uq_merchant_id_bill_type_period_start" on "merchant_bill" (tenant_id, merchant_id, bill_type, period_start);
grant select, insert, update, delete on "merchant_bill" to store_app;
grant select, insert, update, delete on "merchant_bill" to store_platform;
alter table "merchant_bill" enable row level security;
create policy own_rows on "merchant_bill" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "merchant_bill" to store_platform using (true) with check (true);

create table "merchant_bill_detail" (
  "id" bigint not null,
  "tenant_id" text not null,
  "bill_id" bigint,
  "merchant_id" bigint,
  "shop_id" bigint,
  "kind" text,
  "time" timestamptz(3) not null,
  "order_no" text,
  "refund_no" text,
  "transaction_no" text,
  "channel" text,
  "amount" bigint,
  "refund" bigint,
  "fee" bigint,
  "share" bigint,
  "channel_amount" bigint,
  "channel_fee" bigint,
  "payable" text,
  "check_result" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "merchant_bill_detail_list" on "merchant_bill_detail" (tenant_id, time desc, id desc);
create index "merchant_bill_detail_all" on "merchant_bill_detail" (time desc, id desc);
create index "merchant_bill_detail_by_bill_id_check_result_time_id" on "merchant_bill_detail" (tenant_id, bill_id, check_result, time, id);
create index "merchant_bill_detail_by_bill_id_time_id" on "merchant_bill_detail" (tenant_id, bill_id, time, id);
create index "merchant_bill_detail_by_time_id" on "merchant_bill_detail" (tenant_id, time, id);
create index "merchant_bill_detail_by_order_no" on "merchant_bill_detail" (tenant_id, order_no);
create index "merchant_bill_detail_by_transaction_no" on "merchant_bill_detail" (tenant_id, transaction_no);
create index "merchant_bill_detail_of_merchant_id" on "merchant_bill_detail" (tenant_id, merchant_id, time, id);
create index "merchant_bill_detail_of_shop_id" on "merchant_bill_detail" (tenant_id, shop_id, time, id);
create index "merchant_bill_detail_of_kind" on "merchant_bill_detail" (tenant_id, kind, time, id);
create index "merchant_bill_detail_of_refund_no" on "merchant_bill_detail" (tenant_id, refund_no, time, id);
create index "merchant_bill_detail_of_channel" on "merchant_bill_detail" (tenant_id, channel, time, id);
create index "merchant_bill_detail_of_amount" on "merchant_bill_detail" (tenant_id, amount, time, id);
create index "merchant_bill_detail_of_refund" on "merchant_bill_detail" (tenant_id, refund, time, id);
create index "merchant_bill_detail_of_fee" on "merchant_bill_detail" (tenant_id, fee, time, id);
create index "merchant_bill_detail_of_check_result" on "merchant_bill_detail" (tenant_id, check_result, time, id);
grant select, insert, update, delete on "merchant_bill_detail" to store_app;
grant select, insert, update, delete on "merchant_bill_detail" to store_platform;
alter table "merchant_bill_detail" enable row level security;
create policy own_rows on "merchant_bill_detail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "merchant_bill_detail" to store_platform using (true) with check (true);

create table "merchant_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "merchant_no" text not null,
  "type" text not null,
  "status" integer not null,
  "shop_ids" bigint[],
  "licence_no" text,
  "legal_person" text,
  "contact" text,
  "phone" text,
  "bank_name" text,
  "bank_account" text,
  "bank_account_tail" text,
  "sub_mchid" text,
  "fee_rate" numeric(7,2),
  "share_ratio" numeric(7,2),
  "receivers" jsonb,
  "receiver_states" jsonb,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "merchant_info_fee_rate_range" check ("fee_rate" >= 0 and "fee_rate" <= 10),
  constraint "merchant_info_share_ratio_range" check ("share_ratio" >= 0 and "share_ratio" <= 30),
  primary key (tenant_id, id)
);
create index "merchant_info_list" on "merchant_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "merchant_info_all" on "merchant_info" (create_time desc, id desc) where is_deleted = 0;
create index "merchant_info_by_shop_ids" on "merchant_info" (tenant_id, shop_ids, create_time desc, id desc) where is_deleted = 0;
create unique index "merchant_info_uq_merchant_no" on "merchant_info" (tenant_id, merchant_no) where is_deleted = 0;
create unique index "merchant_info_uq_sub_mchid" on "merchant_info" (tenant_id, sub_mchid) where is_deleted = 0;
create index "merchant_info_bin" on "merchant_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "merchant_info" to store_app;
grant select, insert, update, delete on "merchant_info" to store_platform;
alter table "merchant_info" enable row level security;
create policy own_rows on "merchant_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "merchant_info" to store_platform using (true) with check (true);

create table "merchant_term" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "merchant_id" bigint,
  "fee_rate" numeric(7,2) not null,
  "sub_mchid" text,
  "start_time" timestamptz(3) not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "merchant_term_by_shop_id" on "merchant_term" (tenant_id, shop_id, start_time, id);
create index "merchant_term_by_merchant_id" on "merchant_term" (tenant_id, merchant_id);
grant select, insert on "merchant_term" to store_app;
grant select, insert on "merchant_term" to store_platform;
alter table "merchant_term" enable row level security;
create policy own_rows on "merchant_term" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "merchant_term" to store_platform using (true) with check (true);

create table "money_move" (
  "id" bigint not null,
  "tenant_id" text not null,
  "kind" text,
  "subject_no" text,
  "order_id" bigint,
  "shop_id" bigint,
  "amount" bigint,
  "state" text,
  "ask_user" bigint,
  "second_user" bigint,
  "second_time" timestamptz(3),
  "second_remark" text,
  "subject_key" text,
  "sealed_ask" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "money_move_list" on "money_move" (tenant_id, create_time desc, id desc);
create index "money_move_all" on "money_move" (create_time desc, id desc);
create index "money_move_by_shop_id" on "money_move" (tenant_id, shop_id, create_time desc, id desc);
create index "money_move_by_state_create_time_id" on "money_move" (tenant_id, state, create_time desc, id desc);
create index "money_move_by_order_id" on "money_move" (tenant_id, order_id);
grant select, insert, update, delete on "money_move" to store_app;
grant select, insert, update, delete on "money_move" to store_platform;
alter table "money_move" enable row level security;
create policy own_rows on "money_move" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "money_move" to store_platform using (true) with check (true);

create table "notice" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text not null,
  "category" integer not null,
  "release_time" timestamptz(3),
  "content" text,
  "announced_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "notice_list" on "notice" (tenant_id, release_time desc, id desc) where is_deleted = 0;
create index "notice_all" on "notice" (release_time desc, id desc) where is_deleted = 0;
create index "notice_bin" on "notice" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "notice" to store_app;
grant select, insert, update, delete on "notice" to store_platform;
alter table "notice" enable row level security;
create policy own_rows on "notice" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "notice" to store_platform using (true) with check (true);

create table "notice_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint,
  "channel" text,
  "receiver" text,
  "phone" text,
  "template" text,
  "content" text,
  "content_en" text,
  "result" text,
  "error" text,
  "retries" integer,
  "due_time" timestamptz(3),
  "send_time" timestamptz(3),
  "shop_id" bigint,
  "event_id" bigint,
  "subscribe_id" bigint,
  "batch_id" text,
  "wechat_message_id" bigint,
  "once_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "notice_log_list" on "notice_log" (tenant_id, create_time desc, id desc);
create index "notice_log_all" on "notice_log" (create_time desc, id desc);
create index "notice_log_by_shop_id" on "notice_log" (tenant_id, shop_id, create_time desc, id desc);
create index "notice_log_by_user_id_create_time" on "notice_log" (tenant_id, user_id, create_time desc);
create index "notice_log_by_result_due_time" on "notice_log" (tenant_id, result, due_time);
create index "notice_log_by_event_id" on "notice_log" (tenant_id, event_id);
create index "notice_log_of_channel" on "notice_log" (tenant_id, channel, create_time, id);
create index "notice_log_of_template" on "notice_log" (tenant_id, template, create_time, id);
create index "notice_log_of_result" on "notice_log" (tenant_id, result, create_time, id);
create index "notice_log_of_send_time" on "notice_log" (tenant_id, send_time, create_time, id);
create index "notice_log_of_subscribe_id" on "notice_log" (tenant_id, subscribe_id, create_time, id);
create unique index "notice_log_uq_once_key" on "notice_log" (tenant_id, once_key);
create index "notice_log_grams_of_content" on "notice_log" using gin (text_grams(tenant_id, "content"));
grant select, insert, update, delete on "notice_log" to store_app;
grant select, insert, update, delete on "notice_log" to store_platform;
alter table "notice_log" enable row level security;
create policy own_rows on "notice_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "notice_log" to store_platform using (true) with check (true);

create table "notice_read" (
  "tenant_id" text not null,
  "user_id" bigint not null,
  "notice_id" bigint not null,
  "read_time" timestamptz(3) not null default now(),
  primary key (tenant_id, user_id, notice_id)
);
grant select, insert, update, delete on "notice_read" to store_app;
grant select, insert, update, delete on "notice_read" to store_platform;
alter table "notice_read" enable row level security;
create policy own_rows on "notice_read" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "notice_read" to store_platform using (true) with check (true);

create table "notice_subscribe" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint,
  "openid" text,
  "shop_ids" bigint[],
  "event_types" text[] not null,
  "channels" text[] not null,
  "quiet_start" text,
  "quiet_end" text,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "notice_subscribe_list" on "notice_subscribe" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "notice_subscribe_all" on "notice_subscribe" (create_time desc, id desc) where is_deleted = 0;
create index "notice_subscribe_by_user_id" on "notice_subscribe" (tenant_id, user_id) where is_deleted = 0;
create index "notice_subscribe_bin" on "notice_subscribe" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "notice_subscribe" to store_app;
grant select, insert, update, delete on "notice_subscribe" to store_platform;
alter table "notice_subscribe" enable row level security;
create policy own_rows on "notice_subscribe" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "notice_subscribe" to store_platform using (true) with check (true);

create table "order_payment" (
  "id" bigint not null,
  "tenant_id" text not null,
  "order_id" bigint not null,
  "shop_id" bigint not null,
  "channel" text not null,
  "amount" bigint not null check (amount > 0),
  "transaction_no" text,
  "pay_time" timestamptz(3),
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) partition by range (id);
create index "order_payment_by_order_id" on "order_payment" (tenant_id, order_id);
grant select, insert on "order_payment" to store_app;
grant select, insert on "order_payment" to store_platform;
alter table "order_payment" enable row level security;
create policy own_rows on "order_payment" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "order_payment" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "order_payment_past" partition of "order_payment" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "oss" (
  "id" bigint not null,
  "tenant_id" text not null,
  "category" integer not null,
  "oss_code" text not null,
  "endpoint" text not null,
  "may_be_inside" boolean,
  "bucket_name" text not null,
  "access_key" text not null,
  "secret_key" text not null,
  "app_id" text,
  "region" text,
  "status" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "oss_list" on "oss" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "oss_all" on "oss" (create_time desc, id desc) where is_deleted = 0;
create unique index "oss_uq_oss_code" on "oss" (tenant_id, oss_code) where is_deleted = 0;
create index "oss_bin" on "oss" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "oss" to store_app;
grant select, insert, update, delete on "oss" to store_platform;
alter table "oss" enable row level security;
create policy own_rows on "oss" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "oss" to store_platform using (true) with check (true);

create table "own_field" (
  "id" bigint not null,
  "tenant_id" text not null,
  "family" text not null,
  "label_zh" text not null,
  "label_en" text not null,
  "help_zh" text,
  "help_en" text,
  "kind" text not null,
  "refers_to" text,
  "options" jsonb,
  "decimals" integer,
  "unit" text,
  "default_value" text,
  "required" boolean,
  "in_list" boolean,
  "in_search" boolean,
  "in_form" boolean,
  "in_export" boolean,
  "in_import" boolean,
  "sort" integer,
  "number" integer,
  "slot" text,
  "is_clearing" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "own_field_decimals_range" check ("decimals" >= 0 and "decimals" <= 4),
  constraint "own_field_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "own_field_list" on "own_field" (tenant_id, sort, id) where is_deleted = 0;
create index "own_field_all" on "own_field" (sort, id) where is_deleted = 0;
create index "own_field_by_family_sort" on "own_field" (tenant_id, family, sort) where is_deleted = 0;
create index "own_field_bin" on "own_field" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "own_field" to store_app;
grant select, insert, update, delete on "own_field" to store_platform;
alter table "own_field" enable row level security;
create policy own_rows on "own_field" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "own_field" to store_platform using (true) with check (true);

create table "own_field_count" (
  "tenant_id" text not null,
  "last" integer not null,
  primary key (tenant_id)
);
grant select, insert, update, delete on "own_field_count" to store_app;
grant select, insert, update, delete on "own_field_count" to store_platform;
alter table "own_field_count" enable row level security;
create policy own_rows on "own_field_count" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "own_field_count" to store_platform using (true) with check (true);

create table "pay_account" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "sp_mchid" text not null,
  "sp_appid" text not null,
  "serial_no" text not null,
  "secret_key" text not null,
  "apiv3_key" text not null,
  "public_key_no" text,
  "public_key_pem" text,
  "endpoint" text,
  "may_be_inside" boolean,
  "notify_base" text,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "pay_account_list" on "pay_account" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "pay_account_all" on "pay_account" (create_time desc, id desc) where is_deleted = 0;
create unique index "pay_account_uq_name" on "pay_account" (tenant_id, name) where is_deleted = 0;
create index "pay_account_bin" on "pay_account" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "pay_account" to store_app;
grant select, insert, update, delete on "pay_account" to store_platform;
alter table "pay_account" enable row level security;
create policy own_rows on "pay_account" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "pay_account" to store_platform using (true) with check (true);

create table "pay_apply" (
  "id" bigint not null,
  "tenant_id" text not null,
  "merchant_id" bigint not null,
  "business_code" text,
  "status" text,
  "state_msg" text,
  "audit_detail" jsonb,
  "applyment_no" text,
  "sign_url" text,
  "sent_time" timestamptz(3),
  "asked_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "sent_values" jsonb,
  "sub_mchid" text,
  "contact_type" text not null,
  "contact_name" text,
  "contact_id_number" text,
  "contact_id_tail" text,
  "contact_id_begin" date,
  "contact_id_end" date,
  "contact_id_copy" text,
  "contact_id_copy_back" text,
  "contact_letter" text,
  "mobile_phone" text,
  "contact_email" text,
  "subject_type" text not null,
  "license_copy" text,
  "license_number" text,
  "license_name" text,
  "legal_person" text,
  "license_address" text,
  "license_begin" date,
  "license_end" date,
  "id_card_copy" text,
  "id_card_national" text,
  "id_card_name" text,
  "id_card_number" text,
  "id_card_tail" text,
  "id_card_address" text,
  "id_card_begin" date,
  "id_card_end" date,
  "merchant_shortname" text not null,
  "service_phone" text,
  "store_name" text,
  "store_region" text,
  "store_address" text,
  "store_entrance" text[],
  "store_indoor" text[],
  "settlement_id" text,
  "qualification_type" text,
  "qualifications" text[],
  "bank_account_type" text not null,
  "account_name" text,
  "account_bank" text,
  "bank_region" text,
  "bank_name" text,
  "account_number" text,
  "account_tail" text,
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
create index "pay_apply_list" on "pay_apply" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "pay_apply_all" on "pay_apply" (create_time desc, id desc) where is_deleted = 0;
create index "pay_apply_by_merchant_id_create_time" on "pay_apply" (tenant_id, merchant_id, create_time desc) where is_deleted = 0;
create unique index "pay_apply_uq_business_code" on "pay_apply" (tenant_id, business_code) where is_deleted = 0;
create index "pay_apply_bin" on "pay_apply" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "pay_apply" to store_app;
grant select, insert, update, delete on "pay_apply" to store_platform;
alter table "pay_apply" enable row level security;
create policy own_rows on "pay_apply" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "pay_apply" to store_platform using (true) with check (true);

create table "pay_attempt" (
  "id" bigint not null,
  "tenant_id" text not null,
  "pay_no" text,
  "order_id" bigint,
  "shop_id" bigint,
  "way" text,
  "state" text,
  "amount" bigint,
  "transaction_no" text,
  "asked_time" timestamptz(3),
  "deadline" timestamptz(3),
  "paid_time" timestamptz(3),
  "note" text,
  "back_state" text,
  "back_no" text,
  "back_note" text,
  "back_time" timestamptz(3),
  "is_shared" boolean,
  "sub_mchid" text,
  "code_url" text,
  "prepay_no" text,
  "payer_openid" text,
  "code_digest" text,
  "ask_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "pay_attempt_list" on "pay_attempt" (tenant_id, create_time desc, id desc);
create index "pay_attempt_all" on "pay_attempt" (create_time desc, id desc);
create index "pay_attempt_by_shop_id" on "pay_attempt" (tenant_id, shop_id, create_time desc, id desc);
create index "pay_attempt_by_order_id" on "pay_attempt" (tenant_id, order_id);
create index "pay_attempt_by_state_ask_time" on "pay_attempt" (tenant_id, state, ask_time);
create index "pay_attempt_by_transaction_no" on "pay_attempt" (tenant_id, transaction_no);
create index "pay_attempt_by_shop_id_paid_time" on "pay_attempt" (tenant_id, shop_id, paid_time);
create unique index "pay_attempt_uq_pay_no" on "pay_attempt" (tenant_id, pay_no);
create unique index "pay_attempt_uq_back_no" on "pay_attempt" (tenant_id, back_no);
grant select, insert, update, delete on "pay_attempt" to store_app;
grant select, insert, update, delete on "pay_attempt" to store_platform;
alter table "pay_attempt" enable row level security;
create policy own_rows on "pay_attempt" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "pay_attempt" to store_platform using (true) with check (true);

create table "payment_refund" (
  "id" bigint not null,
  "tenant_id" text not null,
  "refund_no" text,
  "payable" text,
  "payable_no" text,
  "shop_id" bigint,
  "amount" bigint,
  "channel" text,
  "transaction_no" text,
  "paid" bigint,
  "pay_time" timestamptz(3),
  "reason" text,
  "state" text,
  "note" text,
  "number_there" text,
  "done_time" timestamptz(3),
  "done_user" bigint,
  "payable_id" text,
  "way" text,
  "attempts" integer,
  "ask_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "payment_refund_list" on "payment_refund" (tenant_id, create_time desc, id desc);
create index "payment_refund_all" on "payment_refund" (create_time desc, id desc);
create index "payment_refund_by_shop_id" on "payment_refund" (tenant_id, shop_id, create_time desc, id desc);
create index "payment_refund_by_payable_id" on "payment_refund" (tenant_id, payable_id);
create index "payment_refund_by_state_create_time_id" on "payment_refund" (tenant_id, state, create_time desc, id desc);
create index "payment_refund_by_shop_id_done_time" on "payment_refund" (tenant_id, shop_id, done_time);
create index "payment_refund_by_transaction_no" on "payment_refund" (tenant_id, transaction_no);
create unique index "payment_refund_uq_refund_no" on "payment_refund" (tenant_id, refund_no);
grant select, insert, update, delete on "payment_refund" to store_app;
grant select, insert, update, delete on "payment_refund" to store_platform;
alter table "payment_refund" enable row level security;
create policy own_rows on "payment_refund" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "payment_refund" to store_platform using (true) with check (true);

create table "people_by_day" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "wx_user_id" bigint not null,
  "orders" bigint not null,
  primary key (tenant_id, shop_id, at, wx_user_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "people_by_day_by_time" on "people_by_day" (tenant_id, at);
create index "people_by_day_by_wx_user_id" on "people_by_day" (tenant_id, wx_user_id, at);
grant select, insert, update, delete on "people_by_day" to store_app;
grant select, insert, update, delete on "people_by_day" to store_platform;
alter table "people_by_day" enable row level security;
create policy own_rows on "people_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "people_by_day" to store_platform using (true) with check (true);

create table "people_by_month" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "wx_user_id" bigint not null,
  "orders" bigint not null,
  primary key (tenant_id, shop_id, at, wx_user_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "people_by_month_by_time" on "people_by_month" (tenant_id, at);
create index "people_by_month_by_wx_user_id" on "people_by_month" (tenant_id, wx_user_id, at);
grant select, insert, update, delete on "people_by_month" to store_app;
grant select, insert, update, delete on "people_by_month" to store_platform;
alter table "people_by_month" enable row level security;
create policy own_rows on "people_by_month" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "people_by_month" to store_platform using (true) with check (true);

create table "people_delta" (
  "id" bigint generated always as identity,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "wx_user_id" bigint not null,
  "orders" bigint not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "people_delta_by_time" on "people_delta" (tenant_id, at);
create index "people_delta_by_wx_user_id" on "people_delta" (tenant_id, wx_user_id, at);
grant select, insert, update, delete on "people_delta" to store_app;
grant select, insert, update, delete on "people_delta" to store_platform;
alter table "people_delta" enable row level security;
create policy own_rows on "people_delta" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "people_delta" to store_platform using (true) with check (true);

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

create table "planned_work" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "reason" text not null,
  "start_time" timestamptz(3) not null,
  "end_time" timestamptz(3) not null,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "planned_work_list" on "planned_work" (tenant_id, start_time desc, id desc) where is_deleted = 0;
create index "planned_work_all" on "planned_work" (start_time desc, id desc) where is_deleted = 0;
create index "planned_work_by_shop_id" on "planned_work" (tenant_id, shop_id, start_time desc, id desc) where is_deleted = 0;
create index "planned_work_by_shop_id_end_time" on "planned_work" (tenant_id, shop_id, end_time) where is_deleted = 0;
create index "planned_work_bin" on "planned_work" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "planned_work" to store_app;
grant select, insert, update, delete on "planned_work" to store_platform;
alter table "planned_work" enable row level security;
create policy own_rows on "planned_work" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "planned_work" to store_platform using (true) with check (true);

create table "platform_ask" (
  "id" bigint not null,
  "tenant_id" text not null,
  "platform" text,
  "kind" text,
  "platform_order_no" text,
  "shop_id" bigint,
  "shop_there" text,
  "refund_no" text,
  "rider_name" text,
  "rider_phone" text,
  "reason" text,
  "reason_code" text,
  "lines" jsonb,
  "known" jsonb,
  "state" text,
  "tries" integer,
  "fail_reason" text,
  "ask_until" timestamptz(3),
  "done_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "platform_ask_list" on "platform_ask" (tenant_id, create_time desc, id desc);
create index "platform_ask_all" on "platform_ask" (create_time desc, id desc);
create index "platform_ask_by_shop_id" on "platform_ask" (tenant_id, shop_id, create_time desc, id desc);
create unique index "platform_ask_uq_platform_platform_order_no_kind_refund_no" on "platform_ask" (tenant_id, platform, platform_order_no, kind, refund_no);
grant select, insert, update, delete on "platform_ask" to store_app;
grant select, insert, update, delete on "platform_ask" to store_platform;
alter table "platform_ask" enable row level security;
create policy own_rows on "platform_ask" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "platform_ask" to store_platform using (true) with check (true);

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

create table "platform_step" (
  "tenant_id" text not null,
  "row_id" bigint not null,
  "told" jsonb,
  "asked" jsonb,
  "task_id" bigint,
  "tries" integer not null default 0,
  "next_time" timestamptz(3),
  "read_time" timestamptz,
  "problem_field" text,
  primary key (tenant_id, row_id)
);
create index "platform_step_by_task" on "platform_step" (tenant_id, task_id) where task_id is not null;
grant select, insert, update, delete on "platform_step" to store_app;
grant select, insert, update, delete on "platform_step" to store_platform;
alter table "platform_step" enable row level security;
create policy own_rows on "platform_step" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "platform_step" to store_platform using (true) with check (true);

create table "post" (
  "id" bigint not null,
  "tenant_id" text not null,
  "category" integer not null,
  "post_code" text not null,
  "post_name" text not null,
  "sort" integer not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "post_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (tenant_id, id)
);
create index "post_list" on "post" (tenant_id, sort, id) where is_deleted = 0;
create index "post_all" on "post" (sort, id) where is_deleted = 0;
create unique index "post_uq_post_code" on "post" (tenant_id, post_code) where is_deleted = 0;
create index "post_bin" on "post" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "post" to store_app;
grant select, insert, update, delete on "post" to store_platform;
alter table "post" enable row level security;
create policy own_rows on "post" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "post" to store_platform using (true) with check (true);

create table "power_day" (
  "tenant_id" text not null,
  "device_id" bigint not null,
  "day" date not null,
  "used" numeric(18,3) not null,
  "cost" numeric(18,4) not null,
  primary key (tenant_id, device_id, day)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
grant select, insert, update, delete on "power_day" to store_app;
grant select, insert, update, delete on "power_day" to store_platform;
alter table "power_day" enable row level security;
create policy own_rows on "power_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "power_day" to store_platform using (true) with check (true);

create table "power_plan" (
  "tenant_id" text not null,
  "device_id" bigint not null,
  "wanted" boolean not null,
  "tries_left" integer not null,
  "override_time" timestamptz(3),
  "override_until" timestamptz(3),
  "override_user" bigint,
  primary key (tenant_id, device_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
grant select, insert, update, delete on "power_plan" to store_app;
grant select, insert, update, delete on "power_plan" to store_platform;
alter table "power_plan" enable row level security;
create policy own_rows on "power_plan" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "power_plan" to store_platform using (true) with check (true);

create table "power_reading" (
  "id" bigint not null generated by default as identity,
  "tenant_id" text not null,
  "device_id" bigint not null,
  "time" timestamptz(3) not null,
  "used" numeric(18,3) not null,
  "cost" numeric(18,4) not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "power_reading_uq_device_id_time" on "power_reading" (tenant_id, device_id, time);
create index "power_reading_by_create_time" on "power_reading" (create_time);
grant select, insert, update, delete on "power_reading" to store_app;
grant select, insert, update, delete on "power_reading" to store_platform;
alter table "power_reading" enable row level security;
create policy own_rows on "power_reading" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "power_reading" to store_platform using (true) with check (true);

create table "power_rule" (
  "id" bigint not null,
  "tenant_id" text not null,
  "device_id" bigint not null,
  "shop_id" bigint,
  "kind" text not null,
  "from_time" text,
  "to_time" text,
  "days" text[],
  "offset_minutes" integer,
  "linger_minutes" integer,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "power_rule_offset_minutes_range" check ("offset_minutes" >= -180 and "offset_minutes" <= 180),
  constraint "power_rule_linger_minutes_range" check ("linger_minutes" >= 0 and "linger_minutes" <= 240),
  primary key (tenant_id, id)
);
create index "power_rule_list" on "power_rule" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "power_rule_all" on "power_rule" (create_time desc, id desc) where is_deleted = 0;
create index "power_rule_by_shop_id" on "power_rule" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "power_rule_by_device_id" on "power_rule" (tenant_id, device_id) where is_deleted = 0;
create index "power_rule_bin" on "power_rule" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "power_rule" to store_app;
grant select, insert, update, delete on "power_rule" to store_platform;
alter table "power_rule" enable row level security;
create policy own_rows on "power_rule" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "power_rule" to store_platform using (true) with check (true);

create table "power_tariff" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "from_time" text,
  "to_time" text,
  "price" numeric(18,4) not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "power_tariff_price_range" check ("price" >= 0 and "price" <= 100),
  primary key (tenant_id, id)
);
create index "power_tariff_list" on "power_tariff" (tenant_id, from_time, id) where is_deleted = 0;
create index "power_tariff_all" on "power_tariff" (from_time, id) where is_deleted = 0;
create index "power_tariff_bin" on "power_tariff" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "power_tariff" to store_app;
grant select, insert, update, delete on "power_tariff" to store_platform;
alter table "power_tariff" enable row level security;
create policy own_rows on "power_tariff" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "power_tariff" to store_platform using (true) with check (true);

create table "price_quote" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "wx_user_id" bigint,
  "holder" text not null,
  "holder_key" text not null,
  "digest" text not null,
  "priced" jsonb not null,
  "ticket_ids" bigint[] not null default '{}',
  "points" integer not null default 0,
  "points_returned" integer not null default 0,
  "state" text not null check (state in ('open', 'used', 'freed', 'returned')),
  "valid_until" timestamptz(3) not null,
  "order_id" bigint,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "price_quote_uq_holder" on "price_quote" (tenant_id, holder, holder_key) where state in ('open', 'used');
create index "price_quote_by_order_id" on "price_quote" (tenant_id, order_id);
create index "price_quote_open" on "price_quote" (tenant_id, valid_until) where state = 'open';
create index "price_quote_open_customer" on "price_quote" (tenant_id, wx_user_id) where state = 'open';
create index "price_quote_open_all" on "price_quote" (valid_until) where state = 'open';
create index "price_quote_old" on "price_quote" (create_time) where state <> 'open';
grant select, insert, update, delete on "price_quote" to store_app;
grant select, insert, update, delete on "price_quote" to store_platform;
alter table "price_quote" enable row level security;
create policy own_rows on "price_quote" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "price_quote" to store_platform using (true) with check (true);

create table "price_tag" (
  "id" bigint not null,
  "tenant_id" text not null,
  "tag_id" text not null,
  "shop_id" bigint not null,
  "good_id" bigint,
  "upc" text,
  "template" text,
  "model" text,
  "layout_id" bigint,
  "status" integer,
  "fail_reason" text,
  "wanted_price" bigint,
  "shown_price" bigint,
  "wanted_time" timestamptz(3),
  "last_sync_time" timestamptz(3),
  "gateway_id" bigint,
  "account_id" bigint,
  "battery" integer,
  "signal" integer,
  "battery_mv" integer,
  "last_report_time" timestamptz(3),
  "shown_content" jsonb,
  "shown_hash" text,
  "wanted_hash" text,
  "wanted_content" jsonb,
  "carrier_mark" text,
  "taken_time" timestamptz(3),
  "command_id" text,
  "tries" integer,
  "next_time" timestamptz(3),
  "sent_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "price_tag_list" on "price_tag" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "price_tag_all" on "price_tag" (create_time desc, id desc) where is_deleted = 0;
create index "price_tag_by_shop_id" on "price_tag" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "price_tag_by_good_id" on "price_tag" (tenant_id, good_id) where is_deleted = 0;
create index "price_tag_by_upc" on "price_tag" (tenant_id, upc) where is_deleted = 0;
create index "price_tag_by_status_wanted_time" on "price_tag" (tenant_id, status, wanted_time) where is_deleted = 0;
create index "price_tag_by_status_next_time" on "price_tag" (tenant_id, status, next_time) where is_deleted = 0;
create index "price_tag_by_command_id" on "price_tag" (tenant_id, command_id) where is_deleted = 0;
create index "price_tag_by_account_id_status" on "price_tag" (tenant_id, account_id, status) where is_deleted = 0;
create index "price_tag_by_layout_id" on "price_tag" (tenant_id, layout_id) where is_deleted = 0;
create unique index "price_tag_uq_tag_id" on "price_tag" (tenant_id, tag_id) where is_deleted = 0;
create index "price_tag_bin" on "price_tag" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "price_tag" to store_app;
grant select, insert, update, delete on "price_tag" to store_platform;
alter table "price_tag" enable row level security;
create policy own_rows on "price_tag" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "price_tag" to store_platform using (true) with check (true);

create table "price_tag_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "tag_id" text,
  "action" text,
  "shop_id" bigint,
  "good_id" bigint,
  "upc" text,
  "old_price" bigint,
  "new_price" bigint,
  "template" text,
  "command_id" text,
  "content_hash" text,
  "content" jsonb,
  "result" text,
  "result_message" text,
  "cost_ms" integer,
  "operator" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "price_tag_log_list" on "price_tag_log" (tenant_id, create_time desc, id desc);
create index "price_tag_log_all" on "price_tag_log" (create_time desc, id desc);
create index "price_tag_log_by_shop_id" on "price_tag_log" (tenant_id, shop_id, create_time desc, id desc);
create index "price_tag_log_by_tag_id_create_time" on "price_tag_log" (tenant_id, tag_id, create_time desc);
create index "price_tag_log_by_good_id_create_time" on "price_tag_log" (tenant_id, good_id, create_time desc);
grant select, insert on "price_tag_log" to store_app;
grant select, insert on "price_tag_log" to store_platform;
grant delete on "price_tag_log" to store_platform;
create policy young_stay on "price_tag_log" as restrictive for delete to store_platform
  using (create_time < now() - interval '1 days');
alter table "price_tag_log" enable row level security;
create policy own_rows on "price_tag_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "price_tag_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "price_tag_log_past" partition of "price_tag_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "print_template" (
  "id" bigint not null,
  "tenant_id" text not null,
  "kind" text not null,
  "name" text not null,
  "is_default" boolean,
  "paper" text not null,
  "language" text not null,
  "logo" text,
  "title_zh" text,
  "title_en" text,
  "head_zh" text,
  "head_en" text,
  "footer_zh" text,
  "footer_en" text,
  "facts" jsonb,
  "columns" jsonb,
  "totals" jsonb,
  "signs" jsonb,
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
create index "print_template_list" on "print_template" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "print_template_all" on "print_template" (create_time desc, id desc) where is_deleted = 0;
create unique index "print_template_uq_kind_name" on "print_template" (tenant_id, kind, name) where is_deleted = 0;
create index "print_template_bin" on "print_template" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "print_template" to store_app;
grant select, insert, update, delete on "print_template" to store_platform;
alter table "print_template" enable row level security;
create policy own_rows on "print_template" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "print_template" to store_platform using (true) with check (true);

create table "printer_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint not null,
  "brand" text not null,
  "sn" text not null,
  "print_key" text,
  "paper_width" integer not null,
  "usage" text not null,
  "label_size" text,
  "auto_print" boolean,
  "copies" integer not null,
  "status" integer,
  "status_time" timestamptz(3),
  "note" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "printer_info_copies_range" check ("copies" >= 1 and "copies" <= 9),
  primary key (tenant_id, id)
);
create index "printer_info_list" on "printer_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "printer_info_all" on "printer_info" (create_time desc, id desc) where is_deleted = 0;
create index "printer_info_by_shop_id" on "printer_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "printer_info_uq_brand_sn" on "printer_info" (tenant_id, brand, sn) where is_deleted = 0;
create index "printer_info_bin" on "printer_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "printer_info" to store_app;
grant select, insert, update, delete on "printer_info" to store_platform;
alter table "printer_info" enable row level security;
create policy own_rows on "printer_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "printer_info" to store_platform using (true) with check (true);

create table "process_leave" (
  "id" bigint not null,
  "tenant_id" text not null,
  "reason" text not null,
  "start_time" timestamptz(3) not null,
  "end_time" timestamptz(3) not null,
  "task_user" bigint,
  "apply_user" bigint,
  "apply_time" timestamptz(3),
  "process_definition_id" bigint,
  "process_instance_id" bigint,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "process_leave_list" on "process_leave" (tenant_id, create_time desc, id desc);
create index "process_leave_all" on "process_leave" (create_time desc, id desc);
grant select, insert, update, delete on "process_leave" to store_app;
grant select, insert, update, delete on "process_leave" to store_platform;
alter table "process_leave" enable row level security;
create policy own_rows on "process_leave" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "process_leave" to store_platform using (true) with check (true);

create table "recharge_conf" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "amount" bigint not null,
  "gift_amount" bigint,
  "gift_integral" integer,
  "gift_ticket_id" bigint,
  "per_user" integer,
  "enabled" boolean,
  "sort" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "recharge_conf_amount_range" check ("amount" >= 1 and "amount" <= 10000000),
  constraint "recharge_conf_gift_amount_range" check ("gift_amount" >= 0 and "gift_amount" <= 10000000),
  constraint "recharge_conf_gift_integral_range" check ("gift_integral" >= 0 and "gift_integral" <= 1000000),
  constraint "recharge_conf_per_user_range" check ("per_user" >= 0 and "per_user" <= 1000),
  constraint "recharge_conf_sort_range" check ("sort" >= 0),
  primary key (tenant_id, id)
);
create index "recharge_conf_list" on "recharge_conf" (tenant_id, sort, id) where is_deleted = 0;
create index "recharge_conf_all" on "recharge_conf" (sort, id) where is_deleted = 0;
create index "recharge_conf_bin" on "recharge_conf" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "recharge_conf" to store_app;
grant select, insert, update, delete on "recharge_conf" to store_platform;
alter table "recharge_conf" enable row level security;
create policy own_rows on "recharge_conf" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "recharge_conf" to store_platform using (true) with check (true);

create table "recharge_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "recharge_no" text,
  "wx_user_id" bigint,
  "shop_id" bigint,
  "conf_id" bigint,
  "amount" bigint,
  "gift_amount" bigint,
  "gift_integral" integer,
  "gift_ticket_id" bigint,
  "pay_type" text,
  "pay_status" integer,
  "pay_time" timestamptz(3),
  "transaction_no" text,
  "refund_amount" bigint,
  "refund_gift_amount" bigint,
  "refund_gift_integral" integer,
  "reason" text,
  "refund_reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "recharge_log_list" on "recharge_log" (tenant_id, create_time desc, id desc);
create index "recharge_log_all" on "recharge_log" (create_time desc, id desc);
create index "recharge_log_by_shop_id" on "recharge_log" (tenant_id, shop_id, create_time desc, id desc);
create index "recharge_log_by_wx_user_id_create_time_id" on "recharge_log" (tenant_id, wx_user_id, create_time desc, id desc);
create index "recharge_log_by_pay_time" on "recharge_log" (tenant_id, pay_time);
create index "recharge_log_by_transaction_no" on "recharge_log" (tenant_id, transaction_no);
create index "recharge_log_of_conf_id" on "recharge_log" (tenant_id, conf_id, create_time, id);
create index "recharge_log_of_amount" on "recharge_log" (tenant_id, amount, create_time, id);
create index "recharge_log_of_pay_type" on "recharge_log" (tenant_id, pay_type, create_time, id);
create index "recharge_log_of_pay_status" on "recharge_log" (tenant_id, pay_status, create_time, id);
create index "recharge_log_of_refund_amount" on "recharge_log" (tenant_id, refund_amount, create_time, id);
create unique index "recharge_log_uq_recharge_no" on "recharge_log" (tenant_id, recharge_no);
grant select, insert, update, delete on "recharge_log" to store_app;
grant select, insert, update, delete on "recharge_log" to store_platform;
alter table "recharge_log" enable row level security;
create policy own_rows on "recharge_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "recharge_log" to store_platform using (true) with check (true);

create table "refund_limit" (
  "id" bigint not null,
  "tenant_id" text not null,
  "role_id" bigint not null,
  "amount" bigint not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "refund_limit_amount_range" check ("amount" >= 0 and "amount" <= 99999999),
  primary key (tenant_id, id)
);
create index "refund_limit_list" on "refund_limit" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "refund_limit_all" on "refund_limit" (create_time desc, id desc) where is_deleted = 0;
create unique index "refund_limit_uq_role_id" on "refund_limit" (tenant_id, role_id) where is_deleted = 0;
create index "refund_limit_bin" on "refund_limit" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "refund_limit" to store_app;
grant select, insert, update, delete on "refund_limit" to store_platform;
alter table "refund_limit" enable row level security;
create policy own_rows on "refund_limit" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "refund_limit" to store_platform using (true) with check (true);

create table "refund_payment" (
  "id" bigint not null,
  "tenant_id" text not null,
  "refund_id" bigint not null,
  "order_id" bigint not null,
  "payment_id" bigint not null,
  "channel" text not null,
  "transaction_no" text,
  "amount" bigint not null check (amount > 0),
  "out_no" text not null,
  "state" text not null check (state in ('waiting', 'asked', 'sent', 'done', 'failed', 'cancelled')),
  "channel_refund_id" text,
  "way" text,
  "ask_time" timestamptz(3),
  "attempts" integer not null default 0,
  "last_error" text,
  "is_abnormal" boolean not null default false,
  "is_handed_over" boolean not null default false,
  "redirect_to" text,
  "create_time" timestamptz(3) not null default now(),
  "asked_time" timestamptz(3),
  "sent_time" timestamptz(3),
  "done_time" timestamptz(3),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "refund_payment_by_refund_id" on "refund_payment" (tenant_id, refund_id);
create index "refund_payment_by_order_id" on "refund_payment" (tenant_id, order_id);
create unique index "refund_payment_uq_out_no" on "refund_payment" (tenant_id, out_no);
grant select, insert, update, delete on "refund_payment" to store_app;
grant select, insert, update, delete on "refund_payment" to store_platform;
alter table "refund_payment" enable row level security;
create policy own_rows on "refund_payment" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "refund_payment" to store_platform using (true) with check (true);

create table "refunds" (
  "id" bigint not null,
  "tenant_id" text not null,
  "refund_no" text collate "C",
  "refund_no_tail" text collate "C" generated always as (reverse("refund_no")) stored,
  "order_id" bigint not null,
  "shop_id" bigint,
  "wx_user_id" bigint,
  "status" integer,
  "type" text,
  "amount" bigint,
  "lines" jsonb,
  "freight" bigint,
  "reason" text not null,
  "pictures" text[],
  "restock" boolean,
  "audit_user" bigint,
  "audit_time" timestamptz(3),
  "signatures_needed" integer,
  "second_user" bigint,
  "second_time" timestamptz(3),
  "second_remark" text,
  "audit_remark" text,
  "channel_refund_id" text,
  "channel_note" text,
  "is_abnormal" boolean,
  "finish_time" timestamptz(3),
  "fail_reason" text,
  "request_key" text,
  "request_digest" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
);
create index "refunds_list" on "refunds" (tenant_id, create_time desc, id desc);
create index "refunds_all" on "refunds" (create_time desc, id desc);
create index "refunds_by_shop_id" on "refunds" (tenant_id, shop_id, create_time desc, id desc);
create index "refunds_by_order_id" on "refunds" (tenant_id, order_id);
create index "refunds_by_shop_id_status_create_time_id" on "refunds" (tenant_id, shop_id, status, create_time desc, id desc);
create index "refunds_by_shop_id_finish_time" on "refunds" (tenant_id, shop_id, finish_time);
create index "refunds_by_finish_time" on "refunds" (tenant_id, finish_time);
create index "refunds_of_wx_user_id" on "refunds" (tenant_id, wx_user_id, create_time, id);
create index "refunds_of_status" on "refunds" (tenant_id, status, create_time, id);
create index "refunds_of_amount" on "refunds" (tenant_id, amount, create_time, id);
create index "refunds_of_is_abnormal" on "refunds" (tenant_id, is_abnormal, create_time, id);
create unique index "refunds_uq_refund_no" on "refunds" (tenant_id, refund_no);
create unique index "refunds_uq_request_key" on "refunds" (tenant_id, request_key);
create index "refunds_by_refund_no_tail" on "refunds" (refund_no_tail, tenant_id);
grant select, insert, update, delete on "refunds" to store_app;
grant select, insert, update, delete on "refunds" to store_platform;
alter table "refunds" enable row level security;
create policy own_rows on "refunds" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "refunds" to store_platform using (true) with check (true);

create table "region" (
  "id" bigint not null,
  "code" text not null,
  "parent_code" text,
  "name" text not null,
  "region_level" integer not null,
  "sort" integer,
  "is_abolished" boolean,
  "as_of" date,
  "remark" text,
  "ancestors" text,
  "province_code" text,
  "province_name" text,
  "city_code" text,
  "city_name" text,
  "district_code" text,
  "district_name" text,
  "town_code" text,
  "town_name" text,
  "village_code" text,
  "village_name" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  constraint "region_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (id)
);
create index "region_list" on "region" (code, id);
create index "region_by_parent_code_sort" on "region" (parent_code, sort);
create unique index "region_uq_code" on "region" (code);
grant select on "region" to store_app;
grant select, insert, update, delete on "region" to store_platform;
alter table "region" enable row level security;
create policy read_all on "region" for select to store_app using (true);
create policy every_row on "region" to store_platform using (true) with check (true);

create table "register_key" (
  "tenant_id" text not null,
  "register_id" bigint not null,
  "digest" text not null,
  "previous_digest" text,
  "previous_until" timestamptz(3),
  "issue_time" timestamptz(3) not null default now(),
  "issue_user" bigint,
  primary key (tenant_id, register_id)
);
grant select, insert, update, delete on "register_key" to store_app;
grant select, insert, update, delete on "register_key" to store_platform;
alter table "register_key" enable row level security;
create policy own_rows on "register_key" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "register_key" to store_platform using (true) with check (true);

create table "register_sale" (
  "tenant_id" text not null,
  "register_id" bigint not null,
  "sale_no" text not null,
  "digest" text not null,
  "order_id" bigint,
  "answer" jsonb,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, register_id, sale_no)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
grant select, insert, update, delete on "register_sale" to store_app;
grant select, insert, update, delete on "register_sale" to store_platform;
alter table "register_sale" enable row level security;
create policy own_rows on "register_sale" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "register_sale" to store_platform using (true) with check (true);

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

create table "remote_output_tail" (
  "tenant_id" text not null,
  "session_id" bigint not null,
  "seq" integer not null,
  "stream" text not null,
  "data" bytea not null,
  primary key (tenant_id, session_id, seq, stream)
);
grant select, insert, update, delete on "remote_output_tail" to store_app;
grant select, insert, update, delete on "remote_output_tail" to store_platform;
alter table "remote_output_tail" enable row level security;
create policy own_rows on "remote_output_tail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "remote_output_tail" to store_platform using (true) with check (true);

create table "remote_session" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint,
  "client_id" text,
  "shop_id" bigint,
  "user_id" bigint,
  "operator" text,
  "took_from_id" bigint,
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

create table "report_file" (
  "id" bigint not null,
  "name" text not null,
  "content" text not null,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (id)
);
create index "report_file_list" on "report_file" (create_time desc, id desc) where is_deleted = 0;
create unique index "report_file_uq_name" on "report_file" (name) where is_deleted = 0;
create index "report_file_bin" on "report_file" (update_time desc, id desc) where is_deleted = 1;
grant select on "report_file" to store_app;
grant select, insert, update, delete on "report_file" to store_platform;
alter table "report_file" enable row level security;
create policy read_all on "report_file" for select to store_app using (true);
create policy every_row on "report_file" to store_platform using (true) with check (true);

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
  "reason_en" text,
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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "request_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "system" text,
  "direction" text,
  "method" text,
  "url" text,
  "http_status" integer,
  "biz_code" text,
  "cost_ms" integer,
  "trace_id" text,
  "request" text,
  "response" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "request_log_list" on "request_log" (tenant_id, create_time desc, id desc);
create index "request_log_all" on "request_log" (create_time desc, id desc);
create index "request_log_by_trace_id" on "request_log" (tenant_id, trace_id);
create index "request_log_of_system" on "request_log" (tenant_id, system, create_time, id);
create index "request_log_of_direction" on "request_log" (tenant_id, direction, create_time, id);
create index "request_log_of_http_status" on "request_log" (tenant_id, http_status, create_time, id);
create index "request_log_of_biz_code" on "request_log" (tenant_id, biz_code, create_time, id);
create index "request_log_of_cost_ms" on "request_log" (tenant_id, cost_ms, create_time, id);
grant select, insert on "request_log" to store_app;
grant select, insert on "request_log" to store_platform;
grant delete on "request_log" to store_platform;
create policy young_stay on "request_log" as restrictive for delete to store_platform
  using (create_time < now() - interval '1 days');
alter table "request_log" enable row level security;
create policy own_rows on "request_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "request_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "request_log_past" partition of "request_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "return_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "return_no" text,
  "direction" text not null,
  "shop_id" bigint not null,
  "good_id" bigint not null,
  "upc" text,
  "quantity" integer not null,
  "batch_id" bigint,
  "amount" bigint,
  "reason" text not null,
  "status" integer,
  "ref_id" bigint,
  "pictures" text[],
  "batches" jsonb,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "return_log_quantity_range" check ("quantity" >= 0),
  constraint "return_log_amount_range" check ("amount" >= 0),
  primary key (tenant_id, id)
);
create index "return_log_list" on "return_log" (tenant_id, create_time desc, id desc);
create index "return_log_all" on "return_log" (create_time desc, id desc);
create index "return_log_by_shop_id" on "return_log" (tenant_id, shop_id, create_time desc, id desc);
create index "return_log_by_good_id_create_time" on "return_log" (tenant_id, good_id, create_time desc);
create index "return_log_by_ref_id" on "return_log" (tenant_id, ref_id);
create unique index "return_log_uq_return_no" on "return_log" (tenant_id, return_no);
grant select, insert, update, delete on "return_log" to store_app;
grant select, insert, update, delete on "return_log" to store_platform;
alter table "return_log" enable row level security;
create policy own_rows on "return_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "return_log" to store_platform using (true) with check (true);

create table "roamers_by_day" (
  "tenant_id" text not null,
  "at" timestamptz(3) not null,
  "wx_user_id" bigint not null,
  primary key (tenant_id, at, wx_user_id)
);
grant select, insert, update, delete on "roamers_by_day" to store_app;
grant select, insert, update, delete on "roamers_by_day" to store_platform;
alter table "roamers_by_day" enable row level security;
create policy own_rows on "roamers_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "roamers_by_day" to store_platform using (true) with check (true);

create table "role_menu" (
  "tenant_id" text not null,
  "role_id" bigint not null,
  "menu_id" bigint not null,
  primary key (tenant_id, role_id, menu_id)
);
grant select, insert, update, delete on "role_menu" to store_app;
grant select, insert, update, delete on "role_menu" to store_platform;
alter table "role_menu" enable row level security;
create policy own_rows on "role_menu" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "role_menu" to store_platform using (true) with check (true);

create table "role_scope" (
  "tenant_id" text not null,
  "role_id" bigint not null,
  "scope_category" smallint not null,
  "scope_id" bigint not null,
  primary key (tenant_id, role_id, scope_category, scope_id)
);
create index "role_scope_by_scope" on "role_scope" (scope_category, scope_id);
grant select, insert, update, delete on "role_scope" to store_app;
grant select, insert, update, delete on "role_scope" to store_platform;
alter table "role_scope" enable row level security;
create policy own_rows on "role_scope" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "role_scope" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "row_change" (
  "id" bigint not null,
  "tenant_id" text not null,
  "resource" text not null,
  "row_id" bigint not null,
  "kind" text not null default 'edit',
  "via" text not null,
  "version" integer not null,
  "user_id" bigint not null,
  "was" jsonb not null,
  "now" jsonb not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, resource, row_id, id)
) partition by range (id);
create index "row_change_old" on "row_change" (create_time);
grant select, insert on "row_change" to store_app;
grant select, insert on "row_change" to store_platform;
grant delete on "row_change" to store_platform;
create policy young_stay on "row_change" as restrictive for delete to store_platform
  using (create_time < now() - interval '30 days');
alter table "row_change" enable row level security;
create policy own_rows on "row_change" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "row_change" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "row_change_past" partition of "row_change" for values
    from (minvalue) to (%s)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "sales_by_day" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "sales" bigint not null,
  "orders" bigint not null,
  "guests" bigint not null,
  "items" bigint not null,
  "cost" bigint not null,
  "discount" bigint not null,
  "freight" bigint not null,
  "refunds" bigint not null,
  "refund_count" bigint not null,
  primary key (tenant_id, shop_id, at)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "sales_by_day_by_time" on "sales_by_day" (tenant_id, at);
grant select, insert, update, delete on "sales_by_day" to store_app;
grant select, insert, update, delete on "sales_by_day" to store_platform;
alter table "sales_by_day" enable row level security;
create policy own_rows on "sales_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sales_by_day" to store_platform using (true) with check (true);

create table "sales_by_hour" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "sales" bigint not null,
  "orders" bigint not null,
  "guests" bigint not null,
  "items" bigint not null,
  "cost" bigint not null,
  "discount" bigint not null,
  "freight" bigint not null,
  "refunds" bigint not null,
  "refund_count" bigint not null,
  primary key (tenant_id, shop_id, at)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "sales_by_hour_by_time" on "sales_by_hour" (tenant_id, at);
grant select, insert, update, delete on "sales_by_hour" to store_app;
grant select, insert, update, delete on "sales_by_hour" to store_platform;
alter table "sales_by_hour" enable row level security;
create policy own_rows on "sales_by_hour" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sales_by_hour" to store_platform using (true) with check (true);

create table "sales_delta" (
  "id" bigint generated always as identity,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "sales" bigint not null,
  "orders" bigint not null,
  "guests" bigint not null,
  "items" bigint not null,
  "cost" bigint not null,
  "discount" bigint not null,
  "freight" bigint not null,
  "refunds" bigint not null,
  "refund_count" bigint not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "sales_delta_by_time" on "sales_delta" (tenant_id, at);
grant select, insert, update, delete on "sales_delta" to store_app;
grant select, insert, update, delete on "sales_delta" to store_platform;
alter table "sales_delta" enable row level security;
create policy own_rows on "sales_delta" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sales_delta" to store_platform using (true) with check (true);

create table "scope_api" (
  "id" bigint not null,
  "menu_id" bigint not null,
  "scope_name" text not null,
  "resource_code" text not null,
  "scope_path" text not null,
  "scope_type" integer not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (id)
);
create index "scope_api_list" on "scope_api" (create_time desc, id desc) where is_deleted = 0;
create index "scope_api_by_menu_id" on "scope_api" (menu_id) where is_deleted = 0;
create index "scope_api_bin" on "scope_api" (update_time desc, id desc) where is_deleted = 1;
grant select on "scope_api" to store_app;
grant select, insert, update, delete on "scope_api" to store_platform;
alter table "scope_api" enable row level security;
create policy read_all on "scope_api" for select to store_app using (true);
create policy every_row on "scope_api" to store_platform using (true) with check (true);

create table "scope_data" (
  "id" bigint not null,
  "tenant_id" text not null default '000000',
  "menu_id" bigint not null,
  "scope_name" text not null,
  "resource_code" text not null,
  "scope_column" text,
  "scope_type" integer not null,
  "scope_field" text,
  "scope_class" text,
  "scope_value" text,
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
create index "scope_data_list" on "scope_data" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "scope_data_all" on "scope_data" (create_time desc, id desc) where is_deleted = 0;
create index "scope_data_by_menu_id" on "scope_data" (tenant_id, menu_id) where is_deleted = 0;
create index "scope_data_bin" on "scope_data" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "scope_data" to store_app;
grant select, insert, update, delete on "scope_data" to store_platform;
alter table "scope_data" enable row level security;
create policy read_own_and_shared on "scope_data" for select to store_app using (tenant_id in (current_setting('app.tenant', true), '000000'));
create policy add_own on "scope_data" for insert to store_app with check (tenant_id = current_setting('app.tenant', true));
create policy change_own on "scope_data" for update to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy remove_own on "scope_data" for delete to store_app using (tenant_id = current_setting('app.tenant', true));
create policy every_row on "scope_data" to store_platform using (true) with check (true);

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

create table "session" (
  "sid" text not null,
  "tenant_id" text not null,
  "user_id" bigint not null,
  "client_id" text not null,
  "dept_ids" bigint[],
  "role_ids" bigint[],
  "oauth_id" text,
  "ip" text,
  "user_agent" text,
  "issued_at" timestamptz(3) not null,
  "last_seen" timestamptz(3) not null,
  "expires_at" timestamptz(3) not null,
  "revoked_at" timestamptz(3),
  "revoke_reason" text,
  primary key (tenant_id, sid)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "session_by_user" on "session" (tenant_id, user_id) where revoked_at is null;
create index "session_by_expiry" on "session" (expires_at);
grant select, insert, update, delete on "session" to store_app;
grant select, insert, update, delete on "session" to store_platform;
alter table "session" enable row level security;
create policy own_rows on "session" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "session" to store_platform using (true) with check (true);

create table "session_refresh" (
  "jti" text not null,
  "tenant_id" text not null,
  "sid" text not null,
  "issued_at" timestamptz(3) not null,
  "used_at" timestamptz(3),
  "expires_at" timestamptz(3) not null,
  primary key (tenant_id, jti)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "session_refresh_by_sid" on "session_refresh" (sid);
create index "session_refresh_by_expiry" on "session_refresh" (expires_at);
grant select, insert, update, delete on "session_refresh" to store_app;
grant select, insert, update, delete on "session_refresh" to store_platform;
alter table "session_refresh" enable row level security;
create policy own_rows on "session_refresh" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "session_refresh" to store_platform using (true) with check (true);

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

create table "share_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "out_order_no" text,
  "kind" text,
  "order_id" bigint not null,
  "shop_id" bigint,
  "merchant_id" bigint,
  "transaction_no" text,
  "receivers" jsonb not null,
  "amount" bigint,
  "finish_amount" bigint,
  "description" text not null,
  "status" integer,
  "results" jsonb,
  "of_share_no" text,
  "for_refund_no" text,
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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "share_log_list" on "share_log" (tenant_id, create_time desc, id desc);
create index "share_log_all" on "share_log" (create_time desc, id desc);
create index "share_log_by_shop_id" on "share_log" (tenant_id, shop_id, create_time desc, id desc);
create index "share_log_by_order_id" on "share_log" (tenant_id, order_id);
create index "share_log_by_merchant_id_finish_time" on "share_log" (tenant_id, merchant_id, finish_time);
create unique index "share_log_uq_out_order_no" on "share_log" (tenant_id, out_order_no);
grant select, insert, update, delete on "share_log" to store_app;
grant select, insert, update, delete on "share_log" to store_platform;
alter table "share_log" enable row level security;
create policy own_rows on "share_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "share_log" to store_platform using (true) with check (true);

create table "shop_conf" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "entry_mode" text,
  "door_hold_seconds" integer,
  "held_seconds" integer,
  "absent_office" text,
  "door_settings" jsonb,
  "members_only" boolean,
  "unmanned_enabled" boolean,
  "light_schedule" jsonb,
  "welcome_audio_id" bigint,
  "leave_audio_id" bigint,
  "pay_types" text[],
  "vip_enabled" boolean,
  "delivery_enabled" boolean,
  "charge_confirmed_tag" boolean,
  "points_per_yuan" numeric(18,2),
  "points_for_yuan" integer,
  "points_share" integer,
  "low_stock_threshold" integer,
  "expiry_warn_days" integer,
  "alert_phones" text[],
  "wanted_version" integer,
  "reported_version" integer,
  "reported_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "shop_conf_door_hold_seconds_range" check ("door_hold_seconds" >= 1 and "door_hold_seconds" <= 120),
  constraint "shop_conf_held_seconds_range" check ("held_seconds" >= 10 and "held_seconds" <= 3600),
  constraint "shop_conf_points_per_yuan_range" check ("points_per_yuan" >= 0 and "points_per_yuan" <= 1000),
  constraint "shop_conf_points_for_yuan_range" check ("points_for_yuan" >= 0 and "points_for_yuan" <= 1000000),
  constraint "shop_conf_points_share_range" check ("points_share" >= 0 and "points_share" <= 100),
  constraint "shop_conf_low_stock_threshold_range" check ("low_stock_threshold" >= 0 and "low_stock_threshold" <= 10000),
  constraint "shop_conf_expiry_warn_days_range" check ("expiry_warn_days" >= 0 and "expiry_warn_days" <= 365),
  primary key (tenant_id, id)
);
create index "shop_conf_list" on "shop_conf" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "shop_conf_all" on "shop_conf" (create_time desc, id desc) where is_deleted = 0;
create index "shop_conf_by_shop_id" on "shop_conf" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "shop_conf_uq_shop_id" on "shop_conf" (tenant_id, shop_id) where is_deleted = 0;
create index "shop_conf_bin" on "shop_conf" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "shop_conf" to store_app;
grant select, insert, update, delete on "shop_conf" to store_platform;
alter table "shop_conf" enable row level security;
create policy own_rows on "shop_conf" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shop_conf" to store_platform using (true) with check (true);

create table "shop_event" (
  "id" bigint not null,
  "tenant_id" text not null,
  "type" text,
  "level" integer,
  "status" integer,
  "shop_id" bigint,
  "content" text,
  "content_en" text,
  "count" integer,
  "occur_time" timestamptz(3) not null,
  "last_time" timestamptz(3),
  "subject" text,
  "device_id" bigint,
  "good_id" bigint,
  "devices" jsonb,
  "planned_work_id" bigint,
  "picture" text,
  "handler" bigint,
  "handle_time" timestamptz(3),
  "handle_remark" text,
  "resolve_time" timestamptz(3),
  "remind_step" integer,
  "remind_time" timestamptz(3),
  "open_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "shop_event_list" on "shop_event" (tenant_id, occur_time desc, id desc);
create index "shop_event_all" on "shop_event" (occur_time desc, id desc);
create index "shop_event_by_shop_id" on "shop_event" (tenant_id, shop_id, occur_time desc, id desc);
create index "shop_event_by_handler" on "shop_event" (tenant_id, handler);
create index "shop_event_by_good_id" on "shop_event" (tenant_id, good_id);
create index "shop_event_of_type" on "shop_event" (tenant_id, type, occur_time, id);
create index "shop_event_of_level" on "shop_event" (tenant_id, level, occur_time, id);
create index "shop_event_of_status" on "shop_event" (tenant_id, status, occur_time, id);
create index "shop_event_of_count" on "shop_event" (tenant_id, count, occur_time, id);
create index "shop_event_of_last_time" on "shop_event" (tenant_id, last_time, occur_time, id);
create index "shop_event_of_device_id" on "shop_event" (tenant_id, device_id, occur_time, id);
create unique index "shop_event_uq_shop_id_open_key" on "shop_event" (tenant_id, shop_id, open_key);
create index "shop_event_grams_of_content" on "shop_event" using gin (text_grams(tenant_id, "content"));
grant select, insert, update, delete on "shop_event" to store_app;
grant select, insert, update, delete on "shop_event" to store_platform;
alter table "shop_event" enable row level security;
create policy own_rows on "shop_event" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shop_event" to store_platform using (true) with check (true);

create table "shop_loss" (
  "id" bigint not null,
  "tenant_id" text not null,
  "day" date,
  "kind" text,
  "shop_id" bigint,
  "amount" bigint,
  "basis" text,
  "why" text,
  "why_en" text,
  "certainty" text,
  "good_id" bigint,
  "quantity" integer,
  "visit_id" bigint,
  "order_id" bigint,
  "refund_id" bigint,
  "stocktake_id" bigint,
  "batch_id" bigint,
  "storage_log_id" bigint,
  "wx_user_id" bigint,
  "mark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "shop_loss_list" on "shop_loss" (tenant_id, day desc, id desc);
create index "shop_loss_all" on "shop_loss" (day desc, id desc);
create index "shop_loss_by_shop_id" on "shop_loss" (tenant_id, shop_id, day desc, id desc);
create index "shop_loss_by_kind_day" on "shop_loss" (tenant_id, kind, day);
create index "shop_loss_by_shop_id_day" on "shop_loss" (tenant_id, shop_id, day);
create unique index "shop_loss_uq_mark" on "shop_loss" (tenant_id, mark);
grant select, insert, update, delete on "shop_loss" to store_app;
grant select, insert, update, delete on "shop_loss" to store_platform;
alter table "shop_loss" enable row level security;
create policy own_rows on "shop_loss" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shop_loss" to store_platform using (true) with check (true);

create table "shop_markting" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "discount_conf_id" bigint,
  "status" integer,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "orders" integer,
  "quantity" integer,
  "discount_amount" bigint,
  "sales_amount" bigint,
  "cost_amount" bigint,
  "last_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "shop_markting_list" on "shop_markting" (tenant_id, create_time desc, id desc);
create index "shop_markting_all" on "shop_markting" (create_time desc, id desc);
create index "shop_markting_by_shop_id" on "shop_markting" (tenant_id, shop_id, create_time desc, id desc);
create unique index "shop_markting_uq_discount_conf_id_shop_id" on "shop_markting" (tenant_id, discount_conf_id, shop_id);
grant select, insert, update, delete on "shop_markting" to store_app;
grant select, insert, update, delete on "shop_markting" to store_platform;
alter table "shop_markting" enable row level security;
create policy own_rows on "shop_markting" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shop_markting" to store_platform using (true) with check (true);

create table "shop_staff" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "user_id" bigint not null,
  "position" text not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, shop_id, user_id)
);
create index "shop_staff_by_user_id" on "shop_staff" (tenant_id, user_id);
grant select, insert, update, delete on "shop_staff" to store_app;
grant select, insert, update, delete on "shop_staff" to store_platform;
alter table "shop_staff" enable row level security;
create policy own_rows on "shop_staff" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shop_staff" to store_platform using (true) with check (true);

create table "shopping_cart" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "wx_user_id" bigint,
  "good_id" bigint,
  "upc" text,
  "quantity" integer,
  "price" bigint,
  "checked" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "shopping_cart_list" on "shopping_cart" (tenant_id, create_time desc, id desc);
create index "shopping_cart_all" on "shopping_cart" (create_time desc, id desc);
create index "shopping_cart_by_shop_id" on "shopping_cart" (tenant_id, shop_id, create_time desc, id desc);
create index "shopping_cart_by_wx_user_id" on "shopping_cart" (tenant_id, wx_user_id);
create index "shopping_cart_by_good_id" on "shopping_cart" (tenant_id, good_id);
create unique index "shopping_cart_uq_shop_id_wx_user_id_good_id" on "shopping_cart" (tenant_id, shop_id, wx_user_id, good_id);
grant select, insert, update, delete on "shopping_cart" to store_app;
grant select, insert, update, delete on "shopping_cart" to store_platform;
alter table "shopping_cart" enable row level security;
create policy own_rows on "shopping_cart" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shopping_cart" to store_platform using (true) with check (true);

create table "shopping_cart_online" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "wx_user_id" bigint,
  "good_id" bigint,
  "upc" text,
  "quantity" integer,
  "price" bigint,
  "checked" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "shopping_cart_online_list" on "shopping_cart_online" (tenant_id, create_time desc, id desc);
create index "shopping_cart_online_all" on "shopping_cart_online" (create_time desc, id desc);
create index "shopping_cart_online_by_shop_id" on "shopping_cart_online" (tenant_id, shop_id, create_time desc, id desc);
create index "shopping_cart_online_by_wx_user_id" on "shopping_cart_online" (tenant_id, wx_user_id);
create index "shopping_cart_online_by_good_id" on "shopping_cart_online" (tenant_id, good_id);
create unique index "shopping_cart_online_uq_shop_id_wx_user_id_good_id" on "shopping_cart_online" (tenant_id, shop_id, wx_user_id, good_id);
grant select, insert, update, delete on "shopping_cart_online" to store_app;
grant select, insert, update, delete on "shopping_cart_online" to store_platform;
alter table "shopping_cart_online" enable row level security;
create policy own_rows on "shopping_cart_online" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shopping_cart_online" to store_platform using (true) with check (true);

create table "shopping_order" (
  "id" bigint not null,
  "tenant_id" text not null,
  "order_no" text collate "C",
  "order_no_tail" text collate "C" generated always as (reverse("order_no")) stored,
  "shop_id" bigint,
  "wx_user_id" bigint,
  "status" integer,
  "source" text,
  "type" text,
  "flags" text[],
  "quantity" integer,
  "summary" text,
  "goods_amount" bigint,
  "discount_amount" bigint,
  "ticket_amount" bigint,
  "vip_amount" bigint,
  "integral_amount" bigint,
  "freight" bigint,
  "pay_amount" bigint,
  "balance_amount" bigint,
  "refund_amount" bigint,
  "cost_amount" bigint,
  "pay_type" text,
  "pay_time" timestamptz(3),
  "transaction_no" text,
  "cash_register_id" bigint,
  "sale_no" text,
  "visit_id" bigint,
  "pay_deadline" timestamptz(3),
  "pickup_code" text,
  "quote_id" bigint,
  "deliver_to" jsonb,
  "finish_time" timestamptz(3),
  "cancel_reason" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "shopping_order_list" on "shopping_order" (tenant_id, create_time desc, id desc);
create index "shopping_order_all" on "shopping_order" (create_time desc, id desc);
create index "shopping_order_by_shop_id" on "shopping_order" (tenant_id, shop_id, create_time desc, id desc);
create index "shopping_order_by_shop_id_status_create_time_id" on "shopping_order" (tenant_id, shop_id, status, create_time desc, id desc);
create index "shopping_order_by_shop_id_pay_time" on "shopping_order" (tenant_id, shop_id, pay_time);
create index "shopping_order_by_pay_time" on "shopping_order" (tenant_id, pay_time);
create index "shopping_order_by_wx_user_id_create_time" on "shopping_order" (tenant_id, wx_user_id, create_time desc);
create index "shopping_order_by_cash_register_id_create_time" on "shopping_order" (tenant_id, cash_register_id, create_time desc);
create index "shopping_order_by_transaction_no" on "shopping_order" (tenant_id, transaction_no);
create index "shopping_order_of_status" on "shopping_order" (tenant_id, status, create_time, id);
create index "shopping_order_of_source" on "shopping_order" (tenant_id, source, create_time, id);
create index "shopping_order_of_type" on "shopping_order" (tenant_id, type, create_time, id);
create index "shopping_order_of_quantity" on "shopping_order" (tenant_id, quantity, create_time, id);
create index "shopping_order_of_pay_amount" on "shopping_order" (tenant_id, pay_amount, create_time, id);
create index "shopping_order_of_refund_amount" on "shopping_order" (tenant_id, refund_amount, create_time, id);
create index "shopping_order_of_pay_type" on "shopping_order" (tenant_id, pay_type, create_time, id);
create index "shopping_order_of_sale_no" on "shopping_order" (tenant_id, sale_no, create_time, id);
create index "shopping_order_of_visit_id" on "shopping_order" (tenant_id, visit_id, create_time, id);
create index "shopping_order_with_flags" on "shopping_order" (tenant_id, create_time desc, id desc) where flags <> '{}';
create index "shopping_order_by_order_no_tail" on "shopping_order" (order_no_tail, tenant_id);
grant select, insert, update, delete on "shopping_order" to store_app;
grant select, insert, update, delete on "shopping_order" to store_platform;
alter table "shopping_order" enable row level security;
create policy own_rows on "shopping_order" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shopping_order" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "shopping_order_past" partition of "shopping_order" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;
create unique index "shopping_order_uq_order_no_past" on "shopping_order_past" (tenant_id, order_no);
create unique index "shopping_order_uq_cash_register_id_sale_no_past" on "shopping_order_past" (tenant_id, cash_register_id, sale_no);

create table "shopping_order_detail" (
  "id" bigint not null,
  "tenant_id" text not null,
  "order_id" bigint,
  "shop_id" bigint,
  "good_id" bigint,
  "upc" text,
  "name" text,
  "picture" text,
  "spec" text,
  "price" bigint,
  "list_price" bigint,
  "vip_price" bigint,
  "quantity" integer,
  "discount" bigint,
  "amount" bigint,
  "cost_amount" bigint,
  "refund_quantity" integer,
  "refund_amount" bigint,
  "batch_ids" bigint[],
  "allocations" jsonb,
  "benefits" jsonb,
  "sort" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "shopping_order_detail_list" on "shopping_order_detail" (tenant_id, create_time desc, id desc);
create index "shopping_order_detail_all" on "shopping_order_detail" (create_time desc, id desc);
create index "shopping_order_detail_by_shop_id" on "shopping_order_detail" (tenant_id, shop_id, create_time desc, id desc);
create index "shopping_order_detail_by_order_id_sort" on "shopping_order_detail" (tenant_id, order_id, sort);
create index "shopping_order_detail_by_good_id_create_time" on "shopping_order_detail" (tenant_id, good_id, create_time desc);
create index "shopping_order_detail_of_upc" on "shopping_order_detail" (tenant_id, upc, create_time, id);
create index "shopping_order_detail_of_price" on "shopping_order_detail" (tenant_id, price, create_time, id);
create index "shopping_order_detail_of_quantity" on "shopping_order_detail" (tenant_id, quantity, create_time, id);
create index "shopping_order_detail_of_discount" on "shopping_order_detail" (tenant_id, discount, create_time, id);
create index "shopping_order_detail_of_amount" on "shopping_order_detail" (tenant_id, amount, create_time, id);
create index "shopping_order_detail_grams_of_name" on "shopping_order_detail" using gin (text_grams(tenant_id, "name"));
grant select, insert, update, delete on "shopping_order_detail" to store_app;
grant select, insert, update, delete on "shopping_order_detail" to store_platform;
alter table "shopping_order_detail" enable row level security;
create policy own_rows on "shopping_order_detail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "shopping_order_detail" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "shopping_order_detail_past" partition of "shopping_order_detail" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;


create table "sms" (
  "id" bigint not null,
  "tenant_id" text not null,
  "category" integer not null,
  "sms_code" text not null,
  "template_id" text not null,
  "access_key" text not null,
  "secret_key" text,
  "region_id" text,
  "sign_name" text,
  "endpoint" text,
  "may_be_inside" boolean,
  "status" integer,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "sms_list" on "sms" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "sms_all" on "sms" (create_time desc, id desc) where is_deleted = 0;
create unique index "sms_uq_sms_code" on "sms" (tenant_id, sms_code) where is_deleted = 0;
create index "sms_bin" on "sms" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "sms" to store_app;
grant select, insert, update, delete on "sms" to store_platform;
alter table "sms" enable row level security;
create policy own_rows on "sms" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sms" to store_platform using (true) with check (true);

create table "sms_record" (
  "id" bigint not null,
  "tenant_id" text not null,
  "batch_id" text,
  "sms_id" bigint,
  "phone" text,
  "params" text,
  "state" text,
  "attempts" integer,
  "lease_until" timestamptz(3),
  "sent_time" timestamptz(3),
  "provider_code" text,
  "provider_msg" text,
  "biz_id" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "sms_record_list" on "sms_record" (tenant_id, create_time desc, id desc);
create index "sms_record_all" on "sms_record" (create_time desc, id desc);
create index "sms_record_by_batch_id" on "sms_record" (tenant_id, batch_id);
grant select, insert, update, delete on "sms_record" to store_app;
grant select, insert, update, delete on "sms_record" to store_platform;
alter table "sms_record" enable row level security;
create policy own_rows on "sms_record" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sms_record" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "statistics_recount" (
  "tenant_id" text not null,
  "at" timestamptz(3) not null,
  "wrong" integer not null,
  "millis" integer not null,
  primary key (tenant_id)
);
grant select, insert, update, delete on "statistics_recount" to store_app;
grant select, insert, update, delete on "statistics_recount" to store_platform;
alter table "statistics_recount" enable row level security;
create policy own_rows on "statistics_recount" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "statistics_recount" to store_platform using (true) with check (true);

create table "stock_transfer" (
  "id" bigint not null,
  "tenant_id" text not null,
  "transfer_no" text,
  "status" integer,
  "from_shop_id" bigint not null,
  "to_shop_id" bigint not null,
  "lines" jsonb,
  "summary" text,
  "pieces" integer,
  "received" integer,
  "cost_amount" bigint,
  "remainder" text,
  "missing" integer,
  "send_time" timestamptz(3),
  "send_user" bigint,
  "receive_time" timestamptz(3),
  "receive_user" bigint,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "stock_transfer_list" on "stock_transfer" (tenant_id, create_time desc, id desc);
create index "stock_transfer_all" on "stock_transfer" (create_time desc, id desc);
create index "stock_transfer_by_from_shop_id_create_time" on "stock_transfer" (tenant_id, from_shop_id, create_time desc);
create index "stock_transfer_by_to_shop_id_create_time" on "stock_transfer" (tenant_id, to_shop_id, create_time desc);
create index "stock_transfer_by_status" on "stock_transfer" (tenant_id, status);
create unique index "stock_transfer_uq_transfer_no" on "stock_transfer" (tenant_id, transfer_no);
grant select, insert, update, delete on "stock_transfer" to store_app;
grant select, insert, update, delete on "stock_transfer" to store_platform;
alter table "stock_transfer" enable row level security;
create policy own_rows on "stock_transfer" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "stock_transfer" to store_platform using (true) with check (true);

create table "stocktake" (
  "id" bigint not null,
  "tenant_id" text not null,
  "count_no" text,
  "shop_id" bigint not null,
  "status" integer,
  "scope" text not null,
  "good_type_id" bigint,
  "shelf_no" text,
  "rule" text not null,
  "goods" integer,
  "counted" integer,
  "differences" integer,
  "surplus_amount" bigint,
  "short_amount" bigint,
  "post_time" timestamptz(3),
  "post_user" bigint,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "stocktake_list" on "stocktake" (tenant_id, create_time desc, id desc);
create index "stocktake_all" on "stocktake" (create_time desc, id desc);
create index "stocktake_by_shop_id" on "stocktake" (tenant_id, shop_id, create_time desc, id desc);
create index "stocktake_by_status_shop_id" on "stocktake" (tenant_id, status, shop_id);
create unique index "stocktake_uq_count_no" on "stocktake" (tenant_id, count_no);
grant select, insert, update, delete on "stocktake" to store_app;
grant select, insert, update, delete on "stocktake" to store_platform;
alter table "stocktake" enable row level security;
create policy own_rows on "stocktake" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "stocktake" to store_platform using (true) with check (true);

create table "stocktake_count" (
  "id" bigint not null,
  "tenant_id" text not null,
  "stocktake_id" bigint not null,
  "good_id" bigint not null,
  "user_id" bigint not null,
  "mode" text not null check (mode in ('set', 'add')),
  "quantity" integer not null,
  "book" integer not null,
  "seq" integer not null,
  "request_key" text,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "stocktake_count_by_good" on "stocktake_count" (tenant_id, stocktake_id, good_id, id);
create unique index "stocktake_count_uq_request" on "stocktake_count" (tenant_id, stocktake_id, request_key) where request_key is not null;
grant select, insert on "stocktake_count" to store_app;
grant select, insert on "stocktake_count" to store_platform;
alter table "stocktake_count" enable row level security;
create policy own_rows on "stocktake_count" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "stocktake_count" to store_platform using (true) with check (true);

create table "stocktake_line" (
  "id" bigint not null,
  "tenant_id" text not null,
  "stocktake_id" bigint,
  "shop_id" bigint,
  "good_id" bigint,
  "upc" text,
  "shelf_no" text,
  "opening" integer,
  "expected" integer,
  "counted" integer,
  "difference" integer,
  "cost_price" bigint,
  "amount" bigint,
  "is_moved" boolean,
  "counters" bigint[],
  "count_time" timestamptz(3),
  "base_seq" integer,
  "posted" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "stocktake_line_list" on "stocktake_line" (tenant_id, create_time desc, id desc);
create index "stocktake_line_all" on "stocktake_line" (create_time desc, id desc);
create index "stocktake_line_by_shop_id" on "stocktake_line" (tenant_id, shop_id, create_time desc, id desc);
create index "stocktake_line_by_stocktake_id_shelf_no" on "stocktake_line" (tenant_id, stocktake_id, shelf_no);
create index "stocktake_line_by_good_id" on "stocktake_line" (tenant_id, good_id);
create unique index "stocktake_line_uq_stocktake_id_good_id" on "stocktake_line" (tenant_id, stocktake_id, good_id);
grant select, insert, update, delete on "stocktake_line" to store_app;
grant select, insert, update, delete on "stocktake_line" to store_platform;
alter table "stocktake_line" enable row level security;
create policy own_rows on "stocktake_line" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "stocktake_line" to store_platform using (true) with check (true);

create table "storage_batch" (
  "id" bigint not null,
  "tenant_id" text not null,
  "batch_no" text,
  "shop_id" bigint not null,
  "good_id" bigint not null,
  "upc" text,
  "quantity" integer not null,
  "remaining" integer,
  "cost_price" bigint,
  "production_date" date,
  "expiry_date" date,
  "supplier_id" bigint,
  "supplier_order_id" bigint,
  "is_open" boolean,
  "is_warned" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "storage_batch_quantity_range" check ("quantity" >= 0),
  constraint "storage_batch_cost_price_range" check ("cost_price" >= 0),
  primary key (tenant_id, id)
);
create index "storage_batch_list" on "storage_batch" (tenant_id, create_time desc, id desc);
create index "storage_batch_all" on "storage_batch" (create_time desc, id desc);
create index "storage_batch_by_shop_id" on "storage_batch" (tenant_id, shop_id, create_time desc, id desc);
create index "storage_batch_by_good_id_expiry_date" on "storage_batch" (tenant_id, good_id, expiry_date);
create index "storage_batch_by_expiry_date" on "storage_batch" (tenant_id, expiry_date);
create index "storage_batch_by_supplier_order_id" on "storage_batch" (tenant_id, supplier_order_id);
create index "storage_batch_of_upc" on "storage_batch" (tenant_id, upc, create_time, id);
create index "storage_batch_of_quantity" on "storage_batch" (tenant_id, quantity, create_time, id);
create index "storage_batch_of_remaining" on "storage_batch" (tenant_id, remaining, create_time, id);
create index "storage_batch_of_cost_price" on "storage_batch" (tenant_id, cost_price, create_time, id);
create index "storage_batch_of_production_date" on "storage_batch" (tenant_id, production_date, create_time, id);
create index "storage_batch_of_supplier_id" on "storage_batch" (tenant_id, supplier_id, create_time, id);
create unique index "storage_batch_uq_good_id_batch_no" on "storage_batch" (tenant_id, good_id, batch_no);
create index "storage_batch_grams_of_batch_no" on "storage_batch" using gin (text_grams(tenant_id, "batch_no"));
grant select, insert, update, delete on "storage_batch" to store_app;
grant select, insert, update, delete on "storage_batch" to store_platform;
alter table "storage_batch" enable row level security;
create policy own_rows on "storage_batch" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "storage_batch" to store_platform using (true) with check (true);

create table "storage_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "good_id" bigint,
  "upc" text,
  "type" text,
  "change" integer,
  "before" integer,
  "after" integer,
  "batch_id" bigint,
  "seq" integer,
  "ref_type" text,
  "ref_id" bigint,
  "operator" bigint,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) partition by range (id);
create index "storage_log_list" on "storage_log" (tenant_id, create_time desc, id desc);
create index "storage_log_all" on "storage_log" (create_time desc, id desc);
create index "storage_log_by_shop_id" on "storage_log" (tenant_id, shop_id, create_time desc, id desc);
create index "storage_log_by_ref_id" on "storage_log" (tenant_id, ref_id);
create index "storage_log_by_batch_id" on "storage_log" (tenant_id, batch_id);
create index "storage_log_of_upc" on "storage_log" (tenant_id, upc, create_time, id);
create index "storage_log_of_type" on "storage_log" (tenant_id, type, create_time, id);
create index "storage_log_of_change" on "storage_log" (tenant_id, change, create_time, id);
create index "storage_log_of_ref_type" on "storage_log" (tenant_id, ref_type, create_time, id);
grant select, insert on "storage_log" to store_app;
grant select, insert on "storage_log" to store_platform;
alter table "storage_log" enable row level security;
create policy own_rows on "storage_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "storage_log" to store_platform using (true) with check (true);
do $$ begin
  execute format('create table "storage_log_past" partition of "storage_log" for values
    from (minvalue) to (%s) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', ((extract(epoch from date_trunc('month', now() + interval '7 days', 'Asia/Shanghai')
      at time zone 'Asia/Shanghai' + interval '1 month') - 8 * 3600)::bigint * 1000 - 1704067200000) << 22);
  end $$;
create unique index "storage_log_uq_good_id_seq_past" on "storage_log_past" (tenant_id, good_id, seq);

create table "stored_file" (
  "key" text not null,
  "tenant_id" text not null,
  "oss_id" bigint,
  "original_name" text not null,
  "extension" text not null,
  "content_type" text not null,
  "size" bigint not null,
  "hash" text not null,
  "inline" boolean not null,
  "is_private" boolean,
  "create_user" bigint,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, key)
);
create index "stored_file_by_oss" on "stored_file" (tenant_id, oss_id);
create unique index "stored_file_uq_key" on "stored_file" (key);
grant select, insert, update, delete on "stored_file" to store_app;
grant select, insert, update, delete on "stored_file" to store_platform;
alter table "stored_file" enable row level security;
create policy own_rows on "stored_file" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "stored_file" to store_platform using (true) with check (true);

create table "supplier_cart" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "supplier_goods_id" bigint not null,
  "supplier_id" bigint,
  "upc" text,
  "quantity" integer not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "supplier_cart_quantity_range" check ("quantity" >= 1 and "quantity" <= 1000000),
  primary key (tenant_id, id)
);
create index "supplier_cart_list" on "supplier_cart" (tenant_id, create_time desc, id desc);
create index "supplier_cart_all" on "supplier_cart" (create_time desc, id desc);
create index "supplier_cart_by_shop_id" on "supplier_cart" (tenant_id, shop_id, create_time desc, id desc);
create unique index "supplier_cart_uq_shop_id_supplier_goods_id" on "supplier_cart" (tenant_id, shop_id, supplier_goods_id);
grant select, insert, update, delete on "supplier_cart" to store_app;
grant select, insert, update, delete on "supplier_cart" to store_platform;
alter table "supplier_cart" enable row level security;
create policy own_rows on "supplier_cart" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "supplier_cart" to store_platform using (true) with check (true);

create table "supplier_goods_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "supplier_id" bigint not null,
  "upc" text not null,
  "picture" text,
  "spec" text,
  "unit" text,
  "price" bigint not null,
  "box_qty" integer not null,
  "min_order" integer,
  "stock" integer,
  "shelf_days" integer,
  "on_sale" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "supplier_goods_info_price_range" check ("price" >= 0 and "price" <= 99999999),
  constraint "supplier_goods_info_box_qty_range" check ("box_qty" >= 1 and "box_qty" <= 10000),
  constraint "supplier_goods_info_min_order_range" check ("min_order" >= 1 and "min_order" <= 1000000),
  constraint "supplier_goods_info_stock_range" check ("stock" >= 0 and "stock" <= 100000000),
  constraint "supplier_goods_info_shelf_days_range" check ("shelf_days" >= 1 and "shelf_days" <= 3650),
  primary key (tenant_id, id)
);
create index "supplier_goods_info_list" on "supplier_goods_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "supplier_goods_info_all" on "supplier_goods_info" (create_time desc, id desc) where is_deleted = 0;
create index "supplier_goods_info_by_upc" on "supplier_goods_info" (tenant_id, upc) where is_deleted = 0;
create unique index "supplier_goods_info_uq_supplier_id_upc" on "supplier_goods_info" (tenant_id, supplier_id, upc) where is_deleted = 0;
create index "supplier_goods_info_bin" on "supplier_goods_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "supplier_goods_info" to store_app;
grant select, insert, update, delete on "supplier_goods_info" to store_platform;
alter table "supplier_goods_info" enable row level security;
create policy own_rows on "supplier_goods_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "supplier_goods_info" to store_platform using (true) with check (true);

create table "supplier_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "status" integer not null,
  "contact" text,
  "phone" text,
  "district" text,
  "address" text,
  "licence_no" text,
  "licence" text,
  "lead_days" integer not null,
  "min_amount" bigint,
  "freight" bigint,
  "settlement_days" integer,
  "bank_name" text,
  "account" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "supplier_info_lead_days_range" check ("lead_days" >= 0 and "lead_days" <= 90),
  constraint "supplier_info_min_amount_range" check ("min_amount" >= 0 and "min_amount" <= 99999999),
  constraint "supplier_info_freight_range" check ("freight" >= 0 and "freight" <= 9999999),
  constraint "supplier_info_settlement_days_range" check ("settlement_days" >= 0 and "settlement_days" <= 365),
  primary key (tenant_id, id)
);
create index "supplier_info_list" on "supplier_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "supplier_info_all" on "supplier_info" (create_time desc, id desc) where is_deleted = 0;
create unique index "supplier_info_uq_name" on "supplier_info" (tenant_id, name) where is_deleted = 0;
create index "supplier_info_bin" on "supplier_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "supplier_info" to store_app;
grant select, insert, update, delete on "supplier_info" to store_platform;
alter table "supplier_info" enable row level security;
create policy own_rows on "supplier_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "supplier_info" to store_platform using (true) with check (true);

create table "supplier_order" (
  "id" bigint not null,
  "tenant_id" text not null,
  "order_no" text,
  "shop_id" bigint not null,
  "supplier_id" bigint not null,
  "status" integer,
  "kinds" integer,
  "quantity" integer,
  "received_quantity" integer,
  "amount" bigint,
  "received_amount" bigint,
  "freight" bigint,
  "settled_amount" bigint,
  "settle_remark" text,
  "expect_date" date,
  "confirm_time" timestamptz(3),
  "ship_time" timestamptz(3),
  "delivery_no" text,
  "receive_time" timestamptz(3),
  "settle_time" timestamptz(3),
  "due_date" date,
  "is_short" boolean,
  "cancel_reason" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  constraint "supplier_order_freight_range" check ("freight" >= 0),
  primary key (tenant_id, id)
);
create index "supplier_order_list" on "supplier_order" (tenant_id, create_time desc, id desc);
create index "supplier_order_all" on "supplier_order" (create_time desc, id desc);
create index "supplier_order_by_shop_id" on "supplier_order" (tenant_id, shop_id, create_time desc, id desc);
create index "supplier_order_by_shop_id_status" on "supplier_order" (tenant_id, shop_id, status);
create index "supplier_order_by_supplier_id_status" on "supplier_order" (tenant_id, supplier_id, status);
create index "supplier_order_by_status_expect_date" on "supplier_order" (tenant_id, status, expect_date);
create unique index "supplier_order_uq_order_no" on "supplier_order" (tenant_id, order_no);
grant select, insert, update, delete on "supplier_order" to store_app;
grant select, insert, update, delete on "supplier_order" to store_platform;
alter table "supplier_order" enable row level security;
create policy own_rows on "supplier_order" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "supplier_order" to store_platform using (true) with check (true);

create table "supplier_order_detail" (
  "id" bigint not null,
  "tenant_id" text not null,
  "order_id" bigint,
  "shop_id" bigint,
  "supplier_goods_id" bigint,
  "good_id" bigint,
  "upc" text,
  "name" text,
  "spec" text,
  "unit" text,
  "box_qty" integer,
  "price" bigint,
  "quantity" integer,
  "amount" bigint,
  "received_quantity" integer,
  "received_amount" bigint,
  "sort" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "supplier_order_detail_list" on "supplier_order_detail" (tenant_id, create_time desc, id desc);
create index "supplier_order_detail_all" on "supplier_order_detail" (create_time desc, id desc);
create index "supplier_order_detail_by_shop_id" on "supplier_order_detail" (tenant_id, shop_id, create_time desc, id desc);
create index "supplier_order_detail_by_order_id_sort" on "supplier_order_detail" (tenant_id, order_id, sort);
create index "supplier_order_detail_by_good_id" on "supplier_order_detail" (tenant_id, good_id);
grant select, insert, update, delete on "supplier_order_detail" to store_app;
grant select, insert, update, delete on "supplier_order_detail" to store_platform;
alter table "supplier_order_detail" enable row level security;
create policy own_rows on "supplier_order_detail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "supplier_order_detail" to store_platform using (true) with check (true);

create table "sys_client" (
  "id" bigint not null,
  "client_id" text not null,
  "client_secret" text not null,
  "authorized_grant_types" text[] not null,
  "scope" text,
  "resource_ids" text,
  "web_server_redirect_uri" text,
  "authorities" text,
  "access_token_validity" integer not null,
  "refresh_token_validity" integer not null,
  "additional_information" text,
  "autoapprove" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "sys_client_access_token_validity_range" check ("access_token_validity" >= 60 and "access_token_validity" <= 2592000),
  constraint "sys_client_refresh_token_validity_range" check ("refresh_token_validity" >= 60 and "refresh_token_validity" <= 31536000),
  primary key (id)
);
create index "sys_client_list" on "sys_client" (create_time desc, id desc) where is_deleted = 0;
create unique index "sys_client_uq_client_id" on "sys_client" (client_id) where is_deleted = 0;
create index "sys_client_bin" on "sys_client" (update_time desc, id desc) where is_deleted = 1;
grant select on "sys_client" to store_app;
grant select, insert, update, delete on "sys_client" to store_platform;
alter table "sys_client" enable row level security;
create policy read_all on "sys_client" for select to store_app using (true);
create policy every_row on "sys_client" to store_platform using (true) with check (true);

create table "sys_param" (
  "id" bigint not null,
  "param_name" text not null,
  "param_key" text not null,
  "param_value" text not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (id)
);
create index "sys_param_list" on "sys_param" (create_time desc, id desc) where is_deleted = 0;
create unique index "sys_param_uq_param_key" on "sys_param" (param_key) where is_deleted = 0;
create index "sys_param_bin" on "sys_param" (update_time desc, id desc) where is_deleted = 1;
grant select on "sys_param" to store_app;
grant select, insert, update, delete on "sys_param" to store_platform;
alter table "sys_param" enable row level security;
create policy read_all on "sys_param" for select to store_app using (true);
create policy every_row on "sys_param" to store_platform using (true) with check (true);

create table "sys_role" (
  "id" bigint not null,
  "tenant_id" text not null,
  "role_name" text not null,
  "role_alias" text not null,
  "parent_id" bigint,
  "own_shops" boolean,
  "sort" integer not null,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "sys_role_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (tenant_id, id)
);
create index "sys_role_list" on "sys_role" (tenant_id, sort, id) where is_deleted = 0;
create index "sys_role_all" on "sys_role" (sort, id) where is_deleted = 0;
create index "sys_role_bin" on "sys_role" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "sys_role" to store_app;
grant select, insert, update, delete on "sys_role" to store_platform;
alter table "sys_role" enable row level security;
create policy own_rows on "sys_role" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sys_role" to store_platform using (true) with check (true);

create table "sys_user" (
  "id" bigint not null,
  "tenant_id" text not null,
  "account" text not null,
  "password" text,
  "user_type" integer not null,
  "status" integer,
  "name" text not null,
  "real_name" text not null,
  "avatar" text,
  "phone" text,
  "email" text,
  "sex" integer,
  "birthday" timestamptz(3),
  "code" text,
  "role_id" bigint[],
  "dept_id" bigint[],
  "last_login_time" timestamptz(3),
  "last_login_ip" text,
  "must_change_password" boolean,
  "password_time" timestamptz(3),
  "post_id" bigint[],
  "own_shops" boolean,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (tenant_id, id)
);
create index "sys_user_list" on "sys_user" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "sys_user_all" on "sys_user" (create_time desc, id desc) where is_deleted = 0;
create unique index "sys_user_uq_account" on "sys_user" (tenant_id, account) where is_deleted = 0;
create index "sys_user_bin" on "sys_user" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "sys_user" to store_app;
grant select, insert, update, delete on "sys_user" to store_platform;
alter table "sys_user" enable row level security;
create policy own_rows on "sys_user" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "sys_user" to store_platform using (true) with check (true);

create table "tag_account" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint not null,
  "brand" text not null,
  "endpoint" text not null,
  "may_be_inside" boolean,
  "user" text,
  "secret_key" text,
  "store_no" text,
  "font" text,
  "access_token" text,
  "state" text,
  "state_message" text,
  "seen_time" timestamptz(3),
  "well_since" timestamptz(3),
  "silences" integer,
  "rest_until" timestamptz(3),
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "tag_account_list" on "tag_account" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "tag_account_all" on "tag_account" (create_time desc, id desc) where is_deleted = 0;
create index "tag_account_by_shop_id" on "tag_account" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create unique index "tag_account_uq_name" on "tag_account" (tenant_id, name) where is_deleted = 0;
create index "tag_account_bin" on "tag_account" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "tag_account" to store_app;
grant select, insert, update, delete on "tag_account" to store_platform;
alter table "tag_account" enable row level security;
create policy own_rows on "tag_account" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tag_account" to store_platform using (true) with check (true);

create table "tag_template" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "model" text not null,
  "is_default" boolean,
  "elements" jsonb,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "tag_template_list" on "tag_template" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "tag_template_all" on "tag_template" (create_time desc, id desc) where is_deleted = 0;
create unique index "tag_template_uq_name" on "tag_template" (tenant_id, name) where is_deleted = 0;
create index "tag_template_bin" on "tag_template" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "tag_template" to store_app;
grant select, insert, update, delete on "tag_template" to store_platform;
alter table "tag_template" enable row level security;
create policy own_rows on "tag_template" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tag_template" to store_platform using (true) with check (true);

create table "taken_fee" (
  "tenant_id" text not null,
  "kind" text not null check (kind in ('pay', 'refund')),
  "number" text not null,
  "fee" bigint not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, kind, number)
);
grant select, insert, update, delete on "taken_fee" to store_app;
grant select, insert, update, delete on "taken_fee" to store_platform;
alter table "taken_fee" enable row level security;
create policy own_rows on "taken_fee" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "taken_fee" to store_platform using (true) with check (true);

create table "tally_back" (
  "id" bigint not null,
  "tenant_id" text not null,
  "difference_id" bigint not null,
  "merchant_id" bigint not null,
  "sub_mchid" text,
  "transaction_no" text not null,
  "order_no" text not null,
  "out_no" text not null,
  "paid" bigint not null check (paid > 0),
  "paid_fee" bigint not null,
  "paid_time" timestamptz(3) not null,
  "state" text not null check (state in ('asked', 'sent', 'done', 'failed')),
  "refund_there" text,
  "last_error" text,
  "attempts" integer not null default 0,
  "create_time" timestamptz(3) not null default now(),
  "done_time" timestamptz(3),
  primary key (tenant_id, id)
);
create unique index "tally_back_uq_transaction_no" on "tally_back" (tenant_id, transaction_no);
create unique index "tally_back_uq_out_no" on "tally_back" (tenant_id, out_no);
create index "tally_back_by_merchant_id" on "tally_back" (tenant_id, merchant_id);
grant select, insert, update, delete on "tally_back" to store_app;
grant select, insert, update, delete on "tally_back" to store_platform;
alter table "tally_back" enable row level security;
create policy own_rows on "tally_back" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_back" to store_platform using (true) with check (true);

create table "tally_day" (
  "id" bigint not null,
  "tenant_id" text not null,
  "day" date,
  "side" text,
  "account_name" text,
  "account_no" text,
  "merchant_id" bigint,
  "shop_id" bigint,
  "ours" bigint,
  "stated" bigint,
  "moved" bigint,
  "worth" bigint,
  "remainder" bigint,
  "withdrawn" bigint,
  "balance_to" bigint,
  "line_count" integer,
  "differences" integer,
  "read_time" timestamptz(3),
  "problem" text,
  "digest" text,
  "run_no" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "tally_day_list" on "tally_day" (tenant_id, day desc, id desc);
create index "tally_day_all" on "tally_day" (day desc, id desc);
create unique index "tally_day_uq_side_account_no_day" on "tally_day" (tenant_id, side, account_no, day);
grant select, insert, update, delete on "tally_day" to store_app;
grant select, insert, update, delete on "tally_day" to store_platform;
alter table "tally_day" enable row level security;
create policy own_rows on "tally_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_day" to store_platform using (true) with check (true);

create table "tally_difference" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text,
  "kind" text,
  "state" text,
  "day" date,
  "ours" bigint,
  "theirs" bigint,
  "worth" bigint,
  "side" text,
  "day_id" bigint,
  "merchant_id" bigint,
  "shop_id" bigint,
  "order_id" bigint,
  "order_no" text,
  "refund_no" text,
  "transaction_no" text,
  "remark" text,
  "done_user" bigint,
  "done_time" timestamptz(3),
  "mark" text,
  "run_no" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "tally_difference_list" on "tally_difference" (tenant_id, day desc, id desc);
create index "tally_difference_all" on "tally_difference" (day desc, id desc);
create index "tally_difference_by_order_id" on "tally_difference" (tenant_id, order_id);
create index "tally_difference_by_state_day" on "tally_difference" (tenant_id, state, day);
create unique index "tally_difference_uq_day_id_mark" on "tally_difference" (tenant_id, day_id, mark);
grant select, insert, update, delete on "tally_difference" to store_app;
grant select, insert, update, delete on "tally_difference" to store_platform;
alter table "tally_difference" enable row level security;
create policy own_rows on "tally_difference" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_difference" to store_platform using (true) with check (true);

create table "tally_line" (
  "id" bigint not null,
  "tenant_id" text not null,
  "day_id" bigint not null,
  "source" text not null check (source in ('trade', 'flow', 'order')),
  "kind" text not null,
  "time" timestamptz(3) not null,
  "transaction_no" text not null,
  "order_no" text not null,
  "refund_no" text not null,
  "refund_there" text not null,
  "amount" bigint not null,
  "fee" bigint not null,
  "received" bigint not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "tally_line_by_day" on "tally_line" (tenant_id, day_id, source);
create index "tally_line_by_transaction_no" on "tally_line" (tenant_id, transaction_no);
create index "tally_line_by_order_no" on "tally_line" (tenant_id, order_no);
create index "tally_line_by_create_time" on "tally_line" (create_time);
grant select, insert, update, delete on "tally_line" to store_app;
grant select, insert, update, delete on "tally_line" to store_platform;
alter table "tally_line" enable row level security;
create policy own_rows on "tally_line" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_line" to store_platform using (true) with check (true);

create table "tenant" (
  "id" bigint not null,
  "tenant_id" text not null,
  "tenant_name" text not null,
  "linkman" text,
  "contact_number" text,
  "address" text,
  "domain" text,
  "background_url" text,
  "account_number" integer,
  "expire_time" timestamptz(3),
  "package_id" bigint,
  "datasource_id" bigint,
  "is_practice" boolean,
  "license_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (tenant_id, id)
);
create index "tenant_list" on "tenant" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "tenant_all" on "tenant" (create_time desc, id desc) where is_deleted = 0;
create index "tenant_by_domain" on "tenant" (tenant_id, domain) where is_deleted = 0;
grant select, insert, update, delete on "tenant" to store_app;
grant select, insert, update, delete on "tenant" to store_platform;
alter table "tenant" enable row level security;
create policy own_rows on "tenant" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tenant" to store_platform using (true) with check (true);

create table "tenant_package" (
  "id" bigint not null,
  "package_name" text not null,
  "menu_id" bigint[] not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (id)
);
create index "tenant_package_list" on "tenant_package" (create_time desc, id desc) where is_deleted = 0;
create unique index "tenant_package_uq_package_name" on "tenant_package" (package_name) where is_deleted = 0;
create index "tenant_package_bin" on "tenant_package" (update_time desc, id desc) where is_deleted = 1;
grant select on "tenant_package" to store_app;
grant select, insert, update, delete on "tenant_package" to store_platform;
alter table "tenant_package" enable row level security;
create policy read_all on "tenant_package" for select to store_app using (true);
create policy every_row on "tenant_package" to store_platform using (true) with check (true);

create table "tenant_removal" (
  "id" bigint not null,
  "tenant_no" text not null,
  "state" text not null,
  "due_time" timestamptz(3),
  "start_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "hurried_by" bigint,
  "table_count" bigint,
  "rows_removed" bigint,
  "files_removed" bigint,
  "rows_left" bigint,
  "files_left" bigint,
  "certificate" text,
  "digest" text,
  "is_practice" boolean,
  "quiet_since" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "tenant_removal_list" on "tenant_removal" (create_time desc, id desc);
create index "tenant_removal_by_tenant_no" on "tenant_removal" (tenant_no);
grant select on "tenant_removal" to store_app;
grant select, insert, update, delete on "tenant_removal" to store_platform;
alter table "tenant_removal" enable row level security;
create policy read_all on "tenant_removal" for select to store_app using (true);
create policy every_row on "tenant_removal" to store_platform using (true) with check (true);

create table "tenant_removed_rows" (
  "removal_id" bigint not null,
  "name" text not null,
  "removed" bigint not null,
  primary key (removal_id, name)
);
grant select on "tenant_removed_rows" to store_app;
grant select, insert, update, delete on "tenant_removed_rows" to store_platform;
alter table "tenant_removed_rows" enable row level security;
create policy read_all on "tenant_removed_rows" for select to store_app using (true);
create policy every_row on "tenant_removed_rows" to store_platform using (true) with check (true);

create table "third_api" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "platform" text not null,
  "app_key" text not null,
  "app_secret" text,
  "has_secret" boolean,
  "base_url" text,
  "may_be_inside" boolean,
  "callback_url" text,
  "per_second" integer,
  "status" integer not null,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "third_api_per_second_range" check ("per_second" >= 1 and "per_second" <= 1000),
  primary key (tenant_id, id)
);
create index "third_api_list" on "third_api" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "third_api_all" on "third_api" (create_time desc, id desc) where is_deleted = 0;
create unique index "third_api_uq_platform_app_key" on "third_api" (tenant_id, platform, app_key) where is_deleted = 0;
create index "third_api_bin" on "third_api" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "third_api" to store_app;
grant select, insert, update, delete on "third_api" to store_platform;
alter table "third_api" enable row level security;
create policy own_rows on "third_api" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "third_api" to store_platform using (true) with check (true);

create table "top_menu" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "name_en" text,
  "code" text not null,
  "source" text,
  "path" text,
  "sort" integer not null,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  constraint "top_menu_sort_range" check ("sort" >= 0 and "sort" <= 1000000),
  primary key (tenant_id, id)
);
create index "top_menu_list" on "top_menu" (tenant_id, sort, id) where is_deleted = 0;
create index "top_menu_all" on "top_menu" (sort, id) where is_deleted = 0;
create unique index "top_menu_uq_code" on "top_menu" (tenant_id, code) where is_deleted = 0;
create index "top_menu_bin" on "top_menu" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "top_menu" to store_app;
grant select, insert, update, delete on "top_menu" to store_platform;
alter table "top_menu" enable row level security;
create policy own_rows on "top_menu" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "top_menu" to store_platform using (true) with check (true);

create table "top_menu_setting" (
  "tenant_id" text not null,
  "top_menu_id" bigint not null,
  "menu_id" bigint not null,
  primary key (tenant_id, top_menu_id, menu_id)
);
grant select, insert, update, delete on "top_menu_setting" to store_app;
grant select, insert, update, delete on "top_menu_setting" to store_platform;
alter table "top_menu_setting" enable row level security;
create policy own_rows on "top_menu_setting" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "top_menu_setting" to store_platform using (true) with check (true);

create table "unmanned_log" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint,
  "status" integer,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "trigger" text,
  "start_user" bigint,
  "end_user" bigint,
  "orders" integer,
  "amount" bigint,
  "open_key" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "unmanned_log_list" on "unmanned_log" (tenant_id, start_time desc, id desc);
create index "unmanned_log_all" on "unmanned_log" (start_time desc, id desc);
create index "unmanned_log_by_shop_id" on "unmanned_log" (tenant_id, shop_id, start_time desc, id desc);
create unique index "unmanned_log_uq_shop_id_open_key" on "unmanned_log" (tenant_id, shop_id, open_key);
grant select, insert, update, delete on "unmanned_log" to store_app;
grant select, insert, update, delete on "unmanned_log" to store_platform;
alter table "unmanned_log" enable row level security;
create policy own_rows on "unmanned_log" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "unmanned_log" to store_platform using (true) with check (true);

create table "user_dept" (
  "tenant_id" text not null,
  "user_id" bigint not null,
  "dept_id" bigint not null,
  primary key (tenant_id, user_id, dept_id)
);
create index "user_dept_by_dept" on "user_dept" (tenant_id, dept_id);
grant select, insert, update, delete on "user_dept" to store_app;
grant select, insert, update, delete on "user_dept" to store_platform;
alter table "user_dept" enable row level security;
create policy own_rows on "user_dept" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "user_dept" to store_platform using (true) with check (true);

create table "user_ext" (
  "tenant_id" text not null,
  "user_id" bigint not null,
  "user_type" integer not null,
  "ext" text not null,
  primary key (tenant_id, user_id, user_type)
);
grant select, insert, update, delete on "user_ext" to store_app;
grant select, insert, update, delete on "user_ext" to store_platform;
alter table "user_ext" enable row level security;
create policy own_rows on "user_ext" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "user_ext" to store_platform using (true) with check (true);

create table "user_oauth" (
  "id" bigint not null,
  "tenant_id" text not null,
  "source" text not null,
  "uuid" text not null,
  "user_id" bigint,
  "username" text,
  "nickname" text,
  "avatar" text,
  "email" text,
  "create_time" timestamptz(3) not null default now(),
  "update_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create unique index "user_oauth_uq_source_uuid" on "user_oauth" (tenant_id, source, uuid);
create index "user_oauth_by_user" on "user_oauth" (tenant_id, user_id);
grant select, insert, update, delete on "user_oauth" to store_app;
grant select, insert, update, delete on "user_oauth" to store_platform;
alter table "user_oauth" enable row level security;
create policy own_rows on "user_oauth" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "user_oauth" to store_platform using (true) with check (true);

create table "user_password" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint not null,
  "hash" text not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "user_password_by_user" on "user_password" (tenant_id, user_id, id);
grant select, insert, update, delete on "user_password" to store_app;
grant select, insert, update, delete on "user_password" to store_platform;
alter table "user_password" enable row level security;
create policy own_rows on "user_password" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "user_password" to store_platform using (true) with check (true);

create table "user_setting" (
  "tenant_id" text not null,
  "user_id" bigint not null,
  "key" text not null,
  "value" jsonb not null,
  "update_time" timestamptz(3) not null default now(),
  primary key (tenant_id, user_id, key)
);
grant select, insert, update, delete on "user_setting" to store_app;
grant select, insert, update, delete on "user_setting" to store_platform;
alter table "user_setting" enable row level security;
create policy own_rows on "user_setting" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "user_setting" to store_platform using (true) with check (true);

create table "vendor_event" (
  "id" bigint not null,
  "tenant_id" text not null,
  "system" text,
  "kind" text,
  "subject" text,
  "event_key" text,
  "state" text,
  "body" text,
  "times" integer,
  "handled_time" timestamptz(3),
  "fail_reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "vendor_event_list" on "vendor_event" (tenant_id, create_time desc, id desc);
create index "vendor_event_all" on "vendor_event" (create_time desc, id desc);
create unique index "vendor_event_uq_system_event_key" on "vendor_event" (tenant_id, system, event_key);
grant select, insert, update, delete on "vendor_event" to store_app;
grant select, insert, update, delete on "vendor_event" to store_platform;
alter table "vendor_event" enable row level security;
create policy own_rows on "vendor_event" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "vendor_event" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "vip_day" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "shop_id" bigint,
  "cycle" text not null,
  "days" text[] not null,
  "discount_rate" numeric(7,2) not null,
  "integral_times" numeric(18,2) not null,
  "start_date" date,
  "end_date" date,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "vip_day_discount_rate_range" check ("discount_rate" >= 1 and "discount_rate" <= 100),
  constraint "vip_day_integral_times_range" check ("integral_times" >= 0 and "integral_times" <= 20),
  primary key (tenant_id, id)
);
create index "vip_day_list" on "vip_day" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "vip_day_all" on "vip_day" (create_time desc, id desc) where is_deleted = 0;
create index "vip_day_by_shop_id" on "vip_day" (tenant_id, shop_id) where is_deleted = 0;
create index "vip_day_bin" on "vip_day" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "vip_day" to store_app;
grant select, insert, update, delete on "vip_day" to store_platform;
alter table "vip_day" enable row level security;
create policy own_rows on "vip_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "vip_day" to store_platform using (true) with check (true);

create table "vip_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "wx_user_id" bigint not null,
  "level" bigint not null,
  "card_no" text,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3) not null,
  "status" integer,
  "source" text,
  "needed_amount" bigint,
  "shop_id" bigint,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "vip_info_list" on "vip_info" (tenant_id, create_time desc, id desc);
create index "vip_info_all" on "vip_info" (create_time desc, id desc);
create index "vip_info_by_shop_id" on "vip_info" (tenant_id, shop_id, create_time desc, id desc);
create index "vip_info_by_wx_user_id_end_time" on "vip_info" (tenant_id, wx_user_id, end_time);
create index "vip_info_by_level" on "vip_info" (tenant_id, level);
create index "vip_info_by_end_time" on "vip_info" (tenant_id, end_time);
create unique index "vip_info_uq_card_no" on "vip_info" (tenant_id, card_no);
grant select, insert, update, delete on "vip_info" to store_app;
grant select, insert, update, delete on "vip_info" to store_platform;
alter table "vip_info" enable row level security;
create policy own_rows on "vip_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "vip_info" to store_platform using (true) with check (true);

create table "vip_level" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "rank" integer not null,
  "discount_rate" numeric(7,2) not null,
  "integral_times" numeric(18,2) not null,
  "benefits" text,
  "spend_threshold" bigint,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "vip_level_rank_range" check ("rank" >= 1 and "rank" <= 1000),
  constraint "vip_level_discount_rate_range" check ("discount_rate" >= 1 and "discount_rate" <= 100),
  constraint "vip_level_integral_times_range" check ("integral_times" >= 0 and "integral_times" <= 20),
  constraint "vip_level_spend_threshold_range" check ("spend_threshold" >= 0 and "spend_threshold" <= 99999999),
  primary key (tenant_id, id)
);
create index "vip_level_list" on "vip_level" (tenant_id, rank, id) where is_deleted = 0;
create index "vip_level_all" on "vip_level" (rank, id) where is_deleted = 0;
create unique index "vip_level_uq_rank" on "vip_level" (tenant_id, rank) where is_deleted = 0;
create unique index "vip_level_uq_name" on "vip_level" (tenant_id, name) where is_deleted = 0;
create index "vip_level_bin" on "vip_level" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "vip_level" to store_app;
grant select, insert, update, delete on "vip_level" to store_platform;
alter table "vip_level" enable row level security;
create policy own_rows on "vip_level" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "vip_level" to store_platform using (true) with check (true);

create table "vip_price" (
  "id" bigint not null,
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "good_id" bigint not null,
  "price" bigint not null,
  "start_time" timestamptz(3),
  "end_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  constraint "vip_price_price_range" check ("price" >= 0 and "price" <= 99999999),
  primary key (tenant_id, id)
);
create index "vip_price_list" on "vip_price" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "vip_price_all" on "vip_price" (create_time desc, id desc) where is_deleted = 0;
create index "vip_price_by_shop_id" on "vip_price" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "vip_price_by_good_id_start_time" on "vip_price" (tenant_id, good_id, start_time) where is_deleted = 0;
create index "vip_price_bin" on "vip_price" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "vip_price" to store_app;
grant select, insert, update, delete on "vip_price" to store_platform;
alter table "vip_price" enable row level security;
create policy own_rows on "vip_price" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "vip_price" to store_platform using (true) with check (true);

create table "visit_record" (
  "id" bigint not null,
  "tenant_id" text not null,
  "visit_id" bigint not null,
  "kind" text not null,
  "time" timestamptz(3) not null,
  "device_id" bigint,
  "device_name" text,
  "picture" text,
  "good_id" bigint,
  "quantity" integer not null default 1,
  "order_id" bigint,
  "note" text,
  primary key (tenant_id, id)
);
create index "visit_record_by_visit_id" on "visit_record" (tenant_id, visit_id, time, id);
grant select, insert on "visit_record" to store_app;
grant select, insert on "visit_record" to store_platform;
alter table "visit_record" enable row level security;
create policy own_rows on "visit_record" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "visit_record" to store_platform using (true) with check (true);

create table "visitors_by_day" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "at" timestamptz(3) not null,
  "people" bigint not null,
  primary key (tenant_id, shop_id, at)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "visitors_by_day_by_time" on "visitors_by_day" (tenant_id, at);
grant select, insert, update, delete on "visitors_by_day" to store_app;
grant select, insert, update, delete on "visitors_by_day" to store_platform;
alter table "visitors_by_day" enable row level security;
create policy own_rows on "visitors_by_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "visitors_by_day" to store_platform using (true) with check (true);

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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
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

create table "work_device" (
  "id" bigint not null,
  "tenant_id" text not null,
  "work_id" bigint not null,
  "shop_id" bigint,
  "device_type" text not null,
  "sn" text not null,
  "position" text,
  "action" text not null,
  "picture" text,
  "device_id" bigint,
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
create index "work_device_list" on "work_device" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "work_device_all" on "work_device" (create_time desc, id desc) where is_deleted = 0;
create index "work_device_by_shop_id" on "work_device" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "work_device_by_sn" on "work_device" (tenant_id, sn) where is_deleted = 0;
create unique index "work_device_uq_work_id_sn" on "work_device" (tenant_id, work_id, sn) where is_deleted = 0;
create index "work_device_bin" on "work_device" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "work_device" to store_app;
grant select, insert, update, delete on "work_device" to store_platform;
alter table "work_device" enable row level security;
create policy own_rows on "work_device" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "work_device" to store_platform using (true) with check (true);

create table "work_info" (
  "id" bigint not null,
  "tenant_id" text not null,
  "work_no" text,
  "title" text not null,
  "type" text not null,
  "status" integer,
  "shop_id" bigint not null,
  "content" text,
  "contact" text,
  "phone" text,
  "worker_user_id" bigint,
  "plan_time" timestamptz(3),
  "start_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "pictures" text[],
  "result_remark" text,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "work_info_list" on "work_info" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "work_info_all" on "work_info" (create_time desc, id desc) where is_deleted = 0;
create index "work_info_by_shop_id" on "work_info" (tenant_id, shop_id, create_time desc, id desc) where is_deleted = 0;
create index "work_info_by_status_plan_time" on "work_info" (tenant_id, status, plan_time) where is_deleted = 0;
create index "work_info_by_worker_user_id_status" on "work_info" (tenant_id, worker_user_id, status) where is_deleted = 0;
create unique index "work_info_uq_work_no" on "work_info" (tenant_id, work_no) where is_deleted = 0;
create index "work_info_bin" on "work_info" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "work_info" to store_app;
grant select, insert, update, delete on "work_info" to store_platform;
alter table "work_info" enable row level security;
create policy own_rows on "work_info" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "work_info" to store_platform using (true) with check (true);

create table "wx_shoper" (
  "id" bigint not null,
  "tenant_id" text not null,
  "nickname" text not null,
  "openid" text not null,
  "phone" text,
  "role" text not null,
  "user_id" bigint,
  "shop_ids" bigint[],
  "bind_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
);
create index "wx_shoper_list" on "wx_shoper" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "wx_shoper_all" on "wx_shoper" (create_time desc, id desc) where is_deleted = 0;
create index "wx_shoper_by_shop_ids" on "wx_shoper" (tenant_id, shop_ids, create_time desc, id desc) where is_deleted = 0;
create index "wx_shoper_by_user_id" on "wx_shoper" (tenant_id, user_id) where is_deleted = 0;
create unique index "wx_shoper_uq_openid" on "wx_shoper" (tenant_id, openid) where is_deleted = 0;
create index "wx_shoper_bin" on "wx_shoper" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "wx_shoper" to store_app;
grant select, insert, update, delete on "wx_shoper" to store_platform;
alter table "wx_shoper" enable row level security;
create policy own_rows on "wx_shoper" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wx_shoper" to store_platform using (true) with check (true);

create table "wx_user" (
  "id" bigint not null,
  "tenant_id" text not null,
  "nickname" text,
  "avatar" text,
  "phone" text,
  "gender" integer,
  "openid" text,
  "unionid" text,
  "balance" bigint,
  "integral" integer,
  "vip_level" integer,
  "vip_end_time" timestamptz(3),
  "total_spent" bigint,
  "order_count" integer,
  "last_visit_time" timestamptz(3),
  "merged_into" bigint,
  "merge_time" timestamptz(3),
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "own_t1" text, "own_t2" text, "own_t3" text,
  "own_t4" text, "own_t5" text, "own_t6" text,
  "own_t7" text, "own_t8" text, "own_t9" text,
  "own_t10" text, "own_t11" text, "own_t12" text,
  "own_x1" text, "own_x2" text, "own_f1" float8,
  "own_f2" float8, "own_f3" float8, "own_f4" float8,
  "own_f5" float8, "own_f6" float8, "own_f7" float8,
  "own_f8" float8, "own_d1" date, "own_d2" date,
  "own_d3" date, "own_d4" date, "own_m1" timestamptz(3),
  "own_m2" timestamptz(3), "own_r1" bigint, "own_r2" bigint,
  "own_r3" bigint, "own_r4" bigint, "own_l1" text[],
  "own_l2" text[],
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "wx_user_list" on "wx_user" (tenant_id, create_time desc, id desc);
create index "wx_user_all" on "wx_user" (create_time desc, id desc);
create index "wx_user_by_phone" on "wx_user" (tenant_id, phone);
create index "wx_user_by_unionid" on "wx_user" (tenant_id, unionid);
create index "wx_user_by_merged_into" on "wx_user" (tenant_id, merged_into);
create index "wx_user_by_last_visit_time" on "wx_user" (tenant_id, last_visit_time);
create index "wx_user_of_balance" on "wx_user" (tenant_id, balance, create_time, id);
create index "wx_user_of_integral" on "wx_user" (tenant_id, integral, create_time, id);
create index "wx_user_of_vip_level" on "wx_user" (tenant_id, vip_level, create_time, id);
create index "wx_user_of_total_spent" on "wx_user" (tenant_id, total_spent, create_time, id);
create index "wx_user_of_order_count" on "wx_user" (tenant_id, order_count, create_time, id);
create unique index "wx_user_uq_openid" on "wx_user" (tenant_id, openid);
create index "wx_user_grams_of_nickname" on "wx_user" using gin (text_grams(tenant_id, "nickname"));
grant select, insert, update, delete on "wx_user" to store_app;
grant select, insert, update, delete on "wx_user" to store_platform;
alter table "wx_user" enable row level security;
create policy own_rows on "wx_user" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wx_user" to store_platform using (true) with check (true);

create table "wx_user_merge" (
  "id" bigint not null,
  "tenant_id" text not null,
  "source_id" bigint,
  "target_id" bigint,
  "balance" bigint,
  "integral" integer,
  "state" text,
  "moved" jsonb,
  "moved_count" integer,
  "finish_time" timestamptz(3),
  "reason" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "wx_user_merge_list" on "wx_user_merge" (tenant_id, create_time desc, id desc);
create index "wx_user_merge_all" on "wx_user_merge" (create_time desc, id desc);
create index "wx_user_merge_by_target_id" on "wx_user_merge" (tenant_id, target_id);
create unique index "wx_user_merge_uq_source_id" on "wx_user_merge" (tenant_id, source_id);
grant select, insert, update, delete on "wx_user_merge" to store_app;
grant select, insert, update, delete on "wx_user_merge" to store_platform;
alter table "wx_user_merge" enable row level security;
create policy own_rows on "wx_user_merge" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wx_user_merge" to store_platform using (true) with check (true);

create table "wx_user_shop" (
  "tenant_id" text not null,
  "shop_id" bigint not null,
  "wx_user_id" bigint not null,
  "order_count" integer not null default 0,
  "last_time" timestamptz(3),
  primary key (tenant_id, shop_id, wx_user_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "wx_user_shop_by_wx_user_id" on "wx_user_shop" (tenant_id, wx_user_id);
grant select, insert, update, delete on "wx_user_shop" to store_app;
grant select, insert, update, delete on "wx_user_shop" to store_platform;
alter table "wx_user_shop" enable row level security;
create policy own_rows on "wx_user_shop" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "wx_user_shop" to store_platform using (true) with check (true);


create or replace function device_link_held() returns trigger language plpgsql as $$ begin
  insert into device_holder (tenant_id, link_id, client_id) values (new.tenant_id, new.id, new.client_id)
    on conflict do nothing;
  return null;
end $$;
drop trigger if exists device_link_held on device_link;
create trigger device_link_held after update of state on device_link
  for each row when (new.state = 'online' and old.state is distinct from 'online' and new.client_id is not null)
  execute function device_link_held();


create or replace function device_link_of_basic_shop_info() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.client_id is not distinct from old.client_id and new.shop_name = old.shop_name
    and new.id = old.id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.client_id is null or tg_op = 'UPDATE' and new.client_id is distinct from old.client_id
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.client_id is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.client_id
      and l.id <> new.id) then
      raise unique_violation using constraint = 'basic_shop_info_uq_client_id';
    end if;
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, 'gateway', new.client_id, new.shop_name, new.id, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on basic_shop_info;
create trigger device_link_follows after insert or update on basic_shop_info
  for each row execute function device_link_of_basic_shop_info();


create or replace function device_link_of_epa_gateway() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.client_id is not distinct from old.client_id and new.name = old.name
    and new.shop_id = old.shop_id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.client_id is null or tg_op = 'UPDATE' and new.client_id is distinct from old.client_id
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.client_id is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.client_id
      and l.id <> new.id) then
      raise unique_violation using constraint = 'epa_gateway_uq_client_id';
    end if;
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, 'power', new.client_id, new.name, new.shop_id, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on epa_gateway;
create trigger device_link_follows after insert or update on epa_gateway
  for each row execute function device_link_of_epa_gateway();


create or replace function device_link_of_cash_register() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.sn is not distinct from old.sn and new.name = old.name
    and new.shop_id = old.shop_id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.sn is null or tg_op = 'UPDATE' and new.sn is distinct from old.sn
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.sn is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.sn
      and l.id <> new.id) then
      raise unique_violation using constraint = 'cash_register_uq_sn';
    end if;
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, 'register', new.sn, new.name, new.shop_id, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on cash_register;
create trigger device_link_follows after insert or update on cash_register
  for each row execute function device_link_of_cash_register();

create or replace function "good_info_holding_name"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."good_info" where is_deleted = 0 and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "name") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("name"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "good_info_holding_name" from public;
grant execute on function "good_info_holding_name" to store_app, store_platform;

create or replace function "good_info_holding_brand"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."good_info" where is_deleted = 0 and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "brand") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("brand"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "good_info_holding_brand" from public;
grant execute on function "good_info_holding_brand" to store_app, store_platform;

create or replace function "good_info_holding_shelf_no"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."good_info" where is_deleted = 0 and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "shelf_no") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("shelf_no"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "good_info_holding_shelf_no" from public;
grant execute on function "good_info_holding_shelf_no" to store_app, store_platform;


create or replace function guard_follows_event() returns trigger language plpgsql as $$
begin
  if new.level < 2 or new.type in ('lowStock', 'expiring', 'tagBatteryLow', 'tagsLost', 'rolloutStopped') then
    return null;
  end if;
  if new.status = 0 and (tg_op = 'INSERT' or old.status <> 0 or old.level < 2) then
    insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, kind, level, event_id, visit_id)
    select new.id, new.tenant_id, new.shop_id, 0, m.moment, m.moment, new.type, new.level, new.id, substring(new.subject from '^visit/([0-9]{1,18})$')::bigint
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = 0, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= 2;
    update guard_case c set wx_user_id = v.wx_user_id from customer_visit_log v
      where c.tenant_id = new.tenant_id and c.id = new.id and v.tenant_id = c.tenant_id and v.id = c.visit_id;
  elsif tg_op = 'UPDATE' then
    if new.level <> old.level then
      update guard_case set level = new.level where tenant_id = new.tenant_id and id = new.id;
    end if;
    if new.status = 1 and old.status <> 1 and new.handler is not null then
      update guard_case set status = 1, taker_id = new.handler, take_time = now(),
        first_time = coalesce(first_time, now()), update_time = now(), version = version + 1
        where tenant_id = new.tenant_id and id = new.id and status = 0;
    elsif new.status = 2 and old.status <> 2 then
      if new.handler is not null and (new.handle_time is distinct from old.handle_time
      or (new.handle_remark is distinct from old.handle_remark and new.handle_remark <> '已自动恢复')) then
        update guard_case set status = 2, outcome = 'elsewhere', end_time = now(),
          first_time = coalesce(first_time, now()), taker_id = coalesce(taker_id, new.handler),
          remark = left(new.handle_remark, 500), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
      else
        update guard_case set status = 3, outcome = 'itself', end_time = now(), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
      end if;
    end if;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_event on shop_event;
create trigger guard_follows_event after insert on shop_event for each row execute function guard_follows_event();
drop trigger if exists guard_follows_handled_event on shop_event;
create trigger guard_follows_handled_event after update on shop_event for each row
  when (old.status is distinct from new.status or old.level is distinct from new.level)
  execute function guard_follows_event();


create or replace function guard_follows_visit() returns trigger language plpgsql as $$
begin
  if new.result = 'suspicious' then
    insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, kind, level, visit_id, wx_user_id)
    select new.id, new.tenant_id, new.shop_id, 0, m.moment, m.moment, 'suspicious', 2, new.id, new.wx_user_id
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = 0, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= 2;
  else
    update guard_case set status = 3, outcome = 'itself', end_time = now(), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_visit on customer_visit_log;
create trigger guard_follows_visit after insert on customer_visit_log for each row
  when (new.result = 'suspicious') execute function guard_follows_visit();
drop trigger if exists guard_follows_result on customer_visit_log;
create trigger guard_follows_result after update on customer_visit_log for each row
  when (old.result is distinct from new.result and (new.result = 'suspicious' or old.result = 'suspicious'))
  execute function guard_follows_visit();


create or replace function guard_follows_refund() returns trigger language plpgsql as $$
begin
  if new.status = 0 then
    insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, kind, level, refund_id, wx_user_id)
    select new.id, new.tenant_id, new.shop_id, 0, m.moment, m.moment, 'refund', 1, new.id, new.wx_user_id
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = 0, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= 2;
  else
    update guard_case set status = 2, end_time = now(), first_time = coalesce(first_time, now()),
      outcome = case when new.status = 5 then 'rejected' else 'approved' end,
      taker_id = coalesce(taker_id, new.second_user, new.audit_user), remark = left(new.audit_remark, 500), update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < 2;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_refund on refunds;
create trigger guard_follows_refund after insert on refunds for each row
  when (new.status = 0) execute function guard_follows_refund();
drop trigger if exists guard_follows_decision on refunds;
create trigger guard_follows_decision after update on refunds for each row
  when (old.status is distinct from new.status and (new.status = 0 or old.status = 0))
  execute function guard_follows_refund();

create or replace function "log_error_holding_service_id"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "service_id") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("service_id"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_service_id" from public;
grant execute on function "log_error_holding_service_id" to store_app, store_platform;

create or replace function "log_error_holding_server_host"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "server_host") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("server_host"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_server_host" from public;
grant execute on function "log_error_holding_server_host" to store_app, store_platform;

create or replace function "log_error_holding_request_uri"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "request_uri") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("request_uri"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_request_uri" from public;
grant execute on function "log_error_holding_request_uri" to store_app, store_platform;

create or replace function "log_error_holding_remote_ip"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "remote_ip") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("remote_ip"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_remote_ip" from public;
grant execute on function "log_error_holding_remote_ip" to store_app, store_platform;

create or replace function "log_error_holding_create_by"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "create_by") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("create_by"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_create_by" from public;
grant execute on function "log_error_holding_create_by" to store_app, store_platform;

create or replace function "log_error_holding_exception_name"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "exception_name") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("exception_name"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_exception_name" from public;
grant execute on function "log_error_holding_exception_name" to store_app, store_platform;

create or replace function "log_error_holding_summary"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "summary") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("summary"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_summary" from public;
grant execute on function "log_error_holding_summary" to store_app, store_platform;

create or replace function "log_usual_holding_service_id"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "service_id") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("service_id"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_service_id" from public;
grant execute on function "log_usual_holding_service_id" to store_app, store_platform;

create or replace function "log_usual_holding_server_host"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "server_host") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("server_host"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_server_host" from public;
grant execute on function "log_usual_holding_server_host" to store_app, store_platform;

create or replace function "log_usual_holding_request_uri"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "request_uri") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("request_uri"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_request_uri" from public;
grant execute on function "log_usual_holding_request_uri" to store_app, store_platform;

create or replace function "log_usual_holding_remote_ip"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "remote_ip") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("remote_ip"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_remote_ip" from public;
grant execute on function "log_usual_holding_remote_ip" to store_app, store_platform;

create or replace function "log_usual_holding_create_by"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "create_by") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("create_by"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_create_by" from public;
grant execute on function "log_usual_holding_create_by" to store_app, store_platform;

create or replace function "log_usual_holding_log_id"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "log_id") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("log_id"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_log_id" from public;
grant execute on function "log_usual_holding_log_id" to store_app, store_platform;

create or replace function "notice_log_holding_content"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."notice_log" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "content") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("content"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "notice_log_holding_content" from public;
grant execute on function "notice_log_holding_content" to store_app, store_platform;


create or replace function follow_goods_there() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  if exists (select from ele_sku_info s
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0) then
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.sale_price is distinct from new.sale_price) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from ele_sku_info s
    join ele_shop_info p on p.tenant_id = s.tenant_id and p.id = s.ele_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0
  ), moved as (
    update ele_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  end if;
  if exists (select from meituan_sku_info s
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0) then
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.sale_price is distinct from new.sale_price) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from meituan_sku_info s
    join meituan_shop_info p on p.tenant_id = s.tenant_id and p.id = s.meituan_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0
  ), moved as (
    update meituan_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  end if;
  if waiting > 0 then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, 'platform.waits', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.waits');
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;
drop trigger if exists follow_goods_there on good_info;
create constraint trigger follow_goods_there after update on good_info deferrable initially deferred for each row
  when (old.stock is distinct from new.stock or old.sale_price is distinct from new.sale_price or old.on_sale is distinct from new.on_sale or old.is_deleted is distinct from new.is_deleted) execute function follow_goods_there();


create or replace function follow_ele_shop() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.markup is distinct from new.markup) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from ele_sku_info s
    join ele_shop_info p on p.tenant_id = s.tenant_id and p.id = s.ele_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and p.id = new.id and s.is_deleted = 0
  ), moved as (
    update ele_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  if waiting > 0 then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, 'platform.waits', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.waits');
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;
drop trigger if exists follow_ele_shop on ele_shop_info;
create constraint trigger follow_ele_shop after update on ele_shop_info deferrable initially deferred
  for each row when (old.stock_buffer is distinct from new.stock_buffer or old.markup is distinct from new.markup) execute function follow_ele_shop();


create or replace function follow_meituan_shop() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.markup is distinct from new.markup) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from meituan_sku_info s
    join meituan_shop_info p on p.tenant_id = s.tenant_id and p.id = s.meituan_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and p.id = new.id and s.is_deleted = 0
  ), moved as (
    update meituan_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  if waiting > 0 then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, 'platform.waits', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.waits');
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;
drop trigger if exists follow_meituan_shop on meituan_shop_info;
create constraint trigger follow_meituan_shop after update on meituan_shop_info deferrable initially deferred
  for each row when (old.stock_buffer is distinct from new.stock_buffer or old.markup is distinct from new.markup) execute function follow_meituan_shop();


create or replace function follow_events_there() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ele_shop_info p where p.tenant_id = new.tenant_id and p.shop_id = new.shop_id
      and p.platform_shop_id is not null)
    or exists (select 1 from meituan_shop_info p where p.tenant_id = new.tenant_id and p.shop_id = new.shop_id
      and p.platform_shop_id is not null) then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
      values (new.tenant_id, 'platform.safety', '{}', new.id || case when new.open_key is null then '/over' else '' end,
        clock_timestamp(), 10)
      on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.safety');
  end if;
  return null;
end $$;
drop trigger if exists follow_events_there on shop_event;
create trigger follow_events_there after insert on shop_event for each row execute function follow_events_there();
drop trigger if exists follow_solved_there on shop_event;
create trigger follow_solved_there after update on shop_event for each row
  when (old.open_key is distinct from new.open_key) execute function follow_events_there();

create or replace function follow_shopping_order() returns trigger language plpgsql set enable_seqscan = off
    set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op = 'INSERT' then
    insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
    from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
    from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) s group by tenant_id, shop_id, at) d
            where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from fresh r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
    insert into people_delta (tenant_id, shop_id, at, wx_user_id, orders) select * from (select tenant_id, shop_id, at, wx_user_id, sum(orders)::bigint as orders
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
    from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f) s group by tenant_id, shop_id, at, wx_user_id) d
            where orders <> 0;
  elsif tg_op = 'DELETE' then
    insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
    from (select tenant_id, shop_id, at, -sales as sales, -orders as orders, -guests as guests, -items as items, -cost as cost, -discount as discount, -freight as freight, -refunds as refunds, -refund_count as refund_count from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
    from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at) d
            where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from was r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
    insert into people_delta (tenant_id, shop_id, at, wx_user_id, orders) select * from (select tenant_id, shop_id, at, wx_user_id, sum(orders)::bigint as orders
    from (select tenant_id, shop_id, at, wx_user_id, -orders as orders from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
    from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f) n) s group by tenant_id, shop_id, at, wx_user_id) d
            where orders <> 0;
  elsif exists (select id, tenant_id, shop_id, status, pay_time, wx_user_id, pay_amount, quantity, cost_amount, discount_amount, ticket_amount, vip_amount, integral_amount, freight from fresh except select id, tenant_id, shop_id, status, pay_time, wx_user_id, pay_amount, quantity, cost_amount, discount_amount, ticket_amount, vip_amount, integral_amount, freight from was) then
    insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
    from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
    from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f union all select tenant_id, shop_id, at, -sales as sales, -orders as orders, -guests as guests, -items as items, -cost as cost, -discount as discount, -freight as freight, -refunds as refunds, -refund_count as refund_count from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.pay_amount, 0)::bigint as sales, coalesce(1, 0)::bigint as orders, coalesce(case when r.wx_user_id is null then 1 else 0 end, 0)::bigint as guests, coalesce(r.quantity, 0)::bigint as items, coalesce(r.cost_amount, 0)::bigint as cost, coalesce(coalesce(r.discount_amount, 0) + coalesce(r.ticket_amount, 0) + coalesce(r.vip_amount, 0) + coalesce(r.integral_amount, 0), 0)::bigint as discount, coalesce(r.freight, 0)::bigint as freight, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_count
    from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at) d
            where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from fresh r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f union all select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from was r cross join lateral (select * from shopping_order_detail x where x.tenant_id = r.tenant_id and x.order_id = r.id offset 0) d where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
    insert into people_delta (tenant_id, shop_id, at, wx_user_id, orders) select * from (select tenant_id, shop_id, at, wx_user_id, sum(orders)::bigint as orders
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
    from fresh r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f union all select tenant_id, shop_id, at, wx_user_id, -orders as orders from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          wx_user_id, orders from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(r.wx_user_id, 0)::bigint as wx_user_id, coalesce(1, 0)::bigint as orders
    from was r where r.status in (1, 2, 3, 4) and r.pay_time is not null and r.wx_user_id is not null) f) n) s group by tenant_id, shop_id, at, wx_user_id) d
            where orders <> 0;
  end if;
  return null;
end $$;
create or replace trigger follow_shopping_order_insert after insert on "shopping_order" referencing new table as fresh for each
      statement execute function follow_shopping_order();
create or replace trigger follow_shopping_order_update after update on "shopping_order" referencing old table as was new table as fresh for each
      statement execute function follow_shopping_order();
create or replace trigger follow_shopping_order_delete after delete on "shopping_order" referencing old table as was for each
      statement execute function follow_shopping_order();

create or replace function follow_shopping_order_detail() returns trigger language plpgsql set enable_seqscan = off
    set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op = 'INSERT' then
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from fresh d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
  elsif tg_op = 'DELETE' then
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from was d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
  elsif exists (select id, tenant_id, order_id, good_id, amount, quantity, cost_amount from fresh except select id, tenant_id, order_id, good_id, amount, quantity, cost_amount from was) then
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from fresh d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f union all select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.pay_time as at, coalesce(d.good_id, 0)::bigint as good_id, coalesce(d.amount, 0)::bigint as sales, coalesce(d.quantity, 0)::bigint as items, coalesce(d.cost_amount, 0)::bigint as cost, coalesce(0, 0)::bigint as refunds, coalesce(0, 0)::bigint as refund_items
    from was d cross join lateral (select * from shopping_order o where d.tenant_id = o.tenant_id and d.order_id = o.id offset 0) r where r.status in (1, 2, 3, 4) and r.pay_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
  end if;
  return null;
end $$;
create or replace trigger follow_shopping_order_detail_insert after insert on "shopping_order_detail" referencing new table as fresh for each
      statement execute function follow_shopping_order_detail();
create or replace trigger follow_shopping_order_detail_update after update on "shopping_order_detail" referencing old table as was new table as fresh for each
      statement execute function follow_shopping_order_detail();
create or replace trigger follow_shopping_order_detail_delete after delete on "shopping_order_detail" referencing old table as was for each
      statement execute function follow_shopping_order_detail();

create or replace function follow_refunds() returns trigger language plpgsql set enable_seqscan = off
    set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op = 'INSERT' then
    insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
    from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as orders, coalesce(0, 0)::bigint as guests, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(0, 0)::bigint as discount, coalesce(0, 0)::bigint as freight, coalesce(r.amount, 0)::bigint as refunds, coalesce(1, 0)::bigint as refund_count
    from fresh r where r.status = 3 and r.finish_time is not null) f) s group by tenant_id, shop_id, at) d
            where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(case when l ->> 'goodId' ~ '^[0-9]{1,18}$' then (l ->> 'goodId')::bigint end, 0)::bigint as good_id, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(round(case when l ->> 'amount' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'amount')::numeric else 0 end * 100), 0)::bigint as refunds, coalesce(case when l ->> 'quantity' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'quantity')::numeric else 0 end, 0)::bigint as refund_items
    from fresh r cross join lateral jsonb_array_elements(case jsonb_typeof(r.lines) when 'array' then r.lines else '[]' end) l where r.status = 3 and r.finish_time is not null) f) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
  elsif tg_op = 'DELETE' then
    insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
    from (select tenant_id, shop_id, at, -sales as sales, -orders as orders, -guests as guests, -items as items, -cost as cost, -discount as discount, -freight as freight, -refunds as refunds, -refund_count as refund_count from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as orders, coalesce(0, 0)::bigint as guests, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(0, 0)::bigint as discount, coalesce(0, 0)::bigint as freight, coalesce(r.amount, 0)::bigint as refunds, coalesce(1, 0)::bigint as refund_count
    from was r where r.status = 3 and r.finish_time is not null) f) n) s group by tenant_id, shop_id, at) d
            where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(case when l ->> 'goodId' ~ '^[0-9]{1,18}$' then (l ->> 'goodId')::bigint end, 0)::bigint as good_id, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(round(case when l ->> 'amount' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'amount')::numeric else 0 end * 100), 0)::bigint as refunds, coalesce(case when l ->> 'quantity' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'quantity')::numeric else 0 end, 0)::bigint as refund_items
    from was r cross join lateral jsonb_array_elements(case jsonb_typeof(r.lines) when 'array' then r.lines else '[]' end) l where r.status = 3 and r.finish_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
  elsif exists (select id, tenant_id, shop_id, status, finish_time, amount, lines from fresh except select id, tenant_id, shop_id, status, finish_time, amount, lines from was) then
    insert into sales_delta (tenant_id, shop_id, at, sales, orders, guests, items, cost, discount, freight, refunds, refund_count) select * from (select tenant_id, shop_id, at, sum(sales)::bigint as sales, sum(orders)::bigint as orders, sum(guests)::bigint as guests, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(discount)::bigint as discount, sum(freight)::bigint as freight, sum(refunds)::bigint as refunds, sum(refund_count)::bigint as refund_count
    from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as orders, coalesce(0, 0)::bigint as guests, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(0, 0)::bigint as discount, coalesce(0, 0)::bigint as freight, coalesce(r.amount, 0)::bigint as refunds, coalesce(1, 0)::bigint as refund_count
    from fresh r where r.status = 3 and r.finish_time is not null) f union all select tenant_id, shop_id, at, -sales as sales, -orders as orders, -guests as guests, -items as items, -cost as cost, -discount as discount, -freight as freight, -refunds as refunds, -refund_count as refund_count from (select tenant_id, shop_id, date_trunc('hour', at, 'Asia/Shanghai') as at,
          sales, orders, guests, items, cost, discount, freight, refunds, refund_count from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as orders, coalesce(0, 0)::bigint as guests, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(0, 0)::bigint as discount, coalesce(0, 0)::bigint as freight, coalesce(r.amount, 0)::bigint as refunds, coalesce(1, 0)::bigint as refund_count
    from was r where r.status = 3 and r.finish_time is not null) f) n) s group by tenant_id, shop_id, at) d
            where sales <> 0 or orders <> 0 or guests <> 0 or items <> 0 or cost <> 0 or discount <> 0 or freight <> 0 or refunds <> 0 or refund_count <> 0;
    insert into goods_delta (tenant_id, shop_id, at, good_id, sales, items, cost, refunds, refund_items) select * from (select tenant_id, shop_id, at, good_id, sum(sales)::bigint as sales, sum(items)::bigint as items, sum(cost)::bigint as cost, sum(refunds)::bigint as refunds, sum(refund_items)::bigint as refund_items
    from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(case when l ->> 'goodId' ~ '^[0-9]{1,18}$' then (l ->> 'goodId')::bigint end, 0)::bigint as good_id, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(round(case when l ->> 'amount' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'amount')::numeric else 0 end * 100), 0)::bigint as refunds, coalesce(case when l ->> 'quantity' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'quantity')::numeric else 0 end, 0)::bigint as refund_items
    from fresh r cross join lateral jsonb_array_elements(case jsonb_typeof(r.lines) when 'array' then r.lines else '[]' end) l where r.status = 3 and r.finish_time is not null) f union all select tenant_id, shop_id, at, good_id, -sales as sales, -items as items, -cost as cost, -refunds as refunds, -refund_items as refund_items from (select tenant_id, shop_id, date_trunc('day', at, 'Asia/Shanghai') as at,
          good_id, sales, items, cost, refunds, refund_items from (select r.tenant_id, coalesce(r.shop_id, 0) as shop_id, r.finish_time as at, coalesce(case when l ->> 'goodId' ~ '^[0-9]{1,18}$' then (l ->> 'goodId')::bigint end, 0)::bigint as good_id, coalesce(0, 0)::bigint as sales, coalesce(0, 0)::bigint as items, coalesce(0, 0)::bigint as cost, coalesce(round(case when l ->> 'amount' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'amount')::numeric else 0 end * 100), 0)::bigint as refunds, coalesce(case when l ->> 'quantity' ~ '^[0-9]{1,15}([.][0-9]{1,4})?$' then (l ->> 'quantity')::numeric else 0 end, 0)::bigint as refund_items
    from was r cross join lateral jsonb_array_elements(case jsonb_typeof(r.lines) when 'array' then r.lines else '[]' end) l where r.status = 3 and r.finish_time is not null) f) n) s group by tenant_id, shop_id, at, good_id) d
            where sales <> 0 or items <> 0 or cost <> 0 or refunds <> 0 or refund_items <> 0;
  end if;
  return null;
end $$;
create or replace trigger follow_refunds_insert after insert on "refunds" referencing new table as fresh for each
      statement execute function follow_refunds();
create or replace trigger follow_refunds_update after update on "refunds" referencing old table as was new table as fresh for each
      statement execute function follow_refunds();
create or replace trigger follow_refunds_delete after delete on "refunds" referencing old table as was for each
      statement execute function follow_refunds();

create or replace function "shop_event_holding_content"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."shop_event" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "content") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("content"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "shop_event_holding_content" from public;
grant execute on function "shop_event_holding_content" to store_app, store_platform;

create or replace function "shopping_order_detail_holding_name"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."shopping_order_detail" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "name") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("name"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "shopping_order_detail_holding_name" from public;
grant execute on function "shopping_order_detail_holding_name" to store_app, store_platform;

create or replace function "storage_batch_holding_batch_no"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."storage_batch" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "batch_no") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("batch_no"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "storage_batch_holding_batch_no" from public;
grant execute on function "storage_batch_holding_batch_no" to store_app, store_platform;

create or replace function tenant_is_leaving(tenant text) returns void
language plpgsql stable set search_path = public, pg_temp as $$
begin
  if tenant = '000000' or not exists (select from tenant_removal where tenant_no = tenant and state = 'running') then
    raise exception 'no removal of tenant % is under way', tenant;
  end if;
end $$;

create or replace function take_rows_of_tenant(part regclass, tenant text, most integer)
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare taken integer;
begin
  perform tenant_is_leaving(tenant);
  execute format('delete from %1$s where ctid = any(array(select ctid from %1$s where tenant_id = $1 limit $2))', part)
    using tenant, most;
  get diagnostics taken = row_count;
  return taken;
end $$;
revoke all on function take_rows_of_tenant from public;
grant execute on function take_rows_of_tenant to store_platform;

create or replace function count_rows_of_tenant(part regclass, tenant text) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found bigint;
begin
  execute format('select count(*) from %s where tenant_id = $1', part) into found using tenant;
  return found;
end $$;
revoke all on function count_rows_of_tenant from public;
grant execute on function count_rows_of_tenant to store_platform;

create or replace function platform_words(part regclass, field name) returns setof text
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format(
    'select %1$I from %2$s where tenant_id = ''000000'' and %1$I ~ ''[0-9]{6}''', field, part);
end $$;
revoke all on function platform_words from public;
grant execute on function platform_words to store_platform;

create or replace function blank_words_on_tenant
  (part regclass, field name, tenant text, words text[])
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare blanked integer;
begin
  perform tenant_is_leaving(tenant);
  execute format(
    'update %1$s set %2$I = '''' where tenant_id = ''000000'' and %2$I ~ any($1)', part, field) using words;
  get diagnostics blanked = row_count;
  return blanked;
end $$;
revoke all on function blank_words_on_tenant from public;
grant execute on function blank_words_on_tenant to store_platform;

create or replace function "wx_user_holding_nickname"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."wx_user" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "nickname") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("nickname"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "wx_user_holding_nickname" from public;
grant execute on function "wx_user_holding_nickname" to store_app, store_platform;

