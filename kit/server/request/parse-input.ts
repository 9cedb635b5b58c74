import { isFieldRequired, fieldKindOf, parseFieldInput } from '../../fields/kinds.ts'
import {
  fieldEntries,
  fieldEntriesWithOption,
  isEmptyInput,
  type Field,
  type Fields,
  type FieldProblem,
} from '../../fields/field-kind.ts'
import { invalidInputRefusal } from '../module.ts'

type Problems = Record<string, { problem: FieldProblem; field: Field }>

/**
 * Arguments through their fields: every key present in the answer, null when empty. Refuses naming each field that is
 * wrong.
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

/** Notes what is empty and may not be so beside the other values; of a row that `was`, where one of them is given. */
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
 * An entity as `submit` sends it: only declared fields that a form may write; keys that are absent or null are left
 * alone, an empty text clears; unknown keys (words of references, children, `$cellEdit`) are ignored.
 */
export function parseEntity(
  fields: Fields,
  given: Record<string, unknown>,
  isNew: boolean,
): { draft: Record<string, unknown>; problems: Problems } {
  const draft: Record<string, unknown> = {}
  const problems: Problems = {}
  // Who names no own field knows of none: what is required of them is not asked of a client that was made before.
  const knowsOwn = isNew && fieldEntriesWithOption(fields, 'own').some(([key]) => !isAbsent(given[key]))
  for (const [key, field] of fieldEntries(fields)) {
    if (field.computed) continue
    const input = sentValue(key, field, given, isNew)
    const isAsked = isNew && isWritable(field, isNew) && field.required && (!field.own || knowsOwn)
    if (input === undefined && !isAsked) continue
    // An unchanged password arrives as the "" it was read as.
    if (fieldKindOf(field).writeOnly && input === '' && !isNew) continue
    const parsed = parseFieldInput(input, field)
    if ('problem' in parsed) problems[key] = { problem: parsed.problem, field }
    else draft[key] = parsed.value
  }
  return { draft, problems }
}

/** Whether a form may write a field: at any time, or in a new row alone. */
const isWritable = ({ form = 'edit' }: Field, isNew: boolean): boolean => form === 'edit' || (form === 'add' && isNew)

/** What came for a field under either of its names, or what a new row has there unsaid. */
function sentValue(key: string, field: Field, given: Record<string, unknown>, isNew: boolean): unknown {
  const sent = isWritable(field, isNew) ? (given[key] ?? (field.wireAlias && given[field.wireAlias])) : undefined
  const input = sent ?? (isNew ? field.default : undefined)
  // As an absent amount was read, whichever the field's limits are.
  return field.own && input === -1 ? '' : input
}

const isAbsent = (input: unknown): boolean => input === undefined || input === null

/**
 * Who knows a field by its other name sends the whole row back: their value there, and under the first name what was.
 * Keys whose value under the other name is the one that was changed.
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

/** A stored row to the wire; secrets stay inside. */
export function toWire(fields: Fields, row: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [key, field] of fieldEntries(fields)) {
    if (field.secret || field.computed) continue
    if (row[key] !== undefined) out[key] = fieldKindOf(field).wire(row[key], field)
  }
  return out
}
