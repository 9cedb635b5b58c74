import type { ComponentType } from 'react'
import type { Field } from './field-kind.ts'

export type CellPlacement = 'table' | 'card' | 'detail'

/** `R` is the row as it travels: `WireRow<typeof shelf>` where a cell looks beside its value. */
export type CellProps<R extends object = Record<string, unknown>> = {
  name: string
  field: Field
  value: unknown
  row: R
  /** Where it is shown: short in a table or card, whole in a detail. */
  place: CellPlacement
}

export type InputProps = {
  name: string
  field: Field
  /** The form's value: the wire value, "" when empty, JSON as text. */
  value: unknown
  onChange: (value: unknown) => void
  /** Everything in the form, for inputs that depend on others. */
  values: Record<string, unknown>
  /** Fills in other fields of the form, where it can be done. */
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
  /** Text as it stands in the address; "" for none. */
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
  /** The cell itself says what emptiness means. */
  drawsBlank?: boolean
  /**
   * How its cell is drawn, where the room it needs is told by that: the text of the value or of the words beside it, a
   * tag with those words, an icon with yes or no, a moment told by its distance.
   */
  drawnAs?: 'text' | 'tag' | 'mark' | 'moment'
  /** One choice is all there is to say: in its cell it is saved by being chosen. */
  savesOnChoice?: boolean
  /** Stands in the cell instead of `Input`. */
  CellInput?: ComponentType<CellInputProps>
}
