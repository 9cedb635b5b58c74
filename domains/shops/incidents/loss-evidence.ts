import { pieceCostSql } from '#domains/catalogue/products/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type {
  UnderchargeEvidence,
  StocktakeEvidence,
  LossEvidence,
  RefundEvidence,
  SpoilageEvidence,
  UnpaidGoodsEvidence,
} from './loss-causes.ts'

const SUCCEEDED = 3
const PIECE = pieceCostSql(sql`g`)
const OF_BATCH = pieceCostSql(sql`g`, sql`b`)

/** Pieces seen on camera as taken, and neither put back nor paid, by product, with their cost. */
const takenIn = (db: Db, since: string) =>
  db.query<UnpaidGoodsEvidence>(sql`with odd as (
      select v.id, v.shop_id, v.wx_user_id, v.order_ids, coalesce(v.leave_time, v.enter_time) as at
      from customer_visit_log v where v.tenant_id = ${db.tenantId} and v.result in ('unpaid', 'suspicious')
        and v.enter_time >= ${since}
    ), moved as (
      select r.visit_id, r.good_id, case r.kind when 'picked' then r.quantity else -r.quantity end as pieces
      from visit_record r join odd on odd.id = r.visit_id
      where r.tenant_id = ${db.tenantId} and r.kind in ('picked', 'returned') and r.good_id is not null
      union all select odd.id, d.good_id, -d.quantity from odd join shopping_order o on o.tenant_id = ${db.tenantId}
        and (o.visit_id = odd.id or o.id = any(odd.order_ids)) and o.shop_id = odd.shop_id and o.status between 1 and 4
      join shopping_order_detail d on d.tenant_id = o.tenant_id and d.order_id = o.id where d.good_id is not null
    ) select odd.id as visit_id, odd.shop_id, m.good_id, odd.wx_user_id,
      (extract(epoch from odd.at) * 1000)::float8 as at,
      sum(m.pieces)::int as pieces, ${PIECE}::float8 as cost, g.name
    from moved m join odd on odd.id = m.visit_id join good_info g on g.tenant_id = ${db.tenantId} and g.id = m.good_id
    group by odd.id, odd.shop_id, odd.wx_user_id, odd.at, m.good_id, g.cost_price, g.name
    having sum(m.pieces) > 0 order by odd.id, m.good_id`)

/** Posted stocktakes by product, at the cost of the stocktake, and upward corrections of found pieces. */
const countedIn = (db: Db, since: string) =>
  db.query<StocktakeEvidence>(sql`select min(l.id) as id, l.shop_id, l.good_id,
      (extract(epoch from max(l.create_time)) * 1000)::float8 as at, sum(l.change)::int as change,
      case when l.ref_type = 'stocktake' then min(s.cost_price)
        when bool_and(${OF_BATCH} is not null) then sum(l.change * ${OF_BATCH}) / nullif(sum(l.change), 0)
        end::float8 as cost, g.name, case when l.ref_type = 'stocktake' then l.ref_id end as stocktake_id
    from storage_log l join good_info g on g.tenant_id = l.tenant_id and g.id = l.good_id
    left join storage_batch b on b.tenant_id = l.tenant_id and b.id = l.batch_id
    left join stocktake_line s on l.ref_type = 'stocktake' and s.tenant_id = l.tenant_id and s.stocktake_id = l.ref_id
      and s.good_id = l.good_id
    where l.tenant_id = ${db.tenantId} and l.create_time >= ${since}
      and (l.type = 'stocktake' or (l.type = 'correct' and l.change > 0))
    group by l.shop_id, l.good_id, l.ref_type, l.ref_id, g.name,
      case when l.ref_type = 'stocktake' then 0 else l.id end
    having sum(l.change) <> 0 order by 4, 1`)

/** Expired batches still in stock, and goods written off. */
const spoiltIn = (db: Db, since: string, today: string) =>
  db.query<SpoilageEvidence>(sql`select b.id, b.shop_id, b.good_id, (extract(epoch from (b.expiry_date +
    1)::timestamptz)
      * 1000)::float8 as at, b.remaining as pieces,
      ${OF_BATCH}::float8 as cost,
      g.name, b.id as batch_id, b.batch_no, null::bigint as storage_log_id, true as is_expired
    from storage_batch b join good_info g on g.tenant_id = b.tenant_id and g.id = b.good_id
    where b.tenant_id = ${db.tenantId} and b.expiry_date < ${today}::date and b.expiry_date >= ${since}::date
      and b.remaining > 0
    union all
    select l.id, l.shop_id, l.good_id, (extract(epoch from l.create_time) * 1000)::float8, -l.change,
      ${OF_BATCH}::float8, g.name, l.batch_id,
      case when b.is_open then '' else coalesce(b.batch_no, '') end, l.id,
      coalesce(b.expiry_date < (l.create_time at time zone 'Asia/Shanghai')::date, false)
        or coalesce(l.remark, '') ~* '过了?期|保质期|expired'
    from storage_log l join good_info g on g.tenant_id = l.tenant_id and g.id = l.good_id
    left join storage_batch b on b.tenant_id = l.tenant_id and b.id = l.batch_id
    where l.tenant_id = ${db.tenantId} and l.type = 'loss' and l.change < 0 and l.create_time >= ${since}`)

/** Sale lines charged below the listed price, except member prices, with the price the tag had confirmed by then. */
const chargedIn = (db: Db, since: string) =>
  db.query<UnderchargeEvidence>(sql`select d.id, d.order_id, d.shop_id, d.good_id, (extract(epoch
    from o.pay_time) * 1000)::float8
      as at, (d.quantity - coalesce(d.refund_quantity, 0))::int as pieces, d.price, d.list_price, d.name,
      (select min(x.new_price) from (select distinct on (t.tag_id) t.new_price from price_tag_log t
        where t.tenant_id = d.tenant_id and t.good_id = d.good_id and t.result = 'done' and t.create_time <= o.pay_time
        order by t.tag_id, t.create_time desc) x) as tag_price
    from shopping_order o join shopping_order_detail d on d.tenant_id = o.tenant_id and d.order_id = o.id
    where o.tenant_id = ${db.tenantId} and o.source = 'register' and o.status between 1 and 4
      and o.pay_time >= ${since} and d.good_id is not null and d.price < d.list_price
      and d.price is distinct from d.vip_price`)

/**
 * Completed refunds with their lines. `offset 0` makes PostgreSQL look up each line by id: it cannot estimate their
 * number and would read all lines of the tenant for each refund.
 */
const refundedIn = (db: Db, since: string) =>
  db.query<RefundEvidence>(sql`select f.id, f.refund_no, f.order_id, f.shop_id, f.wx_user_id,
      (extract(epoch from f.finish_time) * 1000)::float8 as at, f.amount as cents,
      coalesce(f.restock, false) as restock,
      f.reason, o.pay_type = 'cash' as is_cash,
      case when f.audit_user = f.create_user and f.second_user is null then f.audit_user end as alone_user,
      coalesce((select json_agg(json_build_object('goodId', l ->> 'goodId', 'quantity', (l ->> 'quantity')::int,
        'cost', d.cost_amount / nullif(d.quantity, 0)))
        from jsonb_array_elements(f.lines) l left join lateral (select x.cost_amount, x.quantity
          from shopping_order_detail x where x.tenant_id = f.tenant_id and x.id = (l ->> 'detailId')::bigint
          offset 0) d on true), '[]') as lines
    from refunds f join shopping_order o on o.tenant_id = f.tenant_id and o.id = f.order_id
    where f.tenant_id = ${db.tenantId} and f.status = ${SUCCEEDED} and f.finish_time >= ${since}`)

const spentBy = async (db: Db, customers: readonly string[], since: string) => {
  const rows = await db.query<{ id: string; paid: number }>(sql`select o.wx_user_id as id,
      sum(o.pay_amount)::float8 as paid from shopping_order o where o.tenant_id = ${db.tenantId}
      and o.wx_user_id = any(${[...customers]}::bigint[]) and o.status between 1 and 4 and o.pay_time >= ${since}
    group by o.wx_user_id`)
  return new Map(rows.map(({ id, paid }) => [id, paid]))
}

/** Loads everything from which the losses of a tenant since a time are derived. */
export async function loadLossEvidence(db: Db, since: string, today: string): Promise<LossEvidence> {
  const refunded = await refundedIn(db, since)
  const customers = new Set(refunded.flatMap(({ wxUserId }) => wxUserId ?? []))
  return {
    taken: await takenIn(db, since),
    counted: await countedIn(db, since),
    spoilt: await spoiltIn(db, since, today),
    charged: await chargedIn(db, since),
    refunded,
    spent: await spentBy(db, [...customers], since),
  }
}
