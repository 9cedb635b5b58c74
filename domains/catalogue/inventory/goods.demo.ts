import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Random } from '#kit/server/base/random.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { demoGoods, demoGoodTypes, type DemoGood } from './catalogue.demo.ts'
import type { StockMovementType } from './dictionaries.ts'
import { goodType } from '#domains/catalogue/products/index.ts'

export type { DemoGood as StoryGood } from './catalogue.demo.ts'

const DAY_MS = 86_400_000
const BATCH_COLUMNS = {
  id: 'bigint',
  batch_no: 'text',
  shop_id: 'bigint',
  good_id: 'bigint',
  upc: 'text',
  quantity: 'integer',
  remaining: 'integer',
  cost_price: 'bigint',
  production_date: 'date',
  expiry_date: 'date',
  is_open: 'boolean',
  ...auditColumnTypes,
}
const GOOD_COLUMNS = {
  id: 'bigint',
  name: 'text',
  shop_id: 'bigint',
  upc: 'text',
  good_type_id: 'bigint',
  spec: 'text',
  brand: 'text',
  unit: 'text',
  sale_price: 'bigint',
  cost_price: 'bigint',
  vip_price: 'bigint',
  stock: 'integer',
  stock_seq: 'integer',
  low_stock: 'integer',
  shelf_no: 'text',
  on_sale: 'boolean',
  sort: 'integer',
  ...auditColumnTypes,
}
const LEDGER_COLUMNS = {
  id: 'bigint',
  shop_id: 'bigint',
  good_id: 'bigint',
  upc: 'text',
  type: 'text',
  change: 'integer',
  before: 'integer',
  after: 'integer',
  batch_id: 'bigint',
  seq: 'integer',
  ref_type: 'text',
  ref_id: 'bigint',
  ...auditColumnTypes,
}

/** Seeds the shared barcode library with every demo product. The caller runs it as the management tenant. */
export async function seedBarcodes(db: Db): Promise<void> {
  await bulkInsert(
    db,
    'barcodes',
    {
      id: 'bigint',
      upc: 'text',
      name: 'text',
      spec: 'text',
      brand: 'text',
      unit: 'text',
      suggest_price: 'bigint',
      origin: 'text',
      category: 'text',
      create_user: 'bigint',
    },
    demoGoods.map((good) => [
      newId(),
      good.upc,
      good.name,
      good.spec,
      good.brand,
      good.unit,
      good.price,
      '中国',
      good.type,
      0,
    ]),
  )
}

/** Seeds the product types all shops of the tenant share; returns their ids by name. */
export async function seedGoodTypes(db: Db): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [at, [name, children]] of Object.entries(demoGoodTypes).entries()) {
    const parent = await db.insert(goodType, { name, parentId: '0', sort: at + 1 })
    ids.set(name, parent.id)
    for (const [n, child] of children.entries())
      ids.set(child, (await db.insert(goodType, { name: child, parentId: parent.id, sort: n + 1 })).id)
  }
  return ids
}

type Batch = {
  id: string
  batchNo: string
  quantity: number
  remaining: number
  cost: number
  production: string
  expiry: string
  time: number
}
export type ShelfGood = {
  id: string
  shopId: string
  story: DemoGood
  typeId: string
  price: number
  vipPrice: number | null
  stock: number
  seq: number
  lowStock: number
  target: number
  batches: Batch[]
  /** No receipts after this moment: a product that sells out stays sold out. */
  restockUntil: number
}
type LedgerRow = {
  good: ShelfGood
  type: StockMovementType
  change: number
  before: number
  batchId: string
  seq: number
  refType: string
  refId: string
  time: number
}

export type ShelfBatchShare = { batchId: string; quantity: number; restored: number }

const day = (time: number) => formatShanghaiTime(new Date(time)).slice(0, 10)

/** Stock of one demo shop while its history is generated. */
type Shop = {
  random: Random
  now: number
  goods: ShelfGood[]
  ledger: LedgerRow[]
  batches: Batch[]
  /** The product of each batch, by batch id. */
  owners: Map<string, ShelfGood>
}

/**
 * Creates the stock of one demo shop and the functions that move it through the generated history. Follows the rules of
 * `moveStock`: first expired, first out, and a ledger without gaps.
 */
export function createShelves(
  random: Random,
  shopId: string,
  typeIds: ReadonlyMap<string, string>,
  dailyPieces: number,
  now: number,
) {
  const goods = stockedGoods(random, shopId, typeIds, dailyPieces, now)
  const shop: Shop = { random, now, goods, ledger: [], batches: [], owners: new Map() }
  return {
    goods,
    take: (good: ShelfGood, quantity: number, ...why: Why) => takeFromBatches(shop, good, quantity, ...why),
    giveBack: (good: ShelfGood, shares: readonly ShelfBatchShare[], refId: string, time: number) =>
      returnToBatches(shop, good, shares, refId, time),
    morning: (time: number) => morning(shop, time),
    write: (db: Db, since: number) => insertHistory(db, shop, since),
  }
}

export type Shelves = ReturnType<typeof createShelves>

function stockedGoods(
  random: Random,
  shopId: string,
  typeIds: ReadonlyMap<string, string>,
  dailyPieces: number,
  now: number,
): ShelfGood[] {
  const pullSum = demoGoods.reduce((sum, good) => sum + good.pull, 0)
  const goods = demoGoods.map((demoGood): ShelfGood => {
    const demand = (dailyPieces * demoGood.pull) / pullSum
    const days = Math.min(Math.max(demoGood.shelf * 0.6, 1), 18)
    return {
      id: newId(),
      shopId,
      story: demoGood,
      typeId: typeIds.get(demoGood.type)!,
      price: demoGood.price,
      vipPrice: random.chance(0.4) ? Math.round((demoGood.price * 0.95) / 10) * 10 : null,
      stock: 0,
      seq: 0,
      lowStock: demoGood.shelf < 10 ? 1 : Math.max(2, Math.ceil(demand * 3)),
      target: Math.max(demoGood.shelf < 10 ? 2 : 8, Math.ceil(demand * days)),
      batches: [],
      restockUntil: Number.POSITIVE_INFINITY,
    }
  })
  // A few fast goods are not delivered any more: the shop runs low on them.
  for (const good of goods.filter((one) => one.story.pull >= 6 && one.story.shelf > 30))
    if (random.chance(0.2)) good.restockUntil = now - 12 * DAY_MS
  return goods
}

/** Cause of a movement: its kind, the row it belongs to and the time. */
type Why = [type: StockMovementType, refType: string, refId: string, time: number]

function post({ ledger }: Shop, good: ShelfGood, batch: Batch, change: number, ...why: Why): void {
  const [type, refType, refId, time] = why
  ledger.push({ good, type, change, before: good.stock, batchId: batch.id, seq: ++good.seq, refType, refId, time })
  good.stock += change
  batch.remaining += change
}

function takeFromBatches(shop: Shop, good: ShelfGood, quantity: number, ...why: Why): ShelfBatchShare[] {
  let left = quantity
  const shares: ShelfBatchShare[] = []
  for (const batch of good.batches) {
    const part = Math.min(left, batch.remaining)
    if (part <= 0) continue
    post(shop, good, batch, -part, ...why)
    shares.push({ batchId: batch.id, quantity: part, restored: 0 })
    left -= part
  }
  good.batches = good.batches.filter((batch) => batch.remaining > 0)
  return shares
}

/** Returns refunded pieces to the batches they were taken from. */
function returnToBatches(
  shop: Shop,
  good: ShelfGood,
  shares: readonly ShelfBatchShare[],
  refId: string,
  time: number,
): void {
  for (const share of shares) {
    const batch = shop.batches.find((one) => one.id === share.batchId)!
    if (!good.batches.includes(batch)) good.batches.push(batch)
    post(shop, good, batch, share.quantity, 'refund', 'refund', refId, time)
    share.restored = share.quantity
  }
  good.batches.sort(byExpiry)
}

const byExpiry = (a: Batch, b: Batch) => a.expiry.localeCompare(b.expiry) || a.time - b.time

/**
 * Morning round of the clerk, which ends at `time`: writes off expired batches and restocks what is low. Receipts are
 * dated some minutes before `time`, so that no sale precedes its stock. On the last two mornings nothing is written
 * off, so that the demo shows expired goods.
 */
function morning(shop: Shop, time: number): void {
  for (const good of shop.goods) {
    if (time < shop.now - 2 * DAY_MS) {
      for (const batch of good.batches) {
        if (batch.expiry >= day(time) || batch.remaining <= 0) continue
        post(shop, good, batch, -batch.remaining, 'loss', 'goods', good.id, time)
      }
      good.batches = good.batches.filter((batch) => batch.remaining > 0)
    }
    if (good.stock <= good.lowStock && time < good.restockUntil)
      receive(shop, good, Math.max(1, good.target - good.stock), time - shop.random.int(1, 40) * 60_000)
  }
}

function receive(shop: Shop, good: ShelfGood, quantity: number, time: number): void {
  const age = Math.floor(good.story.shelf * shop.random.next() * (good.story.shelf < 10 ? 0.1 : 0.35))
  const batch: Batch = {
    id: newId(),
    batchNo: `B${day(time).slice(2).replaceAll('-', '')}-${String(shop.batches.length + 1).padStart(5, '0')}`,
    quantity,
    remaining: 0,
    cost: good.story.cost,
    production: day(time - age * DAY_MS),
    expiry: day(time + (good.story.shelf - age) * DAY_MS),
    time,
  }
  shop.batches.push(batch)
  shop.owners.set(batch.id, good)
  good.batches.push(batch)
  good.batches.sort(byExpiry)
  post(shop, good, batch, quantity, 'in', 'batch', batch.id, time)
}

/** The tables that hold most rows of the stock history. */
export const stockHistoryTables = ['storage_batch', 'storage_log']

async function insertHistory(db: Db, { goods, batches, owners, ledger }: Shop, since: number): Promise<void> {
  const goodRows = goods.map((good, at) => goodRow(good, at, text(since)))
  await bulkInsert(db, 'good_info', GOOD_COLUMNS, goodRows)
  const batchRows = batches.map((batch) => batchRow(batch, owners.get(batch.id)!))
  await bulkInsert(db, 'storage_batch', BATCH_COLUMNS, batchRows)
  await bulkInsert(db, 'storage_log', LEDGER_COLUMNS, ledger.map(ledgerRow))
}

const text = (time: number) => formatShanghaiTime(new Date(time))

const goodRow = (good: ShelfGood, at: number, started: string) => [
  good.id,
  good.story.name,
  good.shopId,
  good.story.upc,
  good.typeId,
  good.story.spec,
  good.story.brand,
  good.story.unit,
  good.price,
  good.story.cost,
  good.vipPrice,
  good.stock,
  good.seq,
  good.lowStock,
  `${'ABCDEF'[Math.floor(at / 20)]}${String((at % 20) + 1).padStart(2, '0')}`,
  true,
  at + 1,
  0,
  started,
  started,
]

const batchRow = (batch: Batch, good: ShelfGood) => [
  batch.id,
  batch.batchNo,
  good.shopId,
  good.id,
  good.story.upc,
  batch.quantity,
  batch.remaining,
  batch.cost,
  batch.production,
  batch.expiry,
  false,
  0,
  text(batch.time),
  text(batch.time),
]

const ledgerRow = (row: LedgerRow) => {
  const time = text(row.time)
  return [
    newId(),
    row.good.shopId,
    row.good.id,
    row.good.story.upc,
    row.type,
    row.change,
    row.before,
    row.before + row.change,
    row.batchId,
    row.seq,
    row.refType,
    row.refId,
    0,
    time,
    time,
  ]
}
