import './refusals.ts'
import { f } from '#kit/resource/index.ts'
import { listOf } from '#kit/server/resource/list-of.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineRoom, invalidField, route, serve } from '#kit/server/room.ts'
import { waitsForSync } from '#domains/thirdparty/index.ts'
import { meituanDictionaries } from './dictionaries.ts'
import { meituanAptitude } from './meituan-aptitude.resource.ts'
import { meituanGoodType } from './meituan-good-type.resource.ts'
import { meituanGeneralAttrs, meituanTagList } from './meituan-catalogue.resource.ts'
import { meituanOrderDetail } from './meituan-order-detail.resource.ts'
import { meituanGoodsAuditStatus, meituanTask, meituanTokenInfo } from './meituan-running.resource.ts'
import { meituanOrder } from './meituan-order.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'

/** Rows of a shop at Meituan belong to the shop of ours behind it. */
async function shopBehind(db: Db, meituanShopId: string): Promise<string> {
  const row = await db.one<{ shopId: string }>(
    sql`select shop_id from meituan_shop_info where tenant_id = ${db.tenantId} and id = ${meituanShopId}
      and is_deleted = 0 for share`,
  )
  if (!row) throw invalidField(meituanSkuInfo, 'meituanShopId', 'not_found')
  return row.shopId
}

const SHOP_KNOWS = [
  'name',
  'categoryName',
  'phone',
  'address',
  'longitude',
  'latitude',
  'logo',
  'shippingTime',
  'shippingFee',
  'promotionInfo',
  'isInvoiceSupported',
]

const meituanShopServer = serve(meituanShopInfo, {
  beforeSave: (draft, was) => waitsForSync(draft, was, SHOP_KNOWS),
})

const meituanGoodTypeServer = serve(meituanGoodType, {
  beforeSave: async (draft, was, { db }) => {
    if (!was) draft.shopId = await shopBehind(db, draft.meituanShopId!)
    waitsForSync(draft, was, ['name', 'rank'])
  },
})

const meituanSkuServer = serve(meituanSkuInfo, {
  beforeSave: async (draft, was, { db }) => {
    waitsForSync(draft, was, [
      'name',
      'salePrice',
      'stock',
      'status',
      'weight',
      'minOrderCount',
      'boxNum',
      'boxPrice',
      'tagId',
      'attributes',
      'picture',
      'meituanGoodTypeId',
    ])
    if (was) return
    draft.shopId = await shopBehind(db, draft.meituanShopId!)
    const good = await db.one<{ shopId: string; upc: string; name: string }>(
      sql`select shop_id, upc, name from good_info where tenant_id = ${db.tenantId} and id = ${draft.goodId}
        and is_deleted = 0`,
    )
    if (!good) throw invalidField(meituanSkuInfo, 'goodId', 'not_found')
    if (good.shopId !== draft.shopId) throw new Refused('meituan_good_of_other_shop', { name: good.name })
    draft.upc = good.upc
  },
})

const meituanAptitudeServer = serve(meituanAptitude, {
  // The protocol asks for a shop's qualification by the shop.
  detailBy: 'meituanShopId',
  beforeSave: async (draft, was, { db }) => {
    if (!was) draft.shopId = await shopBehind(db, draft.meituanShopId!)
    if (!(draft.isLongTerm ?? was?.isLongTerm) && !(draft.validDate === undefined ? was?.validDate : draft.validDate))
      throw invalidField(meituanAptitude, 'validDate', 'required')
    waitsForSync(draft, was, [
      'licenseName',
      'licenseNumber',
      'legalPerson',
      'licenseAddress',
      'isLongTerm',
      'validDate',
      'photos',
      'foodLicenseNumber',
      'foodPhotos',
      'foodValidDate',
    ])
  },
})

const meituanGeneralAttrsServer = serve(meituanGeneralAttrs)
/** All attributes of a category at once, for the form of goods. */
const unpagedAttrs = {
  ...meituanGeneralAttrsServer,
  resource: { ...meituanGeneralAttrs, list: { ...meituanGeneralAttrs.list, paged: false } },
}

export default defineRoom({
  name: 'meituan',
  label: { zh: '美团', en: 'Meituan' },
  resources: [
    meituanShopServer,
    meituanGoodTypeServer,
    meituanSkuServer,
    serve(meituanOrder),
    serve(meituanOrderDetail),
    serve(meituanTagList),
    meituanGeneralAttrsServer,
    serve(meituanTokenInfo),
    serve(meituanGoodsAuditStatus),
    serve(meituanTask, { detailBy: 'taskId' }),
    meituanAptitudeServer,
  ],
  routes: [
    route({
      method: 'GET',
      path: '/api/meituan/meituanGeneralAttrs/list1',
      title: { zh: '类目的全部属性', en: 'All attributes of a category' },
      can: ['meituanGeneralAttrs', 'meituanSkuInfo'],
      tx: false,
      input: { tagId: f.text({ label: meituanGeneralAttrs.fields.tagId.label, required: true, max: 64 }) },
      handle: (call) => listOf(unpagedAttrs, call),
    }),
  ],
  dictionaries: meituanDictionaries,
  menus: [{ code: 'meituan', label: { zh: '美团', en: 'Meituan' }, path: '/meituan', icon: 'rocket', sort: 86 }],
})
