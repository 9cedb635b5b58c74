import { setImmediate } from 'node:timers/promises'
import type { BasketLine, BasketOffers, PricedBasket } from './basket.ts'
import { priceBasketInSteps } from './pricing.ts'

/** Milliseconds of pricing before the event loop runs other work. */
const TURN_MS = 10

/** Prices a basket in steps, so that a large one does not block other requests. */
export async function priceBasketWithoutBlocking(
  basket: readonly BasketLine[],
  offers: BasketOffers,
): Promise<PricedBasket> {
  const steps = priceBasketInSteps(basket, offers)
  let began = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - began < TURN_MS) continue
    await setImmediate()
    began = performance.now()
  }
}
