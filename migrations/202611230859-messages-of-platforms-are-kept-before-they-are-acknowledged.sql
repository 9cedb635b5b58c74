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
