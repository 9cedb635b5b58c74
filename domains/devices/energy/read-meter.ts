/** More than all devices of a shop draw at once. */
const KW_MAX = 100
/** Largest step between two readings of a meter that counts whole kilowatt-hours. */
const STEP_KWH = 1
const HOUR_MS = 3_600_000

export const roundToThousandths = (kwh: number) => Math.round(kwh * 1000) / 1000
/** Returns whether a consumption is possible within a time. */
const canBe = (kwh: number, ms: number) => kwh >= 0 && kwh <= STEP_KWH + (KW_MAX * Math.max(0, ms)) / HOUR_MS

export type PowerMeterState = {
  id: string
  power: boolean
  /** The last credible reading in kilowatt-hours. */
  energy: number | null
  /** When it was read, in milliseconds since 1970. */
  readAt: number | null
  /** An implausible reading since then. */
  doubtful: number | null
  /** When the meter last reported anything, in milliseconds since 1970. */
  last: number | null
}

/**
 * Result of a reading: the new credible reading, the consumption since the last, and the reading if it is implausible.
 */
type Read = { energy: number | null; used: number; doubtful: number | null }

/**
 * Applies a reading of a counter. One that fell, or rose more than possible in the time, is implausible and ignored; a
 * fall of less than a kilowatt-hour is rounding. When the next reading fits the implausible one, the meter was
 * replaced, and the consumption on the new meter counts.
 */
export function applyMeterReading(
  { energy, readAt, doubtful, last }: PowerMeterState,
  shown: number,
  at: number,
): Read {
  if (energy === null) return { energy: shown, used: 0, doubtful: null }
  const used = roundToThousandths(shown - energy)
  if (canBe(used, at - (readAt ?? last ?? at))) return { energy: shown, used, doubtful: null }
  if (used < 0 && used > -STEP_KWH) return { energy, used: 0, doubtful: null }
  if (doubtful === null || !canBe(shown - doubtful, at - (last ?? at))) return { energy, used: 0, doubtful: shown }
  // A new meter that began at zero: all it shows was used since the old one was removed.
  const isFromNothing = used < 0 && canBe(shown, at - (readAt ?? last ?? at))
  return { energy: shown, used: isFromNothing ? shown : roundToThousandths(shown - doubtful), doubtful: null }
}
