// npm run bench -- platform-orders [--steady 300] [--rate 5] [--burst 1000] [--parallel 100]: orders of a delivery
// platform, sent to a server by signed callbacks, so many at a time and again when it answers that it is busy: how long
// until each is an order here, one by one and in a burst, and whether each became exactly one.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createServerApp } from '#apps/server/src/app.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { meituanShopInfo } from '#domains/sales/meituan/index.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { receiveGoods } from '#domains/catalogue/inventory/api.ts'
import { thirdApi } from '#domains/sales/delivery-platforms/index.ts'
import { createOwnerPool, type Db } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import type { Resource } from '#kit/resource/index.ts'
import { markDatabaseSeeded, startProcess } from '#tests/support/process.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { benchFolder, BENCH_START } from './folder.ts'

const option = (name: string, fallback: number) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback
const [steady, rate, burst] = [option('steady', 300), option('rate', 5), option('burst', 1000)]
const callers = option('parallel', 100)
const AGAIN_MS = 2000
const [TENANT, APP, SECRET, SHOP] = ['000000', '1001', 'secret of the bench', 'S-01']
const WAIT_MS = 300_000

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => {} })
await migrate(database.url, new URL('../migrations/', import.meta.url))
const meituan = await startMeituan({ perSecond: 100_000 })
const port = await findFreePort()
const callbackUrl = `http://127.0.0.1:${port}/api/meituan/callback`
meituan.know(APP, { secret: SECRET, callbackUrl })

/** Creates a shop with enough products for all orders. */
async function lay(db: Db, seal: (secret: string) => string): Promise<string> {
  const insert = async (resource: Resource, draft: object) => (await db.insert(resource, draft)) as { id: string }
  const shop = await insert(basicShopInfo, { shopName: 'bench', shopCode: 'B1', status: 1 })
  const good = { shopId: shop.id, name: '可乐', upc: '6900000000001', salePrice: 500, costPrice: 300, status: 1 }
  const { id: goodId } = await insert(goodInfo, { ...good, stock: 0 })
  const account = {
    name: '美团',
    platform: 'meituan',
    appKey: APP,
    appSecret: seal(SECRET),
    hasSecret: true,
    status: 1,
  }
  const reached = { baseUrl: meituan.endpoint, mayBeInside: true, callbackUrl, perSecond: 1000 }
  await insert(thirdApi, { ...account, ...reached })
  await insert(meituanShopInfo, { shopId: shop.id, name: 'bench', appPoiCode: SHOP, isAutoAccepted: true })
  const lines = [{ goodId, quantity: steady + burst, expiryDate: null }]
  await receiveGoods(db, { shopId: shop.id, lines, refType: 'goods', refId: goodId })
  return goodId
}

const app = await createServerApp(
  { ...BENCH_START, dataDir: folder, databaseUrl: database.url },
  { LOG_LEVEL: 'silent' },
)
await app.seed()
const goodId = await app.services.unit({ tenantId: TENANT }, (db) => lay(db, secretCipherOf(app.services).seal))
await app.stop()
meituan.knowShop(
  { code: SHOP, appNo: APP, wmPoiNo: '77', facts: {}, openLevel: 1, isOnline: 1 },
  { categories: new Map(), goods: [] },
)

const pool = createOwnerPool(database.url)
pool.on('error', () => {})
await markDatabaseSeeded(database.url)
const server = await startProcess({ databaseUrl: database.url, dataDir: folder, port })

const placedAt = new Map<string, number>()
function place(): void {
  const line = { code: goodId, quantity: 1, upc: '6900000000001', name: '可乐' }
  const orderNo = meituan.place({ shopCode: SHOP, lines: [{ ...line, price: 500 }] }).orderNo
  placedAt.set(orderNo, Date.now())
}
const count = async (statement: string) => Number((await pool.query<{ n: number }>(statement)).rows[0]!.n)
async function until(statement: string, wanted: number): Promise<number> {
  const since = Date.now()
  while ((await count(statement)) < wanted) {
    if (Date.now() - since > WAIT_MS) throw new Error(`${statement}: ${await count(statement)} of ${wanted}`)
    await pause(20)
  }
  return Date.now() - since
}
const OURS = `select count(*)::int as n from shopping_order where source = 'meituan'`
const RECEIVED = `select count(*)::int as n from vendor_event where kind = 'orderPaid'`
const DONE = `${RECEIVED} and state = 'done'`

/** Returns the milliseconds from payment at the platform to the order here, sorted. */
async function times(): Promise<number[]> {
  const { rows } = await pool.query<{ no: string; at: number }>(
    `select transaction_no as no, extract(epoch from create_time)::float8 * 1000 as at from shopping_order
      where source = 'meituan'`,
  )
  return rows
    .flatMap(({ no, at }) => (placedAt.has(no) ? [at - placedAt.get(no)!] : []))
    .toSorted((one, other) => one - other)
}
const at = (sorted: readonly number[], part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? NaN)

for (let n = 0; n < steady; n++) {
  place()
  await pause(1000 / rate)
}
await until(OURS, steady)
const quiet = await times()
console.log(
  `${steady} orders, ${rate} a second: p50 ${at(quiet, 0.5)} ms, p99 ${at(quiet, 0.99)} ms, longest ${at(quiet, 1)} ms`,
)

placedAt.clear()
// The burst is sent from here: what the server has no capacity for is sent again, as the platform does.
meituan.push.isSilent = true
const from = meituan.callbacks.length
const since = Date.now()
for (let n = 0; n < burst; n++) place()
let rejected = 0
const waiting = meituan.callbacks.slice(from)
const teller = async () => {
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    const { status } = await fetch(one.url, { method: 'POST', body: new URLSearchParams(one.params) })
    if (status === 200) continue
    if (status !== 503) throw new Error(`answered ${status}`)
    rejected++
    waiting.push(one)
    await pause(AGAIN_MS)
  }
}
await Promise.all(Array.from({ length: callers }, teller))
const acknowledged = Date.now() - since
await until(RECEIVED, steady + burst)
await until(OURS, steady + burst)
const ours = Date.now() - since
await until(DONE, steady + burst)
const all = await times()
console.log(
  `${burst} callbacks, ${callers} at once: all acknowledged after ${acknowledged} ms (${rejected} times refused), ` +
    `all our orders after ${ours} ms`,
)
console.log(`of the burst: p50 ${at(all, 0.5)} ms, p99 ${at(all, 0.99)} ms`)
const stock = await count(`select stock as n from good_info where id = ${goodId}`)
const once = (await count(OURS)) === steady + burst && stock === 0
console.log(
  once ? 'each became one order, and took its goods once' : `NOT once: ${await count(OURS)} orders, stock ${stock}`,
)
if (!once) process.exitCode = 1

await server.kill()
await meituan.close()
await pool.end()
await database.stop()
rmSync(folder, { recursive: true, force: true })
