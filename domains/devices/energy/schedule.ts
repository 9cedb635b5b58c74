import suncalc from 'suncalc'
import { formatShanghaiTime } from '#kit/server/base/time.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const HORIZON_DAYS = 8

export type PowerScheduleRule = {
  kind: 'hours' | 'sunset' | 'visits' | 'times'
  fromTime: string | null
  toTime: string | null
  days: string[] | null
  offsetMinutes: number | null
  lingerMinutes: number | null
  latitude: number | null
  longitude: number | null
  /** The shop's own hours of light; empty means always on. */
  lights: { from: string; to: string; days: number[] }[]
  isInside: boolean
  leftAt: number | null
}

/** A period in which a device is on, in milliseconds since 1970; `to` is exclusive. */
type Span = { from: number; to: number }

const ALWAYS: Span = { from: -Infinity, to: Infinity }
const timeOf = (day: string, time: string) => new Date(`${day}T${time}:00+08:00`).getTime()
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
const falls = (day: string, days: readonly (number | string)[] | null) =>
  !days?.length || days.some((one) => Number(one) === weekdayOf(day))

/** Returns the period between two times of day. It goes past midnight when the second is not later. */
function windowOf(day: string, from: string, to: string): Span {
  const [begin, end] = [timeOf(day, from), timeOf(day, to)]
  return { from: begin, to: end > begin ? end : end + DAY_MS }
}

function afterSunset(rule: PowerScheduleRule, day: string): Span[] {
  if (rule.latitude === null || rule.longitude === null) return []
  const sunOf = (noon: number) => suncalc.getTimes(new Date(noon), rule.latitude!, rule.longitude!)
  const noon = timeOf(day, '12:00')
  const from = sunOf(noon).sunset.getTime() + (rule.offsetMinutes ?? 0) * MINUTE_MS
  const rise = sunOf(noon + DAY_MS).sunrise.getTime()
  const end = rule.toTime ? timeOf(day, rule.toTime) : rise
  // Near the poles there are days without a sunset.
  return Number.isFinite(from) && Number.isFinite(end) ? [{ from, to: end > from ? end : end + DAY_MS }] : []
}

function spansOfDay(rule: PowerScheduleRule, day: string): Span[] {
  if (rule.kind === 'hours')
    return rule.lights.filter(({ days }) => falls(day, days)).map(({ from, to }) => windowOf(day, from, to))
  if (!falls(day, rule.days)) return []
  if (rule.kind === 'sunset') return afterSunset(rule, day)
  return rule.fromTime && rule.toTime ? [windowOf(day, rule.fromTime, rule.toTime)] : []
}

/** Returns the periods in which a rule wants its device on, from yesterday to a week ahead. */
function spansOf(rule: PowerScheduleRule, now: number): Span[] {
  if (rule.kind === 'visits') {
    if (rule.isInside) return [ALWAYS]
    return rule.leftAt === null ? [] : [{ from: -Infinity, to: rule.leftAt + (rule.lingerMinutes ?? 0) * MINUTE_MS }]
  }
  if (rule.kind === 'hours' && !rule.lights.length) return [ALWAYS]
  return Array.from({ length: HORIZON_DAYS + 2 }, (_unused, n) =>
    spansOfDay(rule, formatShanghaiTime(new Date(now + (n - 1) * DAY_MS)).slice(0, 10)),
  ).flat()
}

/** Evaluates a device's rules: whether any wants it on now, and when that changes. */
export function evaluateDevicePowerRules(
  rules: readonly PowerScheduleRule[],
  now: Date,
): { isOn: boolean; next?: Date } {
  const at = now.getTime()
  const spans = rules.flatMap((rule) => spansOf(rule, at))
  const isOnAt = (moment: number) => spans.some(({ from, to }) => from <= moment && moment < to)
  const isOn = isOnAt(at)
  const next = spans
    .flatMap(({ from, to }) => [from, to])
    .filter((edge) => edge > at && edge < at + HORIZON_DAYS * DAY_MS)
    .toSorted((a, b) => a - b)
    .find((edge) => isOnAt(edge) !== isOn)
  return { isOn, ...(next !== undefined && { next: new Date(next) }) }
}

export type PowerScheduleState = {
  wanted: boolean
  triesLeft: number
  overrideTime: number | null
  overrideUntil: number | null
}

/** How often switching is tried, once a minute, when the device is online but does not switch. */
const TRIES = 5

/**
 * Returns the state of a schedule for this minute. Switches only when what the rules want changes, so a manual switch
 * is not undone at once. It holds until its end, or until the next change where it has none.
 */
export function nextPowerScheduleState(
  plan: PowerScheduleState | undefined,
  isOn: boolean,
  now: Date,
): PowerScheduleState {
  const fresh = { wanted: isOn, triesLeft: TRIES, overrideTime: null, overrideUntil: null }
  if (!plan) return fresh
  const isHeld =
    plan.overrideTime !== null &&
    (plan.overrideUntil === null ? plan.wanted === isOn : now.getTime() < plan.overrideUntil)
  if (isHeld) return { ...plan, wanted: isOn, triesLeft: 0 }
  return plan.overrideTime !== null || plan.wanted !== isOn ? fresh : plan
}
