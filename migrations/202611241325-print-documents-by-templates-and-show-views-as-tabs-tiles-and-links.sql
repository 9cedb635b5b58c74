alter table "list_view" add column "as_tab" boolean not null default false;
alter table "list_view" add column "as_tile" boolean not null default false;
alter table "list_view" add column "as_link" boolean not null default false;
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
