import './refusals.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineModule, invalidField, serve } from '#kit/server/module.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import { webhookHandlers } from '#domains/platform/external-apis/api.ts'
import {
  syncHooks,
  localProductOf,
  availableOnPlatform,
  registerPlatform,
  localShopOf,
} from '#domains/sales/delivery-platforms/api.ts'
import { SYNC, waitsForSync } from '#domains/sales/delivery-platforms/index.ts'
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
import { ele } from './platform.ts'
import { elePullJob } from './pull.job.ts'
import { eleShopRoutes } from './shop-calls.server.ts'
import { auditJob, auditWatchJob } from './watch.job.ts'
import { eleSkuInfo } from './ele-sku-info.resource.ts'

/** Rows of a shop at Ele belong to the shop of ours behind it, and wait for the platform where that stands there. */
async function placed(
  db: Db,
  draft: { eleShopId?: string | null; shopId?: string | null; syncStatus?: number | null },
) {
  const shop = await localShopOf(db, eleShopInfo, draft.eleShopId!)
  if (!shop) throw invalidField(eleSkuInfo, 'eleShopId', 'not_found')
  draft.shopId = shop.shopId
  if (shop.isThere) draft.syncStatus = SYNC.waiting
  return shop
}

const eleGoodTypeServer = serve(eleGoodType, {
  ...syncHooks(eleGoodType),
  beforeSave: async (draft, was, { db }) => {
    if (!was) await placed(db, draft)
    waitsForSync(draft, was, ['name', 'rank'])
  },
})

const SKU_KNOWS = ['name', 'salePrice', 'stock', 'status', 'weight', 'minimum', 'picture', 'eleGoodTypeId']

const eleSkuServer = serve(eleSkuInfo, {
  ...syncHooks(eleSkuInfo),
  beforeSave: async (draft, was, { db }) => {
    const good = await localProductOf(db, (was?.goodId ?? draft.goodId)!, !was)
    const shop = was ? await localShopOf(db, eleShopInfo, was.eleShopId) : await placed(db, draft)
    if (!was) {
      if (!good) throw invalidField(eleSkuInfo, 'goodId', 'not_found')
      if (good.shopId !== draft.shopId) throw new Refused('ele_good_of_other_shop', { name: good.name })
      draft.upc = good.upc
    }
    if (good && shop) draft.stock = availableOnPlatform(good, shop)
    waitsForSync(draft, was, SKU_KNOWS)
  },
})

const eleAptitudeServer = serve(eleAptitude, {
  ...syncHooks(eleAptitude),
  // The protocol asks for a shop's qualification by the shop.
  detailBy: 'eleShopId',
  beforeSave: async (draft, was, { db }) => {
    if (!was) await placed(db, draft)
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
      present: (wire, _rows, { lang }) => presentSystemWords(wire, 'message', lang),
    }),
  ],
  routes: [eleCallbackRoute, ...eleShopRoutes],
  jobs: [elePullJob, auditWatchJob, auditJob],
  dictionaries: [...eleDictionaries, ...eleSyncDictionaries],
  menus: [{ code: 'ele', label: { zh: '饿了么', en: 'Ele.me' }, path: '/ele', icon: 'thunderbolt', sort: 85 }],
  start: async (services) => {
    registerPlatform(services, ele)
    webhookHandlers(services, ele.name, handleEleEvent)
  },
})
