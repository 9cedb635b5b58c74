import { bulkInsert } from '#kit/server/database/bulk-insert.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { type StorySeedContext } from '#domains/shops/shops/api.ts'
import { RETURN_STATE, STOCKTAKE_STATE, TRANSFER_STATE } from './dictionaries.ts'
import { PRICE_TAG_STATE } from '#domains/devices/shelf-labels/index.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { lowStockSql, recordPriceChange } from '#domains/catalogue/products/api.ts'
import { queueTagsOfGoods } from '#domains/devices/shelf-labels/api.ts'
import { stockGrowthSinceSql } from './grown-since.ts'
import { returnLog } from './return-log.resource.ts'
import { moveReturnStock, newDocumentNo } from './returns.server.ts'
import { transferLinesOf, receiveTransfer, sendTransfer, type TransferLine } from './stock-transfer.server.ts'
import { stockTransfer } from './stock-transfer.resource.ts'
import { recordStocktakeCount, addStocktakeLines, postStocktake } from './stocktake.server.ts'
import { stocktake } from './stocktake.resource.ts'
import { warnExpiringBatches } from './stock-alerts.ts'

type Goods = RowOf<typeof goodInfo>
/** `fewest` returns the lowest stock of a product since `TOLD` ago: so many pieces can be moved in the past. */
type Shop = StorySeedContext['shops'][number] & { goods: Goods[]; fewest: (good: Goods) => number }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long ago the demo returns and transfers happen. */
const RETURNS_AGO_MS = 4 * HOUR

/**
 * Seeds demo stocktakes, returns, transfers, price changes, price tags, carts and events. Stock moves through the same
 * functions as in production.
 */
export async function seed(db: Db, stage: StorySeedContext): Promise<void> {
  const goods = await db.find(goodInfo, sql`true`, sql`order by r.shop_id, r.sort, r.id`)
  const shopIds = stage.shops.map((shop) => shop.shopId)
  const grown = await db.query<{ goodId: string; grown: number }>(
    sql`select * from ${stockGrowthSinceSql(db, shopIds, ago(stage, RETURNS_AGO_MS))} g`,
  )
  const more = new Map(grown.map((one) => [one.goodId, one.grown]))
  const shops = stage.shops.map((shop): Shop => ({
    ...shop,
    goods: goods.filter((one) => one.shopId === shop.shopId),
    fewest: ({ id, stock }) => (stock ?? 0) - (more.get(id) ?? 0),
  }))
  await seedPrices(db, stage, shops)
  await seedTags(db, stage, shops)
  await changePrices(db, stage, shops)
  await seedReturns(db, stage, shops)
  await seedTransfers(db, stage, shops)
  await seedStocktakes(db, stage, shops)
  await seedCarts(db, stage, shops)
  await seedEvents(db, stage)
}

const ago = (stage: StorySeedContext, ms: number) => new Date(stage.now.getTime() - ms)
const at = (stage: StorySeedContext, agoMs: number) => formatShanghaiTime(ago(stage, agoMs))
const userOf = (stage: StorySeedContext, shop: Shop, account: string) => stage.users.get(account) ?? shop.bossUserId
/** Account names of two shop clerks for each tenant. */
const clerks: Record<string, readonly [string, string]> = { 100001: ['zhou', 'xu'], 100002: ['he', 'qiao'] }

/** Seeds price changes: some goods cost their shop less one or two months ago. */
async function seedPrices(db: Db, stage: StorySeedContext, shops: readonly Shop[]): Promise<void> {
  const { random, days } = stage
  const rows: unknown[][] = []
  for (const { goods } of shops) {
    for (const good of goods) {
      const started = (days + 1) * DAY
      const cheaper =
        random.chance(0.12) && good.costPrice! > 100
          ? good.costPrice! - Math.max(5, Math.round(good.costPrice! * 0.06))
          : undefined
      rows.push([
        newId(),
        good.shopId,
        good.id,
        good.upc,
        null,
        good.salePrice,
        null,
        good.vipPrice,
        null,
        cheaper ?? good.costPrice,
        0,
        at(stage, started),
      ])
      if (cheaper)
        rows.push([
          newId(),
          good.shopId,
          good.id,
          good.upc,
          good.salePrice,
          good.salePrice,
          good.vipPrice,
          good.vipPrice,
          cheaper,
          good.costPrice,
          0,
          at(stage, random.int(20, 60) * DAY),
        ])
    }
  }

  const columns = {
    id: 'bigint',
    shop_id: 'bigint',
    good_id: 'bigint',
    upc: 'text',
    old_price: 'bigint',
    new_price: 'bigint',
    old_vip_price: 'bigint',
    new_vip_price: 'bigint',
    old_cost_price: 'bigint',
    new_cost_price: 'bigint',
    create_user: 'bigint',
    create_time: 'timestamptz',
  }
  await bulkInsert(db, 'good_price_log', columns, rows)
}

/** Seeds price tags: most products have one, the best-selling two; a few tags are unbound. */
async function seedTags(db: Db, stage: StorySeedContext, shops: readonly Shop[]): Promise<void> {
  const { random } = stage
  const tags: unknown[][] = []
  const logs: unknown[][] = []
  for (const shop of shops) {
    let n = 0
    const no = () => `E${db.tenantId.slice(-1)}${shop.code}${String(++n).padStart(3, '0')}`
    for (const [place, good] of shop.goods.entries()) {
      if (random.chance(0.35)) continue
      for (let twin = 0; twin < (place < 6 ? 2 : 1); twin++) {
        const tagWithLogs = tagOf(stage, good, no())
        tags.push(tagWithLogs.tag)
        logs.push(...tagWithLogs.logs)
      }
    }
    for (let spare = 0; spare < 2; spare++)
      tags.push([
        newId(),
        no(),
        shop.shopId,
        null,
        null,
        'standard',
        '2.9',
        PRICE_TAG_STATE.unbound,
        null,
        null,
        null,
        null,
        100,
        -60,
      ])
  }
  await bulkInsert(db, 'price_tag', TAG_COLUMNS, tags)
  await bulkInsert(db, 'price_tag_log', TAG_LOG_COLUMNS, logs)
}

/** One bound price tag and its log: bound long ago, last updated in the last hours. */
function tagOf(stage: StorySeedContext, good: Goods, tagId: string): { tag: unknown[]; logs: unknown[][] } {
  const { random } = stage
  const isFailed = random.chance(0.01)
  const synced = random.int(1, 36) * HOUR
  const template = good.vipPrice ? 'member' : 'standard'
  const tag = [
    newId(),
    tagId,
    good.shopId,
    good.id,
    good.upc,
    template,
    '2.9',
    isFailed ? PRICE_TAG_STATE.failed : PRICE_TAG_STATE.synced,
    good.salePrice,
    good.salePrice,
    at(stage, synced),
    at(stage, synced),
    random.chance(0.04) ? random.int(6, 15) : random.int(55, 100),
    -random.int(42, 88),
  ]

  const line = (action: string) => [
    newId(),
    tagId,
    action,
    good.shopId,
    good.id,
    good.upc,
    null,
    good.salePrice,
    template,
  ]

  return {
    tag,
    logs: [
      [...line('bind'), null, null, null, null, at(stage, stage.days * DAY)],
      [
        ...line('push'),
        `T${newId().slice(-10)}`,
        isFailed ? 'timeout' : 'ok',
        isFailed ? '价签无应答' : null,
        isFailed ? 30_000 : random.int(800, 4200),
        at(stage, synced),
      ],
    ],
  }
}

const TAG_COLUMNS = {
  id: 'bigint',
  tag_id: 'text',
  shop_id: 'bigint',
  good_id: 'bigint',
  upc: 'text',
  template: 'text',
  model: 'text',
  status: 'integer',
  wanted_price: 'bigint',
  shown_price: 'bigint',
  wanted_time: 'timestamptz',
  last_sync_time: 'timestamptz',
  battery: 'integer',
  signal: 'integer',
}
const TAG_LOG_COLUMNS = {
  id: 'bigint',
  tag_id: 'text',
  action: 'text',
  shop_id: 'bigint',
  good_id: 'bigint',
  upc: 'text',
  old_price: 'bigint',
  new_price: 'bigint',
  template: 'text',
  command_id: 'text',
  result: 'text',
  result_message: 'text',
  cost_ms: 'integer',
  create_time: 'timestamptz',
}

/** Raises two prices of the first shop just now, so that the demo has tags waiting for an update. */
async function changePrices(db: Db, { now }: StorySeedContext, [shop]: readonly Shop[]): Promise<void> {
  for (const was of shop!.goods.slice(3, 5)) {
    const row = await db.update(goodInfo, was.id, { salePrice: was.salePrice + 50 })
    await recordPriceChange(db, was, row)
    await queueTagsOfGoods(db, [row.id], now)
    Object.assign(was, row)
  }
}

async function seedReturns(db: Db, stage: StorySeedContext, shops: readonly Shop[]): Promise<void> {
  const cases = [
    { direction: 'supplier', reason: 'expiring', quantity: 3, remark: '临期一周内，与供应商约定可退' },
    { direction: 'supplier', reason: 'damaged', quantity: 1, remark: '外箱挤压，到货时破损' },
    { direction: 'customer', reason: 'wrong', quantity: 1, remark: '顾客拿错口味，未拆封' },
  ] as const
  for (const [n, one] of cases.entries()) {
    const shop = shops[n % shops.length]!
    const good = stage.random.pick(shop.goods.filter((each) => shop.fewest(each) >= 6))
    const time = ago(stage, (cases.length - n) * 25 * MINUTE)
    const moved = await db.withTimestamp(time, async (past) => {
      const row = await past.insert(returnLog, {
        ...one,
        returnNo: newDocumentNo('TH', time),
        shopId: shop.shopId,
        goodId: good.id,
        upc: good.upc,
        status: RETURN_STATE.done,
        amount: one.direction === 'customer' ? good.salePrice * one.quantity : null,
      })
      const back = await moveReturnStock(past, row)
      await past.update(returnLog, row.id, { batches: back.batches, amount: row.amount ?? back.cost })
      return back
    })
    good.stock = moved.after
  }
}

async function seedTransfers(db: Db, stage: StorySeedContext, [from, to]: readonly Shop[]): Promise<void> {
  if (!to) return
  const draft = (time: Date, source: Shop, target: Shop, count: number, remark: string) =>
    db.withTimestamp(time, (past) => {
      const plenty = source.goods.filter((good) => source.fewest(good) >= 12)
      const first = stage.random.int(0, Math.max(0, plenty.length - count))
      const lines = plenty.slice(first, first + count).map((good): TransferLine => ({
        goodId: good.id,
        quantity: stage.random.int(2, 5),
        upc: good.upc,
        name: good.name,
      }))
      return past.insert(stockTransfer, {
        transferNo: newDocumentNo('DB', time),
        status: TRANSFER_STATE.draft,
        fromShopId: source.shopId,
        toShopId: target.shopId,
        lines,
        remark,
        missing: 0,
        pieces: lines.reduce((sum, line) => sum + line.quantity, 0),
        summary: lines
          .map((line) => `${line.name} ×${line.quantity}`)
          .join('、')
          .slice(0, 240),
      })
    })

  const [sent, come, left, written] = [180, 95, 70, 45].map((minutes) => ago(stage, minutes * MINUTE)) as [
    Date,
    Date,
    Date,
    Date,
  ]

  const first = await draft(sent, from!, to, 3, '支援周末活动')
  const arrived = await db.withTimestamp(sent, (past) => sendTransfer(past, first, sent))
  const [short] = transferLinesOf(arrived)
  await db.withTimestamp(come, (past) =>
    receiveTransfer(past, arrived, new Map([[short!.goodId, short!.quantity - 1]]), 'lost', come),
  )

  const second = await draft(left, to, from!, 2, '滞销品换店再卖')
  await db.withTimestamp(left, (past) => sendTransfer(past, second, left))
  await draft(written, from!, to, 2, '等明早送货车')
}

async function seedStocktakes(db: Db, stage: StorySeedContext, shops: readonly Shop[]): Promise<void> {
  const { random } = stage
  const people = clerks[db.tenantId] ?? ['', '']

  for (const [n, shop] of shops.slice(0, 3).entries()) {
    const time = ago(stage, (n + 1) * 20 * MINUTE)
    await db.withTimestamp(time, async (past) => {
      const isOpen = n === 0
      const take = await past.insert(stocktake, {
        countNo: newDocumentNo('PD', time),
        shopId: shop.shopId,
        status: STOCKTAKE_STATE.counting,
        scope: isOpen ? 'all' : 'shelf',
        shelfNo: isOpen ? null : 'B',
        rule: 'add',
        counted: 0,
        differences: 0,
        surplusAmount: 0,
        shortAmount: 0,
        remark: isOpen ? '月末全店盘点' : '冷柜周盘',
      })
      const goods = await addStocktakeLines(past, take)
      await past.update(stocktake, take.id, { goods })
      const stocked = await past.query<{
        id: string
        stock: number
      }>(sql`select g.id, g.stock from stocktake_line l join good_info g on g.id = l.good_id
        and g.tenant_id = l.tenant_id
        where l.tenant_id = ${past.tenantId} and l.stocktake_id = ${take.id} order by l.shelf_no, l.id
        limit ${isOpen ? 14 : 20}`)
      for (const [place, good] of stocked.entries()) {
        const off = random.chance(0.2) ? random.pick([-2, -1, -1, 1]) : 0
        const line = await recordStocktakeCount(
          past,
          take,
          { goodId: good.id, quantity: Math.max(0, good.stock + off), mode: 'set' },
          time,
        )
        const userId = userOf(stage, shop, people[place % 2]!)
        await past.run(
          sql`update stocktake_line set counters = array[${userId}::bigint] where id = ${line.id}
            and tenant_id = ${past.tenantId}`,
        )
      }
      if (!isOpen) {
        const counting = (await past.get(stocktake, take.id))!
        await postStocktake(past, counting, false, time)
      }
    })
  }
}

async function seedCarts(db: Db, stage: StorySeedContext, shops: readonly Shop[]): Promise<void> {
  const { random } = stage
  const customers = await db.query<{ id: string }>(
    sql`select id from wx_user where tenant_id = ${db.tenantId} order by id limit 60`,
  )
  const columns = {
    id: 'bigint',
    shop_id: 'bigint',
    wx_user_id: 'bigint',
    good_id: 'bigint',
    upc: 'text',
    quantity: 'integer',
    price: 'bigint',
    checked: 'boolean',
    create_time: 'timestamptz',
  }
  for (const [table, share] of [
    ['shopping_cart', 0.25],
    ['shopping_cart_online', 0.4],
  ] as const) {
    const rows: unknown[][] = []
    for (const { id } of customers) {
      if (!random.chance(share)) continue
      const shop = random.pick(shops)
      const picked = new Set(Array.from({ length: random.int(1, 4) }, () => random.pick(shop.goods)))
      const ago = table === 'shopping_cart' ? random.int(1, 50) * 60_000 : random.int(1, 96) * HOUR
      for (const good of picked)
        rows.push([
          newId(),
          shop.shopId,
          id,
          good.id,
          good.upc,
          random.int(1, 3),
          good.salePrice,
          random.chance(0.85),
          at(stage, ago),
        ])
    }
    await bulkInsert(db, table, columns, rows)
  }
}

/** Raises the low-stock and expiry events that the demo shops would have by now. */
async function seedEvents(db: Db, stage: StorySeedContext): Promise<void> {
  const low = await db.find(
    goodInfo,
    sql`${raw(lowStockSql('r'))} and not exists (select 1 from shop_event e where e.tenant_id = r.tenant_id
      and e.good_id = r.id and e.type = 'lowStock' and e.open_key is not null)`,
    sql`order by r.id`,
  )
  for (const good of low) {
    await raiseEvent(db, {
      shopId: good.shopId,
      type: 'lowStock',
      goodId: good.id,
      at: new Date(stage.now.getTime() - stage.random.int(1, 60) * HOUR),
      content: {
        zh: `“${good.name}”库存 ${good.stock}，不高于预警值 ${good.lowStock ?? 0}`,
        en: `"${good.name}" is down to ${good.stock}; its warning line is ${good.lowStock ?? 0}`,
      },
    })
  }
  const today = formatShanghaiTime(stage.now).slice(0, 10)
  while (await warnExpiringBatches(db, today));
}
