import { isEmpty } from '../fields/field-kind.ts'
import type { Field } from '../fields/field-kind.ts'
import { kindOf } from '../fields/kinds.ts'
import type { Resource } from '../resource/define-resource.ts'
import { Refused } from './refused.ts'

/**
 * Refuses a hand's change of what the system writes, naming the field. A client may send the whole row back: what is unchanged, empty
 * or no field at all does not count.
 */
export function refuseHandEdit(
  resource: Resource<any, any>,
  was: Record<string, unknown> | undefined,
  body: unknown,
): void {
  if (!was) throw new Refused('written_elsewhere', { label: resource.label })
  const given = body as Record<string, unknown>
  for (const [key, field] of Object.entries(resource.fields as Record<string, Field>)) {
    const input = given[key]
    if (field.computed || (field.form ?? 'edit') === 'edit' || isEmpty(input) || input === -1) continue
    const parsed = kindOf(field).parse(input, { ...field, form: 'edit', required: false })
    if ('problem' in parsed || JSON.stringify(parsed.value) !== JSON.stringify(was[key]))
      throw new Refused('written_elsewhere', { label: field.label })
  }
}
