import type { Field } from '#kit/fields/field-kind.ts'
import type { Call } from '#kit/server/room.ts'

/** Where a moment stands to a span of time; texts of the Shanghai clock, an absent end is open. */
export const timeState = (
  span: { startTime?: string | null; endTime?: string | null },
  now: string,
): 'coming' | 'running' | 'over' =>
  span.endTime && span.endTime <= now ? 'over' : span.startTime && span.startTime > now ? 'coming' : 'running'

/** Writes how a row stands, with its words, where clients read it. */
export function presentState(
  call: Call,
  resource: { fields: { state: Field } },
  wire: Record<string, unknown>,
  state: string,
): void {
  Object.assign(wire, {
    state,
    stateName: call.services.labels.dict(call.caller.tenantId, resource.fields.state, state, call.lang),
  })
}
