import { toSqlName } from '#kit/resource/define-resource.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import type { Platform } from '#domains/sales/delivery-platforms/api.ts'
import { queryStatementLeg, sumPairsSql, onDaySql, type StatementLeg } from './match-wechat.ts'

/** A day of a shop at a delivery platform; `thereId` is the id of our row for that shop. */
type PlatformDay = { id: string; thereId: string; shopId: string; day: string }

/** Compares the orders we have as finished on the platform with the settlements of its statement. */
export function matchOrders(
  db: Db,
  platform: Platform,
  { id, thereId, shopId, day }: PlatformDay,
): Promise<StatementLeg> {
  const table = raw(`"${platform.order.resource.table}"`)
  const { feeKey, dayKey, doneState } = platform.bill
  const [fee, shop, time] = [feeKey, platform.shopKey, dayKey].map((key) => raw(`o."${toSqlName(key)}"`)) as [
    any,
    any,
    any,
  ]
  return queryStatementLeg(
    db,
    sql`with counted as (
      select o.platform_order_id as number, o.order_id, coalesce(o.shop_fee, 0) as net, coalesce(${fee}, 0) as fee
      from ${table} o where o.tenant_id = ${db.tenantId} and ${shop} = ${thereId} and o.status = ${doneState}
        and ${onDaySql(sql`${time}`, day)}
    ), stated as (
      select order_no as number, received as net, fee from tally_line
      where tenant_id = ${db.tenantId} and day_id = ${id} and source = 'order'
    ), pair as materialized (
      select 'order ' || coalesce(s.number, t.number) as mark, case
        when s.number is null and x.order_id is not null then 'otherDay'
        when s.number is null then 'orderUnknownHere'
        when t.number is null and exists (select 1 from tally_line l where l.tenant_id = ${db.tenantId}
          and l.source = 'order' and l.order_no = s.number) then 'otherDay'
        when t.number is null then 'orderUnknownThere'
        when s.fee <> t.fee then 'commissionDiffers' when s.net <> t.net then 'settlementDiffers' end as kind,
        ${shopId}::bigint as shop_id, coalesce(s.order_id, x.order_id) as order_id,
        y.order_no, null::text as refund_no, coalesce(s.number, t.number) as transaction_no,
        coalesce(s.net, 0)::bigint as ours, coalesce(t.net, 0)::bigint as theirs
      from counted s full join stated t on t.number = s.number
      left join lateral (select o.order_id from ${table} o where s.number is null and o.tenant_id = ${db.tenantId}
        and o.platform_order_id = t.number and o.status = ${doneState}) x on true
      left join shopping_order y on y.tenant_id = ${db.tenantId} and y.id = coalesce(s.order_id, x.order_id)
    ) ${sumPairsSql}`,
  )
}
