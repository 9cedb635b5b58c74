import type { RowCondition } from '../fields/base/condition.ts'
import type { Fields } from '../fields/base/field-kind.ts'
import type { LocalizedText } from '../base/localized-text.ts'

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
