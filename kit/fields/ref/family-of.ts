import type { Field } from '../field-kind.ts'

/**
 * The family a reference points to in this row: its own, or the one another field of the row says. Empty where nobody
 * knows.
 */
export const referencedResourceName = (field: Field, row: Record<string, unknown>): string =>
  field.to || (field.resourceByValue?.[String(row[field.by!] ?? '')] ?? '')
