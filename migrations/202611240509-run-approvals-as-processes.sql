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
create table "flow_task" (
  "id" bigint not null,
  "tenant_id" text not null,
  "instance_id" bigint not null,
  "key" text not null,
  "node" text not null,
  "name" text not null,
  "state" text not null check (state in ('open', 'done', 'dropped')),
  "assignee" bigint,
  "users" text[] not null default '{}',
  "groups" text[] not null default '{}',
  "comment" text not null default '',
  "is_passed" boolean,
  "due_time" timestamptz(3),
  "claim_time" timestamptz(3),
  "end_time" timestamptz(3),
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "flow_task_uq_key" on "flow_task" (tenant_id, instance_id, key);
create index "flow_task_mine" on "flow_task" (tenant_id, assignee, state, end_time);
create index "flow_task_unclaimed" on "flow_task" (tenant_id, create_time) where state = 'open' and assignee is null;
grant select, insert, update, delete on "flow_task" to store_app;
grant select, insert, update, delete on "flow_task" to store_platform;
alter table "flow_task" enable row level security;
create policy own_rows on "flow_task" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "flow_task" to store_platform using (true) with check (true);
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
