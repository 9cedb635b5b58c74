const LARGE_MS = 5_000

/** An error of a device's clock that is worth setting it for. */
export const isClockOff = (offsetMs: number): boolean => Math.abs(offsetMs) >= LARGE_MS
