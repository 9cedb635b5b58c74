import type { ListingParitySql } from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { eleAptitude } from './ele-aptitude.resource.ts'
import { eleSkuInfo } from './ele-sku-info.resource.ts'
import { ELE_SHOP_APPROVED, ELE_SHOP_OPEN } from './shop-facts.ts'

/** How products at Ele compare with ours. Ele reviews shops, but not products. */
export const eleListingParitySql: ListingParitySql = {
  goods: eleSkuInfo,
  isOnSale: sql`s.status = 1`,
  lacks: sql`array_remove(array[case when coalesce(s.upc, '') = '' then 'upc' end,
    case when s.ele_good_type_id is null then 'eleGoodTypeId' end,
    case when coalesce(s.weight, 0) = 0 then 'weight' end,
    case when s.picture is null then 'picture' end], null)::text[]`,
  price: sql`(t.told->>'sale_price')::bigint`,
  stock: sql`(t.told->>'left_num')::int`,
  stockKey: 'left_num',
  papers: eleAptitude,
  shopReview: 'sysStatus',
  shopOpen: { key: 'businessStatus', value: ELE_SHOP_OPEN },
  isLetIn: sql`p.platform_shop_id is not null and p.sys_status = ${ELE_SHOP_APPROVED}`,
}
