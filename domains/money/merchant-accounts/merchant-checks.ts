import { sql, type Sql } from '#kit/server/database/db.ts'

/**
 * Consistency rules of profit shares and bills, each a statement that selects the rows that break it: `id`, `expected`,
 * `found`.
 */
export const merchantConsistencySql: Record<string, Sql> = {
  'shares that wait are covered by what is left of their order': sql`select o.id,
    '<= ' || (p.paid - p.refunded) as expected, (s.waiting + s.given)::text as found from shopping_order o
    join (select tenant_id, order_id, sum(amount) filter (where status in (0, 1)) as waiting,
    coalesce(sum(finish_amount) filter (where status = 2), 0) as given from share_log
    where coalesce(kind, 'share') = 'share' group by 1, 2) s
      on s.tenant_id = o.tenant_id and s.order_id = o.id and s.waiting > 0
    cross join lateral (select coalesce((select sum(x.amount) from order_payment x where x.tenant_id = o.tenant_id
    and x.order_id = o.id and x.channel in ('wechat', 'alipay')), 0) as paid,
      coalesce((select sum(x.amount) from refund_payment x where x.tenant_id = o.tenant_id and x.order_id = o.id
      and x.channel in ('wechat', 'alipay') and x.state = 'done'), 0) as refunded) p
    where s.waiting + s.given > p.paid - p.refunded`,
  'a share is what its receivers get': sql`select s.id, coalesce(sum(round((r ->> 'amount')::numeric * 100)),
    0)::text as expected, s.amount::text as found from share_log s
    left join lateral jsonb_array_elements(case jsonb_typeof(s.receivers) when 'array' then s.receivers else '[]'
    end) r on true
    group by s.tenant_id, s.id, s.amount having coalesce(sum(round((r ->> 'amount')::numeric * 100)), 0) <> s.amount`,
  'no more of a share arrives than was shared': sql`select id, '<= ' || amount as expected, finish_amount::text as found
    from share_log where coalesce(finish_amount, 0) > amount or (status <> 2 and coalesce(finish_amount, 0) <> 0)`,
  'a bill = the sums of its lines': sql`select b.id, concat_ws(' / ', x.orders, x.income, x.offline, x.refund, x.fee,
    x.share) as expected, concat_ws(' / ', b.order_count, b.income, b.offline_amount, b.refund, b.fee,
    b.share_out) as found from merchant_bill b
    cross join lateral (select count(distinct (payable, order_no)) filter (where kind = 'pay'
    and check_result <> 'missingHere') as orders, coalesce(sum(amount)
    filter (where check_result <> 'offline'), 0) as income,
      coalesce(sum(amount) filter (where check_result = 'offline'), 0) as offline, coalesce(sum(refund)
      filter (where check_result <> 'offline'), 0) as refund, coalesce(sum(fee), 0) as fee, coalesce(sum(share),
      0) as share
      from merchant_bill_detail d where d.tenant_id = b.tenant_id and d.bill_id = b.id) x
    where (x.orders, x.income, x.offline, x.refund, x.fee, x.share) is distinct
    from (b.order_count, b.income, b.offline_amount, b.refund, b.fee, b.share_out)`,
  'the net of a bill = income − refunds − fee − shares': sql`select id,
    (income - refund - fee - share_out)::text as expected, net::text as found from merchant_bill
    where net <> income - refund - fee - share_out`,
  'a payment stands in one bill of a kind': sql`select min(d.id) as id, '1' as expected, count(*)::text as found
    from merchant_bill_detail d join merchant_bill b on b.id = d.bill_id and b.tenant_id = d.tenant_id
    where d.kind = 'pay' and d.check_result <> 'missingHere' group by d.tenant_id, b.bill_type,
      d.payable, d.order_no, d.channel
    having count(*) > 1`,
  'a refund stands in one bill of a kind': sql`select min(d.id) as id, '1' as expected, count(*)::text as found
    from merchant_bill_detail d join merchant_bill b on b.id = d.bill_id and b.tenant_id = d.tenant_id
    where d.kind = 'refund' and d.check_result <> 'missingHere' group by d.tenant_id, b.bill_type, d.refund_no
    having count(*) > 1`,
  'a line of a bill = its payment': sql`select d.id, p.amount::text as expected, d.amount::text as found
    from merchant_bill_detail d join shopping_order o on o.tenant_id = d.tenant_id
    and o.order_no = d.order_no collate "C"
    join order_payment p on p.order_id = o.id and p.channel = d.channel and p.tenant_id = o.tenant_id
    where d.kind = 'pay' and d.check_result <> 'missingHere' and p.amount <> d.amount`,
  'a line of a bill = its refund': sql`select d.id, p.amount::text as expected, d.refund::text as found
    from merchant_bill_detail d join refund_payment p on p.out_no = d.refund_no and p.tenant_id = d.tenant_id
    where d.kind = 'refund' and d.check_result <> 'missingHere' and (p.amount <> d.refund or p.state <> 'done')`,
}
