import type { Random } from '#kit/server/base/random.ts'
import type { Gateway } from './gateway.ts'
import type { Visitor } from './visits.ts'

const STAY_MS = { min: 40_000, max: 300_000 }

/** Simulates customers at the doors of the shops; the same seed gives the same ones. */
export function createCustomers(gateways: () => Gateway[], random: Random) {
  const figures = { came: 0, letIn: 0 }

  function visitorOf({ credentials: { customers, upcs = [] }, parts }: Gateway): Visitor {
    const count = upcs.length ? random.weighted([0, 1, 2, 3, 4], [10, 40, 30, 14, 6]) : 0
    return {
      doorNo: random.int(1, parts.doors.state().length),
      ...(customers
        ? { openid: `${customers.prefix}${String(random.int(1, customers.count)).padStart(4, '0')}` }
        : { code: String(random.int(100_000, 999_999)) }),
      picks: Array.from({ length: count }, () => {
        const quantity = random.weighted([1, 2, 3], [85, 12, 3])
        return { upc: random.pick(upcs), quantity, returned: random.chance(0.1) ? 1 : 0 }
      }),
      stayMs: random.int(STAY_MS.min, STAY_MS.max),
    }
  }

  return {
    figures: () => ({ ...figures }),
    /** Sends one customer to a random shop that is online; undefined when there is none. */
    next(): { clientId: string; visitor: Visitor } | undefined {
      const shops = gateways().filter((one) => one.isOnline() && one.parts.doors.state().length > 0)
      if (!shops.length) return undefined
      const shop = random.pick(shops)
      const visitor = visitorOf(shop)
      figures.came++
      shop.parts.visits.arrive(visitor, (isIn) => {
        if (isIn) figures.letIn++
      })
      return { clientId: shop.clientId, visitor }
    },
  }
}
