import { formatYuan } from '#kit/fields/money/cents.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { priceTagLoopCall, PRICE_PAGE_MAX } from './price-loop.calls.ts'

/** Minutes after which every register knows a new price. */
const PRICE_DELAY_MINUTES = 1
/** Sales longer ago do not show what registers charge now. */
const TILL_DAYS = 30

type Row = {
  id: string
  name: string
  upc: string
  shopId: string
  shopName: string
  filePrice: number | null
  fileTime: string | null
  tags: number
  tagLow: number | null
  tagHigh: number | null
  behind: number
  tagTime: string | null
  tillPrice: number | null
  tillTime: string | null
  difference: number
  total: number
  differing: number
}

/**
 * Returns products with tags: the stored price, the price on their tags and the one last charged, each with its time. A
 * charge counts as a difference only if it was made once registers knew the stored price. Without `isWhole` only
 * products that differ. Largest difference first.
 */
async function priceLoop(call: Call<{ shopId: string | null; size: number | null; isWhole: boolean | null }>) {
  const { db, caller, input } = call
  const sees = (key: keyof typeof goodInfo.fields) => canReadField(goodInfo, key, caller)
  // The answer consists of this price, so a caller who may not see it is refused.
  if (!sees('salePrice')) throw new Refused('forbidden')

  const since = new Date(call.services.now().getTime() - TILL_DAYS * 86_400_000).toISOString()
  const rows = await db.query<Row>(sql`
    with tagged as (
      select t.tenant_id, t.good_id, count(*)::int as tags, min(t.shown_price) as low, max(t.shown_price) as high,
        (count(*) filter (where t.shown_price is distinct from g.sale_price))::int as behind,
        min(t.last_sync_time) as shown_at
      from price_tag t join good_info g on g.tenant_id = t.tenant_id and g.id = t.good_id
      where t.tenant_id = ${db.tenantId} and t.is_deleted = 0
        and (${input.shopId}::bigint is null or t.shop_id = ${input.shopId}::bigint) group by t.tenant_id, t.good_id
    ), looked as (
      select r.id, r.name, r.upc, r.shop_id, r.tenant_id, r.sale_price, tags, low, high, behind, shown_at,
        p.create_time as file_time,
        d.price as till_price, d.pay_time as till_time,
        d.pay_time > p.create_time + make_interval(mins => ${PRICE_DELAY_MINUTES}) as is_told
      from tagged join good_info r on r.tenant_id = tagged.tenant_id and r.id = tagged.good_id
      left join lateral (select create_time from good_price_log l where l.tenant_id = r.tenant_id and l.good_id = r.id
        order by l.create_time desc limit 1) p on true
      left join lateral (select o.price, s.pay_time from shopping_order_detail o
        join shopping_order s on s.tenant_id = o.tenant_id and s.id = o.order_id and s.source = 'register'
        where o.tenant_id = r.tenant_id and o.good_id = r.id and o.create_time > ${since}
        order by o.create_time desc limit 1) d on true
      where r.is_deleted = 0${dataScopeSql(goodInfo, caller)}
    ), ranked as (
      select *, greatest(abs(low - sale_price), abs(high - sale_price), case when is_told then abs(till_price -
        sale_price) end, 0) as difference from looked l
    )
    select k.id, k.name, k.upc, k.shop_id, s.shop_name, k.sale_price as file_price, k.file_time, k.tags,
      k.low as tag_low, k.high as tag_high, k.behind, k.shown_at as tag_time, k.till_price, k.till_time, k.difference,
      count(*) over ()::int as total, (count(*) filter (where k.difference > 0) over ())::int as differing
    from ranked k join basic_shop_info s on s.tenant_id = k.tenant_id and s.id = k.shop_id
    where ${input.isWhole === true} or k.difference > 0 or k.behind > 0
    order by k.difference desc, k.behind desc, k.id limit ${input.size ?? PRICE_PAGE_MAX}`)

  return {
    now: formatShanghaiTime(call.services.now()),
    total: rows[0]?.total ?? 0,
    differing: rows[0]?.differing ?? 0,
    rows: rows.map(({ total: _total, differing: _differing, ...row }) => ({
      ...row,
      name: sees('name') ? row.name : '',
      upc: sees('upc') ? row.upc : '',
      shopName: canReadField(basicShopInfo, 'shopName', caller) ? row.shopName : '',
      filePrice: wire(row.filePrice),
      tagLow: wire(row.tagLow),
      tagHigh: wire(row.tagHigh),
      tillPrice: wire(row.tillPrice),
      difference: wire(row.difference),
      fileTime: row.fileTime ?? '',
      tagTime: row.tagTime ?? '',
      tillTime: row.tillTime ?? '',
    })),
  }
}

const wire = (price: number | null) => (price === null ? '' : formatYuan(price))

export const priceAuditRoute = defineRoute(priceTagLoopCall, {
  title: { zh: '价格核对', en: 'Price audit' },
  can: 'priceLoop',
  handle: priceLoop,
})
