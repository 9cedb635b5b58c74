import type { Field, Fields } from '../fields/field-kind.ts'
import { isWriteOnly, kindOf } from '../fields/kinds.ts'
import type { Condition } from '../fields/condition.ts'
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
export type DocumentLines<K extends string = string> =
  | (Columns<K> & { of: string; by: string; from?: K; sort?: string })
  | (Columns<K> & { in: K; fields: Fields })

/** What is printed of a row for people to hold in their hands. A tenant's template says what differs from this. */
export type RowDocument<K extends string = string> = {
  label: LocalizedText
  /** The field it is numbered by; what titles the row unless said. */
  number?: K
  /** What stands above the lines. */
  facts: readonly (K | 'createTime' | 'createUser')[]
  lines?: DocumentLines<K>
  /** The row's figures below the lines. */
  totals?: readonly K[]
  /** Who signs it. */
  signs?: readonly LocalizedText[]
  /** The rows there is such a document of. */
  enabled?: Condition<K>
}

/** So many documents are printed at a time. */
export const DOCUMENTS_MAX = 100

/** How a value stands on paper. */
export type PaperLook = 'text' | 'number' | 'amount' | 'pictures'

export function paperLook(field: Field): PaperLook {
  const { onPaper, currency, readsAs } = kindOf(field)
  return onPaper === 'pictures' ? 'pictures' : currency ? 'amount' : readsAs === 'number' ? 'number' : 'text'
}

const isOnPaper = (field: Field): boolean =>
  field.detail !== false && !isWriteOnly(field) && kindOf(field).onPaper !== false

/** The fields of a family that may stand on paper, those every row has last. */
export const paperFields = ({ fields }: Pick<Resource<any, any>, 'fields'>): [string, Field][] =>
  [
    ...Object.entries(fields as Fields),
    ...(['createTime', 'createUser'] as const).map((key): [string, Field] => [key, baseFields[key]]),
  ].filter(([, field]) => isOnPaper(field))

/** The field a document is numbered by. */
export const numberKey = ({ title, titleCode }: Resource<any, any>, { number }: RowDocument): string =>
  number ?? titleCode ?? title
