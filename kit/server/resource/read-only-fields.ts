import { type Field, fieldEntriesWithOption, isEmptyInput, isMinusOneInput } from '../../fields/base/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { visibleFields } from '../database/data-scope.ts'
import { presentRows } from './present.ts'
import { Refused } from '../base/refused.ts'
import { invalidInputRefusal, type Call, type ServedResource } from '../module/module.ts'

type Row = Record<string, unknown>
type Entry = [string, Field]

/** Refuses to add rows by hand to a resource that the system writes. */
export function rejectManualCreate(resource: Resource<any, any>, was: Row | undefined): void {
  if (!was) throw new Refused('written_elsewhere', { label: resource.label })
}

/** The wire value that an input would be stored as; undefined if it is not valid. */
function wireOf(input: unknown, field: Field): string | undefined {
  const parsed = fieldKindOf(field).parse(input, { ...field, form: 'edit', required: false })
  return 'problem' in parsed ? undefined : JSON.stringify(fieldKindOf(field).wire(parsed.value, field))
}

/**
 * Whether a sent value is outdated because the system changed the field after the client read the row: then it is no
 * change by the client. If `systemUpdated` names another field (`'stockSeq'`), that one tells which state was read.
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
 * Returns a function that tells whether a key was sent back as it is shown: masked or translated, also under its alias.
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

/** Drops problems of values sent back exactly as shown, such as a masked phone number: they mean no change. */
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
 * Returns the sent row without fields hidden from the caller, which forms send empty and which stay unchanged. Refuses
 * any other value for them: whether it equals the stored one must not be revealed.
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
 * Refuses changes that would be ignored, naming the field: of values the system maintains, or that are fixed after
 * adding. Unchanged, empty and unknown values are accepted, as clients may send the whole row back.
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
