import './refusals.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineModule, invalidFieldRefusal, serve } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { registerWebhookHandler } from '#domains/platform/external-apis/api.ts'
import {
  createPlatformSyncHooks,
  findLocalProduct,
  computePlatformStock,
  registerPlatform,
  lockLocalShop,
} from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE, markWaitingForSync } from '#domains/sales/delivery-platforms/index.ts'
import { eleDictionaries } from './dictionaries.ts'
import { eleCallbackRoute } from './callback.server.ts'
import { eleAptitude } from './ele-aptitude.resource.ts'
import { eleGoodType } from './ele-good-type.resource.ts'
import { eleDeliveryAddress, eleOrderDiscount } from './ele-order-parts.resource.ts'
import { eleOrderDetailServer, eleOrderServer } from './ele-order.server.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { eleShopServer } from './ele-shop-info.server.ts'
import { eleSync, eleSyncDictionaries } from './ele-sync.resource.ts'
import { handleEleEvent } from './webhook-handlers.ts'
import { eleDeliveryPlatform } from './platform.ts'
import { compareEleShopJob } from './pull.job.ts'
import { eleShopRoutes } from './shop-calls.server.ts'
import { checkEleShopReviewJob, enqueueEleShopChecksJob } from './watch.job.ts'
import { eleSkuInfo } from './ele-sku-info.resource.ts'

/** Sets our shop of a new row and marks it as waiting for a sync if the shop is at Ele. Refuses an unknown shop. */
async function placed(
  db: Db,
  draft: { eleShopId?: string | null; shopId?: string | null; syncStatus?: number | null },
) {
  const shop = await lockLocalShop(db, eleShopInfo, draft.eleShopId!)
  if (!shop) throw invalidFieldRefusal(eleSkuInfo, 'eleShopId', 'not_found')
  draft.shopId = shop.shopId
  if (shop.isThere) draft.syncStatus = SYNC_STATE.waiting
  return shop
}

const eleGoodTypeServer = serve(eleGoodType, {
  ...createPlatformSyncHooks(eleGoodType),
  beforeSave: async (draft, was, { db }) => {
    if (!was) await placed(db, draft)
    markWaitingForSync(draft, was, ['name', 'rank'])
  },
})

const SKU_KNOWS = ['name', 'salePrice', 'stock', 'status', 'weight', 'minimum', 'picture', 'eleGoodTypeId']

const eleSkuServer = serve(eleSkuInfo, {
  ...createPlatformSyncHooks(eleSkuInfo),
  beforeSave: async (draft, was, { db }) => {
    const good = await findLocalProduct(db, (was?.goodId ?? draft.goodId)!, !was)
    const shop = was ? await lockLocalShop(db, eleShopInfo, was.eleShopId) : await placed(db, draft)
    if (!was) {
      if (!good) throw invalidFieldRefusal(eleSkuInfo, 'goodId', 'not_found')
      if (good.shopId !== draft.shopId) throw new Refused('ele_good_of_other_shop', { name: good.name })
      draft.upc = good.upc
    }
    if (good && shop) draft.stock = computePlatformStock(good, shop)
    markWaitingForSync(draft, was, SKU_KNOWS)
  },
})

const eleAptitudeServer = serve(eleAptitude, {
  ...createPlatformSyncHooks(eleAptitude),
  // API clients ask for the licences by shop.
  detailBy: 'eleShopId',
  beforeSave: async (draft, was, { db }) => {
    if (!was) await placed(db, draft)
    markWaitingForSync(draft, was, [
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

export default defineModule({
  name: 'sales/ele',
  label: { zh: '饿了么', en: 'Ele.me' },
  resources: [
    eleShopServer,
    eleGoodTypeServer,
    eleSkuServer,
    eleOrderServer,
    eleOrderDetailServer,
    serve(eleOrderDiscount),
    serve(eleDeliveryAddress),
    eleAptitudeServer,
    serve(eleSync, {
      without: ['submit', 'remove'],
      present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'message', lang),
    }),
  ],
  routes: [eleCallbackRoute, ...eleShopRoutes],
  jobs: [compareEleShopJob, enqueueEleShopChecksJob, checkEleShopReviewJob],
  dictionaries: [...eleDictionaries, ...eleSyncDictionaries],
  menus: [{ code: 'ele', label: { zh: '饿了么', en: 'Ele.me' }, path: '/ele', icon: 'thunderbolt', sort: 85 }],
  start: async (services) => {
    registerPlatform(services, eleDeliveryPlatform)
    registerWebhookHandler(services, eleDeliveryPlatform.name, handleEleEvent)
  },
})
