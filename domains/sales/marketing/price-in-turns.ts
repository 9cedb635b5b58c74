import { setImmediate } from 'node:timers/promises'
import type { BasketLine, Offers, Priced } from './basket.ts'
import { pricing } from './pricing.ts'

/** So long a basket is priced before others have their turn. */
const TURN_MS = 10

/** Prices a basket of any size among those who are answered meanwhile. */
export async function priceInTurns(basket: readonly BasketLine[], offers: Offers): Promise<Priced> {
  const steps = pricing(basket, offers)
  let began = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - began < TURN_MS) continue
    await setImmediate()
    began = performance.now()
  }
}
