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
