import { sql, type Db } from '#kit/server/db.ts'
import { stockChecks } from '#domains/goods/doors.ts'

/** One figure that does not follow from the rows it summarises. */
export type LedgerDifference = { check: string; id: string; expected: string; found: string }

const checks: Record<string, ReturnType<typeof sql>> = {
  ...stockChecks,
  'paid = goods − discounts + freight': sql`select id, (goods_amount - discount_amount - ticket_amount - vip_amount - integral_amount + freight)::text as expected, pay_amount::text as found
    from shopping_order where pay_amount is distinct from goods_amount - discount_amount - ticket_amount - vip_amount - integral_amount + freight`,
  'paid = sum of the lines + freight': sql`select o.id, (coalesce(sum(d.amount), 0) + o.freight)::text as expected, o.pay_amount::text as found from shopping_order o
    left join shopping_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id group by o.id, o.pay_amount, o.freight having coalesce(sum(d.amount), 0) + o.freight <> o.pay_amount`,
  'a line’s benefits = its discount': sql`select id, discount::text as expected, sum((b ->> 'amount')::bigint)::text as found
    from shopping_order_detail, jsonb_array_elements(benefits) b group by id, discount having sum((b ->> 'amount')::bigint) <> discount`,
  'paid = sum of the payments': sql`select o.id, coalesce(sum(p.amount), 0)::text as expected, o.pay_amount::text as found from shopping_order o
    left join order_payment p on p.order_id = o.id and p.tenant_id = o.tenant_id where o.status in (1, 2, 3, 4) group by o.id, o.pay_amount having coalesce(sum(p.amount), 0) <> o.pay_amount`,
  'refunds never exceed what was paid': sql`select o.id, '<= ' || o.pay_amount as expected, sum(r.amount)::text as found from shopping_order o
    join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status <> 5 group by o.id, o.pay_amount having sum(r.amount) > o.pay_amount`,
  'refunded = sum of the refunds that succeeded': sql`select o.id, coalesce(sum(r.amount), 0)::text as expected, o.refund_amount::text as found from shopping_order o
    left join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status = 3 group by o.id, o.refund_amount having coalesce(sum(r.amount), 0) <> coalesce(o.refund_amount, 0)`,
  'an order’s state follows from its refunds': sql`select id, case when refund_amount = pay_amount and pay_amount > 0 then '4' when refund_amount > 0 then '3' else '0, 1, 2 or 9' end as expected, status::text as found
    from shopping_order where status <> all (case when refund_amount = pay_amount and pay_amount > 0 then array[4] when refund_amount > 0 then array[3] else array[0, 1, 2, 9] end)`,
  'a line’s refunds = its parts of the refunds': sql`select d.id, coalesce(x.amount, 0) || ' / ' || coalesce(x.quantity, 0) as expected, d.refund_amount || ' / ' || d.refund_quantity as found
    from shopping_order_detail d left join (
      select (l ->> 'detailId')::bigint as id, sum(round((l ->> 'amount')::numeric * 100)) as amount, sum((l ->> 'quantity')::int) as quantity
      from refunds r, jsonb_array_elements(r.lines) l where r.status = 3 group by 1
    ) x on x.id = d.id where coalesce(d.refund_amount, 0) <> coalesce(x.amount, 0) or coalesce(d.refund_quantity, 0) <> coalesce(x.quantity, 0)`,
  'a refund = the money it sends': sql`select r.id, r.amount::text as expected, coalesce(sum(m.amount), 0)::text as found from refunds r
    left join refund_payment m on m.refund_id = r.id and m.tenant_id = r.tenant_id group by r.id, r.amount having coalesce(sum(m.amount), 0) <> r.amount`,
  'a refund succeeded only with its money sent': sql`select r.id, 'done' as expected, m.state as found from refunds r join refund_payment m on m.refund_id = r.id and m.tenant_id = r.tenant_id where r.status = 3 and m.state <> 'done'`,
  'balance = sum of its log': sql`select w.id, coalesce(sum(l.change), 0)::text as expected, w.balance::text as found from wx_user w
    left join balance_log l on l.wx_user_id = w.id and l.tenant_id = w.tenant_id group by w.id, w.balance having coalesce(sum(l.change), 0) <> coalesce(w.balance, 0)`,
  'points = sum of their log': sql`select w.id, coalesce(sum(l.change), 0)::text as expected, w.integral::text as found from wx_user w
    left join integral_log l on l.wx_user_id = w.id and l.tenant_id = w.tenant_id group by w.id, w.integral having coalesce(sum(l.change), 0) <> coalesce(w.integral, 0)`,
  'a register’s sale is one order': sql`select o.id, '1' as expected, count(*)::text as found from shopping_order o
    join shopping_order x on x.cash_register_id = o.cash_register_id and x.sale_no = o.sale_no where o.sale_no is not null group by o.id having count(*) <> 1`,
}

/** Every figure that must follow from other rows, recomputed: of one tenant, or of all with a handle across tenants. Empty when all is well. */
export async function checkLedgers(db: Db): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (const [check, statement] of Object.entries(checks)) {
    const rows = await db.query<Omit<LedgerDifference, 'check'>>(sql`select * from (${statement}) differences limit 20`)
    found.push(...rows.map((row) => ({ check, ...row })))
  }
  return found
}
