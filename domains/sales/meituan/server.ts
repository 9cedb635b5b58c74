import './refusals.ts'
import { f, type RowOf } from '#kit/resource/index.ts'
import { handleListCall } from '#kit/server/resource/list-of.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineModule, invalidFieldRefusal, defineRoute, serve } from '#kit/server/module/module.ts'
import { registerWebhookHandler } from '#domains/platform/external-apis/api.ts'
import {
  createPlatformSyncHooks,
  findLocalProduct,
  computePlatformStock,
  presentShop,
  registerPlatform,
  lockLocalShop,
} from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE, markWaitingForSync } from '#domains/sales/delivery-platforms/index.ts'
import { submitMeituanShop } from './apply.ts'
import { checkMeituanReviewsJob, enqueueMeituanReviewChecksJob } from './audits.job.ts'
import { refreshMeituanCategoriesJob, enqueueMeituanCategoriesRefresh } from './catalogue.job.ts'
import { attributeValuesRoute, createMeituanStatusRoute } from './live.server.ts'
import { meituanOrderDetailServer, meituanOrderServer } from './order.server.ts'
import { compareMeituanShopJob, enqueueMeituanComparison } from './compare.ts'
import { callbackRoute, handleMeituanEvent } from './callback.server.ts'
import { MEITUAN_REVIEW_APPROVED, MEITUAN_SHOP_ONLINE, MEITUAN_SHOP_OPEN } from './synced-resources.ts'
import { meituanDeliveryPlatform } from './platform.ts'
import { meituanDictionaries } from './dictionaries.ts'
import { meituanTask } from './meituan-task.resource.ts'
import { runMeituanTaskJob, requeueMeituanTasksJob } from './task.job.ts'
import { renewMeituanTokenJob, enqueueTokenRenewalsJob } from './tokens.job.ts'
import { meituanAptitude } from './meituan-aptitude.resource.ts'
import { meituanGoodType } from './meituan-good-type.resource.ts'
import { meituanGeneralAttrs, meituanTagList } from './meituan-catalogue.resource.ts'
import { meituanGoodsAuditStatus, meituanTokenInfo } from './meituan-running.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'

/** Sets our shop of a new row and marks it as waiting for a sync if the shop is at Meituan. Refuses an unknown shop. */
async function placed(
  db: Db,
  draft: { meituanShopId?: string | null; shopId?: string | null; syncStatus?: number | null },
) {
  const shop = await lockLocalShop(db, meituanShopInfo, draft.meituanShopId!)
  if (!shop) throw invalidFieldRefusal(meituanSkuInfo, 'meituanShopId', 'not_found')
  draft.shopId = shop.shopId
  if (shop.isThere) draft.syncStatus = SYNC_STATE.waiting
  return shop
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
  'opensThere',
]

const NONE = new Set([0, 4])
const REFUSED = new Set([2, 7])

/** Translates Meituan's codes of a shop: its review, online state and opening hours. */
const presentMeituanShop = presentShop((row: RowOf<typeof meituanShopInfo>) => ({
  review:
    row.auditStatus === MEITUAN_REVIEW_APPROVED
      ? 'approved'
      : REFUSED.has(row.auditStatus ?? 0)
        ? 'refused'
        : NONE.has(row.auditStatus ?? 0)
          ? 'none'
          : 'underReview',
  isOnline: row.isOnline === MEITUAN_SHOP_ONLINE,
  hours: row.openLevel === MEITUAN_SHOP_OPEN ? 'open' : row.openLevel ? 'resting' : undefined,
}))

const meituanShopServer = serve(meituanShopInfo, {
  ...createPlatformSyncHooks(meituanShopInfo),
  present: presentMeituanShop,
  beforeSave: (draft, was) => {
    if (!was) draft.appPoiCode = draft.shopId
    markWaitingForSync(draft, was, SHOP_KNOWS)
  },
  actions: {
    apply: (row, _input, call) => submitMeituanShop(row, call),
    sync: (row, _input, { db }) => enqueueMeituanComparison(db, row.id),
  },
})

const meituanGoodTypeServer = serve(meituanGoodType, {
  ...createPlatformSyncHooks(meituanGoodType),
  beforeSave: async (draft, was, { db }) => {
    if (!was) await placed(db, draft)
    markWaitingForSync(draft, was, ['name', 'rank'])
  },
})

const SKU_KNOWS = [
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
]

const meituanSkuServer = serve(meituanSkuInfo, {
  ...createPlatformSyncHooks(meituanSkuInfo),
  beforeSave: async (draft, was, { db }) => {
    const good = await findLocalProduct(db, (was?.goodId ?? draft.goodId)!, !was)
    const shop = was ? await lockLocalShop(db, meituanShopInfo, was.meituanShopId) : await placed(db, draft)
    if (!was) {
      if (!good) throw invalidFieldRefusal(meituanSkuInfo, 'goodId', 'not_found')
      if (good.shopId !== draft.shopId) throw new Refused('meituan_good_of_other_shop', { name: good.name })
      draft.upc = good.upc
    }
    if (good && shop) draft.stock = computePlatformStock(good, shop)
    markWaitingForSync(draft, was, SKU_KNOWS)
  },
})

const meituanAptitudeServer = serve(meituanAptitude, {
  ...createPlatformSyncHooks(meituanAptitude),
  // API clients ask for the licences by shop.
  detailBy: 'meituanShopId',
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

const meituanTagListServer = serve(meituanTagList, {
  actions: { refresh: (_row, _input, { db }) => enqueueMeituanCategoriesRefresh(db) },
})

const meituanGeneralAttrsServer = serve(meituanGeneralAttrs)
/** All attributes of a category on one page, for the product form. */
const unpagedAttrs = {
  ...meituanGeneralAttrsServer,
  resource: { ...meituanGeneralAttrs, list: { ...meituanGeneralAttrs.list, paged: false } },
}

export default defineModule({
  name: 'sales/meituan',
  label: { zh: '美团', en: 'Meituan' },
  resources: [
    meituanShopServer,
    meituanGoodTypeServer,
    meituanSkuServer,
    meituanOrderServer,
    meituanOrderDetailServer,
    meituanTagListServer,
    meituanGeneralAttrsServer,
    serve(meituanTokenInfo),
    serve(meituanGoodsAuditStatus),
    serve(meituanTask, { detailBy: 'taskId' }),
    meituanAptitudeServer,
  ],
  start: async (services) => {
    registerPlatform(services, meituanDeliveryPlatform)
    registerWebhookHandler(services, meituanDeliveryPlatform.name, handleMeituanEvent)
  },
  routes: [
    callbackRoute,
    createMeituanStatusRoute(meituanShopServer),
    attributeValuesRoute,
    defineRoute({
      method: 'GET',
      path: '/api/meituan/meituanGeneralAttrs/list1',
      title: { zh: '类目的全部属性', en: 'List category attributes' },
      can: ['meituanGeneralAttrs', 'meituanSkuInfo'],
      tx: false,
      input: { tagId: f.text({ label: meituanGeneralAttrs.fields.tagId.label, required: true, max: 64 }) },
      handle: (call) => handleListCall(unpagedAttrs, call),
    }),
  ],
  jobs: [
    compareMeituanShopJob,
    refreshMeituanCategoriesJob,
    enqueueMeituanReviewChecksJob,
    checkMeituanReviewsJob,
    enqueueTokenRenewalsJob,
    renewMeituanTokenJob,
    runMeituanTaskJob,
    requeueMeituanTasksJob,
  ],
  dictionaries: meituanDictionaries,
  menus: [{ code: 'meituan', label: { zh: '美团', en: 'Meituan' }, path: '/meituan', icon: 'rocket', sort: 86 }],
})
