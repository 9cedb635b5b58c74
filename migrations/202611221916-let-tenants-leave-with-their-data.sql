create table "tenant_removal" (
  "id" bigint not null,
  "tenant_no" text not null,
  "state" text not null,
  "due_time" timestamptz(3),
  "start_time" timestamptz(3),
  "finish_time" timestamptz(3),
  "hurried_by" bigint,
  "table_count" bigint,
  "rows_removed" bigint,
  "files_removed" bigint,
  "rows_left" bigint,
  "files_left" bigint,
  "certificate" text,
  "digest" text,
  "quiet_since" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "tenant_removal_list" on "tenant_removal" (create_time desc, id desc);
create index "tenant_removal_by_tenant_no" on "tenant_removal" (tenant_no);
grant select on "tenant_removal" to store_app;
grant select, insert, update, delete on "tenant_removal" to store_platform;
alter table "tenant_removal" enable row level security;
create policy read_all on "tenant_removal" for select to store_app using (true);
create policy every_row on "tenant_removal" to store_platform using (true) with check (true);
create table "tenant_removed_rows" (
  "removal_id" bigint not null,
  "name" text not null,
  "removed" bigint not null,
  primary key (removal_id, name)
);
grant select on "tenant_removed_rows" to store_app;
grant select, insert, update, delete on "tenant_removed_rows" to store_platform;
alter table "tenant_removed_rows" enable row level security;
create policy read_all on "tenant_removed_rows" for select to store_app using (true);
create policy every_row on "tenant_removed_rows" to store_platform using (true) with check (true);
create or replace function tenant_is_leaving(tenant text) returns void
language plpgsql stable set search_path = public, pg_temp as $$
begin
  if tenant = '000000' or not exists (select from tenant_removal where tenant_no = tenant and state = 'running') then
    raise exception 'no removal of tenant % is under way', tenant;
  end if;
end $$;
create or replace function take_rows_of_tenant(part regclass, tenant text, most integer)
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare taken integer;
begin
  perform tenant_is_leaving(tenant);
  execute format('delete from %1$s where ctid = any(array(select ctid from %1$s where tenant_id = $1 limit $2))', part)
    using tenant, most;
  get diagnostics taken = row_count;
  return taken;
end $$;
revoke all on function take_rows_of_tenant from public;
grant execute on function take_rows_of_tenant to store_platform;
create or replace function count_rows_of_tenant(part regclass, tenant text) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found bigint;
begin
  execute format('select count(*) from %s where tenant_id = $1', part) into found using tenant;
  return found;
end $$;
revoke all on function count_rows_of_tenant from public;
grant execute on function count_rows_of_tenant to store_platform;
create or replace function platform_words(part regclass, field name) returns setof text
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format(
    'select %1$I from %2$s where tenant_id = ''000000'' and %1$I ~ ''[0-9]{6}''', field, part);
end $$;
revoke all on function platform_words from public;
grant execute on function platform_words to store_platform;
create or replace function blank_words_on_tenant
  (part regclass, field name, tenant text, words text[])
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare blanked integer;
begin
  perform tenant_is_leaving(tenant);
  execute format(
    'update %1$s set %2$I = '''' where tenant_id = ''000000'' and %2$I ~ any($1)', part, field) using words;
  get diagnostics blanked = row_count;
  return blanked;
end $$;
revoke all on function blank_words_on_tenant from public;
grant execute on function blank_words_on_tenant to store_platform;
