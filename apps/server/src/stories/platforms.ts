import { randomBytes } from 'node:crypto'
import { importMeituanStory } from '#domains/sales/meituan/api.ts'
import { createRandom } from '#kit/server/random.ts'
import type { Services } from '#kit/server/services.ts'
import { startMeituan, type MeituanSimulator } from '#simulators/meituan/meituan.simulator.ts'
import { storyTenants } from './cast.ts'

const APPROVED = 2
const ORDER_MS = 4 * 60_000
const STEP_MS = 40_000
const PICKED_UP = 20
/** Of a hundred orders so many are canceled, or partly given back. */
const CANCELED = 0.12
const UNHAPPY = 0.2
/** Most applications are allowed fewer; nobody else asks this one. */
const PER_SECOND = 200

/**
 * Meituan around the demo story: what is there when it begins is what our rows say, and from then on what it is told.
 * Customers order there now and then, and change their minds.
 */
export async function startMeituanSimulator(services: Services, address: string): Promise<MeituanSimulator> {
  const meituan = await startMeituan({ now: () => services.now().getTime(), auditMs: 60_000, perSecond: PER_SECOND })
  for (const { tenantId } of storyTenants) await seedMeituanShop(services, meituan, { tenantId, address })
  setInterval(() => orderSomething(services, meituan), ORDER_MS).unref()
  return meituan
}

async function seedMeituanShop(
  services: Services,
  meituan: MeituanSimulator,
  { tenantId, address }: { tenantId: string; address: string },
): Promise<void> {
  const { seedMeituanAccount: connectPlatform } = await importMeituanStory()
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
 * Somebody orders one or two things of a shop that has them, and has them brought; some think better of it, or want the
 * money of one thing back.
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
