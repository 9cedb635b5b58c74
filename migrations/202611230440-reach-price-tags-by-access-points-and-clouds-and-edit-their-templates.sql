-- Tags there are of the usual size; a constant default is no look at rows.
alter table "price_tag" add column "model" text default '2.9';
alter table "price_tag" alter column "model" drop default;
alter table "price_tag" add column "layout_id" bigint;
alter table "price_tag" add column "account_id" bigint;
alter table "price_tag" add column "wanted_content" jsonb;
alter table "price_tag" add column "carrier_mark" text;
alter table "price_tag" add column "taken_time" timestamptz(3);
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
