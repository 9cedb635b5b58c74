
create or replace function follow_goods_there() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
  if exists (select from ele_sku_info s
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0) then
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
  end if;
  if exists (select from meituan_sku_info s
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0) then
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
  end if;
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
