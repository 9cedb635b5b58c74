create table "device_holder" (
  "tenant_id" text not null,
  "link_id" bigint not null,
  "client_id" text not null,
  primary key (tenant_id, link_id)
);
create unique index "device_holder_uq_client_id" on "device_holder" (client_id);
grant select, insert, update, delete on "device_holder" to store_app;
grant select, insert, update, delete on "device_holder" to store_platform;
alter table "device_holder" enable row level security;
create policy own_rows on "device_holder" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "device_holder" to store_platform using (true) with check (true);
-- Numbers were one row's of the whole installation until now: whoever was heard holds theirs.
insert into device_holder (tenant_id, link_id, client_id)
  select tenant_id, id, client_id from device_link where client_id is not null and last_seen_time is not null;

create or replace function device_link_held() returns trigger language plpgsql as $$ begin
  insert into device_holder (tenant_id, link_id, client_id) values (new.tenant_id, new.id, new.client_id)
    on conflict do nothing;
  return null;
end $$;
drop trigger if exists device_link_held on device_link;
create trigger device_link_held after update of state on device_link
  for each row when (new.state = 'online' and old.state is distinct from 'online' and new.client_id is not null)
  execute function device_link_held();

create or replace function device_link_of_basic_shop_info() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and new.client_id is not distinct from old.client_id and new.shop_name = old.shop_name
    and new.id = old.id and new.is_deleted = old.is_deleted then
    return null;
  end if;
  if new.is_deleted = 1 or new.client_id is null or tg_op = 'UPDATE' and new.client_id is distinct from old.client_id
  then
    delete from device_key where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.client_id is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.client_id
      and l.id <> new.id) then
      raise unique_violation using constraint = 'basic_shop_info_uq_client_id';
    end if;
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
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.client_id is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.client_id
      and l.id <> new.id) then
      raise unique_violation using constraint = 'epa_gateway_uq_client_id';
    end if;
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
    delete from device_holder where tenant_id = new.tenant_id and link_id = new.id;
    delete from device_link where tenant_id = new.tenant_id and id = new.id;
  end if;
  if new.is_deleted = 0 and new.sn is not null then
    if exists (select 1 from device_link l where l.tenant_id = new.tenant_id and l.client_id = new.sn
      and l.id <> new.id) then
      raise unique_violation using constraint = 'cash_register_uq_sn';
    end if;
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
