/** More than all devices of a shop draw at once, and the step of a meter that counts whole kilowatt-hours. */
const KW_MAX = 100
const STEP_KWH = 1
const HOUR_MS = 3_600_000

export const roundToThousandths = (kwh: number) => Math.round(kwh * 1000) / 1000
/** Whether so much can have been used in so long. */
const canBe = (kwh: number, ms: number) => kwh >= 0 && kwh <= STEP_KWH + (KW_MAX * Math.max(0, ms)) / HOUR_MS

export type PowerMeterState = {
  id: string
  power: boolean
  /** What it last showed that is believed, and when. */
  energy: number | null
  readAt: number | null
  /** What it showed since that cannot be. */
  doubtful: number | null
  last: number | null
}

/** What a reading means: the figure that counts from now on, what was used, and what is doubtful about it. */
type Read = { energy: number | null; used: number; doubtful: number | null }

/**
 * Reads a meter that counts up for ever. What cannot have been used in the time that passed, and a figure that fell, is
 * a fault of the reading and counts for nothing; a fall by less than a kilowatt-hour is a rounding. A second figure
 * that fits the doubtful one makes it a meter of its own: what that has counted since is used.
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
  // Of a new one that began at nothing, all it shows was used since the old one went.
  const isFromNothing = used < 0 && canBe(shown, at - (readAt ?? last ?? at))
  return { energy: shown, used: isFromNothing ? shown : roundToThousandths(shown - doubtful), doubtful: null }
}
