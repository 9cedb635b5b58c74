import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { seedPlatformStory } from '#domains/sales/delivery-platforms/api.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'

/** Writes two shops on Meituan with products, licences and recent orders. */
export const seed = (db: Db, stage: StorySeedContext): Promise<void> => seedPlatformStory(db, stage, 'meituan')

type DemoShopState = {
  code: string
  wmPoiNo: string
  facts: Record<string, string>
  openLevel: number
  isOnline: number
  categories: { code: string; name: string; sequence: number }[]
  goods: { code: string; facts: Record<string, unknown>; price: number; stock: number; soldOut: number }[]
}
type Placed = {
  shopCode: string
  orderNo: string
  status: number
  shippingFee: number
  serviceFee: number
  caution: string
  reductions: { remark: string; byPlatform: number; byShop: number }[]
  lines: { code: string; upc: string; name: string; quantity: number; price: number }[]
}
type Access = { endpoint: string; callbackUrl: string; secret: string }

/**
 * Points the tenant's application at the simulator of this process. Returns its number with our shops and open orders
 * for the simulator; undefined without an application.
 */
export async function connectMeituanToSimulator(
  db: Db,
  services: Services,
  { endpoint, callbackUrl, secret }: Access,
): Promise<{ appNo: string; shops: DemoShopState[]; orders: Placed[] } | undefined> {
  const app = await db.one<{ appKey: string }>(sql`update third_api set base_url = ${endpoint},
      callback_url = ${callbackUrl}, app_secret = ${secretCipherOf(services).seal(secret)}, has_secret = true,
      may_be_inside = true, status = 1
    where tenant_id = ${db.tenantId} and platform = 'meituan' and is_deleted = 0 returning app_key`)
  if (!app) return undefined
  const shops = await db.query<
    Record<string, any>
  >(sql`select id, shop_id, app_poi_code, platform_shop_id, name, address,
      phone, shipping_time, longitude, latitude, open_level, is_online from meituan_shop_info
    where tenant_id = ${db.tenantId} and is_deleted = 0 and platform_shop_id is not null order by id`)
  const out: DemoShopState[] = []
  for (const shop of shops) out.push(await standingOf(db, shop))
  return { appNo: app.appKey, shops: out, orders: await openOrders(db) }
}

async function standingOf(db: Db, shop: Record<string, any>): Promise<DemoShopState> {
  const categories = await db.query<{ code: string; name: string; sequence: number }>(
    sql`select category_code as code, name, rank as sequence from meituan_good_type where tenant_id = ${db.tenantId}
      and meituan_shop_id = ${shop.id} and is_deleted = 0 and category_code is not null order by id`,
  )
  const goods = await db.query<Record<string, any>>(
    sql`select platform_sku_id as code, name, upc, sale_price, stock, status from meituan_sku_info
      where tenant_id = ${db.tenantId} and meituan_shop_id = ${shop.id} and is_deleted = 0
      and platform_sku_id is not null order by id`,
  )
  return {
    code: String(shop.appPoiCode ?? shop.shopId),
    wmPoiNo: String(shop.platformShopId),
    facts: Object.fromEntries(
      Object.entries({
        name: shop.name,
        address: shop.address,
        phone: shop.phone,
        shipping_time: shop.shippingTime,
        latitude: shop.latitude,
        longitude: shop.longitude,
      }).map(([key, value]) => [key, String(value ?? '')]),
    ),
    openLevel: Number(shop.openLevel ?? 1),
    isOnline: Number(shop.isOnline ?? 1),
    categories,
    goods: goods.map((one) => ({
      code: String(one.code),
      facts: { name: one.name, standard_upc: one.upc },
      price: one.salePrice as number,
      stock: one.stock as number,
      soldOut: one.status as number,
    })),
  }
}

/** Open orders, as the simulator needs them. */
async function openOrders(db: Db): Promise<Placed[]> {
  const rows = await db.query<Record<string, any>>(
    sql`select o.id, o.platform_order_id, o.status, o.send_fee, o.discount_fee, o.service_fee, o.customer_remark,
        coalesce(s.app_poi_code, s.shop_id::text) as code
      from meituan_order o join meituan_shop_info s on s.tenant_id = o.tenant_id and s.id = o.meituan_shop_id
      where o.tenant_id = ${db.tenantId} and o.status < 8 order by o.order_time`,
  )
  const out: Placed[] = []
  for (const row of rows) {
    const discount = row.discountFee as number
    out.push({
      shopCode: row.code,
      orderNo: row.platformOrderId,
      status: row.status,
      shippingFee: row.sendFee,
      serviceFee: row.serviceFee,
      caution: row.customerRemark ?? '',
      reductions: discount
        ? [{ remark: '满减', byPlatform: Math.floor(discount / 2), byShop: Math.ceil(discount / 2) }]
        : [],
      lines: await db.query(
        sql`select platform_sku_id as code, upc, name, quantity, price from meituan_order_detail
          where tenant_id = ${db.tenantId} and meituan_order_id = ${row.id} order by id`,
      ),
    })
  }
  return out
}
