alter table "door_control_log" add column "message" text;
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
alter table "shop_conf" add column "members_only" boolean;
