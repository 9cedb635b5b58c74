import type { Field } from '../base/field-kind.ts'

/**
 * Returns the name of the resource a reference of this row points to: `to`, or the one for the value of the field `by`.
 * "" if unknown.
 */
export const referencedResourceName = (field: Field, row: Record<string, unknown>): string =>
  field.to || (field.resourceByValue?.[String(row[field.by!] ?? '')] ?? '')
