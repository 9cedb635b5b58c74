import type { ComponentType } from 'react'
import type { Field } from './base/field-kind.ts'

export type CellPlacement = 'table' | 'card' | 'detail'

/** `R` is the type of the row on the wire: `WireRow<typeof shelf>` for cells that read other fields of it. */
export type CellProps<R extends object = Record<string, unknown>> = {
  name: string
  field: Field
  value: unknown
  row: R
  /** Place of the cell: a table or card shows a short text, a detail all of it. */
  place: CellPlacement
}

export type InputProps = {
  name: string
  field: Field
  /** The form's value: the wire value, "" when empty, JSON as text. */
  value: unknown
  onChange: (value: unknown) => void
  /** All values of the form, for inputs that depend on other fields. */
  values: Record<string, unknown>
  /** Sets other fields of the form; undefined where the input stands in no form. */
  fill?: (values: Record<string, unknown>) => void
  id: string
  disabled: boolean
  invalid: boolean
  /** Ids of the help and error texts. */
  describedBy?: string
}

export type FilterProps = {
  name: string
  field: Field
  /** Filter text as in the page's address; "" for none. */
  value: string
  onChange: (value: string) => void
  id: string
}

export type CellInputProps = Pick<InputProps, 'id' | 'field' | 'value' | 'onChange'> & { onClose: () => void }

/** One kind of field, seen from the browser. */
export type WebFieldKind = {
  /** Shows a value that is not empty; emptiness is drawn by the caller. */
  Cell: ComponentType<CellProps>
  Input: ComponentType<InputProps>
  /** Search box; a plain text box unless given. */
  Filter?: ComponentType<FilterProps>
  /** Words for a filter's value on its chip; the value itself unless given. */
  FilterText?: ComponentType<{ field: Field; value: string }>
  /** Width of its list column in pixels. */
  width: number
  align?: 'right' | 'center'
  /** Takes both columns of a form. */
  wide?: boolean
  /** The cell itself shows what an empty value means; otherwise the caller draws a dash. */
  drawsBlank?: boolean
  /**
   * What the cell draws, by which the width it needs is estimated: the text or label of the value, a tag with the
   * label, an icon with yes or no (`mark`), or a time as its distance from now (`moment`).
   */
  drawnAs?: 'text' | 'tag' | 'mark' | 'moment'
  /** Choosing a value in a table cell saves it at once, because one choice is the whole input. */
  savesOnChoice?: boolean
  /** Input used in a table cell instead of `Input`. */
  CellInput?: ComponentType<CellInputProps>
}
