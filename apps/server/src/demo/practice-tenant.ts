import { importRunningRegistersDemo } from '#domains/sales/point-of-sale/api.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { cashRegister } from '#domains/sales/point-of-sale/index.ts'
import { epaDevice, epaGateway } from '#domains/devices/energy/index.ts'
import { printerInfo } from '#domains/devices/printers/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { pinyinSearchKey, importShopsDemo, insertDefaultShopConf } from '#domains/shops/shops/api.ts'
import { importStockDemo } from '#domains/catalogue/inventory/api.ts'
import { queueTagsOfGoods } from '#domains/devices/shelf-labels/api.ts'
import { priceTag, PRICE_TAG_STATE } from '#domains/devices/shelf-labels/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import type { Services } from '#kit/server/module/services.ts'

const DAY_MS = 86_400_000
const CUSTOMERS = 20
const TAGGED = 12
const PIECES_A_DAY = 60
const SHOPS = ['练习一店', '练习二店'] as const
const MAKERS = ['feie', 'xpyun'] as const

/** Seeds a practice tenant: two shops with products, customers and one device of each kind that takes commands. */
export async function seedPracticeTenant(db: Db, services: Services): Promise<void> {
  const [stock, people] = await Promise.all([importStockDemo(), importShopsDemo()])
  const now = services.now()
  const random = createRandom(Number(db.tenantId))
  const admin = await db.one<{ id: string }>(
    sql`select id from sys_user where tenant_id = ${db.tenantId} and is_deleted = 0 order by id limit 1`,
  )
  const typeIds = await stock.seedGoodTypes(db)
  for (const [n, shopName] of SHOPS.entries()) {
    const no = n + 1
    const shop = await db.insert(basicShopInfo, {
      shopName,
      shopCode: `P${no}`,
      status: 1,
      mode: 1,
      clientId: `GW-${db.tenantId}-P${no}`,
      bossUserId: admin!.id,
      searchKey: pinyinSearchKey(shopName),
      area: 50,
    })
    await insertDefaultShopConf(db, shop.id)
    const shelves = stock.createShelves(random, shop.id, typeIds, PIECES_A_DAY, now.getTime())
    shelves.morning(now.getTime() - DAY_MS)
    await shelves.write(db, now.getTime() - DAY_MS)
    await attachTags(db, shop.id, `${db.tenantId}P${no}`, now)
    await wire(db, shop.id, no)
    await db.insert(cashRegister, {
      name: `${shopName}收银机`,
      sn: `R-${db.tenantId}-P${no}`,
      shopId: shop.id,
      status: 1,
    })
    await db.insert(printerInfo, {
      name: `${shopName}小票机`,
      shopId: shop.id,
      brand: MAKERS[n]!,
      sn: `7${db.tenantId}${no}`,
      paperWidth: 58,
      usage: 'receipt',
      autoPrint: true,
      copies: 1,
      status: 1,
    })
  }

  const since = now.getTime() - DAY_MS
  // Nobody is a member: a level would need a paid membership period.
  const customers = people
    .createDemoCustomers(random, db.tenantId, CUSTOMERS, since, now.getTime())
    .map((one) => ({ ...one, isVip: false }))
  await people.insertDemoCustomers(db, customers, { balance: [], integral: [] }, now)
}

/** Attaches price tags to a shop's first products and queues their first image. */
async function attachTags(db: Db, shopId: string, prefix: string, now: Date): Promise<void> {
  const goods = await db.find(goodInfo, sql`r.shop_id = ${shopId}`, sql`order by r.sort, r.id limit ${TAGGED}`)
  for (const [n, good] of goods.entries())
    await db.insert(priceTag, {
      tagId: `T${prefix}${String(n + 1).padStart(2, '0')}`,
      shopId,
      goodId: good.id,
      upc: good.upc,
      template: 'standard',
      status: PRICE_TAG_STATE.waiting,
      battery: 100,
    })
  await queueTagsOfGoods(
    db,
    goods.map(({ id }) => id),
    now,
  )
}

async function wire(db: Db, shopId: string, no: number): Promise<void> {
  const gateway = await db.insert(epaGateway, {
    name: '用电网关',
    clientId: `EPA-${db.tenantId}-P${no}`,
    shopId,
    infoVersion: 1,
  })
  const { demoPoweredDevices: powered } = await importRunningRegistersDemo()
  for (const [n, { name, kind }] of powered.entries())
    await db.insert(epaDevice, {
      name,
      kind,
      gatewayId: gateway.id,
      shopId,
      clientId: `SW-${n + 1}`,
      address: String(n + 1),
      power: false,
      lost: false,
      energy: 0,
    })
}
