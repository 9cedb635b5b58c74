import { IN_HOUSE_CHANNELS } from '#domains/money/payment-channels/api.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { stockConsistencySql } from '#domains/catalogue/inventory/api.ts'

/** A stored value that differs from the rows it should follow from. */
export type LedgerDifference = { check: string; id: string; expected: string; found: string }

/**
 * Consistency checks of orders, payments and refunds. Each statement finds the rows that violate it: `id`, `expected`,
 * `found`.
 */
export const orderConsistencySql: Record<string, ReturnType<typeof sql>> = {
  'paid = goods − discounts + freight': sql`select id, (goods_amount - discount_amount - ticket_amount - vip_amount -
    integral_amount + freight)::text as expected, pay_amount::text as found
    from shopping_order where pay_amount is distinct
    from goods_amount - discount_amount - ticket_amount - vip_amount - integral_amount + freight`,
  'paid = sum of the lines + freight': sql`select o.id, (coalesce(sum(d.amount), 0) + o.freight)::text as expected,
    o.pay_amount::text as found from shopping_order o
    left join shopping_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id
    group by o.tenant_id, o.id, o.pay_amount, o.freight having coalesce(sum(d.amount), 0) + o.freight <> o.pay_amount`,
  "a line's benefits = its discount": sql`select id, discount::text as expected,
    sum((b ->> 'amount')::bigint)::text as found
    from shopping_order_detail, jsonb_array_elements(benefits) b group by id, discount
    having sum((b ->> 'amount')::bigint) <> discount`,
  'paid = sum of the payments': sql`select o.id, coalesce(sum(p.amount), 0)::text as expected,
    o.pay_amount::text as found from shopping_order o
    left join order_payment p on p.order_id = o.id and p.tenant_id = o.tenant_id where o.status in (1, 2, 3, 4)
    group by o.tenant_id, o.id, o.pay_amount having coalesce(sum(p.amount), 0) <> o.pay_amount`,
  'refunds never exceed what was paid': sql`select o.id, '<= ' || o.pay_amount as expected, sum(r.amount)::text as found
    from shopping_order o
    join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status <> 5
    group by o.tenant_id, o.id, o.pay_amount
    having sum(r.amount) > o.pay_amount`,
  'refunded = sum of the refunds that succeeded': sql`select o.id, coalesce(sum(r.amount), 0)::text as expected,
    o.refund_amount::text as found from shopping_order o
    left join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status = 3
    group by o.tenant_id, o.id, o.refund_amount having coalesce(sum(r.amount), 0) <> coalesce(o.refund_amount, 0)`,
  "an order's state follows from its refunds": sql`select o.id, x.states::text as expected, o.status::text as found
    from shopping_order o
    left join (select distinct tenant_id, order_id from refunds where status = 3) r
    on r.order_id = o.id and r.tenant_id = o.tenant_id, lateral (select case
    when r.order_id is null then array[0, 1, 2, 9] when o.refund_amount < o.pay_amount then array[3]
    when o.pay_amount > 0 then array[4] else array[3, 4] end as states) x
    where o.status <> all (x.states)`,
  'what was not paid moved nothing': sql`select o.id, '0' as expected, count(*)::text as found from shopping_order o
    join order_payment p on p.order_id = o.id and p.tenant_id = o.tenant_id where o.status in (0, 9)
    group by o.tenant_id, o.id`,
  'two signatures are of two people': sql`select id, '2' as expected, concat(audit_user, ' ', second_user) as found
    from refunds
    where signatures_needed = 2 and status in (1, 2, 3, 4) and (audit_user is null or second_user is null
    or second_user in (audit_user, create_user))`,
  'a delivered order is finished': sql`select d.id, 'finished' as expected, o.status::text as found from delivery_info d
    join shopping_order o on o.id = d.order_id and o.tenant_id = d.tenant_id where d.status = 3
    and o.finish_time is null`,
  "a line's refunds = its parts of the refunds": sql`select d.id, coalesce(x.amount, 0) || ' / ' || coalesce(x.quantity,
    0) as expected, d.refund_amount || ' / ' || d.refund_quantity as found
    from shopping_order_detail d left join (
      select r.tenant_id, (l ->> 'detailId')::bigint as id,
      sum(round((l ->> 'amount')::numeric * 100)) as amount, sum((l ->> 'quantity')::int) as quantity
      from refunds r, jsonb_array_elements(r.lines) l where r.status = 3 group by 1, 2
    ) x on x.id = d.id and x.tenant_id = d.tenant_id where coalesce(d.refund_amount, 0) <> coalesce(x.amount, 0)
    or coalesce(d.refund_quantity, 0) <> coalesce(x.quantity, 0)`,
  'a refund = the money it sends': sql`select r.id, r.amount::text as expected, coalesce(sum(m.amount),
    0)::text as found from refunds r
    left join refund_payment m on m.refund_id = r.id and m.tenant_id = r.tenant_id group by r.tenant_id, r.id, r.amount
    having coalesce(sum(m.amount), 0) <> r.amount`,
  'a refund succeeded only with its money sent': sql`select r.id, 'done' as expected, m.state as found from refunds r
    join refund_payment m on m.refund_id = r.id and m.tenant_id = r.tenant_id where r.status = 3 and m.state <> 'done'`,
  'balance = sum of its log': sql`select w.id, coalesce(sum(l.change), 0)::text as expected, w.balance::text as found
    from wx_user w
    left join balance_log l on l.wx_user_id = w.id and l.tenant_id = w.tenant_id group by w.tenant_id, w.id, w.balance
    having coalesce(sum(l.change), 0) <> coalesce(w.balance, 0)`,
  'points = sum of their log': sql`select w.id, coalesce(sum(l.change), 0)::text as expected, w.integral::text as found
    from wx_user w
    left join integral_log l on l.wx_user_id = w.id and l.tenant_id = w.tenant_id group by w.tenant_id, w.id, w.integral
    having coalesce(sum(l.change), 0) <> coalesce(w.integral, 0)`,
  'an account never goes below zero, and each line of its log adds up': sql`select id,
    (before + change)::text as expected, after::text as found from balance_log where after <> before + change
    or after < 0
    union all select id, (before + change)::text, after::text from integral_log where after <> before + change
    or after < 0`,
  'a recharge = its lines of the balance log': sql`select r.id, (r.amount + r.gift_amount)::text as expected,
    coalesce(sum(l.change), 0)::text as found from recharge_log r
    left join balance_log l on l.ref_id = r.id and l.ref_type = 'recharge' and l.tenant_id = r.tenant_id
    where r.pay_status > 0 group by r.tenant_id, r.id having coalesce(sum(l.change), 0) <> r.amount + r.gift_amount`,
  'points are earned once an order': sql`select ref_id as id, '1' as expected, count(*)::text as found from integral_log
    where ref_type = 'order' and type = 'earn' group by tenant_id, ref_id having count(*) > 1`,
  "a register's sale is one order": sql`select o.id, '1' as expected, count(*)::text as found from shopping_order o
    join shopping_order x on x.tenant_id = o.tenant_id and x.cash_register_id = o.cash_register_id
    and x.sale_no = o.sale_no where o.sale_no is not null group by o.tenant_id, o.id having count(*) <> 1`,
  'refunds of a line never exceed it, waiting ones included': sql`select d.id,
    '<= ' || d.amount || ' for ' || d.quantity as expected, sum(round((l ->> 'amount')::numeric * 100)) || ' for ' ||
    sum((l ->> 'quantity')::int) as found
    from refunds r cross join lateral jsonb_array_elements(r.lines) l
    join shopping_order_detail d on d.id = (l ->> 'detailId')::bigint and d.tenant_id = r.tenant_id where r.status <> 5
    group by d.tenant_id, d.id, d.amount, d.quantity having sum(round((l ->> 'amount')::numeric * 100)) > d.amount
    or sum((l ->> 'quantity')::int) > d.quantity`,
  "a refund's lines are of its order": sql`select r.id, r.order_id::text as expected, coalesce(d.order_id,
    0)::text as found from refunds r cross join lateral jsonb_array_elements(r.lines) l
    left join shopping_order_detail d on d.id = (l ->> 'detailId')::bigint and d.tenant_id = r.tenant_id
    where d.order_id is distinct from r.order_id`,
  'a refund = its lines + freight': sql`select r.id, (coalesce(sum(round((l ->> 'amount')::numeric * 100)),
    0) + coalesce(r.freight, 0))::text as expected, r.amount::text as found from refunds r
    left join lateral jsonb_array_elements(r.lines) l on true group by r.tenant_id, r.id, r.freight, r.amount
    having coalesce(sum(round((l ->> 'amount')::numeric * 100)), 0) + coalesce(r.freight, 0) <> r.amount`,
  'freight goes back once': sql`select o.id, '<= ' || coalesce(o.freight, 0) as expected, sum(r.freight)::text as found
    from shopping_order o join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status <> 5
    group by o.tenant_id, o.id, o.freight having sum(r.freight) > coalesce(o.freight, 0)`,
  'no more goes back to a payment than it was': sql`select p.id, '<= ' || p.amount as expected,
    sum(m.amount)::text as found from order_payment p
    join refund_payment m on m.payment_id = p.id and m.tenant_id = p.tenant_id and m.state <> 'cancelled'
    group by p.tenant_id, p.id, p.amount having sum(m.amount) > p.amount`,
  'money goes back the way it came': sql`select m.id, p.channel || ' ' || coalesce(p.transaction_no, '') as expected,
    m.channel || ' ' || coalesce(m.transaction_no, '') as found from refund_payment m
    left join order_payment p on p.id = m.payment_id and p.tenant_id = m.tenant_id where p.id is null
    or (p.order_id, p.channel) is distinct from (m.order_id, m.channel) or p.transaction_no is distinct
    from m.transaction_no`,
  'only rejected refunds have cancelled money': sql`select m.id, case r.status when 5 then 'cancelled'
    else 'not cancelled' end as expected, m.state as found from refund_payment m
    join refunds r on r.id = m.refund_id and r.tenant_id = m.tenant_id where (r.status = 5) <> (m.state = 'cancelled')`,
  'money is sent only of refunds that were signed': sql`select m.id, 'waiting' as expected, m.state as found
    from refund_payment m join refunds r on r.id = m.refund_id and r.tenant_id = m.tenant_id where r.status = 0
    and m.state <> 'waiting'`,
  'a transaction number pays once': sql`select min(id) as id, '1' as expected,
    transaction_no || ': ' || count(*) as found from (
      select tenant_id, id, channel, transaction_no from order_payment union all
      select tenant_id, id, pay_type, transaction_no from recharge_log union all
      select tenant_id, id, pay_type, transaction_no from annual_fee_log
    ) paid where transaction_no <> '' and channel <> all(${IN_HOUSE_CHANNELS}::text[]) group by tenant_id,
      transaction_no
    having count(*) > 1`,
  'what a sale took from stock = its lines of the ledger': sql`select o.id, coalesce(a.pieces, 0)::text as expected,
    coalesce(l.pieces, 0)::text as found from shopping_order o
    left join (select d.tenant_id, d.order_id, sum((x ->> 'quantity')::int) as pieces from shopping_order_detail d cross
    join lateral jsonb_array_elements(d.allocations) x group by 1, 2) a on a.order_id = o.id
    and a.tenant_id = o.tenant_id
    left join (select tenant_id, ref_id, -sum(change) as pieces from storage_log where ref_type = 'order'
    group by 1, 2) l on l.ref_id = o.id and l.tenant_id = o.tenant_id
    where coalesce(a.pieces, 0) <> coalesce(l.pieces, 0)`,
  'a line takes all of its pieces or none': sql`select d.id, '0 or ' || d.quantity as expected,
    sum((x ->> 'quantity')::int)::text as found from shopping_order_detail d cross
    join lateral jsonb_array_elements(d.allocations) x
    group by d.tenant_id, d.id, d.quantity having sum((x ->> 'quantity')::int) not in (0, d.quantity)`,
  'what refunds put back = their lines of the ledger': sql`select o.id, coalesce(a.pieces, 0)::text as expected,
    coalesce(l.pieces, 0)::text as found from shopping_order o
    left join (select d.tenant_id, d.order_id, sum((x ->> 'restored')::int) as pieces from shopping_order_detail d cross
    join lateral jsonb_array_elements(d.allocations) x group by 1, 2) a on a.order_id = o.id
    and a.tenant_id = o.tenant_id
    left join (select r.tenant_id, r.order_id, sum(s.change) as pieces from refunds r
    join storage_log s on s.ref_id = r.id and s.ref_type = 'refund' and s.tenant_id = r.tenant_id group by 1, 2) l
      on l.order_id = o.id and l.tenant_id = o.tenant_id where coalesce(a.pieces, 0) <> coalesce(l.pieces, 0)`,
  'no batch gets back more than it gave': sql`select d.id, '<= ' || (x ->> 'quantity') as expected,
    (x ->> 'restored') as found from shopping_order_detail d cross join lateral jsonb_array_elements(d.allocations) x
    where (x ->> 'restored')::int > (x ->> 'quantity')::int or (x ->> 'restored')::int < 0`,
  'a refund that puts nothing back, or did not succeed, moved no stock': sql`select r.id, '0' as expected,
    sum(s.change)::text as found from refunds r
    join storage_log s on s.ref_id = r.id and s.ref_type = 'refund' and s.tenant_id = r.tenant_id where r.status <> 3
    or r.restock is false group by r.tenant_id, r.id`,
  'what was not paid took no stock, no points and no balance': sql`select o.id, '0' as expected, count(*)::text as found
    from shopping_order o join (
      select tenant_id, ref_id from storage_log where ref_type = 'order' union all select tenant_id, ref_id
      from balance_log where ref_type = 'order' union all select tenant_id, ref_id from integral_log
      where ref_type = 'order'
    ) l on l.ref_id = o.id and l.tenant_id = o.tenant_id where o.status in (0, 9) group by o.tenant_id, o.id`,
  'what an order took from the balance left it': sql`select o.id, coalesce(o.balance_amount, 0)::text as expected,
    coalesce(p.cents, 0) || ' / ' || coalesce(l.cents, 0) as found from shopping_order o
    left join (select tenant_id, order_id, sum(amount) as cents from order_payment where channel = 'balance'
    group by 1, 2) p on p.order_id = o.id and p.tenant_id = o.tenant_id
    left join (select tenant_id, ref_id, -sum(change) as cents from balance_log where ref_type = 'order'
    group by 1, 2) l on l.ref_id = o.id and l.tenant_id = o.tenant_id
    where o.status in (1, 2, 3, 4) and (coalesce(o.balance_amount, 0) <> coalesce(p.cents, 0)
    or coalesce(p.cents, 0) <> coalesce(l.cents, 0))`,
  'what a refund sent to the balance came there': sql`select r.id, coalesce(m.cents, 0)::text as expected,
    coalesce(l.cents, 0)::text as found from refunds r
    left join (select tenant_id, refund_id, sum(amount) as cents from refund_payment where channel = 'balance'
    group by 1, 2) m on m.refund_id = r.id and m.tenant_id = r.tenant_id
    left join (select tenant_id, ref_id, sum(change) as cents from balance_log where ref_type = 'refund'
    group by 1, 2) l on l.ref_id = r.id and l.tenant_id = r.tenant_id
    where coalesce(l.cents, 0) <> case when r.status = 3 then coalesce(m.cents, 0) else 0 end`,
  'no more points are taken back of an order than it earned': sql`select o.id, '<= ' || coalesce(e.points,
    0) as expected, t.points::text as found from shopping_order o
    join (select r.tenant_id, r.order_id, -sum(l.change) as points from refunds r join integral_log l on l.ref_id = r.id
    and l.ref_type = 'refund' and l.type = 'takeBack' and l.tenant_id = r.tenant_id
    group by 1, 2) t on t.order_id = o.id and t.tenant_id = o.tenant_id
    left join (select tenant_id, ref_id, sum(change) as points from integral_log where ref_type = 'order'
    and type = 'earn' group by 1, 2) e on e.ref_id = o.id and e.tenant_id = o.tenant_id
    where t.points > coalesce(e.points, 0)`,
  "a register's number is answered with its order": sql`select s.order_id as id,
    s.register_id || ' ' || s.sale_no as expected, coalesce(o.cash_register_id || ' ' || o.sale_no, 'none') as found
    from register_sale s
    left join shopping_order o on o.id = s.order_id and o.tenant_id = s.tenant_id where o.id is null
    or o.sale_no <> s.sale_no or o.cash_register_id <> s.register_id`,
  'an order is under way once': sql`select order_id as id, '<= 1' as expected, count(*)::text as found
    from delivery_info where status in (0, 1, 2) group by tenant_id, order_id having count(*) > 1`,
  'what an order cost = the cost of its lines': sql`select o.id, coalesce(sum(d.cost_amount), 0)::text as expected,
    coalesce(o.cost_amount, 0)::text as found from shopping_order o
    left join shopping_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id where o.status in (1, 2, 3, 4)
    group by o.tenant_id, o.id, o.cost_amount having coalesce(sum(d.cost_amount), 0) <> coalesce(o.cost_amount, 0)`,
  'an order holds as many pieces as its lines': sql`select o.id, coalesce(sum(d.quantity), 0)::text as expected,
    coalesce(o.quantity, 0)::text as found from shopping_order o
    left join shopping_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id
    group by o.tenant_id, o.id, o.quantity
    having coalesce(sum(d.quantity), 0) <> coalesce(o.quantity, 0)`,
}

const EACH_MAX = 20

/**
 * SQL of a check's first `count` differences. Materialised, because a check that finds nothing reads everything, and
 * with a limit the planner would choose a nested loop over all orders.
 */
export const firstDifferencesSql = (check: Sql, count: number): Sql => sql`with differences as materialized (${check})
  select id::text as id, expected, found from differences limit ${count}`

/**
 * Recomputes every value that follows from other rows, for one tenant, or for all with a cross-tenant `db`. Returns the
 * differences.
 */
export async function checkLedgers(db: Db): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (const [check, statement] of Object.entries({ ...stockConsistencySql, ...orderConsistencySql })) {
    const rows = await db.query<Omit<LedgerDifference, 'check'>>(firstDifferencesSql(statement, EACH_MAX))
    found.push(...rows.map((row) => ({ check, ...row })))
  }
  return found
}
