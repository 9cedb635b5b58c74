import { isEmptyInput, type Field, type Fields } from '#kit/fields/field-kind.ts'
import { fieldKindOf, parseFieldInput } from '#kit/fields/kinds.ts'
import type { WireRow } from '#kit/resource/wire-row.ts'
import type { UserScopeLimits } from '../session/session.ts'

/** A row of whatever family, for machinery that knows none. Pages read `WireRow<typeof shelf>`. */
export type UntypedRow = Record<string, unknown>

/** The row of a family as it travels; `Row` where the family is not known. */
export type WireRowOrUntyped<R> = R extends { fields: infer F }
  ? string extends keyof F
    ? UntypedRow
    : WireRow<R>
  : UntypedRow
export type FormMode = 'add' | 'edit'

/** Whether a wire value means "nothing": "" and -1 travel for it where the kind says so (wire contract §1.4). */
export function isBlankWireValue(value: unknown, field: Field): boolean {
  const own = fieldKindOf(field).isBlank?.(value, field)
  if (own !== undefined) return own
  const parsed = parseFieldInput(value, { ...field, required: false })
  return 'value' in parsed && (parsed.value === null || (Array.isArray(parsed.value) && parsed.value.length === 0))
}

/** A wire value as a form holds it: "" when empty, JSON as text. */
export function toFormValue(value: unknown, field: Field): unknown {
  const { emptyAs = '', toForm: held } = fieldKindOf(field)
  if (isBlankWireValue(value, field)) return emptyAs
  return held ? held(value) : value
}

/** A form's value as it travels. */
export function fromFormValue(value: unknown, field: Field): unknown {
  const { fromForm: sent } = fieldKindOf(field)
  if (!sent) return value ?? ''
  const isNothing = isEmptyInput(value) || (typeof value === 'string' && value.trim() === '')
  return isNothing ? '' : sent(value, field)
}

/** Fields a form shows, in the order of the declaration. */
export const formFieldEntries = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(
    ([, field]) => field.form !== 'hidden' && !(field.computed && field.form !== 'read') && field.own?.inForm !== false,
  )

const limitOf = ({ requiredOf }: Field, limits: UserScopeLimits) =>
  requiredOf === undefined ? undefined : limits[requiredOf]

/** The fields as a form asks this reader for them: who is limited to some rows says which of them. */
export const withFieldsRequiredByLimits = (fields: Fields, limits: UserScopeLimits): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      // What it means that nothing stands here is no help to who may not leave it so.
      limitOf(field, limits) && !field.required
        ? { ...field, required: true, help: field.emptyLabel ? undefined : field.help }
        : field,
    ]),
  )

/** What a new row of a reader begins with who is limited to one row alone, such as a shop. */
export const presetFromSingleLimits = (fields: Fields, limits: UserScopeLimits): UntypedRow =>
  Object.fromEntries(
    formFieldEntries(fields).flatMap(([key, field]) => {
      const only = isFixedInForm(field, 'add') ? undefined : limitOf(field, limits)?.only
      return only === undefined ? [] : [[key, only]]
    }),
  )

export const isFixedInForm = (field: Field, mode: FormMode) =>
  field.form === 'read' || (field.form === 'add' && mode === 'edit') || !!field.computed

/** What a form starts with: the row, or each field's default. */
export function initialFormValues(fields: Fields, row: UntypedRow | undefined): UntypedRow {
  return Object.fromEntries(
    formFieldEntries(fields).map(([key, field]) => [
      key,
      toFormValue(row && key in row ? row[key] : row ? undefined : field.default, field),
    ]),
  )
}

/** A value in the one shape its kind stores, so that "12.5" equals "12.50". */
function canonical(value: unknown, field: Field): string {
  const parsed = parseFieldInput(value, { ...field, required: false })
  return JSON.stringify('value' in parsed ? (parsed.value ?? '') : [value])
}

/** Fields whose value is not what it was. */
export function changedFormFieldKeys(fields: Fields, before: UntypedRow, after: UntypedRow): string[] {
  return formFieldEntries(fields)
    .filter(
      ([key, field]) => before[key] !== after[key] && canonical(before[key], field) !== canonical(after[key], field),
    )
    .map(([key]) => key)
}

/**
 * What is sent: all that is filled in for a new row, only what changed for an old one (masked values must not travel
 * back).
 */
export function buildFormPayload(fields: Fields, mode: FormMode, before: UntypedRow, after: UntypedRow): UntypedRow {
  const keys =
    mode === 'edit'
      ? changedFormFieldKeys(fields, before, after)
      : formFieldEntries(fields)
          .filter(([, field]) => !isFixedInForm(field, mode))
          .map(([key]) => key)
  return Object.fromEntries(keys.map((key) => [key, fromFormValue(after[key], fields[key]!)]))
}

/** Fields both sides changed since the form was opened; `theirs` is the row as it is now. */
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
