import type { Resource } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { placeOrder } from '#domains/sales/orders/api.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { stockGrowthSinceSql } from '#domains/catalogue/inventory/api.ts'
import { PLATFORM_ACTION_STATE, SYNC_STATE } from './dictionaries.ts'
import { allocatePlatformDiscounts } from './order-money.ts'
import { platformAsk } from './platform-ask.resource.ts'

type Platform = 'ele' | 'meituan'
type Good = {
  id: string
  upc: string
  name: string
  spec: string | null
  salePrice: number
  stock: number
  goodTypeId: string | null
  typeName: string | null
}

const HOUR_MS = 3_600_000
/** Per cent above our own price. */
const MARKUP = 10
const SEND_FEE = 500
const DISCOUNT = 300
const GOODS_EACH = 24
const ORDERS_EACH = 5
const REMARKS = ['不要吸管', '', '请放门口', '', '多给点纸巾']
const STREETS = [
  '文二西路 238 号 3 幢 502',
  '紫荆花路 56 号 1201',
  '竞舟路 99 号 8 幢 201',
  '古墩路 673 号 906',
  '江南大道 288 号 1803',
]

type Add = (name: string, row: Record<string, unknown>) => Promise<Record<string, any>>

/** What all demo data of one platform is written with. */
type Teller = {
  stage: StorySeedContext
  platform: Platform
  /** Adds a row to one of the platform's resources. */
  add: Add
  /** The time `ms` milliseconds ago. */
  at: (ms: number) => string
  /** Columns of a row that is in sync. */
  synced: { syncStatus: number; syncTime: string }
}

/** One of our shops that is on the platform, too. */
type DemoPlatformShop = {
  n: number
  shopId: string
  code: string
  shop: Shop
  thereId: string
  /** Names both sides of the shop in rows that belong to it. */
  link: Record<string, string>
  goods: Good[]
}

type Shop = { shopName: string; address: string; phone: string; longitude: number; latitude: number }

/** Writes two shops on a platform with products, licences, and recent orders that became ours and took stock. */
export async function seedPlatformDemo(db: Db, stage: StorySeedContext, platform: Platform): Promise<void> {
  const { registry } = stage.services
  const add: Add = (name, row) => db.insert(registry.resource(`${platform}${name}`) as Resource, row)
  const at = (ms: number) => formatShanghaiTime(new Date(stage.now.getTime() - ms))
  const synced = { syncStatus: SYNC_STATE.done, syncTime: at(2 * HOUR_MS) }
  const teller: Teller = { stage, platform, add, at, synced }
  for (const n of stage.shops.slice(0, 2).keys()) {
    const place = await seedPlatformShop(db, teller, n)
    await seedGoods(teller, place, await seedTypes(teller, place))
    await seedLicence(db, teller, place)
    for (let m = 0; m < ORDERS_EACH; m++) await seedOrder(db, teller, place, m)
    if (platform === 'meituan') await seedAccess(db, teller, place)
  }
  const next = stage.shops[2]
  if (next) await seedApplication(db, teller, next.shopId)
  if (platform === 'meituan') await seedCatalogue(add)
}

async function seedPlatformShop(
  db: Db,
  { stage, platform, add, synced }: Teller,
  n: number,
): Promise<DemoPlatformShop> {
  const { shopId, code } = stage.shops[n]!
  const shop = (await db.one<Shop>(
    sql`select shop_name, address, phone, longitude, latitude
      from basic_shop_info where tenant_id = ${db.tenantId} and id = ${shopId}`,
  ))!
  const platformShop = await add('ShopInfo', {
    shopId,
    name: `${shop.shopName}（${platform === 'ele' ? '超市便利' : '闪购'}）`,
    phone: shop.phone,
    address: shop.address,
    longitude: shop.longitude,
    latitude: shop.latitude,
    platformShopId: `${platform === 'ele' ? 32 : 18}${db.tenantId}${n}7`,
    markup: MARKUP,
    isAutoAccepted: true,
    ...synced,
    ...(platform === 'ele'
      ? { sysStatus: 6, businessStatus: 1, businessTime: '08:00-23:00', packageFee: 100, minOrderPrice: 2000 }
      : {
          appPoiCode: shopId,
          auditStatus: 5,
          isOnline: 1,
          openLevel: 1,
          shippingTime: '08:00-23:00',
          shippingFee: 300,
          isInvoiceSupported: true,
        }),
  })
  const shopRowId = platformShop.id as string
  const link = { [`${platform}ShopId`]: shopRowId, shopId }
  const goods = await db.query<Good>(sql`select g.id, g.upc, g.name, g.spec, g.sale_price, coalesce(g.stock,
      0) as stock, g.good_type_id, t.name as type_name from good_info g left join good_type t on t.id = g.good_type_id
    and t.tenant_id = g.tenant_id
    left join ${stockGrowthSinceSql(db, [shopId], new Date(stage.now.getTime() - 24 * HOUR_MS))} l on l.good_id = g.id
    where g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.is_deleted = 0
    and g.stock - coalesce(l.grown, 0) > 6
    order by g.stock desc, g.id limit ${GOODS_EACH}`)
  return { n, shopId, code, shop, thereId: shopRowId, link, goods }
}

/** A shop about to be submitted, under a name the platform's review will refuse. */
async function seedApplication(db: Db, { platform, add }: Teller, shopId: string): Promise<void> {
  const shop = (await db.one<Shop>(
    sql`select shop_name, address, phone, longitude, latitude
      from basic_shop_info where tenant_id = ${db.tenantId} and id = ${shopId}`,
  ))!
  const { shopName, ...facts } = shop
  await add('ShopInfo', {
    ...facts,
    shopId,
    name: `★${shopName}★`,
    markup: MARKUP,
    isAutoAccepted: true,
    syncStatus: SYNC_STATE.waiting,
    ...(platform === 'ele'
      ? { categoryId: '101', businessTime: '08:00-23:00', packageFee: 100, minOrderPrice: 2000 }
      : { appPoiCode: shopId, auditStatus: 0, isOnline: 0, openLevel: 3, shippingTime: '08:00-23:00' }),
  })
}

/** Writes the categories of the shop's products. Returns their ids by the ids of ours. */
async function seedTypes(
  { platform, add, synced }: Teller,
  { link, goods }: DemoPlatformShop,
): Promise<Map<string, string>> {
  const types = new Map<string, string>()
  for (const good of goods) {
    if (!good.goodTypeId || types.has(good.goodTypeId)) continue
    const type = await add('GoodType', {
      ...link,
      goodTypeId: good.goodTypeId,
      name: good.typeName,
      rank: types.size + 1,
      [platform === 'ele' ? 'platformCategoryId' : 'categoryCode']: `${500 + types.size}`,
      ...synced,
    })
    types.set(good.goodTypeId, type.id as string)
  }
  return types
}

const WRONG_TYPE = '平台类目与商品不符'

/** The product's number at the platform. */
const platformCodeOf = (platform: Platform, code: string, m: number) =>
  `${platform === 'ele' ? 77 : 44}${code.replace(/\D/g, '')}${String(m).padStart(4, '0')}`

async function seedGoods(teller: Teller, { link, code, goods }: DemoPlatformShop, types: ReadonlyMap<string, string>) {
  const { platform, add, at, synced } = teller
  for (const [m, good] of goods.entries()) {
    const state =
      m === 3
        ? { syncStatus: SYNC_STATE.failed, syncTime: at(HOUR_MS), syncError: WRONG_TYPE }
        : m === 5
          ? { syncStatus: SYNC_STATE.waiting }
          : synced
    const sku = await add('SkuInfo', {
      ...link,
      goodId: good.id,
      upc: good.upc,
      name: good.name,
      salePrice: platformPrice(good),
      stock: good.stock,
      [`${platform}GoodTypeId`]: good.goodTypeId ? types.get(good.goodTypeId) : null,
      platformSkuId: platformCodeOf(platform, code, m),
      followsPrice: true,
      status: platform === 'ele' ? 1 : 0,
      // Some products lack data that the platform requires.
      ...(m % 8 === 7 ? {} : requiredFields(platform, good)),
      ...state,
    })
    if (platform === 'meituan' && m < 6)
      await add('GoodsAuditStatus', {
        ...link,
        meituanSkuId: sku.id,
        appSpuCode: platformCodeOf(platform, code, m),
        name: good.name,
        auditStatus: m === 3 ? 3 : 2,
        isSoldOut: 0,
        tagId: '200001',
        reason: m === 3 ? '主图含水印' : null,
        auditTime: at(30 * HOUR_MS),
      })
  }
}

const seedLicence = (db: Db, { add, at, synced }: Teller, { link, shop, n }: DemoPlatformShop) =>
  add('Aptitude', {
    ...link,
    licenseName: shop.shopName,
    licenseNumber: `91330106MA2${n}K${db.tenantId.slice(-4)}X`,
    legalPerson: '吴敏',
    licenseAddress: shop.address,
    isLongTerm: n === 0,
    validDate: n ? at(-400 * 24 * HOUR_MS).slice(0, 10) : null,
    ...synced,
  })

type Line = { good: Good; code: string; quantity: number; price: number }

/** An order on the platform that became one of ours. */
async function seedOrder(db: Db, teller: Teller, place: DemoPlatformShop, m: number): Promise<void> {
  const { stage, at } = teller
  const { n, goods } = place
  const picked = [goods[(m * 3 + n) % goods.length], goods[(m * 5 + 1 + n) % goods.length]].filter(
    (one, index, all): one is Good => !!one && all.indexOf(one) === index,
  )
  if (!picked.length) return

  const lines = picked.map((good, index) => ({
    good,
    code: platformCodeOf(teller.platform, place.code, goods.indexOf(good)),
    quantity: index ? 1 : stage.random.int(1, 2),
    price: platformPrice(good),
  }))
  const goodsFee = lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
  const time = at((m * 3 + 1) * HOUR_MS + n * 600_000)
  const customer = {
    name: ['王先生', '李女士', '赵先生', '孙女士', '周女士'][m]!,
    phone: `1380571${String(1000 + m * 7 + n)}`,
    address: STREETS[m]!,
  }

  const discountFee = Math.min(DISCOUNT, goodsFee)
  const userFee = goodsFee + SEND_FEE - discountFee
  const items = lines.map(({ good, ...line }) => ({ ...line, upc: good.upc, name: good.name, spec: good.spec ?? '' }))
  const discounts = [nameOfDiscount(place)]
  const money = allocatePlatformDiscounts({ lines: items, userFee, sendFee: SEND_FEE, packageFee: 0, discounts })

  const order = await db.withTimestamp(parseShanghaiTime(time), (past) =>
    placeOrder(past, {
      shopId: place.shopId,
      source: teller.platform,
      type: 'delivery',
      // An order that was only accepted is still being delivered.
      status: m === 0 ? 1 : 2,
      payType: 'platform',
      payTime: time,
      payAmount: userFee,
      freight: money.freight,
      remark: REMARKS[m] || null,
      deliverTo: { ...customer, carrier: teller.platform, fee: SEND_FEE },
      lines: money.lines.map(({ upc, name, spec, price, quantity, discount, amount, benefits }, at) => ({
        goodId: lines[at]!.good.id,
        upc,
        name,
        spec,
        price,
        listPrice: lines[at]!.good.salePrice,
        quantity,
        discount,
        amount,
        benefits,
      })),
    }),
  )

  await seedPlatformOrder(db, teller, place, { m, orderId: order.id, time, goodsFee, discountFee, lines, customer })
}

type DemoPlatformOrder = {
  m: number
  orderId: string
  time: string
  goodsFee: number
  discountFee: number
  lines: readonly Line[]
  customer: { name: string; phone: string; address: string }
}

/** Writes the platform's side of the order: what the customer paid, and what is left for the shop. */
async function seedPlatformOrder(
  db: Db,
  teller: Teller,
  place: DemoPlatformShop,
  order: DemoPlatformOrder,
): Promise<void> {
  const { platform, add, at } = teller
  const { m, time, goodsFee, discountFee, lines, customer } = order
  const sendFee = SEND_FEE
  const total = goodsFee + sendFee
  const borneByShop = Math.round(discountFee / 2)
  const commission = Math.round((goodsFee - borneByShop) * 0.06)
  const isNew = m === 0

  const facts =
    platform === 'ele'
      ? { orderIndex: ORDERS_EACH - m, packageFee: 0, commission, status: isNew ? 5 : 9 }
      : {
          daySeq: ORDERS_EACH - m,
          packageFee: 0,
          serviceFee: commission,
          status: isNew ? 4 : 8,
          recipientName: customer.name,
          recipientPhone: customer.phone,
          recipientAddress: customer.address,
        }

  const platformOrder = await add('Order', {
    platformOrderId: `${platform === 'ele' ? 5 : 9}${newId()}`,
    [`${platform}ShopId`]: place.thereId,
    shopId: place.shopId,
    orderId: order.orderId,
    totalFee: total,
    userFee: total - discountFee,
    shopFee: goodsFee - borneByShop - commission,
    sendFee,
    discountFee,
    orderTime: time,
    confirmTime: time,
    syncStatus: SYNC_STATE.done,
    syncTime: time,
    finishedTime: isNew ? null : at(m * 3 * HOUR_MS),
    riderName: '陈师傅',
    riderPhone: '13957112233',
    customerRemark: REMARKS[m] || null,
    ...facts,
  })

  const part = { [`${platform}OrderId`]: platformOrder.id, shopId: place.shopId }
  await seedEventAndAction(db, teller, place, { orderNo: platformOrder.platformOrderId as string, time })
  await seedLines(teller, part, lines)
  if (platform === 'ele') {
    await seedDiscount(teller, place, part, { discountFee, borneByShop })
    await add('DeliveryAddress', { ...part, province: '浙江省', city: '杭州市', district: '西湖区', ...customer })
  }
}

/** Writes the platform's message about the order, and the action requested for it. */
async function seedEventAndAction(
  db: Db,
  { stage, platform }: Teller,
  { shopId, thereId }: DemoPlatformShop,
  { orderNo, time }: { orderNo: string; time: string },
): Promise<void> {
  await db.insert(stage.services.registry.resource('vendorEvent') as Resource, {
    system: platform,
    kind: platform === 'ele' ? 'order.create' : 'orderPaid',
    subject: orderNo,
    eventKey: orderNo,
    state: 'done',
    body: '{}',
    times: 1,
    handledTime: time,
    createTime: time,
  })
  await db.insert(platformAsk, {
    platform,
    kind: 'confirm',
    platformOrderNo: orderNo,
    shopId,
    shopThere: thereId,
    refundNo: '',
    state: PLATFORM_ACTION_STATE.done,
    tries: 1,
    doneTime: time,
    createTime: time,
  })
}

async function seedLines({ platform, add }: Teller, part: Record<string, unknown>, lines: readonly Line[]) {
  for (const { good, code, quantity, price } of lines)
    await add('OrderDetail', {
      ...part,
      goodId: good.id,
      platformSkuId: code,
      upc: good.upc,
      name: good.name,
      quantity,
      price,
      amount: quantity * price,
      ...(platform === 'ele' ? { bagIndex: 1 } : { spec: good.spec }),
    })
}

const nameOfDiscount = ({ shop }: DemoPlatformShop) => `${shop.shopName}满减`

const seedDiscount = (
  { add }: Teller,
  place: DemoPlatformShop,
  part: Record<string, unknown>,
  { discountFee, borneByShop }: { discountFee: number; borneByShop: number },
) =>
  add('OrderDiscount', {
    ...part,
    activityId: `A${8800 + place.n}`,
    type: '满减',
    name: nameOfDiscount(place),
    fee: discountFee,
    shopRate: borneByShop,
    platformRate: discountFee - borneByShop,
    agentRate: 0,
  })

/** Writes the shop's access token, and a batch of products sent at once. */
async function seedAccess(
  db: Db,
  { stage, add, at }: Teller,
  { link, shopId, goods }: DemoPlatformShop,
): Promise<void> {
  await add('TokenInfo', {
    ...link,
    appPoiCode: shopId,
    status: 1,
    expireTime: at(-20 * 24 * HOUR_MS),
    refreshExpireTime: at(-60 * 24 * HOUR_MS),
  })
  if (!goods.length) return
  // The product shown as refused in the product list.
  const refused = await db.query<{ skuId: string; name: string }>(sql`select id as sku_id, name from meituan_sku_info
    where tenant_id = ${db.tenantId} and good_id = ${goods[3]?.id ?? null}`)
  const failed = refused.length
  await db.withTimestamp(
    parseShanghaiTime(at(27 * HOUR_MS)),
    (past) =>
      past.insert(stage.services.registry.resource('meituanTask') as Resource, {
        ...link,
        taskId: `MT${newId()}`,
        taskType: 'whole',
        status: failed ? PARTLY : ALL_DONE,
        total: goods.length,
        success: goods.length - failed,
        failed,
        failures: failed ? refused.map((one) => ({ ...one, reason: WRONG_TYPE, field: 'tagId' })) : null,
        finishTime: at(26 * HOUR_MS),
      }) as Promise<unknown>,
  )
}

/** States of a batch at the platform. */
const [ALL_DONE, PARTLY] = [2, 4]
const BRAND = { attrId: '1200000088', attrName: '品牌' }
const WEIGHT_G = 500

/** Columns of a product that a platform requires. */
const requiredFields = (platform: Platform, { name }: Good) => ({
  weight: WEIGHT_G,
  ...(platform === 'meituan'
    ? { tagId: '200001', attributes: [{ ...BRAND, valueList: [{ valueId: '1', value: name.slice(0, 4) }] }] }
    : {}),
})

/** A tenth above our own price, to the ten cents. */
const platformPrice = (good: Good) => Math.ceil((good.salePrice * 1.1) / 10) * 10

async function seedCatalogue(add: Add): Promise<void> {
  const tags = [
    ['200001', '饮料', '超市便利/饮料'],
    ['200002', '休闲零食', '超市便利/休闲零食'],
    ['200003', '方便速食', '超市便利/方便速食'],
  ] as const
  for (const [tagId, name, namePath] of tags) {
    await add('TagList', { tagId, name, level: 2, parentTagId: '200000', namePath })
    await add('GeneralAttrs', {
      tagId,
      ...BRAND,
      attrValueType: 1,
      isNeeded: true,
      sequence: 1,
    })
    await add('GeneralAttrs', {
      tagId,
      attrId: '1200000094',
      attrName: '产地',
      attrValueType: 1,
      isNeeded: false,
      sequence: 2,
      valueList: [
        { valueId: '1', value: '浙江' },
        { valueId: '2', value: '广东' },
      ],
    })
  }
}
