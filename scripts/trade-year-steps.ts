import { selectIndexesSql } from '#kit/server/database/without-indexes.ts'
import { ORDER_HOUR_WEIGHTS, ORDER_WEEKDAY_WEIGHTS } from '#domains/sales/orders/api.ts'

export const YEAR_TENANT = '300001'
/** First ids of the generated rows, a range for each kind, far below the ids of real rows. */
const BASE = {
  shop: 1_000_000_000_000,
  register: 2_000_000_000_000,
  type: 3_000_000_000_000,
  good: 4_000_000_000_000,
  customer: 5_000_000_000_000,
  order: 10_000_000_000_000,
  line: 20_000_000_000_000,
  payment: 30_000_000_000_000,
  refund: 40_000_000_000_000,
  sent: 50_000_000_000_000,
  batch: 60_000_000_000_000,
  log: 70_000_000_000_000,
}
const GOODS = 60
const DAYS = 365
const TYPES = [
  '茶饮料',
  '碳酸饮料',
  '咖啡',
  '牛奶酸奶',
  '面包糕点',
  '便当饭团',
  '方便面',
  '薯片膨化',
  '坚果肉干',
  '日用百货',
]
const T = `'${YEAR_TENANT}'`
const array = (list: readonly (string | number)[]) =>
  `array[${list.map((one) => (typeof one === 'string' ? `'${one}'` : one)).join(', ')}]`

type Year = { orders: number; shops: number; withStock: boolean }
/** A step's name and its SQL. */
type Step = [what: string, statements: string]

/**
 * Returns the steps that generate a year of trade up to the last hour. Set-based and from a fixed seed, so that the
 * same options give the same trade.
 */
export function yearSteps(year: Year): Step[] {
  return [
    chain(year),
    orderTimes(year),
    contents(),
    orders(),
    ...(year.withStock ? [batches()] : []),
    orderLines(year),
    refunds(),
    customers(),
    ...(year.withStock ? [stockLedger(), payments()] : []),
    indexes(),
  ]
}

const customersOfShop = ({ orders, shops }: Year) => Math.ceil(Math.max(Math.ceil(orders / 40), shops) / shops)

/**
 * Tables whose triggers keep running sums. The triggers are disabled meanwhile, and the sums counted once at the end.
 */
const FOLLOWED = ['shopping_order', 'shopping_order_detail', 'refunds']
const setTriggersSql = (verb: 'enable' | 'disable') =>
  FOLLOWED.map((table) => `alter table ${table} ${verb} trigger user`).join('; ')

/**
 * Tables whose indexes are dropped and built again after filling, which takes a third of the time. Primary keys stay.
 */
const FILLED = [...FOLLOWED, 'storage_log', 'order_payment', 'refund_payment']
const setAside = `create temp table ty_index as select row_number() over () as n, *
  from (${selectIndexesSql(FILLED)}) i;
  do $$ declare i record; begin for i in select * from ty_index where not "isPart" loop
    execute format('drop index %s', i.name); end loop; end $$`
const indexes = (): Step => [
  'indexes',
  `do $$ declare i record; begin for i in select * from ty_index order by n loop
    execute i.definition; end loop; end $$`,
]

const chain = (year: Year): Step => {
  const { shops } = year
  return [
    'the chain: shops, registers, goods, customers',
    `
      select setseed(0.618); ${setTriggersSql('disable')}; ${setAside};
      insert into basic_shop_info (id, tenant_id, shop_name, shop_code, status, mode, search_key, open_date,
      last_seen_time)
        select ${BASE.shop} + s, ${T}, '四季' || lpad(s::text, 3, '0') || '店', 'Y' || lpad(s::text, 4, '0'), 1, 1,
        'sj' || s, current_date - ${DAYS}, now() from generate_series(1, ${shops}) s;
      insert into cash_register (id, tenant_id, name, sn, shop_id, status, last_heartbeat)
        select ${BASE.register} + s * 2 + r, ${T}, (r + 1) || '号机', 'YR' || s || '-' || r, ${BASE.shop} + s, 1, now()
        from generate_series(1, ${shops}) s, generate_series(0, 1) r;
      insert into good_type (id, tenant_id, name, parent_id, sort)
      select ${BASE.type} + t, ${T}, (${array(TYPES)})[t], 0, t from generate_series(1, ${TYPES.length}) t;
      insert into good_info (id, tenant_id, name, shop_id, upc, good_type_id, sale_price, cost_price, stock, stock_seq,
      low_stock, on_sale)
        select ${BASE.good} + s * ${GOODS} + g, ${T}, (${array(TYPES)})[1 + g % ${TYPES.length}] || ' ' || (g + 1),
        ${BASE.shop} + s, 'G' || (1000 + g), ${BASE.type} + 1 + g % ${TYPES.length},
          300 + (g * 37) % 20 * 50, 180 + (g * 37) % 20 * 31, 0, 0, 5, true
          from generate_series(1, ${shops}) s, generate_series(0, ${GOODS - 1}) g;
      insert into wx_user (id, tenant_id, nickname, phone, balance, integral, total_spent, order_count, create_time)
        select ${BASE.customer} + c, ${T}, '顾客' || c, '139' || lpad(c::text, 8, '0'), 0, 0, 0, 0,
        now() - interval '${DAYS} days' from generate_series(0, ${customersOfShop(year) * shops - 1}) c`,
  ]
}

const orderTimes = (year: Year): Step => {
  const { orders, shops } = year
  return [
    'when each order was made',
    `
      create temp table slot as with w as (
          select s, at, (0.5 + 1.3 * ((s * 7919) % 97) / 97.0) * (${array(ORDER_WEEKDAY_WEIGHTS)})[1 + extract(dow
          from at)::int] * (${array(ORDER_HOUR_WEIGHTS)})[1 + extract(hour from at)::int]
            * (1 + 0.22 * sin((extract(doy from at) - 105) / 365.0 * 2 * pi())) as weight
          from generate_series(1, ${shops}) s, generate_series(date_trunc('day', now()) - interval '${DAYS} days',
          date_trunc('hour', now()) - interval '1 hour', interval '1 hour') at),
        c as (select s, at, sum(weight) over (order by at, s) as upto, weight, sum(weight) over () as whole from w)
        select s, at, (floor(upto / whole * ${orders} + 1e-6) - floor((upto - weight) / whole * ${orders} + 1e-6))::int
        as n from c;
      create temp table ty_order as select row_number() over (order by ts, s) as n, * from (
        select s, at + random() * interval '3599 seconds' as ts, random() as whose, random() as which, random() as back,
        1 + floor(random() * random() * 3.6)::int as lines, floor(random() * ${GOODS})::int as first, random() as means
        from slot, generate_series(1, slot.n)) x;
      alter table ty_order add customer bigint, add primary key (n);
      update ty_order set ts = date_trunc('milliseconds', ts), customer = case
      when whose < 0.55 then ${BASE.customer} + (case when whose < 0.47 then s - 1 else floor(means * ${shops})
      end) + ${shops} * floor(power(which, 1.7) * ${customersOfShop(year)}) end;
      analyze ty_order`,
  ]
}

const contents = (): Step => [
  'what was in each order',
  `
      create temp table ty_line as select row_number() over (order by o.n, j) as n, o.n as o, o.s, o.ts, j,
      g.id as good, g.upc, g.name, g.sale_price as price, g.cost_price as cost, q.quantity, q.discount
        from ty_order o cross join generate_series(1, o.lines) j
        join good_info g on g.id = ${BASE.good} + o.s * ${GOODS} + (floor(power(o.first / ${GOODS}.0,
        1.6) * ${GOODS})::int + (j - 1) * 7) % ${GOODS}
        cross join lateral (select case when (o.n + j) % 7 = 0 then 2 else 1 end as quantity, case
        when (o.n * 31 + j) % 37 = 0 then 100 else 0 end as discount) q;
      create index on ty_line (o); analyze ty_line`,
]

const orders = (): Step => [
  'orders',
  `
      create temp table ty_back as select o.n, l.n as line, o.ts + (20 + floor(o.back * 100000)::int % 580) * interval
      '1 minute' as at
        from ty_order o join ty_line l on l.o = o.n where o.back < 0.013 and (o.back < 0.008 or l.j = 1)
        and o.ts < now() - interval '11 hours';
      create index on ty_back (n); create unique index on ty_back (line);
      insert into shopping_order (id, tenant_id, order_no, shop_id, wx_user_id, status, source, type, flags, quantity,
      summary, goods_amount, discount_amount, ticket_amount, vip_amount, integral_amount, freight, pay_amount,
      balance_amount,
          refund_amount, cost_amount, pay_type, pay_time, transaction_no, cash_register_id, sale_no, finish_time,
          create_time, update_time)
        select ${BASE.order} + o.n, ${T}, 'SY' || o.n, ${BASE.shop} + o.s, o.customer, case
        when coalesce(b.amount, 0) = 0 then 2 when b.amount = x.goods - x.discount then 4 else 3
        end, 'register', 'store', '{}', x.quantity, x.summary, x.goods, x.discount, 0, 0, 0, 0,
          x.goods - x.discount, 0, coalesce(b.amount, 0), x.cost, (array['wechat', 'wechat', 'wechat', 'alipay',
          'alipay', 'cash'])[1 + floor(o.means * 6)::int], o.ts,
          case when o.means < 0.83 then 'TY' || o.n end, ${BASE.register} + o.s * 2 + o.n % 2, 'Y' || o.n, o.ts,
          o.ts + interval '2 seconds', o.ts + interval '2 seconds'
        from ty_order o join (select o, sum(price * quantity) as goods, sum(discount) as discount,
        sum(cost * quantity) as cost, sum(quantity) as quantity, string_agg(name || ' ×' || quantity, '、'
        order by j) as summary from ty_line group by o) x on x.o = o.n
        left join (select b.n, sum(l.price * l.quantity - l.discount) as amount from ty_back b
        join ty_line l on l.n = b.line group by 1) b on b.n = o.n`,
]

const orderLines = ({ withStock }: Year): Step => [
  'order lines',
  `
      insert into shopping_order_detail (id, tenant_id, order_id, shop_id, good_id, upc, name, price, list_price,
      quantity, discount, amount, cost_amount, refund_quantity, refund_amount, batch_ids, allocations, sort,
      create_time, update_time)
        select ${BASE.line} + l.n, ${T}, ${BASE.order} + l.o, ${BASE.shop} + l.s, l.good, l.upc, l.name, l.price,
        l.price, l.quantity, l.discount, l.price * l.quantity - l.discount, l.cost * l.quantity,
          case when b.line is null then 0 else l.quantity end, case when b.line is null then 0
          else l.price * l.quantity - l.discount end,
          ${
            withStock
              ? `array[m.batch], jsonb_build_array(jsonb_build_object('batchId', m.batch::text, 'quantity', ` +
                `l.quantity, 'restored', 0))`
              : `'{}'::bigint[], '[]'::jsonb`
          }, l.j, l.ts, l.ts
        from ty_line l left join ty_back b on b.line =
        l.n${withStock ? " join ty_batch m on m.good = l.good and m.month = date_trunc('month', l.ts)" : ''}`,
]

const refunds = (): Step => [
  'refunds',
  `
      insert into refunds (id, tenant_id, refund_no, order_id, shop_id, wx_user_id, status, type, amount, lines,
      freight, reason, restock, finish_time, audit_time, create_time, update_time)
        select ${BASE.refund} + b.n, ${T}, 'RY' || b.n, ${BASE.order} + b.n, ${BASE.shop} + o.s, o.customer, 3, case
        when count(*) = max(o.lines) then 'full' else 'part' end, sum(l.price * l.quantity - l.discount),
          jsonb_agg(jsonb_build_object('detailId', (${BASE.line} + l.n)::text, 'goodId', l.good::text, 'upc', l.upc,
          'name', l.name, 'quantity', l.quantity, 'amount', to_char((l.price * l.quantity - l.discount) / 100.0,
          'FM999999990.00'))),
          0, (array['商品破损', '买错了', '重复付款'])[1 + b.n % 3], false, max(b.at) + interval '5 minutes',
          max(b.at) + interval '4 minutes', max(b.at), max(b.at) + interval '5 minutes'
        from ty_back b join ty_order o on o.n = b.n join ty_line l on l.n = b.line group by b.n, o.s, o.customer;
      ${setTriggersSql('enable')}`,
]

const customers = (): Step => [
  'customers as they became',
  `
      update wx_user w set total_spent = x.spent, order_count = x.n, last_visit_time = x.last, create_time = x.first
      from (
        select wx_user_id, sum(pay_amount - refund_amount) as spent, count(*) as n, max(pay_time) as last,
        min(pay_time) as first from shopping_order where tenant_id = ${T} and wx_user_id is not null group by 1) x
        where w.id = x.wx_user_id;
      insert into wx_user_shop (tenant_id, shop_id, wx_user_id, order_count, last_time)
      select ${T}, shop_id, wx_user_id, count(*), max(pay_time) from shopping_order where tenant_id = ${T}
      and wx_user_id is not null group by 2, 3`,
]

const batches = (): Step => [
  'batches, a month’s need of each good',
  `
      create temp table ty_batch as select ${BASE.batch} + row_number() over (order by month, good) as batch, *,
      row_number() over (partition by good order by month desc) = 1 as is_last from (
        select good, min(upc) as upc, min(s) as s, min(cost) as cost, date_trunc('month', ts) as month,
        min(ts) as first, sum(quantity)::int as sold from ty_line group by good, date_trunc('month', ts)) x;
      create unique index on ty_batch (good, month); analyze ty_batch;
      insert into storage_batch (id, tenant_id, batch_no, shop_id, good_id, upc, quantity, remaining, cost_price,
      production_date, expiry_date, is_open, create_time, update_time)
        select batch, ${T}, 'BY' || batch, ${BASE.shop} + s, good, upc, sold + rest, rest, cost, month::date,
        month::date + 180, false, first - interval '1 hour', first - interval '1 hour'
        from (select *, case when is_last then (good % 40)::int else 0 end as rest from ty_batch) b`,
]

const stockLedger = (): Step => [
  'the ledger of stock',
  `
      insert into storage_log (id, tenant_id, shop_id, good_id, upc, type, change, before, after, batch_id, seq,
      ref_type, ref_id, create_time, update_time)
        select ${BASE.log} + row_number() over (), ${T}, ${BASE.shop} + s, good, upc, type, change, upto - change, upto,
        batch, seq, ref_type, ref, at, at from (
          select *, sum(change) over w as upto, row_number() over w as seq from (
            select s, good, upc, 'in' as type, sold + case when is_last then (good % 40)::int else 0
            end as change, batch, 'batch' as ref_type, batch as ref, first - interval '1 hour' as at, 0 as n
            from ty_batch
            union all select l.s, l.good, l.upc, 'sale', -l.quantity, m.batch, 'order', ${BASE.order} + l.o, l.ts, l.n
            from ty_line l join ty_batch m on m.good = l.good and m.month = date_trunc('month', l.ts)) e
          window w as (partition by good order by at, n)) x;
      update good_info g set stock = x.stock, stock_seq = x.seq
      from (select good_id, sum(change) as stock, max(seq) as seq from storage_log where tenant_id = ${T} group by 1) x
      where g.id = x.good_id`,
]

const payments = (): Step => [
  'payments',
  `
      insert into order_payment (id, tenant_id, order_id, shop_id, channel, amount, transaction_no, pay_time,
      create_time)
        select ${BASE.payment} + o.id - ${BASE.order}, ${T}, o.id, o.shop_id, o.pay_type, o.pay_amount,
        o.transaction_no, o.pay_time, o.pay_time from shopping_order o where o.tenant_id = ${T};
      insert into refund_payment (id, tenant_id, refund_id, order_id, payment_id, channel, transaction_no, amount,
      out_no, state, channel_refund_id, attempts, create_time, asked_time, sent_time, done_time)
        select ${BASE.sent} + r.id - ${BASE.refund}, ${T}, r.id, o.id, ${BASE.payment} + o.id - ${BASE.order},
        o.pay_type, o.transaction_no, r.amount, r.refund_no, 'done', 'CY' || r.id, 1, r.create_time, r.audit_time,
        r.audit_time, r.finish_time
        from refunds r join shopping_order o on o.id = r.order_id where r.tenant_id = ${T}`,
]
