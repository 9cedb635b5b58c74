import { VendorError } from '#domains/platform/external-apis/api.ts'
import {
  shouldBeOpen,
  patchUnchangedFields,
  type PlatformFields,
  type PlatformRowPatch,
  type PlatformRow,
  type SyncFamily,
} from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import type { EleShopClient } from './connection.ts'
import { eleAptitude } from './ele-aptitude.resource.ts'
import { eleGoodType } from './ele-good-type.resource.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { eleSkuInfo } from './ele-sku-info.resource.ts'
import type { Licence, LicenceType, ShopDraft, SkuDraft } from './ele-wire.ts'
import { ELE_SHOP_APPROVED, ELE_SHOP_OPEN, toEleShopStatus } from './shop-facts.ts'

const RESTING = 3
/** State of a shop just submitted: not reviewed yet. */
const HANDED_IN = { sysStatus: 7, businessStatus: 9 }
const TRADE_LICENCE = '营业执照'
const FOOD_LICENCE = '食品经营许可证'

const present = (facts: PlatformFields): PlatformFields =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== ''))
const changedIn = (facts: PlatformFields, was: PlatformFields): string[] =>
  Object.keys({ ...facts, ...was }).filter((key) => JSON.stringify(facts[key]) !== JSON.stringify(was[key]))
const isRefusal = (error: unknown): error is VendorError =>
  error instanceof VendorError && error.isUndone && !error.isRetryable

/**
 * Returns what the platform has, or undefined when it refuses. It has no code for "not found", so every refusal counts
 * as that; a real error shows at the next call.
 */
async function ifFound<T>(ask: Promise<T>): Promise<T | undefined> {
  try {
    return await ask
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Converts `08:00-12:00,13:00-22:00` to the platform's list of hours. */
const hoursOf = (text: unknown) =>
  typeof text === 'string' && text
    ? text.split(',').map((part) => ({ start: part.slice(0, 5), end: part.slice(6, 11) }))
    : null

/** Opens or closes a shop at the platform. May be repeated; no effect when `open` is undefined. */
async function setOpen(
  { ask, there }: EleShopClient,
  row: PlatformRow,
  open: boolean | undefined,
): Promise<PlatformRowPatch | void> {
  if (open === undefined) return
  await ask(open ? 'shop.open' : 'shop.close', there)
  return patchUnchangedFields(row, { businessStatus: open ? ELE_SHOP_OPEN : RESTING })
}

const shop: SyncFamily<EleShopClient> = {
  resource: eleShopInfo,
  desiredFields: (_db, row) => ({
    name: row.name,
    phone: row.phone,
    address: row.address,
    longitude: row.longitude,
    latitude: row.latitude,
    province: row.province,
    city: row.city,
    county: row.county,
    category: row.categoryId,
    hours: row.businessTime,
    package_box_price: row.packageFee,
    min_order_price: row.minOrderPrice,
    logo: row.logo,
    // Only after approval: until then the shop cannot be opened.
    open: row.sysStatus === ELE_SHOP_APPROVED ? shouldBeOpen(row) : undefined,
  }),
  pushRow: async (connection, { row, facts, was }) => {
    const { ask, there, upload } = connection
    const { logo, category, hours, open, ...others } = facts
    if (row.platformShopId && was && changedIn(facts, was).every((key) => key === 'open'))
      return setOpen(connection, row, open as boolean | undefined)
    const draft = present({
      ...others,
      coord_type: 'amap',
      business_time: hoursOf(hours),
      categorys: category ? [{ category1: String(category) }] : null,
      shop_logo: logo && logo !== was?.logo ? (await upload(String(logo))).url : null,
    }) as ShopDraft
    if (row.platformShopId) {
      await ask('shop.update', { ...draft, ...there })
      return setOpen(connection, row, open as boolean | undefined)
    }
    // Created before, but the answer was lost: it exists under our number.
    const known = await ifFound(ask('shop.get', there))
    if (known) {
      await ask('shop.update', { ...draft, ...there })
      return patchUnchangedFields(row, { ...toEleShopStatus(known), platformShopId: String(known.baidu_shop_id) })
    }
    const made = await ask('shop.create', { ...draft, shop_id: row.id })
    return patchUnchangedFields(row, { ...HANDED_IN, platformShopId: String(made.baidu_shop_id) })
  },
}

/** Returns the id of the category with this name at the platform; undefined for none. */
async function shelfNamed({ ask, there }: EleShopClient, name: unknown): Promise<string | undefined> {
  const { categorys } = await ask('sku.shop.category.get', there)
  const found = categorys.find((one) => one.name === name)
  return found && String(found.category_id)
}

const goodType: SyncFamily<EleShopClient> = {
  resource: eleGoodType,
  desiredFields: (_db, row) => ({ name: row.name, rank: row.rank }),
  pushRow: async (connection, { row, facts }) => {
    const { ask, there } = connection
    const shelf = { ...there, name: String(facts.name), rank: Number(facts.rank ?? 1) }
    const known = (row.platformCategoryId as string | null) ?? (await shelfNamed(connection, facts.name))
    if (known) {
      const isUpdated = await ifFound(
        ask('sku.shop.category.update', { ...shelf, category_id: known }).then(() => true),
      )
      if (isUpdated) return { platformCategoryId: known }
    }
    const made = await ask('sku.shop.category.create', { ...shelf, parent_category_id: '0' })
    return { platformCategoryId: String(made.category_id) }
  },
  removeRow: async (connection, was) => {
    const known = await shelfNamed(connection, was.name)
    if (known) await connection.ask('sku.shop.category.delete', { ...connection.there, category_id: known })
  },
}

const good: SyncFamily<EleShopClient> = {
  resource: eleSkuInfo,
  desiredFields: async (db, row) => {
    const type = row.eleGoodTypeId
      ? await db.one<{ platformCategoryId: string | null }>(
          sql`select platform_category_id from ele_good_type where tenant_id = ${db.tenantId}
            and id = ${row.eleGoodTypeId}`,
        )
      : undefined
    return {
      custom_sku_id: row.goodId,
      // Not sent: products put on sale there by hand are addressed by this number.
      sku_id: row.platformSkuId,
      name: row.name,
      upc: row.upc,
      sale_price: row.salePrice,
      left_num: row.stock ?? 0,
      status: row.status,
      weight: row.weight,
      minimum: row.minimum,
      category_id: type?.platformCategoryId,
      picture: row.picture,
    }
  },
  pushRow: async (connection, { row, facts, was }) => {
    const skuNo = row.platformSkuId as string | null
    const keys = was ? changedIn(facts, was).filter((key) => key !== 'sku_id') : []
    if (skuNo && was && keys.every((key) => key in SMALL)) {
      if (await ifFound(changeSmall(connection, skuNo, facts, keys))) return
    }
    return { platformSkuId: await saveWhole(connection, skuNo, facts, was) }
  },
  removeRow: async ({ ask, there }, was) =>
    void (await ask('sku.delete', {
      ...there,
      ...(was.sku_id ? { sku_id: String(was.sku_id) } : { custom_sku_id: String(was.custom_sku_id) }),
    })),
}

/** Calls for values that change often; the platform does not review these. */
const SMALL: Readonly<
  Record<string, (connection: EleShopClient, skuNo: string, facts: PlatformFields) => Promise<unknown>>
> = {
  sale_price: ({ ask, there }, skuNo, { sale_price }) =>
    ask('sku.price.update.batch', { ...there, skuid_price: `${skuNo}:${Number(sale_price)}` }),
  left_num: ({ ask, there }, skuNo, { left_num }) =>
    ask('sku.stock.update.batch', { ...there, skuid_stocks: `${skuNo}:${Number(left_num)}` }),
  status: ({ ask, there }, skuNo, { status }) =>
    ask(Number(status) ? 'sku.online' : 'sku.offline', { ...there, sku_id: skuNo }),
}

async function changeSmall(
  connection: EleShopClient,
  skuNo: string,
  facts: PlatformFields,
  keys: string[],
): Promise<true> {
  for (const key of keys) await SMALL[key]!(connection, skuNo, facts)
  return true
}

/**
 * Creates or updates a product and returns its number there. After a refusal it is looked up: it may exist already or
 * be gone.
 */
async function saveWhole(
  { ask, there, upload }: EleShopClient,
  skuNo: string | null,
  facts: PlatformFields,
  was: PlatformFields | null,
): Promise<string> {
  const { picture, sku_id: _known, ...others } = facts
  const photos = picture && picture !== was?.picture ? [await upload(String(picture))] : []
  const draft = present({
    ...others,
    photos: photos.length ? photos.map(({ url }) => ({ is_master: 1, url })) : null,
  }) as SkuDraft
  const make = async () => String((await ask('sku.create', { ...there, ...draft })).sku_id)
  const change = async (sku_id: string) => {
    await ask('sku.update', { ...there, ...draft, sku_id })
    return sku_id
  }
  try {
    return skuNo ? await change(skuNo) : await make()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const which = skuNo ? { sku_id: skuNo } : { custom_sku_id: draft.custom_sku_id }
    const [found] = (await ask('sku.list', { ...there, ...which })).list
    // It is (or is not) there as expected, so the refusal is real.
    if (!!found === !!skuNo) throw error
    return found ? change(String(found.sku_id)) : make()
  }
}

const licenceType = (types: readonly LicenceType[], name: string) => {
  for (const { id, child = [] } of types) {
    const found = child.find((one) => one.name === name)
    if (found) return { type_1: String(id), type_2: String(found.id) }
  }
  return undefined
}

const aptitude: SyncFamily<EleShopClient> = {
  resource: eleAptitude,
  desiredFields: (_db, row) => ({
    name: row.licenseName,
    legal_person: row.legalPerson,
    address: row.licenseAddress,
    trade: { number: row.licenseNumber, until: row.isLongTerm ? null : row.validDate, pictures: row.photos },
    food: row.foodLicenseNumber
      ? { number: row.foodLicenseNumber, until: row.foodValidDate, pictures: row.foodPhotos }
      : null,
  }),
  pushRow: async ({ ask, there, upload }, { facts }) => {
    const types = await ask('shop.aptitude.gettypes', {})
    const paper = async (name: string, value: unknown): Promise<Licence[]> => {
      const type = licenceType(types, name)
      if (!value || !type) return []
      const { number, until, pictures } = value as { number: string; until: string | null; pictures: string[] | null }
      const photos = []
      for (const link of pictures ?? []) {
        const { url, water_url } = await upload(link)
        photos.push({ photo_url: url, waterprinter_url: water_url })
      }
      return [
        {
          ...type,
          license_name: String(facts.name),
          license_number: number,
          license_address: (facts.address as string | null) ?? undefined,
          legal_representative_name: (facts.legal_person as string | null) ?? undefined,
          license_validdate: until ?? undefined,
          long_term_valid: until ? 0 : 1,
          photos,
        },
      ]
    }
    const papers = [...(await paper(TRADE_LICENCE, facts.trade)), ...(await paper(FOOD_LICENCE, facts.food))]
    await ask('shop.aptitude.upload', { ...there, aptitude: papers })
  },
}

/**
 * Order of syncing: categories before the products in them, licences last, since any change sends them to review again.
 */
export const eleSyncedResources: readonly SyncFamily<EleShopClient>[] = [shop, goodType, good, aptitude]
