import { Refused } from '#kit/server/refused.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import type { Unit } from './rollups.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Shanghai's distance from Greenwich; it knows no summer time. */
const OFFSET_MS = 8 * HOUR_MS

/** From this moment up to, not including, that one; milliseconds, infinite where open. */
export type Period = { from: number; to: number }

export const dayStart = (day: string): number => fromShanghai(`${day} 00:00:00`).getTime()
export const dayOf = (ms: number): string => shanghaiText(new Date(ms)).slice(0, 10)
export const wholeDay = (day: string): Period => ({ from: dayStart(day), to: dayStart(day) + DAY_MS })
export const addDays = (day: string, days: number): string => dayOf(dayStart(day) + days * DAY_MS)

/**
 * A period as long before as said; of one that is not over no more than has gone by of it, so that what is compared had
 * the same time.
 */
export function earlier(period: Period, by: number, now: number): Period {
  const end = isRunning(period, now) ? Math.min(period.to, Math.floor(now / 1000) * 1000 + 1000) : period.to
  return { from: period.from - by, to: end - by }
}
export const isRunning = ({ from, to }: Period, now: number): boolean => from <= now && now < to

export function floorTo(unit: Unit, ms: number): number {
  if (!Number.isFinite(ms)) return ms
  if (unit === 'month') {
    const local = new Date(ms + OFFSET_MS)
    return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - OFFSET_MS
  }
  const size = unit === 'hour' ? HOUR_MS : DAY_MS
  return Math.floor((ms + OFFSET_MS) / size) * size - OFFSET_MS
}

/** The start of the unit after the one a moment lies in. */
export function nextOf(unit: Unit, ms: number): number {
  if (unit !== 'month') return floorTo(unit, ms) + (unit === 'hour' ? HOUR_MS : DAY_MS)
  const local = new Date(ms + OFFSET_MS)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1) - OFFSET_MS
}

const ceilTo = (unit: Unit, ms: number) => (!Number.isFinite(ms) || floorTo(unit, ms) === ms ? ms : nextOf(unit, ms))

type Pieces = {
  /** Whole fine units, read from the kept sums and the differences not folded yet. */
  kept: Period
  /** The part of them that whole coarse units cover. */
  coarse: Period | undefined
  /** What remains at the ends, from the rows: added, or taken off again, whichever are fewer. */
  edges: (Period & { sign: 1 | -1 })[]
}

/** A period as whole units and what remains at its ends. */
export function piecesOf({ from, to }: Period, fine: Unit, coarse: Unit | undefined): Pieces {
  const edges: Pieces['edges'] = []
  const nearest = (moment: number, isStart: boolean) => {
    const below = floorTo(fine, moment)
    if (below === moment) return moment
    const above = nextOf(fine, moment)
    const isBelow = moment - below <= above - moment
    if (isBelow) edges.push({ from: below, to: moment, sign: isStart ? -1 : 1 })
    else edges.push({ from: moment, to: above, sign: isStart ? 1 : -1 })
    return isBelow ? below : above
  }
  const kept = { from: nearest(from, true), to: nearest(to, false) }
  if (!coarse) return { kept, coarse: undefined, edges }
  const whole = { from: ceilTo(coarse, kept.from), to: floorTo(coarse, kept.to) }
  return { kept, coarse: whole.from < whole.to ? whole : undefined, edges }
}

type Bound = 'gt' | 'ge' | 'lt' | 'le'
const BOUNDS: Record<string, Bound> = {
  createTime_dategt: 'gt',
  createTime_datege: 'ge',
  createTime_datelt: 'lt',
  createTime_datele: 'le',
}
const EARLIEST = dayStart('1970-01-01')
const LATEST = dayStart('3000-01-01')

/** The period a call names by the wire's time filters, read as lists read them: a bare day means the whole day. */
export function periodOf(query: Record<string, string>, fallback: Period = { from: -Infinity, to: Infinity }): Period {
  const named = Object.entries(BOUNDS).flatMap(([name, bound]) => {
    const text = query[name]?.trim()
    return !text || text === 'undefined' || text === 'null' ? [] : [boundedBy(bound, parseMoment(name, text))]
  })
  if (!named.length) return { ...fallback }
  return { from: Math.max(...named.map(({ from }) => from)), to: Math.min(...named.map(({ to }) => to)) }
}

type Moment = { ms: number; isDay: boolean }

/** A day or a moment of a filter; refuses, by the filter's name, one that is not in the calendar. */
function parseMoment(name: string, text: string): Moment {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/.exec(text)
  if (!match) throw new Refused('bad_parameter', { name })
  const [, date, time] = match
  const day = dayStart(date!)
  const ms = time ? fromShanghai(`${date} ${time.padEnd(8, ':00')}`).getTime() : day
  if (!(ms >= EARLIEST && ms < LATEST) || dayOf(day) !== date) throw new Refused('bad_parameter', { name })
  return { ms, isDay: !time }
}

/** All time on one side of a moment; a whole day is in it on either side. */
function boundedBy(bound: Bound, { ms, isDay }: Moment): Period {
  if (bound === 'gt' || bound === 'ge') return { from: isDay || bound === 'ge' ? ms : ms + 1, to: Infinity }
  if (isDay) return { from: -Infinity, to: ms + DAY_MS }
  return { from: -Infinity, to: bound === 'le' ? ms + 1 : ms }
}
