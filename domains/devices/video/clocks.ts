/**
 * Three clocks: the server's, which counts as true; the camera's, by which its recordings are found; and the clock of
 * the device that reported an event. An error is positive when a clock is ahead.
 */

import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'

/** Converts a true time to the camera's clock. */
export const toCameraTime = (at: Date, errorMs: number | null): Date => new Date(at.getTime() + (errorMs ?? 0))

/** Corrects a timestamp by the clock's measured error. */
export const correctClockSkew = (reported: Date, errorMs: number | null): Date =>
  new Date(reported.getTime() - (errorMs ?? 0))

/** Cameras report whole seconds, so half a second is the best guess within one. */
const HALF_MS = 500

/**
 * Returns by how many milliseconds a camera's clock is ahead, from the time it reported between these two moments.
 * Undefined when it is unreadable.
 */
export const computeCameraClockSkewMs = (reported: string, requestedAt: Date, answered: Date): number | undefined => {
  const at = parseShanghaiTime(reported).getTime()
  if (Number.isNaN(at)) return undefined
  return Math.round(at + HALF_MS - (requestedAt.getTime() + answered.getTime()) / 2)
}

/** Converts a register's clock error, stored as seconds it is behind. */
export const clockSkewMsOfRegister = (clockSkewSeconds: number | null): number => -(clockSkewSeconds ?? 0) * 1000

/** Returns the period of a clip in whole seconds of the camera's clock. It never begins after the moment. */
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
