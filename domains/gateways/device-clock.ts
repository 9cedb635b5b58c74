const MS_MAX = 2_000_000_000

/** By how much a device's clock is ahead of ours, as far as a column holds it. */
export const clockOffsetOf = (saidMs: number, nowMs: number): number =>
  Math.max(-MS_MAX, Math.min(MS_MAX, Math.round(saidMs - nowMs)))

/** When it happened, by our clock: a device whose clock is wrong is believed in the distance, not in the hour. */
export const officeTime = (saidMs: number, clockOffset: number | null, nowMs: number): Date =>
  new Date(Math.min(saidMs - (clockOffset ?? 0), nowMs))
