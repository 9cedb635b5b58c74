import { raw, sql, type Sql } from '#kit/server/database/db.ts'
import { lowStockSql } from '#domains/catalogue/products/api.ts'
import { UNSELLABLE_RETURN_REASONS } from './dictionaries.ts'

/** Consistency rules of stock, each a statement that selects the rows that break it: `id`, `expected`, `found`. */
export const stockConsistencySql: Record<string, Sql> = {
  'stock = sum of the ledger': sql`select g.id, coalesce(sum(l.change), 0)::text as expected, g.stock::text as found
    from good_info g
    left join storage_log l on l.good_id = g.id and l.tenant_id = g.tenant_id group by g.tenant_id, g.id, g.stock
    having coalesce(sum(l.change), 0) <> coalesce(g.stock, 0)`,
  'stock = sum of what batches hold': sql`select g.id, coalesce(sum(b.remaining), 0)::text as expected,
    g.stock::text as found from good_info g
    left join storage_batch b on b.good_id = g.id and b.tenant_id = g.tenant_id group by g.tenant_id, g.id, g.stock
    having coalesce(sum(b.remaining), 0) <> coalesce(g.stock, 0)`,
  'stock = the last line of the ledger': sql`select g.id, l.after::text as expected, g.stock::text as found
    from good_info g
    join storage_log l on l.good_id = g.id and l.tenant_id = g.tenant_id and l.seq = g.stock_seq
    where l.after <> g.stock`,
  'each ledger line continues the one before': sql`select id, expected::text,
    before::text || ' → ' || after::text as found from (
      select id, good_id, seq, change, before, after, lag(after, 1, 0) over w as expected, lag(seq, 1, 0) over w as was
      from storage_log window w as (partition by good_id order by seq)
    ) l where before <> expected or after <> before + change or seq <> was + 1`,
  'a batch holds what its ledger lines say': sql`select b.id, coalesce(sum(l.change), 0)::text as expected,
    b.remaining::text as found from storage_batch b
    left join storage_log l on l.batch_id = b.id and l.tenant_id = b.tenant_id group by b.tenant_id, b.id, b.remaining
    having coalesce(sum(l.change), 0) <> coalesce(b.remaining, 0)`,
  'only the open batch goes below zero': sql`select id, '>= 0' as expected, remaining::text as found from storage_batch
    where remaining < 0 and is_open is not true`,
  'what left for another shop = what arrived, was given back, lost, or is on the way': sql`select t.id, (case
    when t.status = 1 then -t.pieces when t.status = 2 and t.remainder = 'lost' then -t.missing else 0
    end)::text as expected, coalesce(sum(l.change), 0)::text as found
    from stock_transfer t left join storage_log l on l.ref_id = t.id and l.ref_type = 'transfer'
    and l.tenant_id = t.tenant_id group by t.tenant_id, t.id, t.status, t.pieces, t.missing, t.remainder
    having coalesce(sum(l.change), 0) <> case when t.status = 1 then -t.pieces when t.status = 2
    and t.remainder = 'lost' then -t.missing else 0 end`,
  'a stocktake moved what its lines say': sql`select s.id, coalesce(x.posted, 0)::text as expected,
    coalesce(sum(l.change), 0)::text as found from stocktake s
    left join (select stocktake_id, tenant_id, sum(posted) as posted from stocktake_line
    group by stocktake_id, tenant_id) x on x.stocktake_id = s.id and x.tenant_id = s.tenant_id
    left join storage_log l on l.ref_id = s.id and l.ref_type = 'stocktake' and l.tenant_id = s.tenant_id
    group by s.tenant_id, s.id, x.posted having coalesce(sum(l.change), 0) <> coalesce(x.posted, 0)`,
  'what was removed has no pieces': sql`select id, '0' as expected, stock::text as found from good_info
    where is_deleted = 1 and coalesce(stock, 0) <> 0`,
  'a return moved its pieces; one that was undone, or of what nobody may buy any more, none': sql`select r.id,
    x.pieces::text as expected, coalesce(sum(l.change), 0)::text as found from return_log r
    cross join lateral (select case when r.status <> 1 or r.direction = 'customer' and r.batches = '[]'::jsonb then 0
    when r.direction = 'supplier' then -r.quantity else r.quantity end as pieces) x
    left join storage_log l on l.ref_id = r.id and l.ref_type = 'return' and l.tenant_id = r.tenant_id
    group by r.tenant_id, r.id, x.pieces having coalesce(sum(l.change), 0) <> x.pieces`,
  'what a customer brought back and can be sold is on the shelf': sql`select id, 'on the shelf' as expected,
    reason as found from return_log
    where direction = 'customer' and status = 1 and batches = '[]'::jsonb
    and reason <> all (${UNSELLABLE_RETURN_REASONS}::text[])`,
  "customers' returns of an order, with what its refunds put back, never exceed what was sold": sql`select r.ref_id as
    id, r.good_id || ' <= ' || coalesce(s.sold, 0) as expected, (r.pieces + coalesce(s.restored, 0))::text as found
    from (select tenant_id, ref_id, good_id, sum(quantity) as pieces from return_log where direction = 'customer'
    and status = 1 and ref_id is not null group by 1, 2, 3) r
    left join (select d.tenant_id, d.order_id, d.good_id, sum(d.quantity) as sold, sum(coalesce(a.restored,
    0)) as restored from shopping_order_detail d
      left join lateral (select sum((x ->> 'restored')::int) as restored
      from jsonb_array_elements(d.allocations) x) a on true group by 1, 2, 3) s
      on s.tenant_id = r.tenant_id and s.order_id = r.ref_id and s.good_id = r.good_id
      where r.pieces + coalesce(s.restored, 0) > coalesce(s.sold, 0)`,
  'goods have one open warning at most, and none unless they are low': sql`select g.id, case
    when ${raw(lowStockSql('g'))} then '<= 1' else '0' end as expected, count(e.id)::text as found from good_info g
    join shop_event e on e.good_id = g.id and e.tenant_id = g.tenant_id and e.type = 'lowStock'
    and e.open_key is not null
    where g.is_deleted = 0
    group by g.tenant_id, g.id, g.stock, g.low_stock having count(e.id) > 1
    or (${raw(lowStockSql('g'))}) is not true`,
  'a batch never holds more than came into it': sql`select b.id, '<= ' || coalesce(sum(l.change)
    filter (where l.change > 0), 0) as expected, b.remaining::text as found from storage_batch b
    left join storage_log l on l.batch_id = b.id and l.tenant_id = b.tenant_id where b.remaining > 0
   
    group by b.tenant_id, b.id, b.remaining
    having b.remaining > coalesce(sum(l.change) filter (where l.change > 0), 0)`,
  'a batch is of the shop of its goods': sql`select b.id, g.shop_id::text as expected, b.shop_id::text as found
    from storage_batch b join good_info g on g.id = b.good_id and g.tenant_id = b.tenant_id
    where b.shop_id <> g.shop_id`,
}
