import type { Field } from '#kit/fields/base/field-kind.ts'
import { reusableField } from '#kit/resource/index.ts'
import type { Call } from '#kit/server/module/module.ts'

/** Computed field: whether the row's period is coming, running or over now. */
export const periodStateField = reusableField.dict('time_state', {
  label: { zh: '时效', en: 'Validity' },
  computed: true,
  form: 'hidden',
  width: 90,
})

/**
 * Returns whether a moment is before, in or after a period. Times are 'yyyy-MM-dd HH:mm:ss' (Shanghai); a missing end
 * is open.
 */
export const periodStateAt = (
  span: { startTime?: string | null; endTime?: string | null },
  now: string,
): 'coming' | 'running' | 'over' =>
  span.endTime && span.endTime <= now ? 'over' : span.startTime && span.startTime > now ? 'coming' : 'running'

/** Writes a row's state and its label into the answer. */
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
