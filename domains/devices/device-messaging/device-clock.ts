import type { Services } from '#kit/server/module/services.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { deviceTopicPrefix } from './topics.ts'

/**
 * Returns by how many milliseconds a device's clock is ahead of the server's. Not limited, as a clock without a battery
 * starts in 1970.
 */
export const computeClockOffsetMs = (deviceMs: number, nowMs: number): number => Math.round(deviceMs - nowMs)

/** Latest timestamp a device may send; outside 1970 to 9999 it is invalid. */
const LAST_MS = Date.UTC(10_000, 0) - 1
export const isValidTimestampMs = (ms: unknown): ms is number =>
  typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 && ms <= LAST_MS

/** Longest delay explained by waiting in a queue. A clock that seems further behind than this is really wrong. */
const WAIT_MAX_MS = 300_000

/**
 * Estimates the clock offset from a message that may have waited in a queue, which makes the clock seem behind. Keeps
 * the known offset where waiting explains the difference.
 */
export const estimateClockOffsetMs = (measured: number, known: number | null): number =>
  known !== null && measured <= known && measured > known - WAIT_MAX_MS ? known : measured

/**
 * Change of the offset from which a device is told again. With a wrong offset it would reject valid commands as late,
 * or accept late ones.
 */
const WRONG_MS = 2_000
export const isKnownClockOffsetOutdated = (measured: number, known: number | null): boolean =>
  Math.abs(measured - (known ?? 0)) >= WRONG_MS

/** Sends a device its clock offset without being asked (docs/gateways.md, `down/hello`). */
export async function sendClockErrorToDevice(
  services: Services,
  { tenantId, clientId }: DeviceAddress,
  offsetMs: number,
): Promise<void> {
  const now = services.now().getTime()
  const hello = { ts: now + offsetMs, now, offsetMs }
  await services.slots
    .find(deviceTransportSlot)
    ?.publish(`${deviceTopicPrefix(tenantId, clientId)}down/hello`, hello, { qos: 1 })
}
type DeviceAddress = { tenantId: string; clientId: string }

/** No device keeps a report for longer. An older time comes from a clock that has been set since. */
const KEPT_MAX_MS = 400 * 86_400_000

/**
 * Converts a device's time to the server's by its clock offset. A time in the future or too long ago is replaced by
 * `nowMs`, when the message arrived.
 */
export function deviceTimeToServerTime(deviceMs: number, clockOffset: number | null, nowMs: number): Date {
  const at = deviceMs - (clockOffset ?? 0)
  return new Date(at > nowMs || at < nowMs - KEPT_MAX_MS ? nowMs : at)
}
