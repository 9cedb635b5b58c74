import type { Field, Fields } from '../fields/base/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '../fields/kinds.ts'
import { baseFields, type Resource } from './define-resource.ts'
import type { PrintableDocument } from './printable-document.ts'

/** Maximum number of documents printed at once. */
export const PRINTED_DOCUMENTS_MAX = 100

/** How a value is formatted in print. */
export type PrintedValueFormat = 'text' | 'number' | 'amount' | 'pictures'

export function printFormatOf(field: Field): PrintedValueFormat {
  const { onPaper, currency, readsAs } = fieldKindOf(field)
  return onPaper === 'pictures' ? 'pictures' : currency ? 'amount' : readsAs === 'number' ? 'number' : 'text'
}

const isOnPaper = (field: Field): boolean =>
  field.detail !== false && !isWriteOnlyField(field) && fieldKindOf(field).onPaper !== false

/** Fields of a resource that can be printed, creation time and creator last. */
export const printableFields = ({ fields }: Pick<Resource<any, any>, 'fields'>): [string, Field][] =>
  [
    ...Object.entries(fields as Fields),
    ...(['createTime', 'createUser'] as const).map((key): [string, Field] => [key, baseFields[key]]),
  ].filter(([, field]) => isOnPaper(field))

/** Returns the field with the number of a document. */
export const documentNumberKey = ({ title, titleCode }: Resource<any, any>, { number }: PrintableDocument): string =>
  number ?? titleCode ?? title
