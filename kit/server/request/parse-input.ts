import { isFieldRequired, fieldKindOf, parseFieldInput } from '../../fields/kinds.ts'
import {
  fieldEntries,
  fieldEntriesWithOption,
  isEmptyInput,
  type Field,
  type Fields,
  type FieldProblem,
} from '../../fields/base/field-kind.ts'
import { invalidInputRefusal } from '../module/module.ts'

type Problems = Record<string, { problem: FieldProblem; field: Field }>

/**
 * Parses parameters by their fields: every field gets a value, null if empty. Refuses with a message for each invalid
 * one.
 */
export function parseInput(fields: Fields, given: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const problems: Problems = {}
  for (const [key, field] of fieldEntries(fields)) {
    const input = given[key] ?? field.default
    const parsed = parseFieldInput(input, field)
    if ('problem' in parsed) problems[key] = { problem: parsed.problem, field }
    else out[key] = parsed.value
  }
  checkConditionalRequired(fields, out, problems)
  if (Object.keys(problems).length) throw invalidInputRefusal(problems)
  return out
}

/**
 * Adds problems for fields that are empty although required by the values of others (`requiredWhen`). For an existing
 * row (`was`), only if one of the fields involved is sent.
 */
export function checkConditionalRequired(
  fields: Fields,
  given: Record<string, unknown>,
  problems: Problems,
  was?: Record<string, unknown>,
): void {
  const dependent = fieldEntriesWithOption(fields, 'requiredWhen').filter(([key]) => !problems[key])
  if (!dependent.length) return
  const values = was ? { ...was, ...given } : given
  for (const [key, field] of dependent) {
    if (!isEmptyInput(values[key]) || !isFieldRequired(field, values)) continue
    if (was && ![key, ...Object.keys(field.requiredWhen!)].some((one) => given[one] !== undefined)) continue
    problems[key] = { problem: { code: 'required' }, field }
  }
}

/**
 * Parses a row sent to `submit`: only declared fields a form may write. Absent or null keys stay unchanged, an empty
 * text clears. Unknown keys (labels, children, `$cellEdit`) are ignored.
 */
export function parseEntity(
  fields: Fields,
  given: Record<string, unknown>,
  isNew: boolean,
): { draft: Record<string, unknown>; problems: Problems } {
  const draft: Record<string, unknown> = {}
  const problems: Problems = {}
  // A client that sends no custom field may be older than those, so they are not required of it.
  const knowsOwn = isNew && fieldEntriesWithOption(fields, 'own').some(([key]) => !isAbsent(given[key]))
  for (const [key, field] of fieldEntries(fields)) {
    if (field.computed) continue
    const input = sentValue(key, field, given, isNew)
    const isRequired = isNew && isWritable(field, isNew) && field.required && (!field.own || knowsOwn)
    if (input === undefined && !isRequired) continue
    // A password is read as "", so that value means unchanged.
    if (fieldKindOf(field).writeOnly && input === '' && !isNew) continue
    const parsed = parseFieldInput(input, field)
    if ('problem' in parsed) problems[key] = { problem: parsed.problem, field }
    else draft[key] = parsed.value
  }
  return { draft, problems }
}

/** Whether a form may write the field: always, or only in a new row. */
const isWritable = ({ form = 'edit' }: Field, isNew: boolean): boolean => form === 'edit' || (form === 'add' && isNew)

/** Value sent for a field under its name or alias; for a new row its default if nothing was sent. */
function sentValue(key: string, field: Field, given: Record<string, unknown>, isNew: boolean): unknown {
  const sent = isWritable(field, isNew) ? (given[key] ?? (field.wireAlias && given[field.wireAlias])) : undefined
  const input = sent ?? (isNew ? field.default : undefined)
  // -1 is how an absent number was sent to the client, whatever the field's limits.
  return field.own && input === -1 ? '' : input
}

const isAbsent = (input: unknown): boolean => input === undefined || input === null

/**
 * Fields for which the value under their alias was changed: clients that use the alias send the whole row back, with
 * the old value under the main name.
 */
export const fieldsChangedByAlias = (
  fields: Fields,
  given: Record<string, unknown>,
  was: Record<string, unknown>,
): Fields =>
  Object.fromEntries(
    fieldEntriesWithOption(fields, 'wireAlias').filter(
      ([key, field]) =>
        given[field.wireAlias!] !== undefined &&
        given[field.wireAlias!] !== null &&
        given[key] === fieldKindOf(field).wire(was[key], field),
    ),
  )

/** Converts a stored row to wire form, without secrets. */
export function toWire(fields: Fields, row: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [key, field] of fieldEntries(fields)) {
    if (field.secret || field.computed) continue
    if (row[key] !== undefined) out[key] = fieldKindOf(field).wire(row[key], field)
  }
  return out
}
