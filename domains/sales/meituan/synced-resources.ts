import { formatYuan } from '#kit/fields/money/cents.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import {
  shouldBeOpen,
  patchUnchangedFields,
  type PlatformFields,
  type BatchItem,
  type PlatformRowPatch,
  type PlatformRow,
  type SyncFamily,
  type BatchSync,
} from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { MEITUAN_FIELD_BY_ERROR_CODE, createMeituanError, type MeituanAnswer } from './answers.ts'
import type { MeituanTaskKind } from './client.ts'
import type { MeituanShopClient } from './connection.ts'
import { meituanAptitude } from './meituan-aptitude.resource.ts'
import { meituanGoodType } from './meituan-good-type.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'
import { createMeituanTask } from './tasks.ts'

const ALREADY_EXISTS_CODES = new Set(['804', '1037'])
const NOT_FOUND_CODE = '805'
const REVIEWED = 1
export const MEITUAN_REVIEW_APPROVED = 5
export const MEITUAN_SHOP_ONLINE = 1
export const MEITUAN_SHOP_OPEN = 1
const RESTING = 3
/** Value for "no expiry", where the platform requires a date. */
const FOR_EVER = 1

/** Throws the first failed item of an answer: in calls for one product it is a refusal. */
function whole({ failed }: MeituanAnswer): void {
  const [first] = failed
  if (first) throw createMeituanError(first.code, first.message)
}

/** Creates something, or changes it when it exists already because an earlier answer was lost. */
async function again(make: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> {
  try {
    await make()
  } catch (error) {
    if (!(error instanceof VendorError) || !ALREADY_EXISTS_CODES.has(error.code)) throw error
    await change()
  }
}

const present = (facts: PlatformFields): PlatformFields =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== ''))
const changedIn = (facts: PlatformFields, was: PlatformFields) =>
  [...new Set([...Object.keys(facts), ...Object.keys(was)])].filter(
    (key) => JSON.stringify(facts[key]) !== JSON.stringify(was[key]),
  )

/** Opens or closes a shop at the platform. May be repeated; no effect when `open` is undefined. */
async function setOpen(
  { calls, code }: MeituanShopClient,
  row: PlatformRow,
  open: boolean | undefined,
): Promise<PlatformRowPatch | void> {
  if (open === undefined) return
  if (open && row.isOnline !== MEITUAN_SHOP_ONLINE) await calls.goOnline(code)
  await (open ? calls.openShop(code) : calls.closeShop(code))
  return patchUnchangedFields(row, {
    openLevel: open ? MEITUAN_SHOP_OPEN : RESTING,
    ...(open ? { isOnline: MEITUAN_SHOP_ONLINE } : {}),
  })
}

const shop: SyncFamily<MeituanShopClient> = {
  resource: meituanShopInfo,
  desiredFields: (_db, row) => ({
    name: row.name,
    address: row.address,
    latitude: row.latitude,
    longitude: row.longitude,
    phone: row.phone,
    shipping_time: row.shippingTime,
    shipping_fee: row.shippingFee === null ? null : formatYuan(row.shippingFee as number),
    promotion_info: row.promotionInfo,
    invoice_support: row.isInvoiceSupported ? 1 : 0,
    third_tag_name: row.categoryName,
    logo: row.logo,
    // Only after approval: until then the shop cannot be opened.
    open: row.auditStatus === MEITUAN_REVIEW_APPROVED ? shouldBeOpen(row) : undefined,
  }),
  pushRow: async (connection, { row, facts, was }) => {
    const { calls, code, upload } = connection
    const { logo, open, ...others } = facts
    if (row.platformShopId && was && changedIn(facts, was).every((key) => key === 'open'))
      return setOpen(connection, row, open as boolean | undefined)
    const pic = logo && logo !== was?.logo ? { pic_url: await upload(String(logo)) } : {}
    const poi = {
      app_poi_code: code,
      open_level: shouldBeOpen(row) ? MEITUAN_SHOP_OPEN : RESTING,
      ...present(others),
      ...pic,
    }
    if (row.platformShopId) {
      await calls.saveShop(poi)
      return setOpen(connection, row, open as boolean | undefined)
    }
    // Created offline; going online submits it for review.
    await calls.saveShop({ ...poi, is_online: 0 })
    const bound = (await calls.boundShops(code)).data as { wm_poi_id: string; app_poi_code: string }[]
    await calls.saveShop({ ...poi, is_online: 1 })
    const own = bound.find((one) => one.app_poi_code === code)
    return patchUnchangedFields(row, { platformShopId: String(own?.wm_poi_id ?? code), auditStatus: REVIEWED })
  },
  fieldOf: MEITUAN_FIELD_BY_ERROR_CODE,
}

const goodType: SyncFamily<MeituanShopClient> = {
  resource: meituanGoodType,
  desiredFields: (_db, row) => ({
    category_code: row.categoryCode ?? row.id,
    category_name: row.name,
    sequence: row.rank,
  }),
  pushRow: async ({ calls, code }, { facts, was }) => {
    const type = { app_poi_code: code, ...facts }
    const change = () => calls.saveGoodsType({ ...type, category_code_origin: facts.category_code })
    if (was) await change()
    else await again(() => calls.saveGoodsType(type), change)
    return { categoryCode: facts.category_code }
  },
  removeRow: async ({ calls, code }, was) => void (await calls.removeGoodsType(code, String(was.category_code))),
  fieldOf: { ...MEITUAN_FIELD_BY_ERROR_CODE, 1021: 'name' },
}

/** Fewest products worth a batch. High for stock, because stock must not wait in the platform's queue. */
const GOODS_AT_ONCE: Readonly<Record<MeituanTaskKind, number>> = {
  whole: 20,
  price: 20,
  onSale: 20,
  offSale: 20,
  stock: 100,
}

const goodsTogether: BatchSync = {
  least: GOODS_AT_ONCE,
  most: 200,
  workOf: (facts, was): MeituanTaskKind | undefined => {
    const keys = was ? changedIn(facts, was) : []
    const isSmall = was && keys.every((key) => key in SMALL)
    if (!isSmall) return 'whole'
    if (keys.length !== 1) return undefined
    return keys[0] !== 'is_sold_out' ? (keys[0] as 'price' | 'stock') : Number(facts.is_sold_out) ? 'offSale' : 'onSale'
  },
  begin: createMeituanTask,
  done: (facts) => ({ platformSkuId: facts.app_spu_code }),
}

export const meituanSyncedGoods: SyncFamily<MeituanShopClient> = {
  resource: meituanSkuInfo,
  desiredFields: async (db, row) => {
    const type = row.meituanGoodTypeId
      ? await db.one<{ id: string; categoryCode: string | null }>(
          sql`select id, category_code from meituan_good_type where tenant_id = ${db.tenantId}
            and id = ${row.meituanGoodTypeId}`,
        )
      : undefined
    return {
      app_spu_code: row.platformSkuId ?? row.goodId,
      name: row.name,
      standard_upc: row.upc,
      category_code: type ? (type.categoryCode ?? type.id) : null,
      tag_id: row.tagId,
      common_attr_value: row.attributes,
      price: formatYuan(row.salePrice as number),
      stock: String(row.stock ?? 0),
      is_sold_out: row.status ?? 0,
      weight: row.weight,
      min_order_count: row.minOrderCount,
      box_num: row.boxNum,
      box_price: row.boxPrice === null ? null : formatYuan(row.boxPrice as number),
      picture: row.picture,
    }
  },
  pushRow: async (connection, { facts, was }) => {
    const keys = was ? changedIn(facts, was) : []
    const isSmall = was && keys.every((key) => key in SMALL)
    const isSaved = isSmall && (await changeSmall(connection, facts, keys as (keyof typeof SMALL)[]))
    if (!isSaved) await saveWhole(connection, facts, was)
    return { platformSkuId: facts.app_spu_code }
  },
  together: goodsTogether,
  removeRow: async ({ calls, code }, was) => void (await calls.removeGood(code, String(was.app_spu_code))),
  fieldOf: MEITUAN_FIELD_BY_ERROR_CODE,
}

/** Calls for values that change often; no review follows them. */
const SMALL = {
  price: ({ calls, code }: MeituanShopClient, facts: PlatformFields) =>
    calls.setPrices(code, [skuOf(facts, { price: facts.price })]),
  stock: ({ calls, code }: MeituanShopClient, facts: PlatformFields) =>
    calls.setStocks(code, [skuOf(facts, { stock: facts.stock })]),
  is_sold_out: ({ calls, code }: MeituanShopClient, facts: PlatformFields) =>
    calls.setOnSale(code, [String(facts.app_spu_code)], Number(facts.is_sold_out)),
}

const skuOf = ({ app_spu_code: spuCode }: PlatformFields, sku: PlatformFields) => ({
  app_spu_code: spuCode,
  skus: [{ sku_id: spuCode, ...sku }],
})

/**
 * Sends the changed values. Returns false when the product was removed at the platform, so that it is created again.
 */
async function changeSmall(
  connection: MeituanShopClient,
  facts: PlatformFields,
  keys: (keyof typeof SMALL)[],
): Promise<boolean> {
  try {
    for (const key of keys) whole(await SMALL[key](connection, facts))
    return true
  } catch (error) {
    if (error instanceof VendorError && error.code === NOT_FOUND_CODE) return false
    throw error
  }
}

async function saveWhole(
  connection: MeituanShopClient,
  facts: PlatformFields,
  was: PlatformFields | null,
): Promise<void> {
  const { calls, code } = connection
  whole(await calls.saveGood({ app_poi_code: code, ...(await wholeOf(connection, facts, was)) }))
}

/** All values of a product. The picture is uploaded only when it changed. */
async function wholeOf(
  { upload }: MeituanShopClient,
  facts: PlatformFields,
  was: PlatformFields | null,
): Promise<PlatformFields> {
  const { price, stock, picture, box_num: boxNum, box_price: boxPrice, ...others } = facts
  const pictures = picture && picture !== was?.picture ? { picture: await upload(String(picture)) } : {}
  const sku = present({
    sku_id: facts.app_spu_code,
    upc: facts.standard_upc,
    price,
    stock,
    box_num: boxNum,
    box_price: boxPrice,
  })
  return { ...present(others), ...pictures, skus: [sku] }
}

/** A product as an item of a batch. */
export function toMeituanTaskItem(
  connection: MeituanShopClient,
  work: MeituanTaskKind,
  { facts, was }: BatchItem,
): Promise<PlatformFields> | PlatformFields {
  if (work === 'whole') return wholeOf(connection, facts, was)
  if (work === 'onSale' || work === 'offSale') return { app_spu_code: facts.app_spu_code }
  return skuOf(facts, { [work]: facts[work] })
}

const aptitude: SyncFamily<MeituanShopClient> = {
  resource: meituanAptitude,
  desiredFields: (_db, row) => ({
    type_level_one: 1,
    name: row.licenseName,
    number: row.licenseNumber,
    legal_person: row.legalPerson,
    address: row.licenseAddress,
    valid_date: row.isLongTerm ? FOR_EVER : secondsOf(row.validDate as string | null),
    pictures: row.photos,
    food_number: row.foodLicenseNumber,
    food_valid_date: secondsOf(row.foodValidDate as string | null),
    food_pictures: row.foodPhotos,
  }),
  pushRow: async ({ calls, code, shop: shopRow, uploadAll }, { facts }) => {
    const {
      pictures,
      food_number: foodNumber,
      food_valid_date: foodDate,
      food_pictures: foodPictures,
      ...trade
    } = facts
    const certs = [
      { ...present(trade), type_level_two: 1, cert_pic: await uploadAll(pictures) },
      ...(foodNumber
        ? [
            {
              type_level_one: 2,
              type_level_two: 1,
              name: facts.name,
              number: foodNumber,
              valid_date: foodDate ?? FOR_EVER,
              cert_pic: await uploadAll(foodPictures),
            },
          ]
        : []),
    ]
    await calls.handInShops(1, [
      {
        app_poi_code: code,
        single_poi_basic_info: {
          shop_name: shopRow.name,
          address: shopRow.address,
          contract_tel: shopRow.phone,
          longitude: shopRow.longitude,
          latitude: shopRow.latitude,
        },
        single_poi_cert_infos: certs,
        single_poi_cooperation_info: { shipping_type: 3 },
      },
    ])
    await calls.submitAudit([code])
  },
  fieldOf: { 701: 'licenseNumber' },
}

const secondsOf = (date: string | null) => (date ? Math.floor(Date.parse(`${date}T00:00:00+08:00`) / 1000) : null)

/**
 * Order of syncing: categories before the products in them, licences last, since any change sends them to review again.
 */
export const meituanSyncedResources: readonly SyncFamily<MeituanShopClient>[] = [
  shop,
  goodType,
  meituanSyncedGoods,
  aptitude,
]
