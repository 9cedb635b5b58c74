import {
  isValidTimestampMs,
  deviceTimeToServerTime,
  parseIntegerInRange,
  type DeviceLink,
} from '#domains/devices/device-messaging/api.ts'

/** State of a door as a gateway reports it (docs/gateways.md, State). */
export type DoorState = {
  doorNo: number
  contact: 'open' | 'closed' | 'unknown'
  lock: 'locked' | 'unlocked' | 'fault' | 'unknown'
  mode: 'normal' | 'hold' | 'keepClosed'
  /** End of a hold in milliseconds since 1970, by the server's clock. */
  until: number | null
}

/** Highest door number. Others are invalid. */
const DOORS_MAX = 99
export const parseDoorNo = (value: unknown): number | undefined =>
  parseIntegerInRange(value, { min: 1, max: DOORS_MAX })

const oneOf = <T extends string>(value: unknown, words: readonly T[], other: T): T =>
  words.includes(value as T) ? (value as T) : other

/**
 * Parses the doors of a state a device reported. Unusable values become `unknown` or `normal`, doors without a valid
 * number are dropped, and `until` is converted from the device's clock to ours.
 */
export function parseReportedDoors(state: unknown, clockOffset = 0): DoorState[] {
  const doors = (state as { doors?: unknown } | null)?.doors
  if (!Array.isArray(doors)) return []
  return doors.slice(0, DOORS_MAX).flatMap((one: Record<string, unknown> | null) => {
    const doorNo = parseDoorNo(one?.doorNo)
    if (doorNo === undefined) return []
    return {
      doorNo,
      contact: oneOf(one!.contact, ['open', 'closed'], 'unknown'),
      lock: oneOf(one!.lock, ['locked', 'unlocked', 'fault'], 'unknown'),
      mode: oneOf(one!.mode, ['hold', 'keepClosed'], 'normal'),
      until: isValidTimestampMs(one!.until) ? one!.until - clockOffset : null,
    }
  })
}

const STALE_MS = 6 * 60_000
type Reported = { doors?: unknown; ts?: number } | null

/**
 * Returns a shop's doors as last reported, when that was, and whether it is stale. Gateways report every five minutes.
 */
export function lastKnownDoors(
  link: DeviceLink,
  now: Date,
): { doors: DoorState[]; at: number | null; isStale: boolean } {
  const reported = link.reported as Reported
  const offset = link.clockOffset ?? 0
  const at = isValidTimestampMs(reported?.ts)
    ? deviceTimeToServerTime(reported.ts, offset, now.getTime()).getTime()
    : null
  return {
    doors: parseReportedDoors(reported, offset),
    at,
    isStale: link.state !== 'online' || at === null || now.getTime() - at > STALE_MS,
  }
}
