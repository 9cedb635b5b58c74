import type { ListingParitySql } from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { MEITUAN_REVIEW_APPROVED, MEITUAN_SHOP_OPEN } from './synced-resources.ts'
import { meituanAptitude } from './meituan-aptitude.resource.ts'
import { meituanGoodsAuditStatus } from './meituan-running.resource.ts'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'

const REFUSED = 3

const audit = (column: 'audit_status' | 'reason') =>
  column === 'reason'
    ? sql`(select a.reason from meituan_goods_audit_status a where a.tenant_id = s.tenant_id
        and a.meituan_sku_id = s.id order by a.id desc limit 1)`
    : sql`(select a.audit_status from meituan_goods_audit_status a where a.tenant_id = s.tenant_id
        and a.meituan_sku_id = s.id order by a.id desc limit 1)`

/** SQL: a required attribute of the category is empty. Some rows store the attribute's id as a number. */
const LACKS_ATTRIBUTE = sql`exists (select 1 from meituan_general_attrs a where a.tenant_id = s.tenant_id
  and a.tag_id = s.tag_id and a.is_needed and a.is_deleted = 0
  and not coalesce(s.attributes, '[]') @> jsonb_build_array(jsonb_build_object('attrId', a.attr_id))
  and not (a.attr_id ~ '^[0-9]{1,18}$' and coalesce(s.attributes, '[]')
    @> jsonb_build_array(jsonb_build_object('attrId', a.attr_id::numeric))))`

/** How products at Meituan compare with ours. */
export const meituanListingParitySql: ListingParitySql = {
  goods: meituanSkuInfo,
  isOnSale: sql`s.status = 0`,
  lacks: sql`array_remove(array[case when coalesce(s.upc, '') = '' then 'upc' end,
    case when s.meituan_good_type_id is null then 'meituanGoodTypeId' end,
    case when coalesce(s.tag_id, '') = '' then 'tagId' end,
    case when ${LACKS_ATTRIBUTE} then 'attributes' end,
    case when s.picture is null then 'picture' end], null)::text[]`,
  price: sql`round((t.told->>'price')::numeric * 100)::bigint`,
  stock: sql`(t.told->>'stock')::int`,
  stockKey: 'stock',
  review: {
    status: audit('audit_status'),
    reason: audit('reason'),
    isRefused: sql`coalesce(${audit('audit_status')}, 0) = ${REFUSED}`,
    word: { of: meituanGoodsAuditStatus, key: 'auditStatus' },
  },
  papers: meituanAptitude,
  shopReview: 'auditStatus',
  shopOpen: { key: 'openLevel', value: MEITUAN_SHOP_OPEN },
  isLetIn: sql`p.platform_shop_id is not null and p.audit_status = ${MEITUAN_REVIEW_APPROVED}`,
}
