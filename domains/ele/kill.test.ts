import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkLedgers } from '#domains/orders/doors.ts'
import { sql } from '#kit/server/database/db.ts'
import { eleStreet, type EleStreet } from '#kit/testing/ele-street.ts'
import { startHoldingProxy } from '#kit/testing/holding-proxy.ts'
import { sayTold, startProcess } from '#kit/testing/process.ts'

const MOVES = ['order.agreepartrefund', 'order.agreerefund', 'order.cancel', 'order.confirm']
let world: EleStreet
let proxy: Awaited<ReturnType<typeof startHoldingProxy>>
let shop: string
let number: string
let goods: Record<'before' | 'after', string>
const running: { kill: () => Promise<void> }[] = []
beforeAll(async () => {
  // Processes of their own go by the clock on the wall, and so does the platform here.
  world = await eleStreet({ start: Date.now() })
  shop = await world.openShop({ isAutoAccepted: false })
  number = (await world.rows('ele_shop_info', sql`r.id = ${shop}`))[0].platformShopId
  goods = { before: (await world.offer(shop, 20)).goodId, after: (await world.offer(shop, 20)).goodId }
  proxy = await startHoldingProxy(world.there.url, ({ body }) => {
    const cmd = new URLSearchParams(body).get('cmd') ?? ''
    return MOVES.find((one) => one === cmd)
  })
  const { street, tenantId } = world
  const [{ id }] = await world.rows('third_api')
  const account = { id, tenantId, name: '饿了么零售', platform: 'ele', baseUrl: `${proxy.url}/`, status: 1 }
  await street.must(
    street.call(await street.server.as('admin'), 'POST', '/api/thirdparty/thirdApi/submit', {
      body: { ...account, appKey: world.source, appSecret: world.secret, perSecond: 1000 },
    }),
  )
  await sayTold(street.server.databaseUrl)
}, 120_000)
afterAll(async () => {
  for (const one of running) await one.kill()
  await proxy?.close()
  await world?.close()
})

const start = async () => {
  const { server, services } = world.street
  const one = await startProcess({ databaseUrl: server.databaseUrl, dataDir: services.config.dataDir })
  running.push(one)
  return one
}
const place = (goodId: string, quantity: number) =>
  world.there.order({ baidu_shop_id: number, lines: [{ custom_sku_id: goodId, quantity }] })
const hereOf = async (orderNo: string) => (await world.rows('ele_order', sql`r.platform_order_id = ${orderNo}`))[0]
const asks = (orders: readonly string[]) => world.rows('platform_ask', sql`r.platform_order_no = any(${orders})`)

describe.each(['before', 'after'] as const)('a server killed %s the platform did what it was asked', (mode) => {
  test('has accepted, cancelled and refunded each order once when it is back', async () => {
    const goodId = goods[mode]
    const [accepted, cancelled, part, all] = [place(goodId, 1), place(goodId, 1), place(goodId, 3), place(goodId, 2)]
    await world.run()
    for (const { order_id } of [part, all]) await world.act('eleOrder/confirm', { id: (await hereOf(order_id)).id })
    await world.run()
    world.there.askBack(part, [{ custom_sku_id: goodId, number: 1 }])
    world.there.askBack(all)
    await world.run()
    await world.act('eleOrder/confirm', { id: (await hereOf(accepted.order_id)).id })
    const why = { reasonCode: '0', reason: '门店停电' }
    await world.act('eleOrder/cancel', { id: (await hereOf(cancelled.order_id)).id, ...why })
    for (const { order_id } of [part, all]) await world.act('eleOrder/agreeRefund', { id: (await hereOf(order_id)).id })
    const orders = [accepted, cancelled, part, all].map(({ order_id }) => order_id)
    world.there.calls.length = 0

    proxy.held.clear()
    proxy.mode = mode
    const first = await start()
    await vi.waitFor(() => expect([...proxy.held].toSorted()).toEqual(MOVES), { timeout: 60_000, interval: 50 })
    await first.kill()
    proxy.mode = 'pass'
    const second = await start()
    await vi.waitFor(
      async () => {
        await world.street.services.systemPool.query(
          `update job set run_at = now() where state = 'asked' and tenant_id = $1
            and run_at > now() + interval '3 seconds'`,
          [world.tenantId],
        )
        expect((await asks(orders)).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'done'))
      },
      { timeout: 90_000, interval: 500 },
    )
    // As soon as it is done, and so before or after it was followed: the job of who died is taken over.
    await second.kill()
    const third = await start()
    const left = () =>
      world.street.services.systemPool.query(
        `select 1 from job where tenant_id = $1 and state in ('asked', 'running') and queue like 'platform.ask'`,
        [world.tenantId],
      )
    await vi.waitFor(async () => expect((await left()).rowCount).toBe(0), { timeout: 30_000, interval: 200 })
    await third.kill()
    const times = Map.groupBy(
      world.there.calls.filter(({ cmd, errno }) => MOVES.includes(cmd) && errno === 0),
      ({ cmd, body }) => `${cmd} ${String(body.order_id)}`,
    )
    expect([...times].filter(([, calls]) => calls.length !== 1)).toEqual([])
    expect(times.size).toBe(4)
    // Twenty pieces: one accepted, none of the cancelled, two of three kept, none of what went back whole.
    expect(await world.street.stock(world.street.north, goodId)).toBe(17)
    expect(await world.unit((db) => checkLedgers(db))).toEqual([])
  }, 200_000)
})
