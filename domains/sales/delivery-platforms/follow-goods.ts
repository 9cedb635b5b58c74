import { SYNC_STATE } from './dictionaries.ts'
import type { PlatformName } from './platform.ts'
import { platformSyncQueue } from './enqueue-sync.ts'

/** Most pieces of one product the platforms accept. */
const STOCK_MAX = 99_999

/**
 * Trigger SQL: platform stock and price follow ours. In the database, because stock and price change in many places and
 * none can forget it. Rows that are not at the platform follow, too, but do not wait for a sync.
 */
const followSql = (platform: PlatformName, which: string, isRepriced: string) => `with now_there as (
    select s.id, least(${STOCK_MAX}, greatest(0, case when g.is_deleted = 1 or g.on_sale is false then 0
        else coalesce(g.stock, 0) - coalesce(p.stock_buffer, 0) end)) as stock,
      case when s.follows_price is not true or not (${isRepriced}) then s.sale_price
        when coalesce(p.markup, 0) = 0 then g.sale_price
        else ceil(g.sale_price * (100 + p.markup) / 1000.0)::bigint * 10 end as sale_price
    from ${platform}_sku_info s
    join ${platform}_shop_info p on p.tenant_id = s.tenant_id and p.id = s.${platform}_shop_id
    join good_info g on g.tenant_id = s.tenant_id and g.id = s.good_id
    where s.tenant_id = new.tenant_id and ${which} = new.id and s.is_deleted = 0
  ), moved as (
    update ${platform}_sku_info s set stock = n.stock, sale_price = n.sale_price,
      sync_status = case when s.sync_status = ${SYNC_STATE.not} then ${SYNC_STATE.not} else ${SYNC_STATE.waiting} end,
      update_time = now()
    from now_there n where s.tenant_id = new.tenant_id and s.id = n.id
      and (s.stock, s.sale_price) is distinct from (n.stock, n.sale_price)
    returning s.sync_status)
  select count(*) filter (where sync_status = ${SYNC_STATE.waiting}) into part from moved;
  waiting := waiting + part;`

/** Enqueues one sync job per half second; it runs once that half second is over. */
const WAKE_SQL = `insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
    values (new.tenant_id, '${platformSyncQueue.name}', '{}', floor(extract(epoch from clock_timestamp()) * 2)::text,
      to_timestamp((floor(extract(epoch from clock_timestamp()) * 2) + 1.2) / 2), 10)
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', '${platformSyncQueue.name}');`

/** Skips products at no platform, which are most: this index lookup costs a fifth of an update that finds nothing. */
const ifListedSql = (platform: PlatformName) => `if exists (select from ${platform}_sku_info s
    where s.tenant_id = new.tenant_id and s.good_id = new.id and s.is_deleted = 0) then
  ${followSql(platform, 's.good_id', REPRICED)}
  end if;`

const functionSql = (name: string, steps: readonly string[]) => `
create or replace function ${name}() returns trigger language plpgsql as $$
declare waiting integer := 0; part integer; bound text := current_setting('app.tenant', true);
begin
  -- Who works for several tenants in one transaction is bound to another one at its end than when the goods moved.
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', new.tenant_id, true);
  end if;
${steps.map((step) => `  ${step}`).join('\n')}
  if waiting > 0 then
    ${WAKE_SQL}
  end if;
  if bound is distinct from new.tenant_id then
    perform set_config('app.tenant', coalesce(bound, ''), true);
  end if;
  return null;
end $$;`

const changed = (names: readonly string[]) =>
  names.map((name) => `old.${name} is distinct from new.${name}`).join(' or ')

/** A price typed by hand stays until our price or the shop's markup changes. */
const REPRICED = changed(['sale_price'])
const MARKED_UP = changed(['markup'])

/** Deferred to the commit, when all locks are held: waiting for the same job then never blocks a sale. */
export const goodsSyncTriggerSql = `${functionSql('follow_goods_there', [ifListedSql('ele'), ifListedSql('meituan')])}
drop trigger if exists follow_goods_there on good_info;
create constraint trigger follow_goods_there after update on good_info deferrable initially deferred for each row
  when (${changed(['stock', 'sale_price', 'on_sale', 'is_deleted'])}) execute function follow_goods_there();`

/** The same for all products of a shop when its stock buffer or markup changes. */
export const shopGoodsSyncTriggerSql = (platform: PlatformName): string => `${functionSql(`follow_${platform}_shop`, [
  followSql(platform, 'p.id', MARKED_UP),
])}
drop trigger if exists follow_${platform}_shop on ${platform}_shop_info;
create constraint trigger follow_${platform}_shop after update on ${platform}_shop_info deferrable initially deferred
  for each row when (${changed(['stock_buffer', 'markup'])}) execute function follow_${platform}_shop();`
