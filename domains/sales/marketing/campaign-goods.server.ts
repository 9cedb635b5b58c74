import { hasBarcodeSql, normalizedBarcodeSql } from '#domains/catalogue/products/api.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { f, keywordField } from '#kit/resource/index.ts'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { escapeLike } from '#kit/server/query/filters.ts'
import { unitOfWorkOptionsForRead } from '#kit/server/resource/list-of.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { discountConf } from './discount-conf.resource.ts'

const FOUND_MAX = 20
const { goodIds, goodTypeIds, shopIds } = discountConf.fields

type Listed = readonly string[] | null
type Scope = { upcs: Listed; goodIds: Listed; goodTypeIds: Listed; shopIds: Listed }

/** The products to search in; `isNarrow` when barcodes, products or categories are named. */
function scopeOf({ upcs, goodIds, goodTypeIds, shopIds }: Scope) {
  const scope = { upcs: upcs ?? [], ids: goodIds ?? [], types: goodTypeIds ?? [], shops: shopIds ?? [] }
  return { ...scope, isNarrow: scope.upcs.length + scope.ids.length + scope.types.length > 0 }
}

type CampaignProduct = {
  id: string
  upc: string
  name: string
  spec: string
  price: number
  dearest: number
  cost: number
  shops: number
}

/**
 * Products a campaign or ticket may apply to, one per barcode: the same barcode in twenty shops is one choice. Only
 * products the caller may see. Without a keyword or ids: the products of the given scope, those on sale and in most
 * shops first.
 */
export const eligibleGoodsRoute = defineRoute({
  method: 'GET',
  path: '/api/shop/discountConf/goods',
  title: { zh: '可选商品', en: 'Eligible products' },
  can: ['discountConf', 'discountTicket'],
  tx: false,
  input: {
    key: keywordField(),
    upcs: f.tags({ label: { zh: '条码', en: 'Barcodes' }, maxCount: 500 }),
    goodIds: f.refs('goodInfo', { label: goodIds.label }),
    goodTypeIds: f.refs('goodType', { label: goodTypeIds.label }),
    shopIds: f.refs('basicShopInfo', { label: shopIds.label }),
    tenantId: f.text({ label: { zh: '租户', en: 'Tenant' }, max: 12, pattern: '^\\d*$' }),
  },
  handle: async (call) => {
    const { key } = call.input
    const { upcs, ids, types, shops, isNarrow } = scopeOf(call.input)
    const ifReadable = (key: keyof typeof goodInfo.fields, column: Sql, otherwise: Sql) =>
      canReadField(goodInfo, key, call.caller) ? column : otherwise
    const cost = ifReadable('costPrice', sql`coalesce(max(r.cost_price), 0)`, sql`0`)
    const price = ifReadable('salePrice', sql`coalesce(min(r.sale_price), 0)`, sql`0`)
    const dearest = ifReadable('salePrice', sql`coalesce(max(r.sale_price), 0)`, sql`0`)
    const name = ifReadable('name', sql`min(r.name)`, sql`''`)
    const spec = ifReadable('spec', sql`coalesce(min(r.spec), '')`, sql`''`)

    // Platform staff work on campaigns of any tenant and choose among that tenant's products.
    const tenantId = (call.caller.isPlatform && call.input.tenantId) || call.caller.tenantId
    const pattern = `%${escapeLike(key ?? '')}%`
    const called = ifReadable('name', sql`r.name ilike ${pattern} or r.upc like ${pattern}`, sql`r.upc like ${pattern}`)

    const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`
      with recursive down as (
        select id from good_type where tenant_id = ${tenantId} and id = any(${types}::bigint[])
        union select t.id from good_type t join down on t.parent_id = down.id and t.tenant_id = ${tenantId}
        and t.is_deleted = 0
      )
      select min(r.id)::text as id, min(r.upc) as upc, ${name} as name, ${spec} as spec,
        ${price} as price, ${dearest} as dearest, ${cost} as cost, count(distinct r.shop_id)::int as shops
      from good_info r where r.tenant_id = ${tenantId} and r.is_deleted = 0
        ${dataScopeSql(goodInfo, call.caller)}
        ${shops.length ? sql`and r.shop_id = any(${shops}::bigint[])` : empty}
        ${key ? sql`and (${called})` : empty}
        ${
          isNarrow
            ? sql`and (${hasBarcodeSql(sql`r.upc`, upcs)} or ${normalizedBarcodeSql(sql`r.upc`)} in (
              select ${normalizedBarcodeSql(sql`upc`)} from good_info
          where tenant_id = ${tenantId} and id = any(${ids}::bigint[])) or r.good_type_id in (select id
          from down))`
            : empty
        }
      group by ${normalizedBarcodeSql(sql`r.upc`)} order by bool_or(coalesce(r.on_sale, true)) desc, shops desc, name,
        upc
      limit ${isNarrow && !types.length ? 500 : FOUND_MAX}`,
    ])
    return (rows as CampaignProduct[]).map(({ price, dearest, cost, ...row }) => ({
      ...row,
      price: formatYuan(price),
      dearest: formatYuan(dearest),
      cost: formatYuan(cost),
    }))
  },
})
