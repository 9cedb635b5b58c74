import { joinGoodsByLabel, normalizedBarcodeSql, sameBarcodeSql } from '#domains/catalogue/products/api.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { loadSalesRates, weekdayOf } from '#domains/catalogue/inventory/api.ts'
import { suggestReorderQuantity, type ReorderSuggestion } from './suggest.ts'

type SuggestedGoods = {
  supplierGoodsId: string
  supplierId: string
  supplierName: string
  goodId: string
  upc: string
  name: string
  spec: string
  unit: string
  picture: string
  price: number
  boxQty: number
  minOrder: number
  stock: number
  onOrder: number
  inCart: number
  otherOffers: number
  /** Pieces the supplier has; null if unknown. */
  available: number | null
  /** Minimum order amount and freight of the supplier, in cents. */
  minAmount: number
  freight: number
} & ReorderSuggestion

type ReorderCandidate = {
  supplierGoodsId: string
  supplierId: string
  supplierName: string
  goodId: string
  upc: string
  name: string
  spec: string
  unit: string
  picture: string
  price: number
  boxQty: number
  minOrder: number
  stock: number
  onOrder: number
  inCart: number
  offers: number
  minAmount: number
  freight: number
  available: number | null
  shelfDays: number | null
  leadDays: number
  lowStock: number
}

/** Selects the pieces on order for a shop by its products: `good_id`, `on_order`. */
const due = (db: Db, shopId: string): Sql => sql`select d.good_id,
      sum(d.quantity - coalesce(d.received_quantity, 0))::int as on_order
      from supplier_order o join supplier_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id
      where o.tenant_id = ${db.tenantId} and o.shop_id = ${shopId} and o.status in (0, 1, 2) group by 1`

/** Returns for these supplier products how many are in the shop's cart and on order, whether suggested or not. */
export const findCartAndOnOrder = (
  db: Db,
  shopId: string,
  supplierGoodsIds: readonly string[],
): Promise<{ supplierGoodsId: string; name: string; inCart: number; onOrder: number }[]> =>
  db.query(sql`with due as (${due(db, shopId)})
    select s.id as supplier_goods_id, coalesce(g.name, s.name) as name, coalesce(c.quantity, 0) as in_cart,
      coalesce(due.on_order, 0) as on_order
    from supplier_goods_info s
    ${joinGoodsByLabel(db, shopId, sql`s.upc`)}
    left join due on due.good_id = g.id
    left join supplier_cart c on c.tenant_id = s.tenant_id and c.shop_id = ${shopId} and c.supplier_goods_id = s.id
    where s.tenant_id = ${db.tenantId} and s.id = any(${supplierGoodsIds}::bigint[])`)

/**
 * Returns how much a shop should order of each product, from the cheapest supplier that has it. Based on the sales by
 * weekday of the last four weeks, on days with stock. `coverDays` is how long a delivery must last. Omits products
 * without a supplier.
 */
export async function findReorderSuggestions(
  db: Db,
  shopId: string,
  coverDays: number,
  now: Date,
): Promise<SuggestedGoods[]> {
  const rows = await db.query<ReorderCandidate>(sql`with offer as (
      select s.id as supplier_goods_id, s.supplier_id, i.name as supplier_name, s.upc, s.price, s.box_qty, s.min_order,
      s.stock as available, s.shelf_days, i.lead_days, coalesce(i.min_amount, 0) as min_amount,
      coalesce(i.freight, 0) as freight,
        row_number() over (partition by ${normalizedBarcodeSql(sql`s.upc`)}
          order by coalesce(s.stock <= 0, false), s.price, s.id) as place,
        count(*) over (partition by ${normalizedBarcodeSql(sql`s.upc`)})::int as offers
      from supplier_goods_info s join supplier_info i on i.id = s.supplier_id and i.tenant_id = s.tenant_id
      and i.is_deleted = 0 and i.status = 1
      where s.tenant_id = ${db.tenantId} and s.is_deleted = 0 and coalesce(s.on_sale, true)
    ), wanted as (
      select o.*, g.id as good_id, g.name, coalesce(g.spec, '') as spec, coalesce(g.unit, '') as unit,
      coalesce(g.picture, '') as picture, coalesce(g.stock, 0) as stock, coalesce(g.low_stock, 0) as low_stock,
      g.type_sort
      from (select *, coalesce(sort, 0) as type_sort from good_info where tenant_id = ${db.tenantId}
      and shop_id = ${shopId} and is_deleted = 0 and coalesce(on_sale, true)) g
      join offer o on ${sameBarcodeSql(sql`o.upc`, sql`g.upc`)} and o.place = 1
    ), due as (
      ${due(db, shopId)}
    )
    select w.supplier_goods_id, w.supplier_id, w.supplier_name, w.good_id, w.upc, w.name, w.spec, w.unit, w.picture,
    w.price, coalesce(w.box_qty, 1) as box_qty, coalesce(w.min_order, 1) as min_order,
      w.stock, w.low_stock, w.available, w.min_amount, w.freight, w.shelf_days, coalesce(w.lead_days, 0) as lead_days,
      w.offers, coalesce(due.on_order, 0) as on_order, coalesce(c.quantity, 0) as in_cart
    from wanted w left join due on due.good_id = w.good_id
    left join supplier_cart c on c.tenant_id = ${db.tenantId} and c.shop_id = ${shopId}
    and c.supplier_goods_id = w.supplier_goods_id
    order by w.supplier_id, w.type_sort, w.name`)

  const date = formatShanghaiTime(now).slice(0, 10)
  const rates = await loadSalesRates(
    db,
    rows.map(({ goodId }) => goodId),
    date,
  )

  return rows.map(({ available, shelfDays, leadDays, lowStock, offers, ...row }) => ({
    ...row,
    available,
    otherOffers: offers - 1,
    ...suggestReorderQuantity({
      ...row,
      rate: rates.get(row.goodId)!,
      leadDays,
      coverDays,
      today: weekdayOf(date),
      shelfDays,
      lowStock,
      available,
    }),
  }))
}
