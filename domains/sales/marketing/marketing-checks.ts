import { sql, type Sql } from '#kit/server/database/db.ts'

/**
 * Consistency checks of quotes, tickets and campaigns. Each statement finds the rows that violate it: `id`, `expected`,
 * `found`.
 */
export const marketingConsistencySql: Record<string, Sql> = {
  'a used ticket is named by the quote of its order': sql`select t.id, 'the quote of order ' || coalesce(t.order_id,
    0) as expected, coalesce(q.state, 'none') as found from customer_ticket t
    left join price_quote q on q.order_id = t.order_id and q.tenant_id = t.tenant_id and t.id = any(q.ticket_ids)
    where t.status = 2 and q.state is distinct from 'used'`,
  'a locked ticket is held by an open quote that names it': sql`select t.id, 'open' as expected, coalesce(q.state,
    'none') as found from customer_ticket t
    left join price_quote q on q.id = t.quote_id and q.tenant_id = t.tenant_id and t.id = any(q.ticket_ids)
    where t.status = 1 and q.state is distinct from 'open'`,
  'an open quote holds its tickets, but those that were taken back': sql`select q.id, '1 or 4' as expected,
    t.status::text as found from price_quote q
    join customer_ticket t on t.id = any(q.ticket_ids) and t.tenant_id = q.tenant_id where q.state = 'open'
    and not (t.status = 4 or (t.status = 1 and t.quote_id = q.id))`,
  'what a used ticket took off stands on the lines of its order': sql`select t.id, coalesce(t.used_amount,
    0)::text as expected, x.cents::text as found from customer_ticket t cross join lateral (
      select coalesce(sum((b ->> 'amount')::bigint), 0) as cents from shopping_order_detail d cross
      join lateral jsonb_array_elements(d.benefits) b
      where d.tenant_id = t.tenant_id and d.order_id = t.order_id and b ->> 'kind' = 'ticket'
      and b ->> 'refId' = t.id::text) x
    where t.status = 2 and coalesce(t.used_amount, 0) <> x.cents`,
  'a ticket belongs to an order only while it is used': sql`select id, 'no order' as expected, order_id::text as found
    from customer_ticket where status <> 2 and (order_id is not null or used_amount is not null)`,
  "a kind's given tickets = its tickets": sql`select k.id, count(t.id)::text as expected, coalesce(k.received,
    0)::text as found from discount_ticket k
    left join customer_ticket t on t.ticket_id = k.id and t.tenant_id = k.tenant_id
    group by k.tenant_id, k.id, k.received
    having count(t.id) <> coalesce(k.received, 0)`,
  "a kind's used tickets = its tickets that are used": sql`select k.id, count(t.id)::text as expected, coalesce(k.used,
    0)::text as found from discount_ticket k
    left join customer_ticket t on t.ticket_id = k.id and t.tenant_id = k.tenant_id and t.status = 2
    group by k.tenant_id, k.id, k.used having count(t.id) <> coalesce(k.used, 0)`,
  'a campaign has given what its uses say': sql`select c.id, coalesce(sum(u.amount),
    0) || ' in ' || count(u.id) as expected, coalesce(c.used_amount, 0) || ' in ' || coalesce(c.used_count, 0) as found
    from discount_conf c
    left join campaign_use u on u.campaign_id = c.id and u.tenant_id = c.tenant_id and u.state = 'used'
    group by c.tenant_id, c.id, c.used_amount, c.used_count
    having coalesce(sum(u.amount), 0) <> coalesce(c.used_amount, 0) or count(u.id) <> coalesce(c.used_count, 0)`,
  'a campaign with a budget has promised what its uses say': sql`select c.id, coalesce(sum(u.amount),
    0)::text as expected, coalesce(c.reserved_amount, 0)::text as found from discount_conf c
    left join campaign_use u on u.campaign_id = c.id and u.tenant_id = c.tenant_id and u.state = 'reserved'
    where c.budget is not null group by c.tenant_id, c.id, c.reserved_amount
    having coalesce(sum(u.amount), 0) <> coalesce(c.reserved_amount, 0)`,
  "a campaign's figures in a shop = its uses there": sql`select coalesce(m.id, 0) as id, coalesce(u.orders,
    0) || ' / ' || coalesce(u.discount, 0) || ' / ' || coalesce(u.sales, 0) as expected,
      coalesce(m.orders, 0) || ' / ' || coalesce(m.discount_amount, 0) || ' / ' || coalesce(m.sales_amount, 0) as found
      from shop_markting m
    full join (select tenant_id, campaign_id, shop_id, count(*) as orders, sum(amount) as discount,
    sum(sales_amount) as sales from campaign_use where state = 'used' group by 1, 2, 3) u
      on u.tenant_id = m.tenant_id and u.campaign_id = m.discount_conf_id and u.shop_id = m.shop_id
    where coalesce(m.orders, 0) <> coalesce(u.orders, 0) or coalesce(m.discount_amount, 0) <> coalesce(u.discount, 0)
    or coalesce(m.sales_amount, 0) <> coalesce(u.sales, 0)`,
  'a use stands where its quote stands': sql`select u.id, q.state as expected, u.state as found from campaign_use u
    join price_quote q on q.id = u.quote_id and q.tenant_id = u.tenant_id
    where u.state <> case q.state when 'open' then 'reserved' else q.state end`,
  'an order was charged by one quote': sql`select order_id as id, '1' as expected, count(*)::text as found
    from price_quote where state in ('used', 'returned') group by tenant_id, order_id having count(*) > 1
    or order_id is null`,
  'a quote is given back with the whole of its order and no earlier': sql`select q.id, case o.status
    when 4 then 'returned' else 'used' end as expected, q.state as found from price_quote q
    join shopping_order o on o.id = q.order_id and o.tenant_id = q.tenant_id where q.state in ('used', 'returned')
    and o.pay_amount > 0 and (q.state = 'returned') <> (o.status = 4)`,
  'what nobody will pay any more holds no quote': sql`select q.id, 'freed' as expected, q.state as found
    from price_quote q join shopping_order o on o.id = q.order_id and o.tenant_id = q.tenant_id
    where o.status = 9 and q.state <> 'freed' or q.state = 'open' and o.status <> 0`,
  'points of a quote left with its order': sql`select q.id, q.points::text as expected, coalesce(-sum(l.change),
    0)::text as found from price_quote q
    left join integral_log l on l.ref_id = q.order_id and l.ref_type = 'order' and l.type = 'consume'
    and l.tenant_id = q.tenant_id
    where q.state in ('used', 'returned')
    group by q.tenant_id, q.id, q.points having coalesce(-sum(l.change), 0) <> case
    when q.wx_user_id is null then 0 else q.points end`,
  'points come back as the quote says, never more than left': sql`select q.id,
    q.points_returned || ' <= ' || q.points as expected, coalesce(sum(l.change), 0)::text as found from price_quote q
    left join refunds r on r.order_id = q.order_id and r.tenant_id = q.tenant_id
    left join integral_log l on l.ref_id = r.id and l.ref_type = 'refund' and l.type = 'refund'
    and l.tenant_id = r.tenant_id
    where q.state in ('used', 'returned') group by q.tenant_id, q.id, q.points, q.points_returned
    having coalesce(sum(l.change), 0) <> q.points_returned or q.points_returned > q.points`,
}
