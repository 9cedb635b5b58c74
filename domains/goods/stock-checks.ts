import { sql, type Sql } from '#kit/server/db.ts'

/** What must hold of stock, as statements that find the rows it does not hold for: `id`, `expected`, `found`. */
export const stockChecks: Record<string, Sql> = {
  'stock = sum of the ledger': sql`select g.id, coalesce(sum(l.change), 0)::text as expected, g.stock::text as found from good_info g
    left join storage_log l on l.good_id = g.id and l.tenant_id = g.tenant_id group by g.id, g.stock having coalesce(sum(l.change), 0) <> coalesce(g.stock, 0)`,
  'stock = sum of what batches hold': sql`select g.id, coalesce(sum(b.remaining), 0)::text as expected, g.stock::text as found from good_info g
    left join storage_batch b on b.good_id = g.id and b.tenant_id = g.tenant_id group by g.id, g.stock having coalesce(sum(b.remaining), 0) <> coalesce(g.stock, 0)`,
  'stock = the last line of the ledger': sql`select g.id, l.after::text as expected, g.stock::text as found from good_info g
    join storage_log l on l.good_id = g.id and l.tenant_id = g.tenant_id and l.seq = g.stock_seq where l.after <> g.stock`,
  'each ledger line continues the one before': sql`select id, expected::text, before::text || ' → ' || after::text as found from (
      select id, good_id, seq, change, before, after, lag(after, 1, 0) over w as expected, lag(seq, 1, 0) over w as was from storage_log window w as (partition by good_id order by seq)
    ) l where before <> expected or after <> before + change or seq <> was + 1`,
  'a batch holds what its ledger lines say': sql`select b.id, coalesce(sum(l.change), 0)::text as expected, b.remaining::text as found from storage_batch b
    left join storage_log l on l.batch_id = b.id and l.tenant_id = b.tenant_id group by b.id, b.remaining having coalesce(sum(l.change), 0) <> coalesce(b.remaining, 0)`,
  'only the open batch goes below zero': sql`select id, '>= 0' as expected, remaining::text as found from storage_batch where remaining < 0 and is_open is not true`,
  'what left for another shop = what arrived, was given back, lost, or is on the way': sql`select t.id, (case when t.status = 1 then -t.pieces when t.status = 2 and t.remainder = 'lost' then -t.missing else 0 end)::text as expected, coalesce(sum(l.change), 0)::text as found
    from stock_transfer t left join storage_log l on l.ref_id = t.id and l.ref_type = 'transfer' and l.tenant_id = t.tenant_id group by t.id, t.status, t.pieces, t.missing, t.remainder
    having coalesce(sum(l.change), 0) <> case when t.status = 1 then -t.pieces when t.status = 2 and t.remainder = 'lost' then -t.missing else 0 end`,
  'a stocktake moved what its lines say': sql`select s.id, coalesce(x.posted, 0)::text as expected, coalesce(sum(l.change), 0)::text as found from stocktake s
    left join (select stocktake_id, tenant_id, sum(posted) as posted from stocktake_line group by stocktake_id, tenant_id) x on x.stocktake_id = s.id and x.tenant_id = s.tenant_id
    left join storage_log l on l.ref_id = s.id and l.ref_type = 'stocktake' and l.tenant_id = s.tenant_id group by s.id, x.posted having coalesce(sum(l.change), 0) <> coalesce(x.posted, 0)`,
}
