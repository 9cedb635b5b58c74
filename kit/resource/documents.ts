import type { Field, Fields } from '../fields/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '../fields/kinds.ts'
import type { RowCondition } from '../fields/condition.ts'
import { baseFields, type Resource } from './define-resource.ts'
import type { LocalizedText } from './localized-text.ts'

type Columns<K extends string> = {
  /** Columns printed unless a template chooses others. */
  columns: readonly string[]
  /** Columns that are totalled, each with the field of the row that holds the same total; "" where the row has none. */
  sums?: Readonly<Record<string, K | ''>>
}

/**
 * Lines of a document: rows of another resource (`of`) whose field `by` holds this row's id (or the value of its field
 * `from`), or objects stored in the row's own field `in`, described by `fields`.
 */
export type PrintableDocumentLines<K extends string = string> =
  | (Columns<K> & { of: string; by: string; from?: K; sort?: string })
  | (Columns<K> & { in: K; fields: Fields })

/** A document that can be printed of a row. A tenant's template overrides parts of this. */
export type PrintableDocument<K extends string = string> = {
  label: LocalizedText
  /** Field with the document number; `titleCode` or `title` of the resource if absent. */
  number?: K
  /** Fields printed above the lines. */
  facts: readonly (K | 'createTime' | 'createUser')[]
  lines?: PrintableDocumentLines<K>
  /** Fields of the row printed as totals below the lines. */
  totals?: readonly K[]
  /** Labels of the signature lines. */
  signs?: readonly LocalizedText[]
  /** Condition on rows that have this document; all if absent. */
  enabled?: RowCondition<K>
}

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
