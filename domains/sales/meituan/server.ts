import './refusals.ts'
import { f, type RowOf } from '#kit/resource/index.ts'
import { listOf } from '#kit/server/resource/list-of.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineModule, invalidField, route, serve } from '#kit/server/module.ts'
import { webhookHandlers } from '#domains/platform/external-apis/api.ts'
import {
  syncHooks,
  localProductOf,
  availableOnPlatform,
  presentShop,
  registerPlatform,
  localShopOf,
} from '#domains/sales/delivery-platforms/api.ts'
import { SYNC, waitsForSync } from '#domains/sales/delivery-platforms/index.ts'
import { applyShop } from './apply.ts'
import { auditJob, auditSweepJob } from './audits.job.ts'
import { catalogueJob, refreshCatalogue } from './catalogue.job.ts'
import { attributeValuesRoute, statusRoute } from './live.server.ts'
import { meituanOrderDetailServer, meituanOrderServer } from './order.server.ts'
import { compareJob, compareLater } from './compare.ts'
import { callbackRoute, handleMeituanEvent } from './callback.server.ts'
import { APPROVED, ONLINE, OPEN } from './families.ts'
import { meituan } from './platform.ts'
import { meituanDictionaries } from './dictionaries.ts'
import { meituanTask } from './meituan-task.resource.ts'
import { taskJob, taskSweepJob } from './task.job.ts'
import { tokenJob, tokenSweepJob } from './tokens.job.ts'
import { meituanAptitude } from './meituan-aptitude.resource.ts'
import { meituanGoodType } from './meituan-good-type.resource.ts'
import { meituanGeneralAttrs, meituanTagList } from './meituan-catalogue.resource.ts'
import { meituanGoodsAuditStatus, meituanTokenInfo } from './meituan-running.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'

/** Rows of a shop there belong to the shop of ours behind it, and wait for the platform where that stands there. */
async function placed(
  db: Db,
  draft: { meituanShopId?: string | null; shopId?: string | null; syncStatus?: number | null },
) {
  const shop = await localShopOf(db, meituanShopInfo, draft.meituanShopId!)
  if (!shop) throw invalidField(meituanSkuInfo, 'meituanShopId', 'not_found')
  draft.shopId = shop.shopId
  if (shop.isThere) draft.syncStatus = SYNC.waiting
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

/** What Meituan's numbers of a shop mean: its review, whether it is online, and its hours. */
const presentMeituanShop = presentShop((row: RowOf<typeof meituanShopInfo>) => ({
  review:
    row.auditStatus === APPROVED
      ? 'approved'
      : REFUSED.has(row.auditStatus ?? 0)
        ? 'refused'
        : NONE.has(row.auditStatus ?? 0)
          ? 'none'
          : 'underReview',
  isOnline: row.isOnline === ONLINE,
  hours: row.openLevel === OPEN ? 'open' : row.openLevel ? 'resting' : undefined,
}))

const meituanShopServer = serve(meituanShopInfo, {
  ...syncHooks(meituanShopInfo),
  present: presentMeituanShop,
  beforeSave: (draft, was) => {
    if (!was) draft.appPoiCode = draft.shopId
    waitsForSync(draft, was, SHOP_KNOWS)
  },
  actions: {
    apply: (row, _input, call) => applyShop(row, call),
    sync: (row, _input, { db }) => compareLater(db, row.id),
  },
})

const meituanGoodTypeServer = serve(meituanGoodType, {
  ...syncHooks(meituanGoodType),
  beforeSave: async (draft, was, { db }) => {
    if (!was) await placed(db, draft)
    waitsForSync(draft, was, ['name', 'rank'])
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
  ...syncHooks(meituanSkuInfo),
  beforeSave: async (draft, was, { db }) => {
    const good = await localProductOf(db, (was?.goodId ?? draft.goodId)!, !was)
    const shop = was ? await localShopOf(db, meituanShopInfo, was.meituanShopId) : await placed(db, draft)
    if (!was) {
      if (!good) throw invalidField(meituanSkuInfo, 'goodId', 'not_found')
      if (good.shopId !== draft.shopId) throw new Refused('meituan_good_of_other_shop', { name: good.name })
      draft.upc = good.upc
    }
    if (good && shop) draft.stock = availableOnPlatform(good, shop)
    waitsForSync(draft, was, SKU_KNOWS)
  },
})

const meituanAptitudeServer = serve(meituanAptitude, {
  ...syncHooks(meituanAptitude),
  // The protocol asks for a shop's qualification by the shop.
  detailBy: 'meituanShopId',
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

const meituanTagListServer = serve(meituanTagList, {
  actions: { refresh: (_row, _input, { db }) => refreshCatalogue(db) },
})

const meituanGeneralAttrsServer = serve(meituanGeneralAttrs)
/** All attributes of a category at once, for the form of goods. */
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
    registerPlatform(services, meituan)
    webhookHandlers(services, meituan.name, handleMeituanEvent)
  },
  routes: [
    callbackRoute,
    statusRoute(meituanShopServer),
    attributeValuesRoute,
    route({
      method: 'GET',
      path: '/api/meituan/meituanGeneralAttrs/list1',
      title: { zh: '类目的全部属性', en: 'List category attributes' },
      can: ['meituanGeneralAttrs', 'meituanSkuInfo'],
      tx: false,
      input: { tagId: f.text({ label: meituanGeneralAttrs.fields.tagId.label, required: true, max: 64 }) },
      handle: (call) => listOf(unpagedAttrs, call),
    }),
  ],
  jobs: [compareJob, catalogueJob, auditSweepJob, auditJob, tokenSweepJob, tokenJob, taskJob, taskSweepJob],
  dictionaries: meituanDictionaries,
  menus: [{ code: 'meituan', label: { zh: '美团', en: 'Meituan' }, path: '/meituan', icon: 'rocket', sort: 86 }],
})
