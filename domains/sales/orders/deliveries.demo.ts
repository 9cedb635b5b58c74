import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import type { Random } from '#kit/server/base/random.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { stockGrowthSinceSql } from '#domains/catalogue/inventory/api.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { DELIVERY_STATE, ORDER_STATE } from './dictionaries.ts'
import type { OrderLineDraft } from './order-amounts.ts'
import { placeOrder, type DeliverTo, type OrderDraft } from './place-order.ts'
import { createRefund } from './refund.ts'
import { refundLimit } from './refund-limit.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Customer = { id: string; nickname: string; phone: string }
type Good = { id: string; upc: string; name: string; spec: string | null; salePrice: number }

/** Homes and offices around the shops: district, address, longitude, latitude. */
const PLACES: [string, string, number, number][] = [
  ['330106', '文三路 478 号华星时代广场 B 座 1203', 120.1265, 30.2783],
  ['330106', '古墩路 701 号紫金广场 5 幢 602', 120.0981, 30.3004],
  ['330106', '西溪湿地花园 12 幢 2 单元 301', 120.0712, 30.2658],
  ['330110', '文一西路 969 号 6 号楼前台', 120.0263, 30.2807],
  ['330105', '湖墅南路 186 号美都广场 A 座 905', 120.1568, 30.2893],
  ['330105', '大关苑 7 区 18 幢 1 单元 402', 120.1532, 30.3071],
  ['330102', '庆春路 136 号广利大厦 1701', 120.1735, 30.2591],
  ['330102', '近江家园 9 园 3 幢 1104', 120.1889, 30.2367],
  ['330108', '江南大道 588 号恒鑫大厦 8 楼', 120.2113, 30.2094],
  ['330108', '滨盛路 1777 号萧宏大厦 22 楼', 120.2178, 30.2016],
]
const ADDRESSES = 40
const MINUTE = 60_000
const FREIGHT = 500
/** The most pieces of a line. */
const LINE_MAX = 3
/** Cents of a company's purchase: a refund of it is above what one person may approve alone. */
const PARTY = 26_000

const lineOf = ({ id, upc, name, spec, salePrice }: Good, quantity: number): OrderLineDraft => ({
  goodId: id,
  upc,
  name,
  spec,
  price: salePrice,
  listPrice: salePrice,
  quantity,
  discount: 0,
  amount: salePrice * quantity,
})

type Shop = StorySeedContext['shops'][number]
type Home = { customer: Customer; place: (typeof PLACES)[number] }
/** Returns the time that many minutes from now; negative values lie in the past. */
type At = (minutes: number) => string
type Order = (shopId: string, customer: Customer, more: Partial<OrderDraft>) => ReturnType<typeof placeOrder>

/**
 * Writes orders from home: addresses, a delivery in each state, pickups, an unpaid order, and a refund that needs two
 * approvals.
 */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  const { shops } = stage
  const at: At = (minutes) => formatShanghaiTime(new Date(stage.now.getTime() + minutes * MINUTE))
  const homes = await seedHomes(db, at)
  const order: Order = (...what) => orderOnline(db, stage.random, at, ...what)
  for (const [n, step] of STEPS.entries()) await seedDelivery(db, stage, step, homes[n % homes.length]!, at, order)
  for (const [n, minutes] of [-12, -25, -38].entries())
    await order(shops[n % shops.length]!.shopId, homes[(n + 12) % homes.length]!.customer, {
      status: ORDER_STATE.paid,
      payTime: at(minutes),
    })
  await order(shops[0]!.shopId, homes[20 % homes.length]!.customer, {
    status: ORDER_STATE.toPay,
    payDeadline: at(15),
    payType: undefined,
  })
  await refundToSign(db, shops[0]!, homes[21 % homes.length]!.customer, at, order)
}

const ADDRESS_COLUMNS = {
  id: 'bigint',
  wx_user_id: 'bigint',
  name: 'text',
  phone: 'text',
  province: 'text',
  city: 'text',
  district: 'text',
  address: 'text',
  longitude: 'numeric',
  latitude: 'numeric',
  is_default: 'boolean',
  ...auditColumnTypes,
}

async function seedHomes(db: Db, at: At): Promise<Home[]> {
  const customers = await db.query<Customer>(
    sql`select id, nickname, phone from wx_user where tenant_id = ${db.tenantId} and phone is not null order by id
      limit ${ADDRESSES}`,
  )
  const homes = customers.map((customer, n) => ({ customer, place: PLACES[n % PLACES.length]! }))
  await bulkInsert(
    db,
    'delivery_address',
    ADDRESS_COLUMNS,
    homes.map(({ customer, place: [district, address, longitude, latitude] }, n) => {
      const time = at(-(n + 1) * 1440)
      return [
        newId(),
        customer.id,
        customer.nickname,
        customer.phone,
        '33',
        '3301',
        district,
        address,
        longitude,
        latitude,
        true,
        0,
        time,
        time,
      ]
    }),
  )
  return homes
}

async function orderOnline(
  db: Db,
  random: Random,
  at: At,
  shopId: string,
  customer: Customer,
  more: Partial<OrderDraft>,
): ReturnType<typeof placeOrder> {
  const when = parseShanghaiTime(more.payTime ?? at(0))
  const lines = more.lines ?? (await linesOf(db, random, shopId, random.int(1, 3), when))
  const freight = more.freight ?? 0
  const payAmount = lines.reduce((sum, line) => sum + line.amount, freight)
  const transactionNo = more.payTime ? `W${newId()}` : null
  return db.withTimestamp(when, (past) =>
    placeOrder(past, {
      shopId,
      wxUserId: customer.id,
      source: 'mini',
      type: 'pickup',
      payType: 'wechat',
      transactionNo,
      ...more,
      lines,
      freight,
      payAmount,
    }),
  )
}

/** Products that were in stock at any time since `since`. */
async function linesOf(db: Db, random: Random, shopId: string, count: number, since: Date): Promise<OrderLineDraft[]> {
  const goods = await db.query<Good>(
    sql`select g.id, g.upc, g.name, g.spec, g.sale_price from good_info g
      left join ${stockGrowthSinceSql(db, [shopId], since)} l on l.good_id = g.id
      where g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.on_sale and g.is_deleted = 0
      and g.stock - coalesce(l.grown, 0) > ${LINE_MAX} order by g.stock desc, g.id limit 30`,
  )
  const first = random.int(0, goods.length - 1)
  return Array.from({ length: count }, (_, n) =>
    lineOf(goods[(first + n * 7) % goods.length]!, random.int(1, LINE_MAX)),
  )
}

/**
 * Deliveries to write: shop, when the order was paid in minutes from now (negative), and the state the delivery has
 * reached.
 */
const STEPS = [
  { shop: 0, minutes: -4, status: DELIVERY_STATE.waiting },
  { shop: 0, minutes: -9, status: DELIVERY_STATE.waiting },
  { shop: 0, minutes: -16, status: DELIVERY_STATE.accepted },
  { shop: 0, minutes: -27, status: DELIVERY_STATE.pickedUp },
  { shop: 1, minutes: -6, status: DELIVERY_STATE.waiting },
  { shop: 1, minutes: -22, status: DELIVERY_STATE.pickedUp },
  { shop: 0, minutes: -95, status: DELIVERY_STATE.delivered },
  { shop: 1, minutes: -130, status: DELIVERY_STATE.delivered },
  { shop: 0, minutes: -70, status: DELIVERY_STATE.failed },
]

async function seedDelivery(
  db: Db,
  { random, shops }: StorySeedContext,
  { shop, minutes, status }: (typeof STEPS)[number],
  { customer, place }: Home,
  at: At,
  order: Order,
): Promise<void> {
  const [, address, longitude, latitude] = place
  const distance = 400 + random.int(0, 26) * 100
  const deliverTo: DeliverTo = {
    name: customer.nickname,
    phone: customer.phone,
    address,
    longitude,
    latitude,
    distance,
    expectTime: at(minutes + 45),
  }
  const { shopId } = shops[shop % shops.length]!
  const placed = await order(shopId, customer, {
    type: 'delivery',
    status: ORDER_STATE.paid,
    payTime: at(minutes),
    freight: FREIGHT,
    deliverTo,
  })
  const [delivery] = await db.find(deliveryInfo, sql`r.order_id = ${placed.id}`)
  const reached = (least: number) => status >= least
  const { id } = delivery!
  if (reached(DELIVERY_STATE.accepted))
    await transition(db, deliveryInfo, id, 'accept', { riderName: '小周', acceptTime: at(minutes + 3) })
  if (reached(DELIVERY_STATE.pickedUp)) await transition(db, deliveryInfo, id, 'pickUp', { pickTime: at(minutes + 10) })
  if (status === DELIVERY_STATE.failed)
    await transition(db, deliveryInfo, id, 'fail', { failReason: '电话无人接听，敲门无人' })
  if (status !== DELIVERY_STATE.delivered) return
  const finishTime = at(minutes + 31)
  await transition(db, deliveryInfo, id, 'deliver', { finishTime })
  await transition(db, shoppingOrder, placed.id, 'finish', { finishTime }, { to: 'finished' })
}

/**
 * A purchase for an outing that is returned: above the amount that needs two approvals, already approved by the owner.
 */
async function refundToSign(
  db: Db,
  { shopId, bossUserId }: Shop,
  customer: Customer,
  at: At,
  order: Order,
): Promise<void> {
  const boss = await db.one<{ id: string }>(
    sql`select id from sys_role where tenant_id = ${db.tenantId} and role_alias = 'boss' and is_deleted = 0`,
  )
  await db.insert(refundLimit, { roleId: boss!.id, amount: 50_000, remark: '店主单笔上限' })
  const goods = await db.query<Good & { stock: number }>(
    sql`select g.id, g.upc, g.name, g.spec, g.sale_price, g.stock - coalesce(l.grown, 0) as stock from good_info g
      left join ${stockGrowthSinceSql(db, [shopId], parseShanghaiTime(at(-180)))} l on l.good_id = g.id
      where g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.stock - coalesce(l.grown, 0) > 3
      and g.is_deleted = 0 order by g.sale_price * g.stock desc, g.id limit 30`,
  )
  const lines: OrderLineDraft[] = []
  const total = () => lines.reduce((sum, line) => sum + line.amount, 0)
  for (const good of goods) if (total() < PARTY) lines.push(lineOf(good, Math.floor(good.stock / 2)))
  const placed = await order(shopId, customer, { type: 'store', payTime: at(-180), lines })
  await db.withTimestamp(parseShanghaiTime(at(-55)), (past) =>
    createRefund(
      past,
      placed,
      { full: true, lines: [], reason: '公司活动取消，商品未拆封', restock: true },
      { secondAbove: 20_000, signer: { userId: bossUserId, limit: 50_000, at: at(-40) } },
    ),
  )
}
