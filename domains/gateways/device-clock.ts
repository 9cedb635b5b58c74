import type { Services } from '#kit/server/services.ts'
import { deviceLine } from './line.ts'
import { prefixOf } from './topics.ts'

const MS_MAX = 2_000_000_000

/** By how much a device's clock is ahead of ours, as far as a column holds it. */
export const clockOffsetOf = (saidMs: number, nowMs: number): number =>
  Math.max(-MS_MAX, Math.min(MS_MAX, Math.round(saidMs - nowMs)))

/** Longer than any message waits behind others. */
const WAIT_MAX_MS = 300_000

/**
 * What waited behind others seems to come from a clock that is behind by as long. Where that explains the difference
 * to what was measured in quiet, that counts on.
 */
export const likelyOffset = (measured: number, known: number | null): number =>
  known !== null && measured <= known && measured > known - WAIT_MAX_MS ? known : measured

/** A device that is wrong about its error by so much takes commands for late, or late ones for good. */
const WRONG_MS = 2_000
export const isWrongAbout = (measured: number, told: number | null): boolean =>
  Math.abs(measured - (told ?? 0)) >= WRONG_MS

/** Tells a device the error of its clock, unasked (docs/gateways.md, `down/hello`). */
export async function tellClockError(
  services: Services,
  { tenantId, clientId }: Whose,
  offsetMs: number,
): Promise<void> {
  const now = services.now().getTime()
  const hello = { ts: now + offsetMs, now, offsetMs }
  await services.slots.find(deviceLine)?.publish(`${prefixOf(tenantId, clientId)}down/hello`, hello, { qos: 1 })
}
type Whose = { tenantId: string; clientId: string }

/** When it happened, by our clock: a device whose clock is wrong is believed in the distance, not in the hour. */
export const officeTime = (saidMs: number, clockOffset: number | null, nowMs: number): Date =>
  new Date(Math.min(saidMs - (clockOffset ?? 0), nowMs))
