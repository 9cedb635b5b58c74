import { presentShop, syncHooks } from '#domains/sales/delivery-platforms/api.ts'
import { waitsForSync } from '#domains/sales/delivery-platforms/index.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { serve } from '#kit/server/module.ts'
import { requireAccount } from './account.ts'
import { applyShop } from './apply.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { beginPull } from './pull.job.ts'
import { LET_IN, OPEN, REFUSED } from './shop-facts.ts'

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

const CHECKED = 12
const HOURS = new Map<number | null, 'open' | 'resting' | 'closed'>([
  [OPEN, 'open'],
  [3, 'resting'],
  [9, 'closed'],
])

/** What Ele's numbers of a shop mean: its review, and its hours. */
const presentEleShop = presentShop((row: RowOf<typeof eleShopInfo>) => ({
  review:
    row.sysStatus === LET_IN || row.sysStatus === CHECKED
      ? 'approved'
      : REFUSED.has(row.sysStatus ?? 0)
        ? 'refused'
        : row.sysStatus
          ? 'underReview'
          : 'none',
  hours: HOURS.get(row.businessStatus),
}))

export const eleShopServer = serve(eleShopInfo, {
  ...syncHooks(eleShopInfo),
  present: presentEleShop,
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
