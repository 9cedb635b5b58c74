create table "device_command" (
  "id" bigint not null,
  "tenant_id" text not null,
  "method" text,
  "link_id" bigint,
  "client_id" text,
  "shop_id" bigint,
  "state" text,
  "source" text,
  "user_id" bigint,
  "reason" text,
  "params" jsonb,
  "code" integer,
  "message" text,
  "result" jsonb,
  "step" text,
  "percent" integer,
  "sent_time" timestamptz(3),
  "taken_time" timestamptz(3),
  "end_time" timestamptz(3),
  "seen_time" timestamptz(3),
  "expire_time" timestamptz(3),
  "ask_key" text,
  "lane" text,
  "about" text,
  "visit_id" bigint,
  "tries" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_command_list" on "device_command" (tenant_id, create_time desc, id desc);
create index "device_command_all" on "device_command" (create_time desc, id desc);
create index "device_command_by_shop_id" on "device_command" (tenant_id, shop_id, create_time desc, id desc);
create index "device_command_by_link_id_create_time" on "device_command" (tenant_id, link_id, create_time desc);
create index "device_command_by_about" on "device_command" (tenant_id, about);
create index "device_command_by_visit_id" on "device_command" (tenant_id, visit_id);
create unique index "device_command_uq_ask_key" on "device_command" (tenant_id, ask_key);
grant select, insert, update, delete on "device_command" to store_app;
grant select, insert, update, delete on "device_command" to store_platform;
alter table "device_command" enable row level security;
create policy own_rows on "device_command" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_command" to store_platform using (true) with check (true);
create table "device_command_due" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint not null,
  "due_time" timestamptz(3) not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_command_due_by_time" on "device_command_due" (due_time);
create index "device_command_due_by_link" on "device_command_due" (tenant_id, link_id);
grant select, insert, update, delete on "device_command_due" to store_app;
grant select, insert, update, delete on "device_command_due" to store_platform;
alter table "device_command_due" enable row level security;
create policy own_rows on "device_command_due" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_command_due" to store_platform using (true) with check (true);
create table "device_event" (
  "id" bigint not null,
  "tenant_id" text not null,
  "link_id" bigint not null,
  "eid" text not null,
  "type" text not null,
  "data" jsonb not null,
  "time" timestamptz(3) not null,
  "said_time" timestamptz(3) not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create unique index "device_event_uq_link_id_eid" on "device_event" (tenant_id, link_id, eid);
create index "device_event_by_link_id" on "device_event" (tenant_id, link_id, time);
create index "device_event_by_create_time" on "device_event" (create_time);
grant select, insert, update, delete on "device_event" to store_app;
grant select, insert, update, delete on "device_event" to store_platform;
alter table "device_event" enable row level security;
create policy own_rows on "device_event" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_event" to store_platform using (true) with check (true);
create table "device_key" (
  "tenant_id" text not null,
  "link_id" bigint not null,
  "digest" text not null,
  "previous_digest" text,
  "previous_until" timestamptz(3),
  primary key (tenant_id, link_id)
);
grant select, insert, update, delete on "device_key" to store_app;
grant select, insert, update, delete on "device_key" to store_platform;
alter table "device_key" enable row level security;
create policy own_rows on "device_key" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_key" to store_platform using (true) with check (true);
create table "device_link" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text,
  "kind" text,
  "client_id" text,
  "shop_id" bigint,
  "state" text,
  "state_time" timestamptz(3),
  "last_seen_time" timestamptz(3),
  "firmware" text,
  "hardware" text,
  "ip" text,
  "clock_offset" integer,
  "health" jsonb,
  "reported" jsonb,
  "conn" text,
  "boot" text,
  "key_issued_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "device_link_list" on "device_link" (tenant_id, create_time desc, id desc);
create index "device_link_all" on "device_link" (create_time desc, id desc);
create index "device_link_by_shop_id" on "device_link" (tenant_id, shop_id, create_time desc, id desc);
create index "device_link_by_state_last_seen_time" on "device_link" (tenant_id, state, last_seen_time);
create index "device_link_by_firmware" on "device_link" (tenant_id, firmware);
create unique index "device_link_uq_everywhere_client_id" on "device_link" (client_id);
grant select, insert, update, delete on "device_link" to store_app;
grant select, insert, update, delete on "device_link" to store_platform;
alter table "device_link" enable row level security;
create policy own_rows on "device_link" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_link" to store_platform using (true) with check (true);
create table "device_message_aside" (
  "id" bigint not null,
  "tenant_id" text not null,
  "topic" text not null,
  "payload" text not null,
  "reason" text not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "device_message_aside_by_create_time" on "device_message_aside" (create_time);
grant select, insert, update, delete on "device_message_aside" to store_app;
grant select, insert, update, delete on "device_message_aside" to store_platform;
alter table "device_message_aside" enable row level security;
create policy own_rows on "device_message_aside" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_message_aside" to store_platform using (true) with check (true);

create or replace function device_link_of_basic_shop_info() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.client_id is not distinct from old.client_id and new.shop_name = old.shop_name
    and new.id = old.id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.client_id is null or tg_op = 'UPDATE' and new.client_id is distinct from old.client_id
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.client_id is not null then
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, 'gateway', new.client_id, new.shop_name, new.id, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on basic_shop_info;
create trigger device_link_follows after insert or update on basic_shop_info
  for each row execute function device_link_of_basic_shop_info();

create or replace function device_link_of_epa_gateway() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.client_id is not distinct from old.client_id and new.name = old.name
    and new.shop_id = old.shop_id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.client_id is null or tg_op = 'UPDATE' and new.client_id is distinct from old.client_id
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.client_id is not null then
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, 'power', new.client_id, new.name, new.shop_id, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on epa_gateway;
create trigger device_link_follows after insert or update on epa_gateway
  for each row execute function device_link_of_epa_gateway();

create or replace function device_link_of_cash_register() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.sn is not distinct from old.sn and new.name = old.name
    and new.shop_id = old.shop_id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.sn is null or tg_op = 'UPDATE' and new.sn is distinct from old.sn
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.sn is not null then
    insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state, create_user, update_user)
    values (new.id, new.tenant_id, 'register', new.sn, new.name, new.shop_id, 'offline', new.create_user,
      new.update_user)
    on conflict (tenant_id, id) do update set name = excluded.name, shop_id = excluded.shop_id;
  end if;
  return null;
end $$;
drop trigger if exists device_link_follows on cash_register;
create trigger device_link_follows after insert or update on cash_register
  for each row execute function device_link_of_cash_register();

-- Devices with a number that are there already.
insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state)
  select id, tenant_id, 'gateway', client_id, shop_name, id, 'offline' from basic_shop_info
  where client_id is not null and is_deleted = 0;
insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state)
  select id, tenant_id, 'power', client_id, name, shop_id, 'offline' from epa_gateway where is_deleted = 0
  on conflict do nothing;
insert into device_link (id, tenant_id, kind, client_id, name, shop_id, state)
  select id, tenant_id, 'register', sn, name, shop_id, 'offline' from cash_register where is_deleted = 0
  on conflict do nothing;
