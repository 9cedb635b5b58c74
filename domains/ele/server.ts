import './refusals.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineRoom, invalidField, serve } from '#kit/server/room.ts'
import { waitsForSync } from '#domains/thirdparty/index.ts'
import { eleDictionaries } from './dictionaries.ts'
import { eleAptitude } from './ele-aptitude.resource.ts'
import { eleGoodType } from './ele-good-type.resource.ts'
import { eleDeliveryAddress, eleOrderDetail, eleOrderDiscount } from './ele-order-parts.resource.ts'
import { eleOrder } from './ele-order.resource.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { eleSkuInfo } from './ele-sku-info.resource.ts'

/** Rows of a shop at Ele belong to the shop of ours behind it. */
async function shopBehind(db: Db, eleShopId: string): Promise<string> {
  const row = await db.one<{ shopId: string }>(
    sql`select shop_id from ele_shop_info where tenant_id = ${db.tenantId} and id = ${eleShopId}
      and is_deleted = 0 for share`,
  )
  if (!row) throw invalidField(eleSkuInfo, 'eleShopId', 'not_found')
  return row.shopId
}

const SHOP_KNOWS = [
  'name',
  'categoryId',
  'phone',
  'province',
  'city',
  'county',
  'address',
  'longitude',
  'latitude',
  'logo',
  'businessTime',
  'packageFee',
  'minOrderPrice',
]

const eleShopServer = serve(eleShopInfo, {
  beforeSave: (draft, was) => waitsForSync(draft, was, SHOP_KNOWS),
})

const eleGoodTypeServer = serve(eleGoodType, {
  beforeSave: async (draft, was, { db }) => {
    if (!was) draft.shopId = await shopBehind(db, draft.eleShopId!)
    waitsForSync(draft, was, ['name', 'rank'])
  },
})

const eleSkuServer = serve(eleSkuInfo, {
  beforeSave: async (draft, was, { db }) => {
    waitsForSync(draft, was, ['name', 'salePrice', 'stock', 'status', 'weight', 'minimum', 'picture', 'eleGoodTypeId'])
    if (was) return
    draft.shopId = await shopBehind(db, draft.eleShopId!)
    const good = await db.one<{ shopId: string; upc: string; name: string }>(
      sql`select shop_id, upc, name from good_info where tenant_id = ${db.tenantId} and id = ${draft.goodId}
        and is_deleted = 0`,
    )
    if (!good) throw invalidField(eleSkuInfo, 'goodId', 'not_found')
    if (good.shopId !== draft.shopId) throw new Refused('ele_good_of_other_shop', { name: good.name })
    draft.upc = good.upc
  },
})

const eleAptitudeServer = serve(eleAptitude, {
  // The protocol asks for a shop's qualification by the shop.
  detailBy: 'eleShopId',
  beforeSave: async (draft, was, { db }) => {
    if (!was) draft.shopId = await shopBehind(db, draft.eleShopId!)
    if (!(draft.isLongTerm ?? was?.isLongTerm) && !(draft.validDate === undefined ? was?.validDate : draft.validDate))
      throw invalidField(eleAptitude, 'validDate', 'required')
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

export default defineRoom({
  name: 'ele',
  label: { zh: '饿了么', en: 'Ele' },
  resources: [
    eleShopServer,
    eleGoodTypeServer,
    eleSkuServer,
    serve(eleOrder),
    serve(eleOrderDetail),
    serve(eleOrderDiscount),
    serve(eleDeliveryAddress),
    eleAptitudeServer,
  ],
  dictionaries: eleDictionaries,
  menus: [{ code: 'ele', label: { zh: '饿了么', en: 'Ele' }, path: '/ele', icon: 'thunderbolt', sort: 85 }],
})
