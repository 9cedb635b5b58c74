alter table "sys_user" add column "last_login_time" timestamptz(3);
alter table "sys_user" add column "last_login_ip" text;
alter table "sys_user" add column "must_change_password" boolean;
alter table "sys_user" add column "password_time" timestamptz(3);
create table "user_password" (
  "id" bigint not null,
  "tenant_id" text not null,
  "user_id" bigint not null,
  "hash" text not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (id)
);
create index "user_password_by_user" on "user_password" (tenant_id, user_id, id);
grant select, insert, update, delete on "user_password" to store_app;
grant select, insert, update, delete on "user_password" to store_platform;
alter table "user_password" enable row level security;
create policy own_rows on "user_password" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "user_password" to store_platform using (true) with check (true);
-- Sessions of a month are still there and say when their people came.
update "sys_user" u set "last_login_time" = s.issued_at, "last_login_ip" = s.ip
from (select distinct on (user_id) user_id, issued_at, ip from "session" order by user_id, issued_at desc) s where s.user_id = u.id;
