import type { ReactNode } from 'react'
import type { BaseKey, Only, Resource } from '#kit/resource/define-resource.ts'
import type { Cells } from './detail/field-cell.tsx'
import type { FormLayout, Inputs } from './form/edit-form.tsx'
import type { Row } from './form/form-values.ts'
import type { Params } from './http.ts'
import type { Words } from './language.tsx'
import type { BulkAsk, Preview } from './list/bulk-dialog.tsx'
import type { Column } from './list/columns.tsx'
import type { Filters } from './list/filters.ts'
import type { Deed } from './list/row-buttons.tsx'
import type { List } from './list/use-list.ts'

/** What a room says about its page beyond the declaration. Every part is optional and replaces just that part. */
export type PageParts = {
  /** One sentence below the title: what the page is for. */
  intro?: Words
  /** Cells by field, in the table, on cards and in the detail. */
  cells?: Cells
  /** Inputs by field. */
  inputs?: Inputs
  formLayout?: FormLayout
  /** Columns of the page's own, after the declared ones or before one of them. */
  columns?: (Column & { before?: string })[]
  /** More things to do with a row, which may change what the list shows. */
  deeds?: (row: Row, list: Pick<List, 'set' | 'refetch'>) => Deed[]
  /** Below a row, when it is unfolded. */
  rowExtras?: (row: Row) => ReactNode
  /** Beside the table; gets the list, so that it can filter it. */
  panel?: (list: List) => ReactNode
  /** Above the table, below the filters: figures, a chart. */
  head?: (list: List) => ReactNode
  /** More buttons above the table. */
  toolbar?: (list: List) => ReactNode
  /** What else can be done with chosen rows, at the foot; left out for those who may do none of it. */
  many?: (rows: Row[]) => Deed[]
  /** Instead of the facts in the detail. */
  detail?: (row: Row) => ReactNode
  /** Beside the facts in the detail. */
  beside?: (row: Row) => ReactNode
  /** Instead of opening the detail when a row is clicked. */
  onRow?: (row: Row) => void
  /**
   * Id of the row shown beside the list, "" for none yet: a click (`onRow`) picks a row, and its detail opens by the
   * button.
   */
  current?: string
  /** Instead of the derived form, for adding and editing. */
  form?: (props: { id?: string; preset?: Row; onClose: (saved: boolean) => void }) => ReactNode
  /** A row was added by the derived form: what the server answered. */
  onAdded?: (answer: Row) => void
  /** Filters the reader cannot change. */
  fixed?: Params
  /** Filters the list begins with where the address says none; one object for the life of the page. */
  start?: Filters
  /** What doing something with many rows comes to, above its preview. */
  bulkNote?: (ask: BulkAsk, preview: Preview) => ReactNode
  /** The page narrows the list by itself now: without rows it says that nothing matches, not that there is nothing. */
  isNarrowed?: boolean
  /** Instead of the derived export; gets the filters. */
  onExport?: (params: Record<string, string>) => Promise<void>
  /** Last part of the list's path; `list` unless said. */
  call?: string
  /** What can be done with a row in the end: takes deeds away, greys them, reorders them. */
  tame?: (deeds: Deed[], row: Row) => Deed[]
  /** Width of the column of row buttons, and of the form. */
  deedsWidth?: number
  formWidth?: number
  /** Values a new row starts with. */
  preset?: (list: List) => Row
  /** Totals under the columns. */
  totals?: (rows: Row[]) => Record<string, ReactNode> | undefined
  /** A list inside something else: no title, and its state is not in the address. */
  embedded?: boolean
}

type KeyOf<R extends Resource<any, any>> = Extract<keyof R['fields'], string> | BaseKey
type ArgumentOf<A> = { [K in keyof A]: A[K] extends { input: infer I } ? keyof I : never }[keyof A]

/** What is made for any resource has no keys to look at. */
type OfKeys<T, K extends string> = string extends keyof T ? T : T & Only<T, Record<K, unknown>>

/** Parts for one resource: cells and inputs of fields it does not have do not compile. */
export type PartsOf<R extends Resource<any, any>, C extends Cells, I extends Inputs> = PageParts & {
  cells?: OfKeys<C, KeyOf<R>>
  inputs?: OfKeys<I, KeyOf<R> | Extract<ArgumentOf<R['actions']>, string>>
}
