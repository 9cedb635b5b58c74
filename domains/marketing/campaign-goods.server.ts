import { f } from '#kit/resource/index.ts'
import { empty, readTogether, sql } from '#kit/server/db.ts'
import { escapeLike } from '#kit/server/filters.ts'
import { boundOf } from '#kit/server/list-of.ts'
import { route } from '#kit/server/room.ts'
import { formatDecimal } from '#kit/fields/field-kind.ts'
import { discountConf } from './discount-conf.resource.ts'

const FOUND_MAX = 20
const { goodIds, goodTypeIds, shopIds } = discountConf.fields

type Found = { id: string; upc: string; name: string; spec: string; price: number; dearest: number; cost: number; shops: number }

/**
 * Goods a campaign or ticket may be about. They count by barcode, so what stands in twenty shops is one choice; a boss chooses from his
 * shops' goods. Without a keyword or ids: what the given scope holds, best known first.
 */
export const campaignGoodsRoute = route({
  method: 'GET', path: '/api/shop/discountConf/goods', title: { zh: '可选商品', en: 'Goods to choose from' }, can: ['discountConf', 'discountTicket'], tx: false,
  input: {
    key: f.text({ label: { zh: '关键字', en: 'Keyword' }, max: 50 }),
    upcs: f.tags({ label: { zh: '条码', en: 'Barcodes' }, maxCount: 500 }),
    goodIds: f.refs('goodInfo', { label: goodIds.label }),
    goodTypeIds: f.refs('goodType', { label: goodTypeIds.label }),
    shopIds: f.refs('basicShopInfo', { label: shopIds.label }),
    tenantId: f.text({ label: { zh: '租户', en: 'Tenant' }, max: 12, pattern: '^\\d*$' }),
  },
  handle: async (call) => {
    const { key, upcs, goodIds: ids, goodTypeIds: types, shopIds: shops } = call.input
    const own = call.caller.limits.shop
    // The platform's people work on campaigns of any tenant, with the goods of that one.
    const tenantId = (call.caller.isPlatform && call.input.tenantId) || call.caller.tenantId
    const pattern = `%${escapeLike(key ?? '')}%`
    const isNarrow = Boolean(upcs?.length || ids?.length || types?.length)
    const [rows] = await readTogether(call.services.pool, boundOf(call), [sql`
      with recursive down as (
        select id from good_type where tenant_id = ${tenantId} and id = any(${types ?? []}::bigint[])
        union select t.id from good_type t join down on t.parent_id = down.id and t.tenant_id = ${tenantId} and t.is_deleted = 0
      )
      select min(g.id)::text as id, g.upc, min(g.name) as name, coalesce(min(g.spec), '') as spec, coalesce(min(g.sale_price), 0)::float8 as price, coalesce(max(g.sale_price), 0)::float8 as dearest,
        coalesce(max(g.cost_price), 0)::float8 as cost, count(distinct g.shop_id)::int as shops
      from good_info g where g.tenant_id = ${tenantId} and g.is_deleted = 0
        ${own ? sql`and g.shop_id = any(${own as string[]}::bigint[])` : empty}
        ${shops?.length ? sql`and g.shop_id = any(${shops}::bigint[])` : empty}
        ${key ? sql`and (g.name ilike ${pattern} or g.upc like ${pattern})` : empty}
        ${isNarrow ? sql`and (g.upc = any(${upcs ?? []}) or g.upc in (select upc from good_info where tenant_id = ${tenantId} and id = any(${ids ?? []}::bigint[])) or g.good_type_id in (select id from down))` : empty}
      group by g.upc order by bool_or(coalesce(g.on_sale, true)) desc, shops desc, name, g.upc limit ${isNarrow && !types?.length ? 500 : FOUND_MAX}`])
    return (rows as Found[]).map(({ price, dearest, cost, ...row }) => ({ ...row, price: formatDecimal(price, 2), dearest: formatDecimal(dearest, 2), cost: formatDecimal(cost, 2) }))
  },
})
