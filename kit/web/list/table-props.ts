import type { ReactNode } from 'react'
import type { TableColumn } from './columns.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import type { LocalizeFunction } from '../base/language.tsx'
import type { TableDensity } from './list-settings.ts'
import type { ListSort } from './list-state.ts'
import { words } from '../base/page-words.ts'
import type { RowAction } from './row-buttons.tsx'
import type { RowLinesOptions } from './row-lines-options.ts'

export type TablePaging = {
  current: number
  size: number
  total: number
  totalCapped?: boolean
  onChange: (current: number, size: number) => void
}

export type DataTableProps<R extends UntypedRow = UntypedRow> = {
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  /** First load: shows a skeleton of the table's shape. */
  isPending?: boolean
  isFetching?: boolean
  /** Content shown instead of rows, such as an error or why there are none. */
  instead?: ReactNode
  sort?: ListSort
  onSort?: (sort: ListSort | undefined) => void
  paging?: TablePaging
  /** Returns the actions of a row; without it there is no action column. */
  rowActions?: (row: R) => RowAction[]
  /** Width of the action column in pixels; shows one button for every 75, and at least two. */
  actionsWidth?: number
  /** Id of the row that is shown elsewhere on the page, which is highlighted. */
  current?: string
  chosen?: readonly R[]
  onChoose?: (rows: R[]) => void
  onOpen?: (row: R) => void
  arrived?: ReadonlySet<string>
  density?: TableDensity
  onWidth?: (key: string, width: number) => void
  isTree?: boolean
  /** Returns the accessible name of a row; otherwise it is named by its first columns. */
  titleOf?: (row: R) => string
  /** Returns the content shown below a row when it is unfolded. */
  below?: (row: R) => ReactNode
  /** Totals row: content by column key. */
  totals?: Record<string, ReactNode>
  /** Accessible name of the table. */
  label: string
  /** On a phone the rows are shown as lines of this resource; without it by their columns. */
  lines?: RowLinesOptions
}

/** Returns the label of the totals row: totals cover only the rows shown, so it says "page" if there are more. */
export const totalsRowLabel = (paging: TablePaging | undefined, rows: readonly UntypedRow[], t: LocalizeFunction) =>
  t(paging && paging.total > rows.length ? words.pageSum : words.sum)

/** Returns the total number of rows as text ("共 57 条"); a plus marks a lower bound. */
export const totalCountText = ({ total, totalCapped }: TablePaging, t: LocalizeFunction) =>
  t(words.total, { total: `${total.toLocaleString('en-US')}${totalCapped ? '+' : ''}` })

const NAMED_BY = 2
const isNumber = (text: string) => /^\d{15,}$/.test(text)

/** Returns the accessible name of a row: its title or first texts, and its 18-digit id only if it has none. */
export function accessibleRowName<R extends UntypedRow>(
  { titleOf, columns }: Pick<DataTableProps<R>, 'titleOf' | 'columns'>,
  row: R,
): string {
  const title = titleOf?.(row) ?? ''
  if (title && !isNumber(title)) return title
  const texts = columns
    .filter(({ hidden }) => !hidden)
    .map(({ text }) => text?.(row) ?? '')
    .filter((text) => text && !isNumber(text))
  return texts.slice(0, NAMED_BY).join(' ') || title || String(row.id)
}
