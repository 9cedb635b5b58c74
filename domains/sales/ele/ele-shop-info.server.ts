import { presentShop, createPlatformSyncHooks } from '#domains/sales/delivery-platforms/api.ts'
import { markWaitingForSync } from '#domains/sales/delivery-platforms/index.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { serve } from '#kit/server/module/module.ts'
import { requireAccount } from './account.ts'
import { enqueueEleShopSync } from './apply.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { startEleComparison } from './pull.job.ts'
import { ELE_SHOP_APPROVED, ELE_SHOP_OPEN, ELE_SHOP_REJECTED_STATES } from './shop-facts.ts'

/** Shop fields sent to the platform; changing one starts a sync. */
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
  [ELE_SHOP_OPEN, 'open'],
  [3, 'resting'],
  [9, 'closed'],
])

/** Translates Ele's codes of a shop: its review state and its opening hours. */
const presentEleShop = presentShop((row: RowOf<typeof eleShopInfo>) => ({
  review:
    row.sysStatus === ELE_SHOP_APPROVED || row.sysStatus === CHECKED
      ? 'approved'
      : ELE_SHOP_REJECTED_STATES.has(row.sysStatus ?? 0)
        ? 'refused'
        : row.sysStatus
          ? 'underReview'
          : 'none',
  hours: HOURS.get(row.businessStatus),
}))

export const eleShopServer = serve(eleShopInfo, {
  ...createPlatformSyncHooks(eleShopInfo),
  present: presentEleShop,
  beforeSave: (draft, was) => markWaitingForSync(draft, was, SHOP_KNOWS),
  actions: {
    apply: (shop, _input, call) => enqueueEleShopSync(shop, call),
    sync: async (shop, _input, { db, services }) => {
      await requireAccount(db, services)
      const { id } = await startEleComparison(db, { id: shop.id, shopId: shop.shopId }, services.now())
      return { id }
    },
  },
})
