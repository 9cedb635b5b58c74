import { sql, type Sql } from '#kit/server/database/db.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'

/** CTE `stands`: each account with the open account (`root`) it was merged into. */
const people = sql`with recursive stands(tenant_id, id, root) as (
      select tenant_id, id, id from wx_user where merged_into is null
      union all select w.tenant_id, w.id, s.root from stands s join wx_user w on w.merged_into = s.id
      and w.tenant_id = s.tenant_id)`

/**
 * Consistency checks of customers, accounts and levels. Each statement finds the rows that violate it: `id`,
 * `expected`, `found`.
 */
export const memberConsistencySql: Record<string, Sql> = {
  'a customer spent what his orders say': sql`${people}, spent as (
      select s.tenant_id, s.root, sum(o.pay_amount - coalesce(o.refund_amount, 0)) as cents, count(*) as orders
      from stands s
      join shopping_order o on o.tenant_id = s.tenant_id and o.wx_user_id = s.id where o.status in (1, 2, 3, 4)
      group by 1, 2)
    select w.id, coalesce(s.cents, 0) || ' in ' || coalesce(s.orders, 0) as expected, coalesce(w.total_spent,
    0) || ' in ' || coalesce(w.order_count, 0) as found from wx_user w
    left join spent s on s.root = w.id and s.tenant_id = w.tenant_id where w.merged_into is null
    and (coalesce(w.total_spent, 0) <> coalesce(s.cents, 0) or coalesce(w.order_count, 0) <> coalesce(s.orders, 0))`,
  "a customer's orders in a shop are counted there": sql`${people}, bought as (
      select s.tenant_id, s.root, o.shop_id, count(*) as orders from stands s
      join shopping_order o on o.tenant_id = s.tenant_id and o.wx_user_id = s.id where o.status in (1, 2, 3, 4)
      group by 1, 2, 3)
    select b.root as id, b.shop_id || ': ' || b.orders as expected, coalesce(c.order_count, 0)::text as found
    from bought b
    left join wx_user_shop c on c.wx_user_id = b.root and c.shop_id = b.shop_id and c.tenant_id = b.tenant_id
    where coalesce(c.order_count, 0) <> b.orders`,
  'an account that went into another holds nothing': sql`select id, '0 / 0 / 0 / 0 / 0' as expected, concat_ws(' / ',
    balance, integral, vip_level, total_spent, order_count) as found from wx_user
    where merged_into is not null and (coalesce(balance, 0) <> 0 or coalesce(integral, 0) <> 0
    or coalesce(vip_level, 0) <> 0 or coalesce(total_spent, 0) <> 0 or coalesce(order_count, 0) <> 0)`,
  'a merge moves what it says, and creates nothing': sql`select m.id, '0' as expected, (coalesce(b.change,
    0) || ' / ' || coalesce(i.change, 0)) as found from wx_user_merge m
    left join (select tenant_id, least(wx_user_id, ref_id) as a, greatest(wx_user_id, ref_id) as b,
    sum(change) as change from balance_log where type = 'merge' group by 1, 2, 3) b
      on b.tenant_id = m.tenant_id and b.a = least(m.source_id, m.target_id)
      and b.b = greatest(m.source_id, m.target_id)
    left join (select tenant_id, least(wx_user_id, ref_id) as a, greatest(wx_user_id, ref_id) as b,
    sum(change) as change from integral_log where type = 'merge' group by 1, 2, 3) i
      on i.tenant_id = m.tenant_id and i.a = least(m.source_id, m.target_id)
      and i.b = greatest(m.source_id, m.target_id)
    where coalesce(b.change, 0) <> 0 or coalesce(i.change, 0) <> 0`,
  'a level stands on a valid term of it': sql`select w.id, w.vip_level || ' until ' || w.vip_end_time as expected,
    'no such term' as found from wx_user w where coalesce(w.vip_level, 0) > 0
    and not exists (select 1 from vip_info v join vip_level l on l.id = v.level and l.tenant_id = v.tenant_id
      where v.tenant_id = w.tenant_id and v.wx_user_id = w.id and v.status = 1 and l.rank = w.vip_level
      and v.end_time = w.vip_end_time)`,
  'a level reached by spending stands on money that stayed': sql`${people}
    select v.id, '>= ' || v.needed_amount as expected, x.cents::text as found from vip_info v cross join lateral (
      select coalesce(sum(o.pay_amount - coalesce(o.refund_amount, 0)), 0) as cents from stands s
      join shopping_order o on o.tenant_id = s.tenant_id and o.wx_user_id = s.id
      where s.tenant_id = v.tenant_id and s.root = v.wx_user_id and o.status in (1, 2, 3)
      and o.pay_time > v.start_time - interval '12 months') x
    where v.source = 'spending' and v.status = 1 and v.needed_amount > x.cents
    and v.end_time >= v.start_time + interval '12 months'`,
  'a level reached by spending is longer than its year only by what was paid or given': sql`select v.id,
    '<= ' || (v.start_time + interval '12 months') as expected, v.end_time::text as found from vip_info v
    where v.source = 'spending' and v.status = 1 and v.end_time > v.start_time + interval '12 months'
    and v.remark is null
      and not exists (select 1 from annual_fee_log f where f.tenant_id = v.tenant_id and f.vip_info_id = v.id)
      and not exists (select 1 from vip_info m where m.tenant_id = v.tenant_id and m.wx_user_id = v.wx_user_id
      and m.level = v.level and m.status = ${MEMBERSHIP_TERM_STATE.merged})`,
  'a ticket given with a recharge went with it': sql`select t.id, 'recharge not paid back' as expected,
    'in hands' as found from customer_ticket t
    join recharge_log r on t.remark = 'recharge/' || r.id and r.tenant_id = t.tenant_id where r.pay_status = 3
    and t.status in (0, 1)`,
  'a valid term is of an account that is open': sql`select v.id, 'open' as expected, 'merged' as found from vip_info v
    join wx_user w on w.id = v.wx_user_id and w.tenant_id = v.tenant_id where v.status = 1
    and w.merged_into is not null`,
  'a recharge pays back what it took and gave, at most once': sql`select id, '<= ' || concat_ws(' / ', amount,
    gift_amount, gift_integral) as expected, concat_ws(' / ', refund_amount, refund_gift_amount,
    refund_gift_integral) as found from recharge_log
    where coalesce(refund_amount, 0) > amount or coalesce(refund_gift_amount, 0) > coalesce(gift_amount, 0)
    or coalesce(refund_gift_integral, 0) > coalesce(gift_integral, 0)`,
  "a recharge's state follows from what went back": sql`select id, x.state::text as expected, pay_status::text as found
    from recharge_log,
    lateral (select case when coalesce(refund_amount, 0) = 0 then 1 when refund_amount < amount then 2 else 3
    end as state) x where pay_status > 0 and pay_status <> x.state`,
  'what recharges paid back left the balances': sql`select 0 as id, coalesce(r.cents, 0)::text as expected,
    coalesce(l.cents, 0)::text as found
    from (select tenant_id, sum(coalesce(refund_amount, 0) + coalesce(refund_gift_amount, 0)) as cents from recharge_log
    group by 1) r
    full join (select tenant_id, -sum(change) as cents from balance_log where ref_type = 'rechargeRefund'
    group by 1) l on l.tenant_id = r.tenant_id where coalesce(r.cents, 0) <> coalesce(l.cents, 0)`,
  'points given with a recharge = its lines of the points log': sql`select r.id, r.gift_integral::text as expected,
    coalesce(sum(l.change), 0)::text as found from recharge_log r
    left join integral_log l on l.ref_id = r.id and l.ref_type = 'recharge' and l.tenant_id = r.tenant_id
    where r.pay_status > 0
    group by r.tenant_id, r.id having coalesce(sum(l.change), 0) <> coalesce(r.gift_integral, 0)`,
  'a fee from the balance left the balance': sql`select f.id, f.fee::text as expected, coalesce(-sum(l.change),
    0)::text as found from annual_fee_log f
    left join balance_log l on l.ref_id = f.id and l.ref_type = 'annualFee' and l.tenant_id = f.tenant_id
    where f.pay_type = 'balance' and f.pay_status > 0 group by f.tenant_id, f.id
    having coalesce(-sum(l.change), 0) <> coalesce(f.fee, 0)`,
  'each line of the balance log continues the one before': ledgerRuns('balance_log'),
  'each line of the points log continues the one before': ledgerRuns('integral_log'),
}

/**
 * Checks that log rows form one chain: each `before` is another row's `after`, from 0 to the present value. The order
 * of rows of the same moment does not matter.
 */
function ledgerRuns(table: 'balance_log' | 'integral_log'): Sql {
  const name = table === 'balance_log' ? sql`balance_log` : sql`integral_log`
  const held = table === 'balance_log' ? sql`balance` : sql`integral`
  return sql`select wx_user_id as id, 'as often begun as ended' as expected, value || ': ' || sum(n) as found from (
      select tenant_id, wx_user_id, before as value, 1 as n from ${name} union all
      select tenant_id, wx_user_id, after, -1 from ${name}
      union all select tenant_id, id, coalesce(${held}, 0), 1 from wx_user union all select tenant_id, id, 0, -1
      from wx_user
    ) x group by tenant_id, wx_user_id, value having sum(n) <> 0`
}
