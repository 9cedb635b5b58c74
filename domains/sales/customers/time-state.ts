import type { Field } from '#kit/fields/field-kind.ts'
import { reusableField } from '#kit/resource/index.ts'
import type { Call } from '#kit/server/module.ts'

/** How a row with a span of time stands now. */
export const periodStateField = reusableField.dict('time_state', {
  label: { zh: '时效', en: 'Validity' },
  computed: true,
  form: 'hidden',
  width: 90,
})

/** Where a moment stands to a span of time; texts of the Shanghai clock, an absent end is open. */
export const periodStateAt = (
  span: { startTime?: string | null; endTime?: string | null },
  now: string,
): 'coming' | 'running' | 'over' =>
  span.endTime && span.endTime <= now ? 'over' : span.startTime && span.startTime > now ? 'coming' : 'running'

/** Writes how a row stands, with its words, where clients read it. */
export function presentStateWithLabel(
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
