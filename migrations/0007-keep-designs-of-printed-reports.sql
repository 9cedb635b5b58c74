create table "report_file" (
  "id" bigint not null,
  "name" text,
  "content" text,
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
