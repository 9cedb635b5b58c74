import { parseShanghaiTime } from '#kit/server/base/time.ts'

const UNITS = { D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000, W: 604_800_000 } as const
const DURATION = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?(Z|[+-]\d{2}:\d{2})?$/

/**
 * Parses an ISO 8601 duration (`P1DT2H`) to milliseconds; weeks to seconds, as months have no fixed length. Undefined
 * for others.
 */
export function parseDurationMs(text: string): number | undefined {
  const found = DURATION.exec(text.trim())
  if (!found || !found.slice(1).some(Boolean)) return undefined
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map((one) => Number(one ?? 0))
  return weeks! * UNITS.W + days! * UNITS.D + hours! * UNITS.H + minutes! * UNITS.M + seconds! * UNITS.S
}

/** Parses a time to milliseconds since 1970; without a zone it is in Shanghai time. Undefined for others. */
export function parseDateTimeMs(text: string): number | undefined {
  const found = DATE.exec(text.trim())
  if (!found) return undefined
  const [, day, clock = '00:00:00', zone] = found
  const whole = clock.length === 5 ? `${clock}:00` : clock
  const ms = zone ? Date.parse(`${day}T${whole}${zone}`) : parseShanghaiTime(`${day} ${whole}`).getTime()
  return Number.isNaN(ms) ? undefined : ms
}

export const isDurationOrDateTime = (text: string): boolean =>
  parseDurationMs(text) !== undefined || parseDateTimeMs(text) !== undefined
