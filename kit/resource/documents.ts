import type { Field, Fields } from '../fields/field-kind.ts'
import { isWriteOnlyField, fieldKindOf } from '../fields/kinds.ts'
import type { RowCondition } from '../fields/condition.ts'
import { baseFields, type Resource } from './define-resource.ts'
import type { LocalizedText } from './localized-text.ts'

type Columns<K extends string> = {
  /** The columns it has unless a template says others. */
  columns: readonly string[]
  /** Columns that are added up, each with the row's own figure that says the same; "" where the row has none. */
  sums?: Readonly<Record<string, K | ''>>
}

/**
 * Lines of a document: rows of another family that name the row (or what its field `from` names), or parts that are
 * kept in the row itself, with the fields they have.
 */
export type PrintableDocumentLines<K extends string = string> =
  | (Columns<K> & { of: string; by: string; from?: K; sort?: string })
  | (Columns<K> & { in: K; fields: Fields })

/** What is printed of a row for people to hold in their hands. A tenant's template says what differs from this. */
export type PrintableDocument<K extends string = string> = {
  label: LocalizedText
  /** The field it is numbered by; what titles the row unless said. */
  number?: K
  /** What stands above the lines. */
  facts: readonly (K | 'createTime' | 'createUser')[]
  lines?: PrintableDocumentLines<K>
  /** The row's figures below the lines. */
  totals?: readonly K[]
  /** Who signs it. */
  signs?: readonly LocalizedText[]
  /** The rows there is such a document of. */
  enabled?: RowCondition<K>
}

/** So many documents are printed at a time. */
export const PRINTED_DOCUMENTS_MAX = 100

/** How a value stands on paper. */
export type PrintFormat = 'text' | 'number' | 'amount' | 'pictures'

export function printFormatOf(field: Field): PrintFormat {
  const { onPaper, currency, readsAs } = fieldKindOf(field)
  return onPaper === 'pictures' ? 'pictures' : currency ? 'amount' : readsAs === 'number' ? 'number' : 'text'
}

const isOnPaper = (field: Field): boolean =>
  field.detail !== false && !isWriteOnlyField(field) && fieldKindOf(field).onPaper !== false

/** The fields of a family that may stand on paper, those every row has last. */
export const printableFields = ({ fields }: Pick<Resource<any, any>, 'fields'>): [string, Field][] =>
  [
    ...Object.entries(fields as Fields),
    ...(['createTime', 'createUser'] as const).map((key): [string, Field] => [key, baseFields[key]]),
  ].filter(([, field]) => isOnPaper(field))

/** The field a document is numbered by. */
export const documentNumberKey = ({ title, titleCode }: Resource<any, any>, { number }: PrintableDocument): string =>
  number ?? titleCode ?? title
