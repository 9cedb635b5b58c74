import { joinGoodsByLabel } from '#domains/catalogue/products/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { SUPPLIER_ORDER_STATE } from './dictionaries.ts'
import { supplierInfo } from './supplier-info.resource.ts'
import { supplierOrderDetail } from './supplier-order-detail.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'

export type SupplierOrderLineRequest = { supplierGoodsId: string; quantity: number }

type Supply = {
  id: string
  supplierId: string
  upc: string
  name: string
  spec: string | null
  unit: string | null
  price: number
  boxQty: number
  minOrder: number
  stock: number | null
  onSale: boolean
  goodId: string | null
  shopName: string
}

type Purchase = {
  shopId: string
  supplierId: string
  lines: readonly SupplierOrderLineRequest[]
  freight?: number | null
  expectDate?: string | null
  remark?: string | null
}

/**
 * Refuses a quantity that cannot be ordered and names the product: off sale, more than available, below the minimum,
 * not in whole boxes, or not a product of the shop.
 */
function requireOrderable(supply: Supply, quantity: number): void {
  const { name, minOrder, boxQty, shopName: shop, upc } = supply
  const unit = supply.unit ?? ''
  if (!supply.onSale) throw new Refused('supply_not_on_sale', { name })
  if (supply.stock !== null && supply.stock < quantity)
    throw new Refused('supply_not_enough', { name, stock: supply.stock, quantity, unit })
  if (quantity < minOrder) throw new Refused('supply_too_few', { name, min: minOrder, unit })
  if (quantity % boxQty) throw new Refused('supply_not_whole_boxes', { name, box: boxQty, quantity, unit })
  if (!supply.goodId) throw new Refused('shop_does_not_carry', { shop, name, upc })
}

/** Loads supplier products, each with the shop's product of the same barcode. */
const suppliesOf = (db: Db, shopId: string, ids: readonly string[]) =>
  db.query<Supply>(sql`select s.id, s.supplier_id, s.upc, s.name, s.spec, s.unit, s.price,
    coalesce(s.box_qty, 1) as box_qty, coalesce(s.min_order, 1) as min_order,
      s.stock, coalesce(s.on_sale, true) as on_sale, g.id as good_id, b.shop_name
    from supplier_goods_info s
    join basic_shop_info b on b.id = ${shopId} and b.tenant_id = s.tenant_id
    ${joinGoodsByLabel(db, shopId, sql`s.upc`)}
    where s.tenant_id = ${db.tenantId} and s.id = any(${ids}::bigint[]) and s.is_deleted = 0`)

/** Places an order of one shop with one supplier at the present prices, which later price changes do not affect. */
export async function placePurchase(db: Db, purchase: Purchase): Promise<RowOf<typeof supplierOrder>> {
  const { shopId, supplierId } = purchase
  if (!purchase.lines.length) throw new Refused('order_lines_missing')
  const supplier = await requireSupplier(db, supplierId)
  const drafts = await draftsOf(db, purchase)
  const order = await db.insert(supplierOrder, {
    orderNo: `PO${newId()}`,
    shopId,
    supplierId,
    status: SUPPLIER_ORDER_STATE.placed,
    kinds: drafts.length,
    quantity: drafts.reduce((sum, line) => sum + line.quantity, 0),
    amount: drafts.reduce((sum, line) => sum + line.amount, 0),
    receivedQuantity: 0,
    receivedAmount: 0,
    freight: purchase.freight ?? supplier.freight,
    expectDate: purchase.expectDate ?? null,
    remark: purchase.remark ?? null,
    isShort: false,
  })
  for (const draft of drafts) await db.insert(supplierOrderDetail, { orderId: order.id, ...draft })
  publishRowsChanged({ db }, supplierOrder, [order])
  return order
}

/** Returns the supplier, locked against removal until the order is placed; refuses a stopped one. */
async function requireSupplier(db: Db, supplierId: string) {
  const supplier = await db.one<{ name: string; status: number; freight: number }>(
    sql`select name, status, coalesce(freight, 0) as freight from supplier_info where tenant_id = ${db.tenantId}
      and id = ${supplierId} and is_deleted = 0 for share`,
  )
  if (!supplier) throw new Refused('not_found', { label: supplierInfo.label })
  if (supplier.status !== 1) throw new Refused('supplier_stopped', { name: supplier.name })
  return supplier
}

/** Returns the order lines with their agreed prices; refuses duplicates and what cannot be ordered. */
async function draftsOf(db: Db, { shopId, supplierId, lines }: Purchase) {
  const supplies = new Map(
    (
      await suppliesOf(
        db,
        shopId,
        lines.map((line) => line.supplierGoodsId),
      )
    ).map((row) => [row.id, row]),
  )
  const seen = new Set<string>()
  return lines.map(({ supplierGoodsId, quantity }, at) => {
    const supply = supplies.get(supplierGoodsId)
    if (!supply || supply.supplierId !== supplierId)
      throw new Refused('not_found', { label: supplierOrderDetail.fields.supplierGoodsId.label })
    if (seen.has(supply.id)) throw new Refused('order_line_twice', { name: supply.name })
    seen.add(supply.id)
    requireOrderable(supply, quantity)
    return {
      supplierGoodsId: supply.id,
      shopId,
      goodId: supply.goodId,
      upc: supply.upc,
      name: supply.name,
      spec: supply.spec,
      unit: supply.unit,
      boxQty: supply.boxQty,
      price: supply.price,
      quantity,
      amount: supply.price * quantity,
      receivedQuantity: 0,
      receivedAmount: 0,
      sort: at + 1,
    }
  })
}
