import { isEmptyInput, type Field, type Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf, parseFieldInput, isBlankWireValue } from '#kit/fields/kinds.ts'
import type { WireRow } from '#kit/resource/wire-row.ts'
import type { UserScopeLimits } from '../session/session.ts'

/** A row of any resource, for code that handles all of them. Pages use `WireRow<typeof shelf>`. */
export type UntypedRow = Record<string, unknown>

/** Wire type of a resource's row; `UntypedRow` if the resource is not known at compile time. */
export type WireRowOrUntyped<R> = R extends { fields: infer F }
  ? string extends keyof F
    ? UntypedRow
    : WireRow<R>
  : UntypedRow
export type FormMode = 'add' | 'edit'

/** Converts a wire value to a form value: "" or the kind's `emptyAs` for an empty one, JSON as text. */
export function toFormValue(value: unknown, field: Field): unknown {
  const { emptyAs = '', toForm: held } = fieldKindOf(field)
  if (isBlankWireValue(value, field)) return emptyAs
  return held ? held(value) : value
}

/** Converts a form value to a wire value. */
export function fromFormValue(value: unknown, field: Field): unknown {
  const { fromForm: sent } = fieldKindOf(field)
  if (!sent) return value ?? ''
  const isNothing = isEmptyInput(value) || (typeof value === 'string' && value.trim() === '')
  return isNothing ? '' : sent(value, field)
}

/** Returns the fields a form shows, in the order of the declaration. */
export const formFieldEntries = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(
    ([, field]) => field.form !== 'hidden' && !(field.computed && field.form !== 'read') && field.own?.inForm !== false,
  )

const limitOf = ({ requiredOf }: Field, limits: UserScopeLimits) =>
  requiredOf === undefined ? undefined : limits[requiredOf]

/**
 * Returns the fields as this user's form needs them: fields that name a scope the user is limited by become required.
 */
export const withFieldsRequiredByLimits = (fields: Fields, limits: UserScopeLimits): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      // The help explains what an empty field means, which does not apply to a required one.
      limitOf(field, limits) && !field.required
        ? { ...field, required: true, help: field.emptyLabel ? undefined : field.help }
        : field,
    ]),
  )

/** Returns preset values for a new row of a user who is limited to one single row, such as a shop. */
export const presetFromSingleLimits = (fields: Fields, limits: UserScopeLimits): UntypedRow =>
  Object.fromEntries(
    formFieldEntries(fields).flatMap(([key, field]) => {
      const only = isReadOnlyInForm(field, 'add') ? undefined : limitOf(field, limits)?.only
      return only === undefined ? [] : [[key, only]]
    }),
  )

export const isReadOnlyInForm = (field: Field, mode: FormMode) =>
  field.form === 'read' || (field.form === 'add' && mode === 'edit') || !!field.computed

/** Returns the values a form starts with: those of the row, or for a new row each field's default. */
export function initialFormValues(fields: Fields, row: UntypedRow | undefined): UntypedRow {
  return Object.fromEntries(
    formFieldEntries(fields).map(([key, field]) => [
      key,
      toFormValue(row && key in row ? row[key] : row ? undefined : field.default, field),
    ]),
  )
}

/** Returns a value in the form its kind stores, so that "12.5" equals "12.50". */
function canonical(value: unknown, field: Field): string {
  const parsed = parseFieldInput(value, { ...field, required: false })
  return JSON.stringify('value' in parsed ? (parsed.value ?? '') : [value])
}

/** Returns the keys of form fields whose values differ, compared as stored. */
export function changedFormFieldKeys(fields: Fields, before: UntypedRow, after: UntypedRow): string[] {
  return formFieldEntries(fields)
    .filter(
      ([key, field]) => before[key] !== after[key] && canonical(before[key], field) !== canonical(after[key], field),
    )
    .map(([key]) => key)
}

/**
 * Returns the body to send: all editable fields of a new row, only the changed fields of an existing one, so that
 * masked values are not sent back.
 */
export function buildFormPayload(fields: Fields, mode: FormMode, before: UntypedRow, after: UntypedRow): UntypedRow {
  const keys =
    mode === 'edit'
      ? changedFormFieldKeys(fields, before, after)
      : formFieldEntries(fields)
          .filter(([, field]) => !isReadOnlyInForm(field, mode))
          .map(([key]) => key)
  return Object.fromEntries(keys.map((key) => [key, fromFormValue(after[key], fields[key]!)]))
}

/**
 * Returns the fields that both this user and somebody else changed, to different values, since the form was opened.
 * `theirs` is the current row.
 */
export function findEditConflicts(
  fields: Fields,
  before: UntypedRow,
  mine: UntypedRow,
  theirs: UntypedRow,
): { key: string; field: Field }[] {
  const now = initialFormValues(fields, theirs)
  const changed = new Set(changedFormFieldKeys(fields, before, mine))
  return changedFormFieldKeys(fields, before, now)
    .filter((key) => changed.has(key) && canonical(now[key], fields[key]!) !== canonical(mine[key], fields[key]!))
    .map((key) => ({ key, field: fields[key]! }))
}
