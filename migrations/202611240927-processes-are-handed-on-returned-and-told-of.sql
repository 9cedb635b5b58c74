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
alter table "flow_instance" add column "outcome" integer;
alter table "flow_instance" add column "suspension_state" integer;
alter table "flow_model" add column "forms" jsonb;
alter table "flow_process" add column "forms" jsonb;
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
alter table "flow_task" alter column "name" drop not null;
alter table "flow_task" alter column "instance_id" drop not null;
alter table "flow_task" alter column "key" drop not null;
alter table "flow_task" alter column "node" drop not null;
alter table "flow_task" drop constraint if exists "flow_task_state_check";
alter table "flow_task" alter column "state" drop not null;
alter table "flow_task" add column "owner" bigint;
alter table "flow_task" alter column "users" drop not null, alter column "users" drop default;
alter table "flow_task" alter column "groups" drop not null, alter column "groups" drop default;
alter table "flow_task" alter column "comment" drop not null, alter column "comment" drop default;
alter table "flow_task" add column "urge_time" timestamptz(3);
alter table "flow_task" add column "create_user" bigint;
alter table "flow_task" add column "create_dept" bigint;
alter table "flow_task" add column "update_user" bigint;
alter table "flow_task" add column "update_time" timestamptz(3) not null default now();
alter table "flow_task" add column "version" integer not null default 0;
