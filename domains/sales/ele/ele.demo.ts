import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { seedPlatformStory } from '#domains/sales/delivery-platforms/api.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'

/** Writes two shops on Ele with products, licences and recent orders. */
export const seed = (db: Db, stage: StorySeedContext): Promise<void> => seedPlatformStory(db, stage, 'ele')

/** One of our shops as the simulator needs it, in the platform's names. */
type ShopStanding = {
  id: string
  platformShopId: string
  name: string
  shelves: { category_id: string; name: string; rank: number }[]
  skus: {
    sku_id: string
    custom_sku_id: string
    upc: string
    name: string
    sale_price: number
    left_num: number
    status: 0 | 1
    category_id: string
  }[]
}

type OpenOrder = {
  order_id: string
  baidu_shop_id: string
  status: number
  create_time: number
  packageFee: number
  shopDiscount: number
  platformDiscount: number
  remark: string
  lines: { custom_sku_id: string; quantity: number }[]
}

/**
 * Points the tenant's account at the simulator of this process. Returns the account with our shops and open orders for
 * the simulator; undefined without an account.
 */
export async function seedEleAccount(
  db: Db,
  services: Services,
  { url, secret }: { url: string; secret: string },
): Promise<{ id: string; appKey: string; shops: ShopStanding[]; orders: OpenOrder[] } | undefined> {
  const account = await db.one<{ id: string; appKey: string }>(sql`update third_api set base_url = ${url},
      app_secret = ${secretCipherOf(services).seal(secret)}, has_secret = true, may_be_inside = true, status = 1
    where tenant_id = ${db.tenantId} and platform = 'ele' and is_deleted = 0 returning id, app_key`)
  if (!account) return undefined
  const shops = await db.query<Pick<ShopStanding, 'id' | 'platformShopId' | 'name'>>(
    sql`select id, platform_shop_id, name from ele_shop_info where tenant_id = ${db.tenantId} and is_deleted = 0
      and platform_shop_id is not null order by id`,
  )
  const standing = []
  for (const shop of shops)
    standing.push({ ...shop, shelves: await shelvesOf(db, shop.id), skus: await skusOf(db, shop.id) })
  return { ...account, shops: standing, orders: await openOrders(db) }
}

/** Open orders, in the platform's names. */
async function openOrders(db: Db): Promise<OpenOrder[]> {
  const rows = await db.query(sql`select o.platform_order_id, s.platform_shop_id, o.status, o.order_time,
      o.package_fee, o.customer_remark, coalesce(d.shop_rate, 0) as shop_rate,
      coalesce(d.platform_rate, 0) as platform_rate, (
        select jsonb_agg(jsonb_build_object('custom_sku_id', l.good_id::text, 'quantity', l.quantity) order by l.id)
        from ele_order_detail l where l.tenant_id = o.tenant_id and l.ele_order_id = o.id) as lines
    from ele_order o
    join ele_shop_info s on s.tenant_id = o.tenant_id and s.id = o.ele_shop_id
    left join ele_order_discount d on d.tenant_id = o.tenant_id and d.ele_order_id = o.id
    where o.tenant_id = ${db.tenantId} and o.status < 9 order by o.order_time`)
  return rows.map((one) => ({
    order_id: one.platformOrderId,
    baidu_shop_id: one.platformShopId,
    status: one.status,
    create_time: Math.floor(parseShanghaiTime(one.orderTime).getTime() / 1000),
    packageFee: one.packageFee,
    shopDiscount: one.shopRate,
    platformDiscount: one.platformRate,
    remark: one.customerRemark ?? '',
    lines: one.lines ?? [],
  }))
}

const shelvesOf = (db: Db, id: string): Promise<ShopStanding['shelves']> =>
  db
    .query(sql`select platform_category_id as category_id, name, rank from ele_good_type
    where tenant_id = ${db.tenantId} and ele_shop_id = ${id} and is_deleted = 0 and platform_category_id is not null
    order by id`)
    .then((rows) => rows.map(({ categoryId, name, rank }) => ({ category_id: categoryId, name, rank })))

const skusOf = (db: Db, id: string): Promise<ShopStanding['skus']> =>
  db
    .query(sql`select s.platform_sku_id, s.good_id, s.upc, s.name, s.sale_price, s.stock, s.status,
      t.platform_category_id
    from ele_sku_info s left join ele_good_type t on t.tenant_id = s.tenant_id and t.id = s.ele_good_type_id
    where s.tenant_id = ${db.tenantId} and s.ele_shop_id = ${id} and s.is_deleted = 0
      and s.platform_sku_id is not null order by s.id`)
    .then((rows) =>
      rows.map((one) => ({
        sku_id: one.platformSkuId,
        custom_sku_id: one.goodId,
        upc: one.upc ?? '',
        name: one.name,
        sale_price: one.salePrice,
        left_num: one.stock ?? 0,
        status: one.status ? 1 : 0,
        category_id: one.platformCategoryId ?? '',
      })),
    )
