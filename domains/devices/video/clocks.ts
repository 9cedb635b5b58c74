import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/time.ts'

/**
 * Three clocks: ours, which is true; a camera's, by which its recordings are found; and that of whatever else told when
 * something happened. An error is positive where a clock is ahead.
 */

/** What a camera's clock says at a true moment. */
export const toCameraTime = (at: Date, errorMs: number | null): Date => new Date(at.getTime() + (errorMs ?? 0))

/** When it truly was what a clock called by a name. */
export const correctClockSkew = (said: Date, errorMs: number | null): Date => new Date(said.getTime() - (errorMs ?? 0))

/** A camera says seconds: it may have been any moment of that one. */
const HALF_MS = 500

/** By how much a camera's clock is ahead: what it said, asked and answered at these moments of ours. */
export const computeCameraClockSkewMs = (said: string, asked: Date, answered: Date): number | undefined => {
  const at = parseShanghaiTime(said).getTime()
  if (Number.isNaN(at)) return undefined
  return Math.round(at + HALF_MS - (asked.getTime() + answered.getTime()) / 2)
}

/** Of a register its module says how slow it is, in seconds. */
export const clockSkewMsOfRegister = (clockSkewSeconds: number | null): number => -(clockSkewSeconds ?? 0) * 1000

/** Where a clip of a moment begins: whole seconds of the camera's clock, never after the moment. */
export function clipPeriodAt(
  at: Date,
  until: Date | undefined,
  errorMs: number | null,
): { startTime: string; endTime: string } {
  const from = toCameraTime(at, errorMs).getTime()
  const start = Math.floor((from - LEAD_MS) / 1000) * 1000
  const end = Math.max(toCameraTime(until ?? at, errorMs).getTime(), from + CLIP_MS)
  return { startTime: formatShanghaiTime(new Date(start)), endTime: formatShanghaiTime(new Date(end)) }
}

const LEAD_MS = 500
const CLIP_MS = 60_000
