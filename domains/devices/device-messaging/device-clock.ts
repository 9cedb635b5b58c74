import type { Services } from '#kit/server/services.ts'
import { deviceTransportSlot } from './device-transport.ts'
import { deviceTopicPrefix } from './topics.ts'

/** By how much a device's clock is ahead of ours, however much that is: one without a battery begins in 1970. */
export const computeClockOffsetMs = (saidMs: number, nowMs: number): number => Math.round(saidMs - nowMs)

/** A moment the clocks of devices can say; what lies outside is none. */
const LAST_MS = Date.UTC(10_000, 0) - 1
export const isValidTimestampMs = (ms: unknown): ms is number =>
  typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 && ms <= LAST_MS

/** Longer than any message waits behind others. */
const WAIT_MAX_MS = 300_000

/**
 * What waited behind others seems to come from a clock that is behind by as long. Where that explains the difference
 * to what was measured in quiet, that counts on.
 */
export const estimateClockOffsetMs = (measured: number, known: number | null): number =>
  known !== null && measured <= known && measured > known - WAIT_MAX_MS ? known : measured

/** A device that is wrong about its error by so much takes commands for late, or late ones for good. */
const WRONG_MS = 2_000
export const isKnownClockOffsetOutdated = (measured: number, told: number | null): boolean =>
  Math.abs(measured - (told ?? 0)) >= WRONG_MS

/** Tells a device the error of its clock, unasked (docs/gateways.md, `down/hello`). */
export async function sendClockErrorToDevice(
  services: Services,
  { tenantId, clientId }: Whose,
  offsetMs: number,
): Promise<void> {
  const now = services.now().getTime()
  const hello = { ts: now + offsetMs, now, offsetMs }
  await services.slots
    .find(deviceTransportSlot)
    ?.publish(`${deviceTopicPrefix(tenantId, clientId)}down/hello`, hello, { qos: 1 })
}
type Whose = { tenantId: string; clientId: string }

/** Nothing is kept by a device for so long: what seems older was said by a clock that was set afterwards. */
const KEPT_MAX_MS = 400 * 86_400_000

/**
 * When it happened, by our clock: a device whose clock is wrong is believed in the distance, not in the hour. A moment
 * that cannot be meant is none: what is said with it counts from when it is heard.
 */
export function deviceTimeToServerTime(saidMs: number, clockOffset: number | null, nowMs: number): Date {
  const at = saidMs - (clockOffset ?? 0)
  return new Date(at > nowMs || at < nowMs - KEPT_MAX_MS ? nowMs : at)
}
