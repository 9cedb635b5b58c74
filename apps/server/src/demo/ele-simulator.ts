import { randomBytes } from 'node:crypto'
import { importEleDemo } from '#domains/sales/ele/api.ts'
import { createRandom } from '#kit/server/base/random.ts'
import type { Services } from '#kit/server/module/services.ts'
import { startEle, type EleSimulator } from '#simulators/ele/ele.simulator.ts'
import { demoTenants } from './cast.ts'

const ORDER_MS = 5 * 60_000
/** Pieces of a product left for customers in the shop: at or below it nothing is ordered. */
const LEFT = 2
/** Probability that an order is canceled soon after. */
const CANCELED = 0.12
/** Probability that an order is partly refunded after delivery. */
const UNHAPPY = 0.2
const SOON_MS = 30_000
const LATER_MS = 4 * 60_000

/**
 * Starts an Ele simulator for the demo data. It begins with the shops, products and orders of our rows and from then on
 * knows only what it is sent. Every five minutes a customer orders.
 */
export async function startEleSimulator(services: Services, address: string): Promise<EleSimulator> {
  const ele = await startEle()
  const { seedEleAccount: connectEle } = await importEleDemo()
  for (const { tenantId } of demoTenants) {
    const secret = randomBytes(16).toString('hex')
    const found = await services.unit({ tenantId }, (db) => connectEle(db, services, { url: ele.url, secret }))
    if (!found) continue
    const { id, appKey: source, shops, orders } = found
    ele.world.accounts.set(source, { secret, callback: `${address}/api/ele/callback/${tenantId}-${id}` })
    for (const { id: shop_id, platformShopId: baidu_shop_id, name, shelves, skus } of shops) {
      const shop = ele.know({ source, baidu_shop_id, shop_id, name })
      for (const shelf of shelves) shop.shelves.set(shelf.category_id, { ...shelf, parent: '0' })
      for (const sku of skus) ele.putSku(shop, sku)
    }
    for (const order of orders) ele.knowOrder(order)
  }
  setInterval(() => orderSomething(services, ele), ORDER_MS).unref()
  return ele
}

/** Places an order of one or two pieces at a shop that has them. Some are canceled or partly refunded later. */
function orderSomething(services: Services, ele: EleSimulator): void {
  const random = createRandom(services.now().getTime())
  const offers = [...ele.world.shops.values()].flatMap((shop) =>
    [...shop.skus.values()]
      .filter((sku) => sku.status === 1 && sku.left_num > LEFT)
      .map(({ custom_sku_id }) => ({ baidu_shop_id: shop.baidu_shop_id, custom_sku_id })),
  )
  if (!offers.length) return
  const { baidu_shop_id, custom_sku_id } = random.pick(offers)
  const lines = [{ custom_sku_id, quantity: random.int(1, LEFT) }]
  const order = ele.order({ baidu_shop_id, lines, shopDiscount: 100, platformDiscount: 100 })
  const parts = random.chance(CANCELED) ? 'all' : random.chance(UNHAPPY) ? [{ custom_sku_id, number: 1 }] : undefined
  if (!parts) return
  setTimeout(
    () => ele.askBack(order, parts === 'all' ? undefined : parts),
    parts === 'all' ? SOON_MS : LATER_MS,
  ).unref()
}
