import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { busyness } from '#tests/support/busyness.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { startEle, type EleSimulator } from '#simulators/ele/ele.simulator.ts'
import { startMeituan, type MeituanSimulator } from '#simulators/meituan/meituan.simulator.ts'

const SECRET = 'secret of a test'
const [ELE, MEITUAN] = ['60001', '1001']
const PIECES = 50
/** How long our rows may differ from the platforms': half a minute, longer on a busy machine. */
const parityMs = () => 30_000 * busyness()

let tenants: TestTenants
let ele: EleSimulator
let meituan: MeituanSimulator
let good: { id: string; upc: string }
let shopId: string

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (path: string, body: object, query?: object) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', path, { body, ...(query && { query: { ...query } }) }))
const count = async (statement: ReturnType<typeof sql>): Promise<number> =>
  (await unit((db) => db.one<{ count: number }>(statement)))!.count

/** Activates the tenant's accounts at Ele and Meituan. */
async function connect(): Promise<void> {
  const platform = await tenants.server.as('admin')
  const account = async (draft: object): Promise<string> => {
    const body = { tenantId: tenants.north.tenantId, appSecret: SECRET, perSecond: 1000, status: 1, ...draft }
    const call = tenants.call(platform, 'POST', '/api/thirdparty/thirdApi/submit', { body })
    return (await tenants.must(call)).id
  }
  const callbackUrl = `${tenants.server.url}/api/meituan/callback`
  const at = { name: '美团', platform: 'meituan', appKey: MEITUAN, baseUrl: meituan.endpoint, callbackUrl }
  const [id] = await Promise.all([
    account({ name: '饿了么', platform: 'ele', appKey: ELE, baseUrl: ele.url }),
    account(at),
  ])
  const callback = `${tenants.server.url}/api/ele/callback/${tenants.north.tenantId}-${id}`
  ele.world.accounts.set(ELE, { secret: SECRET, callback })
  meituan.know(MEITUAN, { secret: SECRET, callbackUrl })
}

const eleShop = () => [...ele.world.shops.values()].find(({ sysStatus }) => sysStatus === 6)
const eleSku = () => eleShop()?.skus.get(good.id)
const meituanGood = () => meituan.goods.get(shopId)?.get(good.id)

beforeAll(async () => {
  ;[tenants, ele, meituan] = await Promise.all([
    createTestTenants({ listen: true }),
    startEle(),
    startMeituan({ auditMs: 0, perSecond: 100_000 }),
  ])
  ele.world.auditMs = 0
  ele.perSecond = 100_000
  shopId = tenants.north.shops[0]!
  await connect()
  await tenants.server.jobs.start()
  good = await tenants.good(tenants.north, shopId, { salePrice: '5.00' })
  await tenants.receive(tenants.north, shopId, good.id, PIECES)
  const place = { shopId, name: '一号店', phone: '0571-88000000', address: '文二西路 1 号' }
  const at = { longitude: 120.12, latitude: 30.28 }
  const draft = { ...place, ...at }
  const one = await post('/api/ele/eleShopInfo/submit', { ...draft, categoryId: '101', businessTime: '08:00-22:00' })
  const two = await post('/api/meituan/meituanShopInfo/submit', { ...draft, shippingTime: '08:00-22:00' })
  await post('/api/ele/eleShopInfo/apply', {}, { id: one.id })
  await post('/api/meituan/meituanShopInfo/apply', {}, { id: two.id })
  const sku = { goodId: good.id, name: '可乐', salePrice: '5.00' }
  await post('/api/ele/eleSkuInfo/submit', { ...sku, eleShopId: one.id })
  await post('/api/meituan/meituanSkuInfo/submit', { ...sku, meituanShopId: two.id })
  const stands = () => [eleSku()?.left_num, meituanGood()?.stock]
  await vi.waitFor(() => expect(stands()).toEqual([PIECES, PIECES]), { timeout: 60_000, interval: 200 })
}, 240_000)
afterAll(async () => {
  await tenants?.close()
  await Promise.all([ele?.close(), meituan?.close()])
})

/** Sells to customers in the shop, one piece each. Returns how many got one. */
async function sellHere(customers: number): Promise<number> {
  const sell = (n: number) =>
    unit((db) =>
      placeOrder(db, {
        shopId,
        source: 'mini',
        type: 'pickup',
        status: 1,
        payType: 'wechat',
        payTime: formatShanghaiTime(new Date()),
        transactionNo: `W${n}`,
        payAmount: 500,
        onlyInStock: true,
        lines: [{ goodId: good.id, upc: good.upc, name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }],
      }),
    ).then(
      () => 1,
      (error: { code?: string }) => {
        expect(error.code).toBe('order_short')
        return 0
      },
    )
  const sold = await Promise.all(Array.from({ length: customers }, (_, n) => sell(n)))
  return sold.reduce<number>((sum, one) => sum + one, 0)
}

/** Orders at Ele, which refuses when its stock is used up. Returns the orders it took. */
const orderAtEle = (customers: number): string[] =>
  Array.from({ length: customers }).flatMap(() => {
    try {
      const basket = { baidu_shop_id: eleShop()!.baidu_shop_id, lines: [{ custom_sku_id: good.id, quantity: 1 }] }
      return [ele.order(basket).order_id]
    } catch {
      return []
    }
  })
const orderAtMeituan = (customers: number): string[] =>
  Array.from(
    { length: customers },
    () => meituan.place({ shopCode: shopId, lines: [{ code: good.id, quantity: 1 }] }).orderNo,
  )

type BoardRow = { platform: string; state: string; stock: number; stockThere: number; price: string }
const board = async (): Promise<BoardRow[]> =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/thirdparty/parity/list', { query: { key: good.upc, size: 20 } }),
    )
  ).records

test('200 customers at once over three channels get 50 of 50 pieces, each once; then all three have none', async () => {
  ele.pushes.mood.times = 2
  meituan.push.times = 2
  const selling = sellHere(66)
  const [atEle, atMeituan] = [orderAtEle(67), orderAtMeituan(67)]
  const sold = await selling
  const taken = () =>
    count(sql`select count(*)::int from shopping_order where tenant_id = ${tenants.north.tenantId}
      and transaction_no = any(${[...atEle, ...atMeituan]})`)
  /** Number of orders at the platforms that are still to be accepted or refused. */
  const open = () =>
    [...ele.world.orders.values()].filter(({ facts }) => Number(facts.status) === 1).length +
    [...meituan.orders.values()].filter(({ status }) => status === 2).length
  await expect.poll(open, { timeout: 3 * parityMs(), interval: 250 }).toBe(0)
  expect(sold + (await taken())).toBe(PIECES)
  const left = await unit((db) =>
    db.one<{ stock: number }>(
      sql`select stock from good_info where tenant_id = ${tenants.north.tenantId} and id = ${good.id}`,
    ),
  )
  expect(left!.stock).toBe(0)
  const stands = () => [eleSku()!.left_num, meituanGood()!.stock]
  await expect.poll(stands, { timeout: parityMs(), interval: 100 }).toEqual([0, 0])
  expect(await unit((db) => checkLedgers(db))).toEqual([])
  await opensInto(sold, atEle.length, atMeituan.length)
}, 600_000)

/** The stock figure equals the sum of its parts, and sold pieces that wait for pickup are listed by channel. */
async function opensInto(sold: number, atEle: number, atMeituan: number): Promise<void> {
  const { admin, tenantId } = tenants.north
  const read = () =>
    tenants.must(tenants.call(admin, 'GET', '/api/thirdparty/stock/figure', { query: { goodId: good.id } }))
  // The platform's confirmation follows a moment after its change.
  const inStep = { kept: 0, stock: 0, stockThere: 0, isInStep: true }
  await expect
    .poll(async () => (await read()).channels, { timeout: parityMs(), interval: 200 })
    .toMatchObject([inStep, inStep])
  const figure = await read()
  expect(figure).toMatchObject({ stock: 0, before: 0, wanted: [] })
  const by = await unit((db) =>
    db.query<{ source: string; pieces: number }>(sql`select source, sum(quantity)::int as pieces from shopping_order
      where tenant_id = ${tenantId} and status = 1 group by 1 order by 1`),
  )
  const channels = (rows: { source: string; pieces: number }[]) =>
    rows.map(({ source, pieces }) => ({ source, pieces })).toSorted((a, b) => a.source.localeCompare(b.source))
  expect(channels(figure.promised)).toEqual(channels(by))
  const sales = (figure.moved as { type: string; source: string; pieces: number }[]).filter(
    ({ type }) => type === 'sale',
  )
  expect(sales.reduce((sum, { pieces }) => sum - pieces, 0)).toBe(PIECES)
  expect(sales.find(({ source }) => source === 'mini')!.pieces).toBe(-sold)
  expect(atEle + atMeituan + sold).toBeGreaterThanOrEqual(PIECES)
  expect(figure.moved).toContainEqual(expect.objectContaining({ pieces: PIECES, source: '' }))
}

test('a change is on both platforms and on the board within half a minute, although both fail at first', async () => {
  ele.mood = 'deaf after doing'
  meituan.mood = 'broken'
  await tenants.receive(tenants.north, shopId, good.id, 7)
  await post('/api/shop/goodInfo/submit', { id: good.id, salePrice: '7.30' })
  const began = performance.now()
  await expect
    .poll(async () => (await board()).map(({ state }) => state), { timeout: parityMs() })
    .toEqual(['waiting', 'waiting'])
  ele.mood = 'well'
  meituan.mood = 'well'
  const stands = async () => {
    const rows = (await board()).map(({ state, stock, stockThere, price }) => ({ state, stock, stockThere, price }))
    return [...rows, eleSku()!.left_num, eleSku()!.sale_price, meituanGood()!.stock, meituanGood()!.price]
  }
  const inStep = { state: 'inStep', stock: 7, stockThere: 7, price: '7.30' }
  // At Meituan, products also say what is still missing.
  const incomplete = { ...inStep, state: 'incomplete' }
  await expect
    .poll(stands, { timeout: parityMs(), interval: 200 })
    .toEqual([expect.toBeOneOf([inStep, incomplete]), expect.toBeOneOf([inStep, incomplete]), 7, 730, 7, '7.30'])
  expect(performance.now() - began).toBeLessThan(parityMs())
}, 600_000)
