alter table "ele_shop_info" add column "is_auto_accepted" boolean;
alter table "ele_shop_info" add column "markup" integer;
alter table "ele_shop_info" add column "stock_buffer" integer;
alter table "ele_sku_info" add column "follows_price" boolean;
alter table "meituan_order" add column "refund_asked" text;
alter table "meituan_shop_info" add column "app_poi_code" text;
alter table "meituan_shop_info" add column "audit_reason" text;
alter table "meituan_shop_info" add column "is_auto_accepted" boolean;
alter table "meituan_shop_info" add column "markup" integer;
alter table "meituan_shop_info" add column "stock_buffer" integer;
alter table "meituan_sku_info" add column "follows_price" boolean;
create table "platform_ask" (
  "id" bigint not null,
  "tenant_id" text not null,
  "platform" text,
  "kind" text,
  "platform_order_no" text,
  "shop_id" bigint,
  "shop_there" text,
  "refund_no" text,
  "reason" text,
  "reason_code" text,
  "state" text,
  "tries" integer,
  "fail_reason" text,
  "done_time" timestamptz(3),
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "platform_ask_list" on "platform_ask" (tenant_id, create_time desc, id desc);
create index "platform_ask_all" on "platform_ask" (create_time desc, id desc);
create index "platform_ask_by_shop_id" on "platform_ask" (tenant_id, shop_id, create_time desc, id desc);
create unique index "platform_ask_uq_platform_platform_order_no_kind_refund_no" on "platform_ask" (tenant_id, platform, platform_order_no, kind, refund_no);
grant select, insert, update, delete on "platform_ask" to store_app;
grant select, insert, update, delete on "platform_ask" to store_platform;
alter table "platform_ask" enable row level security;
create policy own_rows on "platform_ask" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "platform_ask" to store_platform using (true) with check (true);
create table "platform_step" (
  "tenant_id" text not null,
  "row_id" bigint not null,
  "told" jsonb,
  "tries" integer not null default 0,
  "next_time" timestamptz(3),
  "problem_field" text,
  primary key (tenant_id, row_id)
);
grant select, insert, update, delete on "platform_step" to store_app;
grant select, insert, update, delete on "platform_step" to store_platform;
alter table "platform_step" enable row level security;
create policy own_rows on "platform_step" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "platform_step" to store_platform using (true) with check (true);
alter table "third_api" add column "may_be_inside" boolean;
alter table "third_api" add column "per_second" integer;

create or replace function follow_goods_there() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.sale_price is distinct from new.sale_price) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from ele_sku_info s
    join ele_shop_info p on p.tenant_id = s.tenant_id and p.id = s.ele_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0
  ), moved as (
    update ele_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.sale_price is distinct from new.sale_price) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from meituan_sku_info s
    join meituan_shop_info p on p.tenant_id = s.tenant_id and p.id = s.meituan_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0
  ), moved as (
    update meituan_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  if waiting > 0 then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, 'platform.waits', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.waits');
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;
drop trigger if exists follow_goods_there on good_info;
create constraint trigger follow_goods_there after update on good_info deferrable initially deferred for each row
  when (old.stock is distinct from new.stock or old.sale_price is distinct from new.sale_price or old.on_sale is distinct from new.on_sale or old.is_deleted is distinct from new.is_deleted) execute function follow_goods_there();

create or replace function follow_ele_shop() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.markup is distinct from new.markup) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from ele_sku_info s
    join ele_shop_info p on p.tenant_id = s.tenant_id and p.id = s.ele_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and p.id = new.id and s.is_deleted = 0
  ), moved as (
    update ele_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  if waiting > 0 then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, 'platform.waits', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.waits');
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;
drop trigger if exists follow_ele_shop on ele_shop_info;
create constraint trigger follow_ele_shop after update on ele_shop_info deferrable initially deferred
  for each row when (old.stock_buffer is distinct from new.stock_buffer or old.markup is distinct from new.markup) execute function follow_ele_shop();

create or replace function follow_meituan_shop() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  with now_there as (
    select s.id, least(99999, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (old.markup is distinct from new.markup) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from meituan_sku_info s
    join meituan_shop_info p on p.tenant_id = s.tenant_id and p.id = s.meituan_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and p.id = new.id and s.is_deleted = 0
  ), moved as (
    update meituan_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = 0 then 0 else 1 end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = 1) into part from moved;
  waiting := waiting + part;
  if waiting > 0 then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, 'platform.waits', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', 'platform.waits');
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;
drop trigger if exists follow_meituan_shop on meituan_shop_info;
create constraint trigger follow_meituan_shop after update on meituan_shop_info deferrable initially deferred
  for each row when (old.stock_buffer is distinct from new.stock_buffer or old.markup is distinct from new.markup) execute function follow_meituan_shop();
