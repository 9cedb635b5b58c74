import type { ReactNode } from 'react'
import type { BaseKey, ExactKeys, Resource } from '#kit/resource/define-resource.ts'
import type { CellOverride, CellOverrides } from './detail/field-cell.tsx'
import type { FormLayout, InputOverrides } from './form/edit-form.tsx'
import type { UntypedRow, WireRowOrUntyped } from './form/form-values.ts'
import type { QueryParams } from './http.ts'
import type { LocalizedText } from './language.tsx'
import type { BulkOperationRequest, BulkPreview } from './list/bulk-dialog.tsx'
import type { TableColumn } from './list/columns.tsx'
import type { FilterChipTexts } from './list/filter-chips.tsx'
import type { ActiveFilters } from './list/filters.ts'
import type { RowAction } from './list/row-buttons.tsx'
import type { SearchBoxOverrides } from './list/search-bar.tsx'
import type { ResourceList } from './list/use-list.ts'

/**
 * What a module says about its page beyond the declaration. Every part is optional and replaces just that part. `R` is
 * the row as it travels, `K` the keys of its fields, `I` those of the form's.
 */
export type PageParts<R extends object = UntypedRow, K extends string = string, I extends string = string> = {
  /** One sentence below the title: what the page is for. */
  intro?: LocalizedText
  /** Cells by field, in the table, on cards and in the detail. */
  cells?: CellOverrides<R>
  /** Inputs by field. */
  inputs?: InputOverrides
  /** Search boxes by field. */
  boxes?: SearchBoxOverrides
  /** What the value of a filter is called while it is at work, by its key in the address or its field. */
  chips?: FilterChipTexts
  formLayout?: FormLayout<I, { [key in I]?: unknown }>
  /** Columns of the page's own, after the declared ones or before one of them. */
  columns?: (TableColumn<R> & { before?: K })[]
  /** More things to do with a row, which may change what the list shows. */
  rowActions?: (row: R, list: Pick<ResourceList, 'set' | 'refetch'>) => RowAction[]
  /** Below a row, when it is unfolded. */
  rowExtras?: (row: R) => ReactNode
  /** Beside the table; gets the list, so that it can filter it. */
  panel?: (list: ResourceList<R>) => ReactNode
  /** Above the table, below the filters: figures, a chart. */
  head?: (list: ResourceList<R>) => ReactNode
  /** More buttons above the table. */
  toolbar?: (list: ResourceList<R>) => ReactNode
  /** What else can be done with chosen rows, at the foot; left out for those who may do none of it. */
  many?: (rows: R[]) => RowAction[]
  /** Instead of the facts in the detail. */
  detail?: (row: R) => ReactNode
  /** Beside the facts in the detail. */
  beside?: (row: R) => ReactNode
  /** Instead of opening the detail when a row is clicked. */
  onRow?: (row: R) => void
  /**
   * Id of the row shown beside the list, "" for none yet: a click (`onRow`) picks a row, and its detail opens by the
   * button.
   */
  current?: string
  /** Instead of the derived form, for adding and editing. */
  form?: (props: { id?: string; preset?: UntypedRow; onClose: (saved: boolean) => void }) => ReactNode
  /** Beside the derived form: what becomes of what it holds. */
  formBeside?: (values: UntypedRow) => ReactNode
  /** A row was added by the derived form: what the server answered. */
  onAdded?: (answer: UntypedRow) => void
  /** Filters the reader cannot change. */
  fixed?: QueryParams
  /** Filters the list begins with where the address says none; one object for the life of the page. */
  start?: ActiveFilters
  /** What doing something with many rows comes to, above its preview. */
  bulkNote?: (ask: BulkOperationRequest, preview: BulkPreview) => ReactNode
  /** The page narrows the list by itself now: without rows it says that nothing matches, not that there is nothing. */
  isNarrowed?: boolean
  /** Instead of the derived export; gets the filters. */
  onExport?: (params: Record<string, string>) => Promise<void>
  /** Last part of the list's path; `list` unless said. */
  call?: string
  /** What can be done with a row in the end: takes actions away, greys them, reorders them. */
  transformActions?: (rowActions: RowAction[], row: R) => RowAction[]
  /** Width of the column of row buttons, and of the form. */
  actionsWidth?: number
  formWidth?: number
  /** Values a new row starts with. */
  preset?: (list: ResourceList<R>) => { [key in I]?: unknown }
  /** Totals under the columns. */
  totals?: (rows: R[]) => { [key in K]?: ReactNode } | undefined
  /** A list inside something else: no title, and its state is not in the address. */
  embedded?: boolean
}

type KeyOf<R extends Resource<any, any>> = Extract<keyof R['fields'], string> | BaseKey
type ArgumentOf<A> = { [K in keyof A]: A[K] extends { input: infer I } ? keyof I : never }[keyof A]

/** What is made for any resource has no keys to look at. */
type OfKeys<T, K extends string> = string extends keyof T ? T : T & ExactKeys<T, Record<K, unknown>>

/** The layout of a family's form. */
export type FormLayoutOf<R extends Resource<any, any>> = FormLayout<KeyOf<R>, { [key in KeyOf<R>]?: unknown }>

type InputKey<R extends Resource<any, any>> = KeyOf<R> | Extract<ArgumentOf<R['actions']>, string>

/**
 * Parts for one resource: cells, inputs, columns and layouts of fields it does not have do not compile, nor does a row
 * that is read by a key it does not have.
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
 * Parts for one resource, checked against it and from then on for machinery that knows no family: it gives them rows of
 * that resource alone.
 */
export const definePageParts = <
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>> = Record<never, never>,
  I extends InputOverrides = Record<never, never>,
>(
  _resource: R,
  parts: PagePartsOf<R, C, I>,
) => parts as PageParts
