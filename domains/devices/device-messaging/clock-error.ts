const LARGE_MS = 5_000

/** Returns whether a device's clock is so far off that it should be set. */
export const isClockOff = (offsetMs: number): boolean => Math.abs(offsetMs) >= LARGE_MS
