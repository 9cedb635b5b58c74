import { bringsThere, presentPause } from '#domains/thirdparty/doors.ts'
import { waitsForSync } from '#domains/thirdparty/index.ts'
import { serve } from '#kit/server/room.ts'
import { requireAccount } from './account.ts'
import { applyShop } from './apply.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { beginPull } from './pull.job.ts'

/** What the platform is told of a shop. */
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
  'opensThere',
]

export const eleShopServer = serve(eleShopInfo, {
  present: presentPause,
  ...bringsThere(eleShopInfo),
  beforeSave: (draft, was) => waitsForSync(draft, was, SHOP_KNOWS),
  actions: {
    apply: (shop, _input, call) => applyShop(shop, call),
    sync: async (shop, _input, { db, services }) => {
      await requireAccount(db, services)
      const { id } = await beginPull(db, { id: shop.id, shopId: shop.shopId }, services.now())
      return { id }
    },
  },
})
