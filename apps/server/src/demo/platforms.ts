import { randomBytes } from 'node:crypto'
import { importMeituanDemo } from '#domains/sales/meituan/api.ts'
import { createRandom } from '#kit/server/base/random.ts'
import type { Services } from '#kit/server/module/services.ts'
import { startMeituan, type MeituanSimulator } from '#simulators/meituan/meituan.simulator.ts'
import { demoTenants } from './cast.ts'

const APPROVED = 2
const ORDER_MS = 4 * 60_000
const STEP_MS = 40_000
const PICKED_UP = 20
/** Probability that an order is canceled. */
const CANCELED = 0.12
/** Probability that one product of a delivered order is refunded. */
const UNHAPPY = 0.2
/** Calls per second. Real applications are allowed fewer, but nobody else uses this one. */
const PER_SECOND = 200

/**
 * Starts a Meituan simulator for the demo data. It begins with the shops, products and orders of our rows and from then
 * on knows only what it is sent. Every four minutes a customer orders.
 */
export async function startMeituanSimulator(services: Services, address: string): Promise<MeituanSimulator> {
  const meituan = await startMeituan({ now: () => services.now().getTime(), auditMs: 60_000, perSecond: PER_SECOND })
  for (const { tenantId } of demoTenants) await seedMeituanShop(services, meituan, { tenantId, address })
  setInterval(() => orderSomething(services, meituan), ORDER_MS).unref()
  return meituan
}

async function seedMeituanShop(
  services: Services,
  meituan: MeituanSimulator,
  { tenantId, address }: { tenantId: string; address: string },
): Promise<void> {
  const { connectMeituanToSimulator: connectPlatform } = await importMeituanDemo()
  const callbackUrl = `${address}/api/meituan/callback`
  const access = { endpoint: meituan.endpoint, callbackUrl, secret: randomBytes(16).toString('hex') }
  const found = await services.unit({ tenantId }, (db) => connectPlatform(db, services, access))
  if (!found) return
  meituan.know(found.appNo, { secret: access.secret, callbackUrl })
  for (const { status, ...order } of found.orders) meituan.knowOrder(order, status)
  for (const { categories, goods, ...shop } of found.shops) {
    const audit = { status: APPROVED, reason: '', due: 0 }
    meituan.knowShop(
      { ...shop, appNo: found.appNo },
      {
        categories: new Map([[shop.code, new Map(categories.map((one) => [one.code, one]))]]),
        goods: goods.map(({ price, ...one }) => ({ ...one, price: (price / 100).toFixed(2), audit })),
      },
    )
  }
}

/**
 * Places an order of one or two pieces at a shop that has them and lets it be delivered. Some orders are canceled, of
 * some one product is refunded.
 */
function orderSomething(services: Services, meituan: MeituanSimulator): void {
  const random = createRandom(services.now().getTime())
  const shops = [...meituan.goods].filter(([, goods]) => [...goods.values()].some((one) => one.stock > 2))
  if (!shops.length) return
  const [shopCode, goods] = random.pick(shops)
  const offered = [...goods.values()].filter((one) => one.stock > 2 && !one.soldOut)
  const code = random.pick(offered).code
  const { orderNo } = meituan.place({ shopCode, lines: [{ code, quantity: random.int(1, 2) }] })
  if (random.chance(CANCELED)) {
    setTimeout(() => meituan.cancel(orderNo, '下错单了'), STEP_MS).unref()
    return
  }
  setTimeout(() => meituan.ride(orderNo, PICKED_UP), STEP_MS).unref()
  const isUnhappy = random.chance(UNHAPPY)
  setTimeout(() => {
    if (meituan.orders.get(orderNo)?.status !== 4) return
    meituan.complete(orderNo)
    if (isUnhappy) meituan.askRefund(orderNo, [{ code, count: 1 }], '包装破损')
  }, 2 * STEP_MS).unref()
}
