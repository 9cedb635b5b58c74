import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'
import { startStallingProxy } from '#tests/support/stalling-proxy.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import { startMeituan, type MeituanSimulator } from '#simulators/meituan/meituan.simulator.ts'

const MOVES = ['order.agreepartrefund', 'order.agreerefund', 'order.cancel', 'order.confirm']
/** At Meituan, this many products with the same change form one batch. */
const TOGETHER = 20
const WORK = 'retail/sku/price'
const MARKUPS = { before: 10, after: 20 }
let world: EleTestTenants
let proxy: Awaited<ReturnType<typeof startStallingProxy>>
let meituan: MeituanSimulator
let workProxy: Awaited<ReturnType<typeof startStallingProxy>>
let meituanShop: string
let shop: string
let number: string
let goods: Record<'before' | 'after', string>
beforeAll(async () => {
  // The processes under test use the real clock, so the simulator does as well.
  world = await createEleTestTenants({ start: Date.now() })
  shop = await world.openShop({ isAutoAccepted: false })
  number = (await world.rows('ele_shop_info', sql`r.id = ${shop}`))[0].platformShopId
  goods = { before: (await world.offer(shop, 20)).goodId, after: (await world.offer(shop, 20)).goodId }
  proxy = await startStallingProxy(world.ele.url, ({ body }) => {
    const cmd = new URLSearchParams(body).get('cmd') ?? ''
    return MOVES.find((one) => one === cmd)
  })
  await openAtMeituan()
  const { tenants, tenantId } = world
  const [{ id }] = await world.rows('third_api', sql`r.platform = 'ele'`)
  const account = { id, tenantId, name: '饿了么零售', platform: 'ele', baseUrl: `${proxy.url}/`, status: 1 }
  await tenants.must(
    tenants.call(await tenants.server.as('admin'), 'POST', '/api/thirdparty/thirdApi/submit', {
      body: { ...account, appKey: world.source, appSecret: world.secret, perSecond: 1000 },
    }),
  )
  await markDatabaseSeeded(tenants.server.databaseUrl)
}, 120_000)
afterAll(async () => {
  await killAll()
  await Promise.all([proxy?.close(), workProxy?.close()])
  await Promise.all([world?.close(), meituan?.close()])
})

/** Opens the shop at Meituan as well; calls for its batches can be held, too. */
async function openAtMeituan(): Promise<void> {
  meituan = await startMeituan({ auditMs: 0, perSecond: 100_000 })
  workProxy = await startStallingProxy(meituan.url, ({ path }) => (path.includes(WORK) ? WORK : undefined))
  // The signature covers the address that is called, so the proxy's address is used.
  const endpoint = meituan.endpoint.replace(meituan.url, workProxy.url)
  meituan.url = workProxy.url
  const { tenants, tenantId, shopId, admin } = world
  const callbackUrl = `${tenants.server.url}/api/meituan/callback`
  meituan.know('1001', { secret: 'demo-secret', callbackUrl })
  const account = { tenantId, name: '美团', platform: 'meituan', appKey: '1001', appSecret: 'demo-secret', status: 1 }
  const body = { ...account, baseUrl: endpoint, callbackUrl, perSecond: 1000 }
  await tenants.must(
    tenants.call(await tenants.server.as('admin'), 'POST', '/api/thirdparty/thirdApi/submit', { body }),
  )
  const place = { phone: '0571-88000000', address: '文二西路 1 号', longitude: 120.12, latitude: 30.28 }
  meituanShop = await atMeituan('meituanShopInfo/submit', {
    body: { shopId, name: '北街1号店', shippingTime: '08:00-22:00', ...place },
  })
  await tenants.must(tenants.call(admin, 'POST', '/api/meituan/meituanShopInfo/apply', { query: { id: meituanShop } }))
  await world.run()
  for (let n = 0; n < TOGETHER; n++) {
    const { id } = await tenants.good(tenants.north, shopId)
    const sku = { meituanShopId: meituanShop, goodId: id, name: `可乐${n}`, salePrice: '5.00' }
    await atMeituan('meituanSkuInfo/submit', { body: sku })
  }
  await vi.waitFor(
    async () => {
      // Each round asks for the batch's progress.
      await world.run(2)
      expect(await outOfStep()).toEqual([])
    },
    { timeout: 30_000, interval: 300 },
  )
}

const atMeituan = async (path: string, ask: object): Promise<string> =>
  (await world.tenants.must(world.tenants.call(world.admin, 'POST', `/api/meituan/${path}`, ask))).id
const outOfStep = () => world.rows('meituan_sku_info', sql`r.sync_status <> ${SYNC_STATE.done}`)
const countTaskCalls = () => meituan.calledPaths.filter((path) => path === WORK).length
const pricesAtMeituan = () => [...meituan.goods.get(world.shopId)!.values()].map(({ price }) => Number(price))

const { start, killAll } = processesOf(() => ({
  databaseUrl: world.tenants.server.databaseUrl,
  dataDir: world.tenants.services.config.dataDir,
}))
const place = (goodId: string, quantity: number) =>
  world.ele.order({ baidu_shop_id: number, lines: [{ custom_sku_id: goodId, quantity }] })
const hereOf = async (orderNo: string) => (await world.rows('ele_order', sql`r.platform_order_id = ${orderNo}`))[0]
const asks = (orders: readonly string[]) => world.rows('platform_ask', sql`r.platform_order_no = any(${orders})`)

describe.each(['before', 'after'] as const)('a server killed %s the platform did what it was asked', (mode) => {
  test('has accepted, cancelled and refunded each order and handed over each work once when it is back', async () => {
    const goodId = goods[mode]
    const [accepted, cancelled, part, all] = [place(goodId, 1), place(goodId, 1), place(goodId, 3), place(goodId, 2)]
    await world.run()
    for (const { order_id } of [part, all]) await world.act('eleOrder/confirm', { id: (await hereOf(order_id)).id })
    await world.run()
    world.ele.askBack(part, [{ custom_sku_id: goodId, number: 1 }])
    world.ele.askBack(all)
    await world.run()
    await world.act('eleOrder/confirm', { id: (await hereOf(accepted.order_id)).id })
    const why = { reasonCode: '0', reason: '门店停电' }
    await world.act('eleOrder/cancel', { id: (await hereOf(cancelled.order_id)).id, ...why })
    for (const { order_id } of [part, all]) await world.act('eleOrder/agreeRefund', { id: (await hereOf(order_id)).id })
    const orders = [accepted, cancelled, part, all].map(({ order_id }) => order_id)
    world.ele.calls.length = 0
    const { systemPool } = world.tenants.services
    const works = {
      atMeituan: meituan.tasks.size,
      asked: countTaskCalls(),
      here: (await world.rows('meituan_task')).length,
    }
    await atMeituan('meituanShopInfo/submit', { body: { id: meituanShop, markup: MARKUPS[mode] } })

    for (const one of [proxy, workProxy]) one.held.clear()
    for (const one of [proxy, workProxy]) one.mode = mode
    const first = await start()
    const held = () => [...proxy.held, ...workProxy.held].toSorted()
    await vi.waitFor(() => expect(held()).toEqual([...MOVES, WORK].toSorted()), { timeout: 60_000, interval: 50 })
    await first.kill()
    await expireLeases(systemPool)
    for (const one of [proxy, workProxy]) one.mode = 'pass'
    // Counts as never arrived when it is not there a minute after it was sent.
    await systemPool.query(
      `update meituan_task set sent_time = sent_time - interval '1 minute' where finish_time is null`,
    )
    const second = await start()
    await vi.waitFor(
      async () => {
        await systemPool.query(
          `update job set run_at = now() where state = 'asked' and tenant_id = $1
            and run_at > now() + interval '3 seconds'`,
          [world.tenantId],
        )
        expect((await asks(orders)).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'done'))
        expect(await outOfStep()).toEqual([])
      },
      { timeout: 90_000, interval: 500 },
    )
    // Killed right after the action, so possibly before the job noted it: the next process takes over the dead one's
    // job.
    await second.kill()
    await expireLeases(systemPool)
    const third = await start()
    const left = () =>
      systemPool.query(
        `select 1 from job where tenant_id = $1 and state in ('asked', 'running')
          and queue in ('platform.ask', 'meituan.task')`,
        [world.tenantId],
      )
    await vi.waitFor(async () => expect((await left()).rowCount).toBe(0), { timeout: 30_000, interval: 200 })
    await third.kill()
    const times = Map.groupBy(
      world.ele.calls.filter(({ cmd, errno }) => MOVES.includes(cmd) && errno === 0),
      ({ cmd, body }) => `${cmd} ${String(body.order_id)}`,
    )
    expect([...times].filter(([, calls]) => calls.length !== 1)).toEqual([])
    expect(times.size).toBe(4)
    // One batch on each side, submitted once and with every price.
    expect([meituan.tasks.size - works.atMeituan, countTaskCalls() - works.asked]).toEqual([1, 1])
    const tasks = await world.rows('meituan_task')
    expect(tasks.length - works.here).toBe(1)
    expect(tasks.at(-1)).toMatchObject({ taskId: [...meituan.tasks.keys()].at(-1), success: TOGETHER, failed: 0 })
    expect(pricesAtMeituan()).toEqual(Array.from({ length: TOGETHER }, () => 5 + (5 * MARKUPS[mode]) / 100))
    expect(await world.rows('platform_step', sql`r.task_id is not null`)).toEqual([])
    // Twenty pieces: one accepted, none of the cancelled, two of three kept, none of what went back whole.
    expect(await world.tenants.stock(world.tenants.north, goodId)).toBe(17)
    expect(await world.unit((db) => checkLedgers(db))).toEqual([])
  }, 200_000)
})
