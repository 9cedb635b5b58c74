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
