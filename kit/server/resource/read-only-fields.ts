import type { Field } from '../../fields/field-kind.ts'
import { fieldEntriesWithOption, isEmptyInput, isMinusOneInput } from '../../fields/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { visibleFields } from '../database/data-scope.ts'
import { presentRows } from './present.ts'
import { Refused } from '../refused.ts'
import { invalidInputRefusal, type Call, type ServedResource } from '../module.ts'

type Row = Record<string, unknown>
type Entry = [string, Field]

/** Refuses a new row of a family that the system writes. */
export function rejectManualCreate(resource: Resource<any, any>, was: Row | undefined): void {
  if (!was) throw new Refused('written_elsewhere', { label: resource.label })
}

/** What a field's input would be stored as, on the wire again; undefined when it is none. */
function wireOf(input: unknown, field: Field): string | undefined {
  const parsed = fieldKindOf(field).parse(input, { ...field, form: 'edit', required: false })
  return 'problem' in parsed ? undefined : JSON.stringify(fieldKindOf(field).wire(parsed.value, field))
}

/**
 * Whether a whole row was read before the system moved this field on: clients that send back what they read mean no
 * change by it. Where another field tells which value was read (`systemUpdated: 'stockSeq'`), that decides.
 */
const isSupersededValue = (given: Row, was: Row, fields: Record<string, Field>, { systemUpdated }: Field): boolean => {
  if (!systemUpdated || given.createTime === undefined) return false
  const stamp = systemUpdated === true ? undefined : systemUpdated
  return (
    !stamp ||
    (!isEmptyInput(given[stamp]) &&
      wireOf(given[stamp], fields[stamp]!) !==
        JSON.stringify(fieldKindOf(fields[stamp]!).wire(was[stamp], fields[stamp]!)))
  )
}

/**
 * Whether a key comes back as the row is shown: masked, or in the reader's words; under its other name too, where it
 * has one.
 */
async function shownOf(
  { resource, hooks }: ServedResource,
  call: Call,
  given: Row,
  was: Row,
): Promise<(key: string) => boolean> {
  const [shown] = await presentRows(call, resource, hooks, [{ ...was }], 'detail')
  const isSame = (key: string) => JSON.stringify(shown![key]) === JSON.stringify(given[key])
  return (key) => {
    const also = (resource.fields as Record<string, Field>)[key]?.wireAlias
    return isSame(key) && (also === undefined || given[also] === undefined || isSame(also))
  }
}

/** Takes out problems of values that came back as they were shown: a masked phone is none, and no change either. */
export async function ignoreUnchangedProblems(
  served: ServedResource,
  call: Call,
  given: Row,
  was: Row,
  problems: Record<string, unknown>,
): Promise<void> {
  if (!Object.keys(problems).length) return
  const isShown = await shownOf(served, call, given, was)
  for (const key of Object.keys(problems)) if (isShown(key)) delete problems[key]
}

/**
 * What of a row the caller may change: without the fields a data scope hides from them, which a form sends empty and
 * which stay as they are. Any other value is refused, whatever the row holds: the answer would tell whether it is so.
 */
export function omitHiddenFields({ resource }: ServedResource, { caller }: Pick<Call, 'caller'>, given: Row): Row {
  const seen = visibleFields(resource, caller)
  if (!seen) return given
  const hidden = Object.entries(resource.fields as Record<string, Field>).filter(([key]) => !seen.has(key))
  const out = { ...given }
  for (const [key, field] of hidden) {
    for (const name of [key, ...(field.wireAlias ? [field.wireAlias] : [])]) {
      if (!isEmptyInput(given[name]) && !isMinusOneInput(given[name]))
        throw new Refused('hidden_stays', { label: field.label }, { field: key })
      delete out[name]
    }
  }
  return out
}

/**
 * Refuses a change that would not be taken, naming the field: what the system keeps, or what is fixed once a row was
 * added. A client may send the whole row back as it read it: what is unchanged, empty or no field at all does not
 * count.
 */
export async function rejectIgnoredFields(served: ServedResource, call: Call, given: Row, was: Row): Promise<void> {
  const { resource } = served
  const fields = resource.fields as Record<string, Field>
  const isUntaken = ([key, field]: Entry) =>
    !field.computed &&
    !isWriteOnlyField(field) &&
    field.form !== 'edit' &&
    !isEmptyInput(given[key]) &&
    !isMinusOneInput(given[key])
  const differs = ([key, field]: Entry) =>
    wireOf(given[key], field) !== JSON.stringify(fieldKindOf(field).wire(was[key], field)) &&
    !isSupersededValue(given, was, fields, field)
  const changed = fieldEntriesWithOption(fields, 'form').filter((entry) => isUntaken(entry) && differs(entry))
  if (!changed.length) return
  const isShown = await shownOf(served, call, given, was)
  const wrong = changed.find(([key]) => !isShown(key))
  if (!wrong) return
  const [key, field] = wrong
  if (field.form === 'add') throw invalidInputRefusal({ [key]: { problem: { code: 'fixed_after_adding' }, field } })
  throw new Refused('written_elsewhere', { label: field.label }, { field: key })
}
