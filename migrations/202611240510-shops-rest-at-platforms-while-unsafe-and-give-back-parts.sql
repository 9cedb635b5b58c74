alter table "ele_shop_info" add column "opens_there" boolean;
alter table "ele_shop_info" add column "pauses_itself" boolean;
alter table "ele_shop_info" add column "paused_time" timestamptz(3);
alter table "ele_shop_info" add column "paused_why" text;
alter table "ele_shop_info" add column "paused_why_en" text;
alter table "meituan_shop_info" add column "opens_there" boolean;
alter table "meituan_shop_info" add column "pauses_itself" boolean;
alter table "meituan_shop_info" add column "paused_time" timestamptz(3);
alter table "meituan_shop_info" add column "paused_why" text;
alter table "meituan_shop_info" add column "paused_why_en" text;
alter table "platform_ask" add column "lines" jsonb;
alter table "platform_ask" add column "known" jsonb;

create or replace function follow_events_there() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ele_shop_info p where p.tenant_id = new.tenant_id and p.shop_id = new.shop_id
      and p.platform_shop_id is not null)
    or exists (select 1 from meituan_shop_info p where p.tenant_id = new.tenant_id and p.shop_id = new.shop_id
      and p.platform_shop_id is not null) then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
      values (new.tenant_id, 'platform.safety', '{}', new.id || case when new.open_key is null then '/over' else '' end,
        clock_timestamp(), 10)
      on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.safety');
  end if;
  return null;
end $$;
drop trigger if exists follow_events_there on shop_event;
create trigger follow_events_there after insert on shop_event for each row execute function follow_events_there();
drop trigger if exists follow_solved_there on shop_event;
create trigger follow_solved_there after update on shop_event for each row
  when (old.open_key is distinct from new.open_key) execute function follow_events_there();

-- Who rests at a platform now was closed by people, and stays so.
-- locks: the shops that rest there now
update meituan_shop_info set opens_there = false where open_level = 3;
-- locks: the shops that rest there now
update ele_shop_info set opens_there = false where business_status = 3;

-- Who administers a tenant keeps its credentials at the platforms, also where the tenant is older than that page.
insert into role_menu (tenant_id, role_id, menu_id)
select r.tenant_id, r.id, m.id from sys_role r
join menu m on m.is_deleted = 0 and m.code ~ '^thirdApi(_|$)'
where r.role_alias = 'admin' and r.tenant_id <> '000000' and r.is_deleted = 0
  and exists (select from role_menu g join menu held on held.id = g.menu_id and held.code = 'role_grant'
    and held.is_deleted = 0 where g.tenant_id = r.tenant_id and g.role_id = r.id)
on conflict do nothing;
-- locks: one row of each tenant
update sys_param set param_value = param_value || ',thirdApi'
where param_key = 'tenant.default.menuCode' and param_value not like '%thirdApi%';
