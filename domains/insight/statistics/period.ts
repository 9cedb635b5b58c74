import { Refused } from '#kit/server/base/refused.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RollupTimeUnit } from './rollups.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Offset of Shanghai from UTC, without summer time. */
const OFFSET_MS = 8 * HOUR_MS

/** Period in ms, without `to`; infinite where it is open. */
export type StatisticsPeriod = { from: number; to: number }

export const startOfDayMs = (day: string): number => parseShanghaiTime(`${day} 00:00:00`).getTime()
export const dayTextOfMs = (ms: number): string => formatShanghaiTime(new Date(ms)).slice(0, 10)
export const wholeDayPeriod = (day: string): StatisticsPeriod => ({
  from: startOfDayMs(day),
  to: startOfDayMs(day) + DAY_MS,
})
export const addDays = (day: string, days: number): string => dayTextOfMs(startOfDayMs(day) + days * DAY_MS)

/**
 * Shifts a period back by `by` ms. An unfinished period is cut at the present time, so that both cover the same time.
 */
export function shiftPeriodBack(period: StatisticsPeriod, by: number, now: number): StatisticsPeriod {
  const end = isPeriodRunning(period, now) ? Math.min(period.to, Math.floor(now / 1000) * 1000 + 1000) : period.to
  return { from: period.from - by, to: end - by }
}
export const isPeriodRunning = ({ from, to }: StatisticsPeriod, now: number): boolean => from <= now && now < to

export function startOfTimeUnitMs(unit: RollupTimeUnit, ms: number): number {
  if (!Number.isFinite(ms)) return ms
  if (unit === 'month') {
    const local = new Date(ms + OFFSET_MS)
    return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - OFFSET_MS
  }
  const size = unit === 'hour' ? HOUR_MS : DAY_MS
  return Math.floor((ms + OFFSET_MS) / size) * size - OFFSET_MS
}

/** Returns the start of the next unit after the one that contains a time. */
export function startOfNextTimeUnitMs(unit: RollupTimeUnit, ms: number): number {
  if (unit !== 'month') return startOfTimeUnitMs(unit, ms) + (unit === 'hour' ? HOUR_MS : DAY_MS)
  const local = new Date(ms + OFFSET_MS)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1) - OFFSET_MS
}

const ceilTo = (unit: RollupTimeUnit, ms: number) =>
  !Number.isFinite(ms) || startOfTimeUnitMs(unit, ms) === ms ? ms : startOfNextTimeUnitMs(unit, ms)

type Pieces = {
  /** Whole fine units, read from the roll-up sums and unfolded deltas. */
  kept: StatisticsPeriod
  /** The part of `kept` that whole coarse units cover. */
  coarse: StatisticsPeriod | undefined
  /** The rest at the ends, read from the rows: added to `kept` or, if that is shorter, subtracted from it. */
  edges: (StatisticsPeriod & { sign: 1 | -1 })[]
}

/** Splits a period into whole units and the rest at its ends. */
export function splitPeriodByUnits(
  { from, to }: StatisticsPeriod,
  fine: RollupTimeUnit,
  coarse: RollupTimeUnit | undefined,
): Pieces {
  const edges: Pieces['edges'] = []
  const nearest = (moment: number, isStart: boolean) => {
    const below = startOfTimeUnitMs(fine, moment)
    if (below === moment) return moment
    const above = startOfNextTimeUnitMs(fine, moment)
    const isBelow = moment - below <= above - moment
    if (isBelow) edges.push({ from: below, to: moment, sign: isStart ? -1 : 1 })
    else edges.push({ from: moment, to: above, sign: isStart ? 1 : -1 })
    return isBelow ? below : above
  }
  const kept = { from: nearest(from, true), to: nearest(to, false) }
  if (!coarse) return { kept, coarse: undefined, edges }
  const whole = { from: ceilTo(coarse, kept.from), to: startOfTimeUnitMs(coarse, kept.to) }
  return { kept, coarse: whole.from < whole.to ? whole : undefined, edges }
}

type Bound = 'gt' | 'ge' | 'lt' | 'le'
const BOUNDS: Record<string, Bound> = {
  createTime_dategt: 'gt',
  createTime_datege: 'ge',
  createTime_datelt: 'lt',
  createTime_datele: 'le',
}
const EARLIEST = startOfDayMs('1970-01-01')
const LATEST = startOfDayMs('3000-01-01')

/** Parses the period of a query's time filters, as lists do: a bare date is the whole day. */
export function parsePeriodFilter(
  query: Record<string, string>,
  fallback: StatisticsPeriod = { from: -Infinity, to: Infinity },
): StatisticsPeriod {
  const named = Object.entries(BOUNDS).flatMap(([name, bound]) => {
    const text = query[name]?.trim()
    return !text || text === 'undefined' || text === 'null' ? [] : [boundedBy(bound, parseMoment(name, text))]
  })
  if (!named.length) return { ...fallback }
  return { from: Math.max(...named.map(({ from }) => from)), to: Math.min(...named.map(({ to }) => to)) }
}

type Moment = { ms: number; isDay: boolean }

/** Parses a date or time of a filter; refuses invalid ones by the filter's name. */
function parseMoment(name: string, text: string): Moment {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text)
  if (!match) throw new Refused('bad_parameter', { name })
  const [, date, time] = match
  const day = startOfDayMs(date!)
  const ms = time ? parseShanghaiTime(`${date} ${time.padEnd(8, ':00')}`).getTime() : day
  if (!(ms >= EARLIEST && ms < LATEST) || dayTextOfMs(day) !== date) throw new Refused('bad_parameter', { name })
  return { ms, isDay: !time }
}

/** Returns the period on one side of a time; a whole day is included on either side. */
function boundedBy(bound: Bound, { ms, isDay }: Moment): StatisticsPeriod {
  if (bound === 'gt' || bound === 'ge') return { from: isDay || bound === 'ge' ? ms : ms + 1, to: Infinity }
  if (isDay) return { from: -Infinity, to: ms + DAY_MS }
  return { from: -Infinity, to: bound === 'le' ? ms + 1 : ms }
}
