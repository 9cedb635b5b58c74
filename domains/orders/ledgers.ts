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
  "a line's benefits = its discount": sql`select id, discount::text as expected, sum((b ->> 'amount')::bigint)::text as found
    from shopping_order_detail, jsonb_array_elements(benefits) b group by id, discount having sum((b ->> 'amount')::bigint) <> discount`,
  'paid = sum of the payments': sql`select o.id, coalesce(sum(p.amount), 0)::text as expected, o.pay_amount::text as found from shopping_order o
    left join order_payment p on p.order_id = o.id and p.tenant_id = o.tenant_id where o.status in (1, 2, 3, 4) group by o.id, o.pay_amount having coalesce(sum(p.amount), 0) <> o.pay_amount`,
  'refunds never exceed what was paid': sql`select o.id, '<= ' || o.pay_amount as expected, sum(r.amount)::text as found from shopping_order o
    join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status <> 5 group by o.id, o.pay_amount having sum(r.amount) > o.pay_amount`,
  'refunded = sum of the refunds that succeeded': sql`select o.id, coalesce(sum(r.amount), 0)::text as expected, o.refund_amount::text as found from shopping_order o
    left join refunds r on r.order_id = o.id and r.tenant_id = o.tenant_id and r.status = 3 group by o.id, o.refund_amount having coalesce(sum(r.amount), 0) <> coalesce(o.refund_amount, 0)`,
  "an order's state follows from its refunds": sql`select o.id, x.states::text as expected, o.status::text as found from shopping_order o
    left join lateral (select count(*) > 0 as has_some from refunds r where r.order_id = o.id and r.tenant_id = o.tenant_id and r.status = 3) r on true,
    lateral (select case when not r.has_some then array[0, 1, 2, 9] when o.refund_amount < o.pay_amount then array[3] when o.pay_amount > 0 then array[4] else array[3, 4] end as states) x
    where o.status <> all (x.states)`,
  'what was not paid moved nothing': sql`select o.id, '0' as expected, count(*)::text as found from shopping_order o join order_payment p on p.order_id = o.id and p.tenant_id = o.tenant_id where o.status in (0, 9) group by o.id`,
  'two signatures are of two people': sql`select id, '2' as expected, concat(audit_user, ' ', second_user) as found from refunds
    where signatures_needed = 2 and status in (1, 2, 3, 4) and (audit_user is null or second_user is null or second_user in (audit_user, create_user))`,
  'a delivered order is finished': sql`select d.id, 'finished' as expected, o.status::text as found from delivery_info d
    join shopping_order o on o.id = d.order_id and o.tenant_id = d.tenant_id where d.status = 3 and o.finish_time is null`,
  "a line's refunds = its parts of the refunds": sql`select d.id, coalesce(x.amount, 0) || ' / ' || coalesce(x.quantity, 0) as expected, d.refund_amount || ' / ' || d.refund_quantity as found
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
  'an account never goes below zero, and each line of its log adds up': sql`select id, (before + change)::text as expected, after::text as found from balance_log where after <> before + change or after < 0
    union all select id, (before + change)::text, after::text from integral_log where after <> before + change or after < 0`,
  'a recharge = its lines of the balance log': sql`select r.id, (r.amount + r.gift_amount)::text as expected, coalesce(sum(l.change), 0)::text as found from recharge_log r
    left join balance_log l on l.ref_id = r.id and l.ref_type = 'recharge' and l.tenant_id = r.tenant_id where r.pay_status > 0 group by r.id having coalesce(sum(l.change), 0) <> r.amount + r.gift_amount`,
  'points are earned once an order': sql`select ref_id as id, '1' as expected, count(*)::text as found from integral_log where ref_type = 'order' and type = 'earn' group by ref_id having count(*) > 1`,
  "a register's sale is one order": sql`select o.id, '1' as expected, count(*)::text as found from shopping_order o
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
