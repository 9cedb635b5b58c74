import type { ReactNode } from 'react'
import type { BaseKey, Resource } from '#kit/resource/define-resource.ts'
import type { ExactKeys } from '#kit/resource/exact-keys.ts'
import type { CellOverride, CellOverrides } from '../row/field-cell.tsx'
import type { FormLayout, InputOverrides } from '../form/edit-form.tsx'
import type { UntypedRow, WireRowOrUntyped } from '../row/form-values.ts'
import type { QueryParams } from '../http/query-params.ts'
import type { LocalizedText } from '../base/language.tsx'
import type { BulkOperationRequest, BulkPreview } from './bulk-dialog.tsx'
import type { TableColumn } from './columns.tsx'
import type { FilterChipTexts } from './filter-chips.tsx'
import type { ActiveFilters } from './filters.ts'
import type { RowAction } from './row-buttons.tsx'
import type { SearchBoxOverrides } from './search-bar.tsx'
import type { ResourceList } from './use-list.ts'

/**
 * Parts by which a module changes the generated page of a resource; each replaces only that part. `R` is the wire row,
 * `K` the keys of its fields, `I` the keys of the form's fields.
 */
export type PageParts<R extends object = UntypedRow, K extends string = string, I extends string = string> = {
  /** One sentence below the title: what the page is for. */
  intro?: LocalizedText
  /** Replaces cells, by field: in the table, on cards and in the detail. */
  cells?: CellOverrides<R>
  /** Replaces inputs of the form, by field. */
  inputs?: InputOverrides
  /** Replaces search boxes, by field. */
  boxes?: SearchBoxOverrides
  /** Names for filter values on their chips, by filter key or field. */
  chips?: FilterChipTexts
  formLayout?: FormLayout<I, { [key in I]?: unknown }>
  /** Additional columns, after the declared ones or before one of them. */
  columns?: (TableColumn<R> & { before?: K })[]
  /** Additional actions on a row; they may change or refetch the list. */
  rowActions?: (row: R, list: Pick<ResourceList, 'set' | 'refetch'>) => RowAction[]
  /** Content below a row when it is unfolded. */
  rowExtras?: (row: R) => ReactNode
  /** Content beside the table, which may filter the list. */
  panel?: (list: ResourceList<R>) => ReactNode
  /** Content above the table and below the filters, such as figures or a chart. */
  head?: (list: ResourceList<R>) => ReactNode
  /** Additional buttons in the toolbar. */
  toolbar?: (list: ResourceList<R>) => ReactNode
  /** Additional actions on the selected rows; leave it out for users who may do none of them. */
  many?: (rows: R[]) => RowAction[]
  /** Replaces the list of fields in the detail. */
  detail?: (row: R) => ReactNode
  /** Content beside the fields in the detail. */
  beside?: (row: R) => ReactNode
  /** Called when a row is clicked, instead of opening its detail. */
  onRow?: (row: R) => void
  /**
   * Id of the row shown beside the list, "" for none yet. A click then only selects a row (`onRow`), and a button opens
   * its detail.
   */
  current?: string
  /** Replaces the generated form for adding and editing. */
  form?: (props: { id?: string; preset?: UntypedRow; onClose: (saved: boolean) => void }) => ReactNode
  /** Content beside the generated form, computed from its values, such as a preview. */
  formBeside?: (values: UntypedRow) => ReactNode
  /** Called with the server's answer after the generated form added a row. */
  onAdded?: (answer: UntypedRow) => void
  /** Filters the user cannot change. */
  fixed?: QueryParams
  /** Filters the list begins with if the address has none. Must be the same object for as long as the page is open. */
  start?: ActiveFilters
  /** Note above the preview of a bulk operation, such as its consequences. */
  bulkNote?: (ask: BulkOperationRequest, preview: BulkPreview) => ReactNode
  /** The page itself filters the list now, so an empty list says "no match" instead of "no data". */
  isNarrowed?: boolean
  /** Replaces the generated export; gets the list's filters and sort order. */
  onExport?: (params: Record<string, string>) => Promise<void>
  /** Last part of the list's path; `list` by default. */
  call?: string
  /** Changes the final actions of a row: removes, disables or reorders them. */
  transformActions?: (rowActions: RowAction[], row: R) => RowAction[]
  /** Width of the column of row actions (px). */
  actionsWidth?: number
  /** Width of the form (px). */
  formWidth?: number
  /** Values a new row starts with. */
  preset?: (list: ResourceList<R>) => { [key in I]?: unknown }
  /** Totals under the columns, by column key. */
  totals?: (rows: R[]) => { [key in K]?: ReactNode } | undefined
  /** The list is part of another page: it has no title and keeps its state out of the address. */
  embedded?: boolean
}

type KeyOf<R extends Resource<any, any>> = Extract<keyof R['fields'], string> | BaseKey
type ArgumentOf<A> = { [K in keyof A]: A[K] extends { input: infer I } ? keyof I : never }[keyof A]

/** Checks keys only if they are known: parts written for any resource pass unchecked. */
type OfKeys<T, K extends string> = string extends keyof T ? T : T & ExactKeys<T, Record<K, unknown>>

/** The form layout of a resource. */
export type FormLayoutOf<R extends Resource<any, any>> = FormLayout<KeyOf<R>, { [key in KeyOf<R>]?: unknown }>

type InputKey<R extends Resource<any, any>> = KeyOf<R> | Extract<ArgumentOf<R['actions']>, string>

/**
 * Parts of the page of one resource. Cells, inputs, columns and layouts for fields it does not have do not compile, nor
 * does reading a row by an unknown key.
 */
export type PagePartsOf<
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>>,
  I extends InputOverrides,
> = Omit<PageParts<WireRowOrUntyped<R>, KeyOf<R>, KeyOf<R>>, 'cells' | 'inputs'> & {
  cells?: { [K in KeyOf<R>]?: CellOverride<WireRowOrUntyped<R>> } & OfKeys<C, KeyOf<R>>
  inputs?: OfKeys<I, InputKey<R>>
}

/**
 * Checks the parts against one resource, then returns them with the general type. The page passes them only rows of
 * that resource.
 */
export const definePageParts = <
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>> = Record<never, never>,
  I extends InputOverrides = Record<never, never>,
>(
  _resource: R,
  parts: PagePartsOf<R, C, I>,
) => parts as PageParts
