import type { Random } from '#kit/server/base/random.ts'
import type { Clock } from '../gateways/clock.ts'

/** An action at a minute of the day in one of the shops (by index). */
export type PlayedAction = { minute: number; shop: number } & (
  | { what: 'lights'; opt: 'on' | 'off' }
  | { what: 'visit'; customer: number }
  | { what: 'sale' }
  | { what: 'price'; good: number; change: number }
)

const DAY = 24 * 60
const [LIGHTS_ON, LIGHTS_OFF] = [6 * 60 + 30, 23 * 60]
/** Relative number of customers per hour. */
const HOURS = [1, 0, 0, 0, 0, 1, 3, 7, 8, 5, 4, 6, 9, 7, 4, 4, 5, 8, 9, 7, 6, 5, 3, 2]
const PRICES = [9 * 60, 16 * 60]

type Town = { shops: number; customers: number; goods: number }

/** Generates the actions of a day, in order; the same seed gives the same day. */
export function dayOf(random: Random, { shops, customers, goods }: Town): PlayedAction[] {
  const actions: PlayedAction[] = []
  const somewhen = () => random.weighted([...HOURS.keys()], HOURS) * 60 + random.int(0, 59)
  for (let shop = 0; shop < shops; shop++) {
    actions.push({ minute: LIGHTS_ON, shop, what: 'lights', opt: 'on' })
    actions.push({ minute: LIGHTS_OFF, shop, what: 'lights', opt: 'off' })
    for (const minute of PRICES)
      actions.push({ minute, shop, what: 'price', good: random.int(0, goods - 1), change: random.pick([-50, 50, 100]) })
    for (let n = 0; n < 18; n++) {
      const minute = somewhen()
      actions.push({ minute, shop, what: 'visit', customer: random.int(0, customers - 1) })
      // Most who come buy something before they go.
      if (random.chance(0.8)) actions.push({ minute: Math.min(minute + random.int(2, 9), DAY - 1), shop, what: 'sale' })
    }
  }
  return actions.toSorted((one, other) => one.minute - other.minute)
}

export type Day = { minute: () => number; isOver: () => boolean; stop: () => void }

/** Plays a day's actions, `minuteMs` of the clock per minute. A failing action does not end the day. */
export function playDay(
  actions: readonly PlayedAction[],
  { clock, minuteMs, act }: { clock: Clock; minuteMs: number; act: (action: PlayedAction) => void },
): Day {
  const begun = clock.now()
  const waiting = actions.map((action) => clock.after(action.minute * minuteMs, () => act(action)))
  let stopped: number | undefined
  const minute = () => Math.min(DAY, Math.floor(((stopped ?? clock.now()) - begun) / minuteMs))
  return {
    minute,
    isOver: () => stopped !== undefined || minute() >= DAY,
    stop() {
      stopped ??= clock.now()
      for (const cancel of waiting) cancel()
    },
  }
}
